// The rows of a team: members, invitations and the addresses they reserve.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import { type Table, TransactionCanceled, type Write } from '../../../shared/platform/ports.ts';
import { type IdKind, makeId } from '../../../shared/system/ids.ts';
import { keys, parseInvitationKey } from '../../../shared/system/keys.ts';
import { emailReservationRows } from '../../../shared/team/email-reservation-rows.ts';
import { type InvitationRow, invitationRows } from '../../../shared/team/invitation-rows.ts';
import { type MemberRow, memberRows } from '../../../shared/team/member-rows.ts';
import { maxInvitationsPerDay } from '../../../shared/team/team.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { oneTo } from '../../harness/outbox.ts';
import { listPendingOwners } from '../../harness/pending-work.ts';
import { storeOn } from '../../harness/store-on.ts';
import { startTable } from '../system/engines.ts';

const dayMs = 24 * 3_600_000;
let lastMs = Date.UTC(2026, 0, 1);
const freshId = (kind: IdKind) => {
  lastMs += 1;
  return makeId(kind, lastMs, randomBytes(10));
};
const newMember = (account: string, more: Partial<MemberRow> = {}): MemberRow => ({
  id: freshId('member'),
  account,
  env: 'live',
  email: 'alex@example.com',
  emailHash: 'hash',
  name: null,
  user: freshId('user'),
  status: 'active',
  joinedMs: lastMs,
  archivedMs: null,
  revision: 0,
  ...more,
});
const newInvitation = (account: string, more: Partial<InvitationRow> = {}): InvitationRow => ({
  id: freshId('invitation'),
  account,
  env: 'live',
  email: 'alex@example.com',
  emailHash: 'hash',
  name: 'Alex',
  language: 'en',
  status: 'pending',
  createdMs: lastMs,
  expiresMs: lastMs + 14 * dayMs,
  endedMs: null,
  member: null,
  user: null,
  aboutUser: null,
  origin: 'https://api.example.com',
  links: [],
  messages: 1,
  mail: {
    status: 'queued',
    requestedMs: lastMs,
    tries: 0,
    failures: 0,
    throttles: 0,
    nextMs: lastMs,
    isLeased: false,
    sentMs: null,
    error: null,
    linkSalt: '',
  },
  revision: 0,
  ...more,
});

test('the key of an invitation names its account and environment', () => {
  for (const env of ['live', 'sandbox'] as const)
    expect(parseInvitationKey(keys.invitation('acc_1', env, 'inv_1'))).toEqual({
      account_id: 'acc_1',
      env,
      invitation_id: 'inv_1',
    });
});

