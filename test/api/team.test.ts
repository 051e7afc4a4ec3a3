// The roster over HTTP: who is on it, and what becomes of a member.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey, type NewAccount } from '../../shared/accounts/accounts.ts';
import { joined, newEmail } from '../harness/invited.ts';
import { oneTo } from '../harness/outbox.ts';
import { farSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

let system: System;
let account: NewAccount;
beforeAll(async () => {
  system = await farSystem();
});
beforeEach(async () => {
  account = await system.account();
});

const roster = '/v1/team/roster';
const invitations = `${roster}/invitations`;
const dayMs = 24 * 3_600_000;
const live = (method: string, path: string, body?: object) =>
  system.call(method, path, { token: account.live_key, ...(body ? { body } : {}) });
const invite = (body: object) => live('POST', invitations, body);
const member = (input = {}) => joined(system.host.deps, account.account_id, input);

/** What the feed tells of members, oldest first. */
async function told(): Promise<Record<string, unknown>[]> {
  await system.host.drain();
  const { body } = await live('GET', '/v1/events?limit=1000');
  return body.events.filter(({ event_type }: { event_type: string }) => event_type.startsWith('member.'));
}

describe('the roster', () => {
  test('shows members newest first, page by page, each once', async () => {
    const made: string[] = [];
    for (const _ of oneTo(5)) made.push((await member()).member);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body }: { body: { data: { id: string }[]; next_cursor: string | null } } = await live(
        'GET',
        `${roster}?limit=2${cursor ? `&cursor=${cursor}` : ''}`,
      );
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.next_cursor;
      if (seen.length === 2) await member();
    } while (cursor);
    expect(seen).toEqual(made.toReversed());
  });

  test('shows those of one status, and full pages of them', async () => {
    const made = [];
    for (const _ of oneTo(6)) made.push((await member()).member);
    const archived = made.filter((_id, at) => at % 2 === 0);
    for (const id of archived) await live('PATCH', `${roster}/${id}`, { status: 'archived' });
    const { body } = await live('GET', `${roster}?status=archived&limit=2`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(archived.toReversed().slice(0, 2));
    const next = await live('GET', `${roster}?status=archived&limit=2&cursor=${body.next_cursor}`);
    expect(next.body.data.map(({ id }: { id: string }) => id)).toEqual([archived[0]]);
    expect(next.body.next_cursor).toBeNull();
    const other = await live('GET', `${roster}?status=active&limit=2&cursor=${body.next_cursor}`);
    expect([other.status, other.body.error]).toEqual([400, 'invalid_cursor']);
    expect((await live('GET', `${roster}?status=gone`)).status).toBe(400);
  });

  test('is of one account and environment; a foreign member is one that does not exist', async () => {
    const { member: foreign } = await joined(system.host.deps, (await system.account()).account_id);
    expect((await live('GET', roster)).body.data).toEqual([]);
    const missing = 'mem_01k9p3wq4r6t8w0y2a4c6e8g0j';
    for (const [method, body] of [['GET'], ['PATCH', { status: 'archived' }], ['DELETE']] as const) {
      const answer = await live(method, `${roster}/${foreign}`, body);
      const unknown = await live(method, `${roster}/${missing}`, body);
      expect([answer.status, answer.text.replaceAll(foreign, missing)]).toEqual([404, unknown.text]);
    }
  });
});

