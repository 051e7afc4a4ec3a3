import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TablePlace } from '../../../infra/local/local-table.ts';
import { makeId } from '../../../shared/model/ids.ts';
import { conditionalWrite } from '../../../shared/store/conditional-write.ts';
import { type ConnectionRow, connectionRows } from '../../../shared/store/connections.ts';
import { dueWork } from '../../../shared/store/due.ts';
import { keys } from '../../../shared/store/keys.ts';
import { owedRows } from '../../../shared/store/owed.ts';
import { revocationRows } from '../../../shared/store/revocations.ts';
import { openStore, type Store } from '../../../shared/store/store.ts';
import { subscriptionRows } from '../../../shared/store/subscriptions.ts';
import { maxNotifications, type Notification, syncRows } from '../../../shared/store/syncs.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { startTable } from './engines.ts';

const nowMs = 1_773_144_000_000;

onEveryEngine('connections as sync workers see them', (kind) => {
  let place: TablePlace;
  let store: Store;
  beforeAll(async () => {
    place = await startTable(kind);
    store = openStore(place.table, { now: () => nowMs });
  });
  afterAll(() => place.stop());

  async function held(): Promise<ConnectionRow & { vendorAccount: string }> {
    const row = {
      user: makeId('user', nowMs, randomBytes(10)),
      device: makeId('device', nowMs, randomBytes(10)),
      account: makeId('account', nowMs, randomBytes(10)),
      env: 'live' as const,
      provider: 'oura' as const,
      origin: 'https://day.example',
      status: 'exchanging' as const,
      awaited: null,
      vendorAccount: 'ann',
      grant: 'sealed',
      grantExpiresMs: null,
      scopes: null,
      connectedMs: nowMs,
    };
    await place.table.write({ kind: 'put', item: { ...keys.connection(row.user, row.device), ...row } });
    await store.commit(connectionRows(store).holding(row));
    return row;
  }
  const claim = ({ user, device }: ConnectionRow, atMs = nowMs) =>
    syncRows(store).claim(user, device, atMs, atMs + 90_000);
  const object: Notification = { what: 'object', resource: 'sleep', id: 'a' };

  test('one of many workers has a connection, until its lease runs out or it is given back', async () => {
    const row = await held();
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(row)));
    expect(claims.filter((each) => each !== undefined)).toHaveLength(1);
    expect(await claim(row, nowMs + 89_999)).toBeUndefined();
    const second = await claim(row, nowMs + 90_000);
    expect(second?.claims).toBe(2);
    const [first] = claims.flatMap((each) => each ?? []);
    if (!first || !second) throw new Error('nobody had it');
    expect((await conditionalWrite(place.table, syncRows(store).releasing(first, {}, nowMs))).held).toBe(false);
    expect(await syncRows(store).renew(first, { grant: 'other', grantExpiresMs: 1, scopes: [] })).toBe(false);
    expect(await syncRows(store).letGo(first)).toBe(false);
    expect(await claim(row, nowMs + 90_001)).toBeUndefined();
    expect((await conditionalWrite(place.table, syncRows(store).releasing(second, {}, nowMs))).held).toBe(true);
    expect((await claim(row))?.claims).toBe(3);
  });

  test('tokens are stored whatever became of the connection; what was said of those before is forgotten', async () => {
    const row = await held();
    const mine = await claim(row);
    if (!mine) throw new Error('it was due');
    const dead = { times: 2, lastMs: nowMs };
    await place.table.write(syncRows(store).keeping(mine, { dead }));
    const key = keys.connection(row.user, row.device);
    const ended = { update: 'SET #status = :ended', values: { ended: 'revoking' } };
    await place.table.write({ kind: 'update', key, ...ended });
    expect((await conditionalWrite(place.table, syncRows(store).keeping(mine, { pollMs: 1 }))).held).toBe(false);
    expect(await syncRows(store).renew(mine, { grant: 'other', grantExpiresMs: 1, scopes: [] })).toBe(true);
    expect(await syncRows(store).read(row.user, row.device)).toMatchObject({ grant: 'other', dead: null, pollMs: 0 });
  });

  test('what is not due cannot be claimed, and what is due is found by index', async () => {
    const row = await held();
    const mine = await claim(row);
    if (!mine) throw new Error('it was due');
    await place.table.write(syncRows(store).releasing(mine, { pollMs: 5 }, nowMs + 60_000));
    expect(await claim(row, nowMs + 59_999)).toBeUndefined();
    const owners = async (beforeMs: number) => {
      const { owed } = await owedRows(store).before('sync', beforeMs, { atMost: 1000 });
      return dueWork('sync').jobs(owed);
    };
    const job = { user_id: row.user, device_id: row.device };
    expect(await owners(nowMs + 59_999)).not.toContainEqual(job);
    expect(await owners(nowMs + 60_001)).toContainEqual(job);
    expect((await claim(row, nowMs + 60_000))?.pollMs).toBe(5);
  });

  test('notes are kept in order and make it due; a worker that does not know of one cannot settle', async () => {
    const row = await held();
    const mine = await claim(row);
    if (!mine) throw new Error('it was due');
    expect(await syncRows(store).note(row, [object], nowMs)).toBe(true);
    expect(await syncRows(store).note(row, [{ what: 'ended' }, object], nowMs)).toBe(true);
    expect((await conditionalWrite(place.table, syncRows(store).releasing(mine, {}, nowMs + 60_000))).held).toBe(false);
    const read = await syncRows(store).read(row.user, row.device);
    expect(read?.notes).toEqual([object, { what: 'ended' }, object]);
    if (!read) throw new Error('it is gone');
    const rest = { notes: read.notes.slice(1) };
    expect((await conditionalWrite(place.table, syncRows(store).keeping(read, rest))).held).toBe(true);
    expect((await syncRows(store).read(row.user, row.device))?.notes).toHaveLength(2);
  });

  test('more notes than are kept are refused, and one takes their place', async () => {
    const row = await held();
    const note = (count: number) =>
      syncRows(store).note(
        row,
        Array.from({ length: count }, () => object),
        nowMs,
      );
    expect(await note(maxNotifications - 1)).toBe(true);
    expect(await note(2)).toBe('full');
    expect(await note(1)).toBe(true);
    expect(await note(1)).toBe('full');
    expect(await note(maxNotifications + 1)).toBe('full');
    await syncRows(store).collapse(row, [{ what: 'days', from: '2026-03-01', to: '2026-03-02' }], nowMs);
    expect(await syncRows(store).read(row.user, row.device)).toMatchObject({
      collapses: 1,
      noted: 3,
      notes: [{ what: 'days' }],
    });
    const stranger = { user: row.user, device: makeId('device', nowMs, randomBytes(10)) };
    expect(await syncRows(store).note(stranger, [object], nowMs)).toBe(false);
    expect(await syncRows(store).collapse(stranger, [object], nowMs)).toBe(false);
    await syncRows(store).endLease(keys.connection(stranger.user, stranger.device));
    expect(await place.table.get(keys.connection(stranger.user, stranger.device))).toBeUndefined();
  });

  test('a connection whose consent is given back is over, and its revocation is found due and had by one worker', async () => {
    const row = await held();
    const active = await claim(row);
    if (!active) throw new Error('nobody had it');
    const { owing, claim: take, later, renew, letGo, end, of } = revocationRows(store);
    await store.commit(owing(active, nowMs + 5));
    expect(await connectionRows(store).linkedTo('oura', 'live', 'ann')).not.toContainEqual({
      user: row.user,
      device: row.device,
    });
    expect(await syncRows(store).read(row.user, row.device)).toBeUndefined();
    expect(await syncRows(store).note(row, [object], nowMs)).toBe(false);
    await expect(store.commit(owing(active, nowMs + 6))).rejects.toThrow();
    const { owed } = await owedRows(store).before('sync', nowMs + 10, { atMost: 1_000 });
    const found = owed.filter(({ owner }) => owner.endsWith(row.device));
    expect(dueWork('sync').jobs(found)).toEqual([{ user_id: row.user, device_id: row.device, revoke: true }]);

    // Whoever was at the connection still holds it.
    expect(await take(row, nowMs + 5, nowMs + 90_000)).toBeUndefined();
    expect(await renew(active, { grant: 'renewed', grantExpiresMs: 1, scopes: [] })).toBe(true);
    expect(await letGo(active)).toBe(true);
    const claims = await Promise.all(Array.from({ length: 5 }, () => take(row, nowMs + 5, nowMs + 90_000)));
    const [mine, ...others] = claims.flatMap((each) => each ?? []);
    expect([mine, others]).toMatchObject([{ endedMs: nowMs + 5, grant: 'renewed', failures: 0 }, []]);
    if (!mine) throw new Error('nobody had it');
    await later(active, { failures: 7, turn: 'late' }, nowMs);
    expect(await of(row.user, row.device)).toMatchObject({ failures: 0 });
    await later(mine, { failures: 1, turn: 'late' }, nowMs + 60_000);
    expect(await take(row, nowMs + 59_999, nowMs + 90_000)).toBeUndefined();
    await end(mine);
    expect(await of(row.user, row.device)).toBeUndefined();
  });

  test('a subscription is opened once, claimed by one, and due again when it says so', async () => {
    const { open, claim: take, settle, of } = subscriptionRows(store);
    expect(await open('polar', 'live', 'https://day.example', nowMs)).toBe(true);
    expect(await open('polar', 'live', 'https://other.example', nowMs)).toBe(false);
    const claims = await Promise.all(Array.from({ length: 5 }, () => take('polar', 'live', nowMs, nowMs + 90_000)));
    const [mine, ...others] = claims.flatMap((each) => each ?? []);
    expect([mine?.origin, others]).toEqual(['https://day.example', []]);
    if (!mine) throw new Error('nobody had it');
    expect(await settle('live', 'polar', mine, { ids: { a: '1' }, secret: 'sealed', failures: 0 }, nowMs + 500)).toBe(
      true,
    );
    expect(await take('polar', 'live', nowMs + 499, nowMs + 90_000)).toBeUndefined();
    const before = { ...mine, claims: mine.claims - 1 };
    expect(await settle('live', 'polar', before, { ids: {}, failures: 1 }, nowMs)).toBe(false);
    expect(await of('polar', 'live')).toMatchObject({ ids: { a: '1' }, secret: 'sealed' });
    const { owed } = await owedRows(store).before('sync', nowMs + 501, { atMost: 1000 });
    expect(dueWork('sync').jobs(owed)).toContainEqual({ provider: 'polar', env: 'live' });
  });
});