onEveryEngine('the team', (kind) => {
  let localTable: LocalTable;
  let table: Table;
  let members: ReturnType<typeof memberRows>;
  let invitations: ReturnType<typeof invitationRows>;
  let holds: ReturnType<typeof emailReservationRows>;
  beforeAll(async () => {
    localTable = await startTable(kind);
    table = localTable.table;
    members = memberRows(storeOn(table));
    invitations = invitationRows(storeOn(table));
    holds = emailReservationRows(storeOn(table));
  });
  afterAll(() => localTable.stop());
  const isRefused = (writes: Write[]): Promise<boolean> =>
    table.transact(writes).then(
      () => false,
      (error: unknown) => {
        if (error instanceof TransactionCanceled) return true;
        throw error;
      },
    );

  test('members are paged newest first, without the other rows of the team', async () => {
    const account = freshId('account');
    const inserted = oneTo(25).map(() => newMember(account));
    for (const row of inserted) await table.transact(members.buildInsert(row));
    await table.transact([
      invitations.buildInsert(newInvitation(account)),
      holds.buildAssign({ account, env: 'live', emailHash: 'a' }, undefined, { invitation: null, member: 'm' }),
      invitations.buildCount(account, 'live', lastMs),
    ]);
    const other = newMember(freshId('account'));
    const inSandbox = newMember(account, { env: 'sandbox' });
    for (const row of [other, inSandbox]) await table.transact(members.buildInsert(row));
    const seen: string[] = [];
    for (let afterId: string | undefined, more = true; more; ) {
      const page = await members.readPage(account, 'live', { limit: 7, afterId });
      seen.push(...page.rows.map(({ id }) => id));
      afterId = page.nextAfterId;
      more = afterId !== undefined;
    }
    expect(seen).toEqual(inserted.map(({ id }) => id).toReversed());
    expect((await members.readPage(account, 'live', { limit: 25 })).nextAfterId).toBeUndefined();
    expect((await members.readPage(account, 'live', { limit: 24 })).nextAfterId).toBeDefined();
  });

  test('members of one status fill a page, however many others are between them', async () => {
    const account = freshId('account');
    const inserted = oneTo(430).map((n) => newMember(account, { status: n % 215 === 1 ? 'archived' : 'active' }));
    await table.batchWrite(
      inserted.map((row) => ({ kind: 'put', item: { ...keys.member(account, 'live', row.id), ...row } })),
    );
    const archived = inserted.filter(({ status }) => status === 'archived').map(({ id }) => id);
    expect(archived).toHaveLength(2);
    const page = await members.readPage(account, 'live', { limit: 2, status: 'archived' });
    expect([page.rows.map(({ id }) => id), page.nextAfterId]).toEqual([archived.toReversed(), undefined]);
  });

  test('a user is one member at most, and a member that was changed or removed since it was read is not changed', async () => {
    const account = freshId('account');
    const row = newMember(account);
    await table.transact(members.buildInsert(row));
    expect(await members.findByUser(row.user)).toEqual({ account, env: 'live', member: row.id });
    expect(await isRefused(members.buildInsert(newMember(account, { user: row.user })))).toBe(true);
    const archived = { ...row, status: 'archived', archivedMs: 7 } as const;
    expect(await isRefused([members.buildUpdate(row, archived)])).toBe(false);
    expect(await isRefused([members.buildUpdate(row, archived)])).toBe(true);
    const now = await members.findById(account, 'live', row.id);
    expect(now).toEqual({ ...archived, revision: 1 });
    expect(await isRefused(members.buildRemove(row, { keepsPointer: false }))).toBe(true);
    expect(await members.wasRemoved(account, 'live', row.id)).toBe(false);
    expect(await isRefused(members.buildRemove({ ...row, revision: 1 }, { keepsPointer: false }))).toBe(false);
    expect(await members.findById(account, 'live', row.id)).toBeUndefined();
    expect(await members.wasRemoved(account, 'live', row.id)).toBe(true);
    expect(await members.findByUser(row.user)).toBeUndefined();
    const tombstone = await table.get(keys.memberTombstone(account, 'live', row.id));
    expect(Object.keys(tombstone ?? {}).sort()).toEqual(['pk', 'sk']);
  });

  test('an address is reassigned only by the writer that read it last, and is deleted when nobody has it', async () => {
    const address = { account: freshId('account'), env: 'live', emailHash: 'x' } as const;
    expect(
      await isRefused([holds.buildAssign(address, undefined, { invitation: 'i', member: null, untilMs: 5_000 })]),
    ).toBe(false);
    expect(await isRefused([holds.buildAssign(address, undefined, { invitation: 'j', member: null })])).toBe(true);
    const first = await holds.find(address);
    expect(first).toEqual({ invitation: 'i', member: null, formerUser: null, revision: 1 });
    expect(await table.get(keys.emailReservation(address.account, 'live', 'x'))).toMatchObject({ ttl: 5 });
    expect(
      await isRefused([holds.buildAssign(address, first, { invitation: null, member: 'm', untilMs: 5_000 })]),
    ).toBe(false);
    expect(await table.get(keys.emailReservation(address.account, 'live', 'x'))).not.toHaveProperty('ttl');
    expect(await isRefused([holds.buildAssign(address, first, { invitation: null, member: 'n' })])).toBe(true);
    expect(
      await isRefused([holds.buildAssign(address, await holds.find(address), { invitation: null, member: null })]),
    ).toBe(false);
    expect(await holds.find(address)).toBeUndefined();
  });

  test('an address leads to the user of a removed member across invitations, until another user or none is named', async () => {
    const address = { account: freshId('account'), env: 'live', emailHash: 'y' } as const;
    const hand = async (to: Parameters<typeof holds.buildAssign>[2]) =>
      table.transact([holds.buildAssign(address, await holds.find(address), to)]);
    await hand({ invitation: null, member: 'm' });
    await hand({ invitation: null, member: null, formerUser: 'u' });
    await hand({ invitation: 'i', member: null, untilMs: 5_000 });
    expect(await table.get(keys.emailReservation(address.account, 'live', 'y'))).not.toHaveProperty('ttl');
    await hand({ invitation: null, member: null });
    expect(await holds.find(address)).toMatchObject({ invitation: null, member: null, formerUser: 'u' });
    await hand({ invitation: null, member: 'm', formerUser: null });
    await hand({ invitation: null, member: null });
    expect(await holds.find(address)).toBeUndefined();
  });

  test('an invitation has its email pending while it is pending, and is stored for 30 days after it ended', async () => {
    const row = newInvitation(freshId('account'));
    await table.transact([invitations.buildInsert(row)]);
    expect(await isRefused([invitations.buildInsert(row)])).toBe(true);
    expect(await invitations.findById(row.account, 'live', row.id)).toEqual(row);
    expect(await listPendingOwners(storeOn(table), 'mail')).toContain(row.id);
    const ttl = async () => (await table.get(keys.invitation(row.account, 'live', row.id)))?.['ttl'];
    expect(await ttl()).toBe(Math.ceil((row.expiresMs + 30 * dayMs) / 1000));
    const endedMs = row.createdMs + dayMs;
    expect(await isRefused([invitations.buildUpdate(row, { ...row, status: 'revoked', endedMs })])).toBe(false);
    expect(await isRefused([invitations.buildUpdate(row, { ...row, status: 'accepted', endedMs })])).toBe(true);
    expect(await ttl()).toBe(Math.ceil((endedMs + 30 * dayMs) / 1000));
    expect(await listPendingOwners(storeOn(table), 'mail')).not.toContain(row.id);
  });

  test('an invitation in an unknown language is read as one in the default language', async () => {
    const row = newInvitation(freshId('account'));
    await table.write({
      kind: 'put',
      item: { ...keys.invitation(row.account, 'live', row.id), ...row, language: 'it' },
    });
    expect((await invitations.findById(row.account, 'live', row.id))?.language).toBe('en');
  });

  test('an invitation is found by its user', async () => {
    const user = freshId('user');
    const inserted = [newInvitation(freshId('account')), newInvitation(freshId('account'))];
    await table.transact(inserted.map((row) => invitations.buildUserPointer(user, row)));
    expect(await invitations.listByUser(user)).toEqual(inserted.map(({ account, env, id }) => ({ account, env, id })));
    for (const { id, expiresMs } of inserted)
      expect(await table.get(keys.invitationPointer(user, id))).toMatchObject({
        ttl: Math.ceil((expiresMs + 30 * dayMs) / 1000),
      });
    await table.transact(inserted.slice(0, 1).map((row) => invitations.buildRemoveUserPointer(user, row)));
    expect((await invitations.listByUser(user)).map(({ id }) => id)).toEqual([inserted[1]?.id]);
  });

  test('a day accepts invitations up to its limit, and no more', async () => {
    const account = freshId('account');
    const key = keys.invitationCount(account, 'live', '2026-01-01');
    await table.write({ kind: 'put', item: { ...key, count: maxInvitationsPerDay - 1 } });
    const count = () => isRefused([invitations.buildCount(account, 'live', Date.parse('2026-01-01'))]);
    expect([await count(), await count()]).toEqual([false, true]);
    expect(await isRefused([invitations.buildCount(account, 'live', Date.parse('2026-01-02'))])).toBe(false);
    // Stored until the day is over in every time zone, and no longer.
    expect(await table.get(keys.invitationCount(account, 'live', '2026-01-02'))).toMatchObject({
      ttl: Date.parse('2026-01-04') / 1000,
    });
  });

  test('a worker that is gone does not hold back an email', async () => {
    const mail = { ...newInvitation('').mail, tries: 1, nextMs: lastMs + dayMs, isLeased: true };
    const row = newInvitation(freshId('account'), { mail });
    await table.transact([invitations.buildInsert(row)]);
    await invitations.endLease(keys.invitation(row.account, 'live', row.id), lastMs);
    const after = await invitations.findById(row.account, 'live', row.id);
    expect(after).toEqual({ ...row, revision: 1, mail: { ...mail, isLeased: false, nextMs: lastMs } });
    await invitations.endLease(keys.invitation(row.account, 'live', row.id), lastMs + 1);
    expect(await invitations.findById(row.account, 'live', row.id)).toEqual(after);
  });
});