describe('a member', () => {
  test('is archived and reactivated; the same again changes and tells nothing', async () => {
    const email = newEmail();
    const { member: id, user } = await member({ email, name: 'Alex Kim' });
    const path = `${roster}/${id}`;
    const fresh = (await live('GET', path)).body;
    expect(fresh).toMatchObject({ id, email, name: 'Alex Kim', user_id: user, status: 'active', archived_at: null });
    const archived = await live('PATCH', path, { status: 'archived' });
    expect(archived.body).toEqual({ ...fresh, status: 'archived', archived_at: expect.any(String) });
    system.clock.advance(1_000);
    expect((await live('PATCH', path, { status: 'archived' })).text).toBe(archived.text);
    expect((await live('PATCH', path, { status: 'active' })).body).toEqual(fresh);
    expect((await live('PATCH', path, { status: 'active' })).body).toEqual(fresh);
    expect((await live('GET', `/v1/users/${user}`)).status).toBe(200);
    const common = { member_id: id, user_id: user };
    expect(await told()).toMatchObject([
      { event_type: 'member.joined', ...common },
      { event_type: 'member.archived', ...common },
      { event_type: 'member.reactivated', ...common },
    ]);
  });

  test.each([{}, { status: 'gone' }, { status: null }, { status: 'archived', name: 'Alex' }])(
    'is not changed by %j',
    async (body) => {
      const { member: id } = await member();
      const refused = await live('PATCH', `${roster}/${id}`, body);
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_body']);
      expect((await live('GET', `${roster}/${id}`)).body.status).toBe('active');
    },
  );

  test('is archived once, however many ask at once', async () => {
    const { member: id } = await member();
    const answers = await Promise.all(oneTo(10).map(() => live('PATCH', `${roster}/${id}`, { status: 'archived' })));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await told()).map(({ event_type }) => event_type)).toEqual(['member.joined', 'member.archived']);
  });

  test('who is active again needs no invitation: one that waits is revoked', async () => {
    const email = newEmail();
    const { member: id } = await member({ email });
    await live('PATCH', `${roster}/${id}`, { status: 'archived' });
    const waiting = (await invite({ email })).body.id;
    await live('PATCH', `${roster}/${id}`, { status: 'active' });
    expect((await live('GET', `${invitations}/${waiting}`)).body.status).toBe('revoked');
    expect((await invite({ email })).body.error).toBe('already_member');
  });

  test('is removed for good, with name and address; its user and data stay, and the address is free', async () => {
    const email = newEmail();
    const { member: id, user, id: invitation } = await member({ email, name: 'Somebody Special' });
    expect((await live('DELETE', `${roster}/${id}`)).status).toBe(204);
    expect((await live('DELETE', `${roster}/${id}`)).status).toBe(204);
    system.clock.advance(200 * dayMs);
    account = { ...account, live_key: await createKey(system.host.deps, account.account_id, 'live') };
    expect((await live('DELETE', `${roster}/${id}`)).status).toBe(204);
    expect((await live('GET', `${roster}/${id}`)).status).toBe(404);
    expect((await live('PATCH', `${roster}/${id}`, { status: 'active' })).status).toBe(404);
    expect((await live('GET', `/v1/users/${user}`)).status).toBe(200);
    expect((await live('GET', `${invitations}/${invitation}`)).body).toMatchObject({
      status: 'accepted',
      email: null,
      name: null,
    });
    expect((await invite({ email })).status).toBe(201);
    const { member: again } = await joinedAgain(email);
    expect(again).not.toBe(id);
  });

  test('leads to its user in the list of users, until it is removed', async () => {
    const { member: id, user } = await member();
    await system.user(account.live_key);
    const listed = async (query: string) => (await live('GET', `/v1/users?${query}`)).body;
    expect(await listed(`member=${id}`)).toMatchObject({ data: [{ id: user }], next_cursor: null });
    const { next_cursor } = await listed('limit=1');
    expect((await listed(`limit=1&member=${id}&cursor=${next_cursor}`)).error).toBe('invalid_cursor');
    await live('DELETE', `${roster}/${id}`);
    expect(await listed(`member=${id}`)).toEqual({ data: [], next_cursor: null });
    expect((await live('GET', '/v1/users?member=')).status).toBe(400);
  });

  test('who was removed is told of once', async () => {
    const { member: id, user } = await member();
    await Promise.all(oneTo(10).map(() => live('DELETE', `${roster}/${id}`)));
    expect((await told()).at(-1)).toMatchObject({ event_type: 'member.removed', member_id: id, user_id: user });
    expect(await told()).toHaveLength(2);
  });
});

async function joinedAgain(email: string) {
  const { body } = await live('GET', roster);
  expect(body.data).toEqual([]);
  system.clock.advance(14 * dayMs);
  return member({ email });
}
