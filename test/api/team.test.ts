// Tests the team roster over HTTP: who is on it, and the states of a member.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey, type NewAccount } from '../../shared/accounts/accounts.ts';
import { oneTo } from '../harness/outbox.ts';
import { timeTravelSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { createMember, newEmail } from '../harness/team-members.ts';

let system: System;
let account: NewAccount;
beforeAll(async () => {
  system = await timeTravelSystem();
});
beforeEach(async () => {
  account = await system.account();
});

const roster = '/v1/team/roster';
const invitations = `${roster}/invitations`;
const dayMs = 24 * 3_600_000;
const callLive = (method: string, path: string, body?: object) =>
  system.call(method, path, { token: account.live_key, ...(body ? { body } : {}) });
const invite = (body: object) => callLive('POST', invitations, body);
const addMember = (input = {}) => createMember(system.host.deps, account.account_id, input);

/** Returns the member events of the feed, oldest first. */
async function listMemberEvents(): Promise<Record<string, unknown>[]> {
  await system.host.drain();
  const { body } = await callLive('GET', '/v1/events?limit=1000');
  return body.events.filter(({ event_type }: { event_type: string }) => event_type.startsWith('member.'));
}

describe('the roster', () => {
  test('lists members newest first, in pages, each once', async () => {
    const members: string[] = [];
    for (const _ of oneTo(5)) members.push((await addMember()).member);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body }: { body: { data: { id: string }[]; next_cursor: string | null } } = await callLive(
        'GET',
        `${roster}?limit=2${cursor ? `&cursor=${cursor}` : ''}`,
      );
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.next_cursor;
      if (seen.length === 2) await addMember();
    } while (cursor);
    expect(seen).toEqual(members.toReversed());
  });

  test('lists members of one status, in full pages', async () => {
    const members = [];
    for (const _ of oneTo(6)) members.push((await addMember()).member);
    const archived = members.filter((_id, at) => at % 2 === 0);
    for (const id of archived) await callLive('PATCH', `${roster}/${id}`, { status: 'archived' });
    const { body } = await callLive('GET', `${roster}?status=archived&limit=2`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(archived.toReversed().slice(0, 2));
    const next = await callLive('GET', `${roster}?status=archived&limit=2&cursor=${body.next_cursor}`);
    expect(next.body.data.map(({ id }: { id: string }) => id)).toEqual([archived[0]]);
    expect(next.body.next_cursor).toBeNull();
    const other = await callLive('GET', `${roster}?status=active&limit=2&cursor=${body.next_cursor}`);
    expect([other.status, other.body.error]).toEqual([400, 'invalid_cursor']);
    expect((await callLive('GET', `${roster}?status=gone`)).status).toBe(400);
  });

  test('belongs to one account and environment; a member of another account looks like a missing one', async () => {
    const { member: foreign } = await createMember(system.host.deps, (await system.account()).account_id);
    expect((await callLive('GET', roster)).body.data).toEqual([]);
    const missing = 'mem_01k9p3wq4r6t8w0y2a4c6e8g0j';
    for (const [method, body] of [['GET'], ['PATCH', { status: 'archived' }], ['DELETE']] as const) {
      const response = await callLive(method, `${roster}/${foreign}`, body);
      const unknown = await callLive(method, `${roster}/${missing}`, body);
      expect([response.status, response.text.replaceAll(foreign, missing)]).toEqual([404, unknown.text]);
    }
  });
});

describe('a member', () => {
  test('can be archived and reactivated; repeating either changes nothing and publishes nothing', async () => {
    const email = newEmail();
    const { member: id, user } = await addMember({ email, name: 'Alex Kim' });
    const path = `${roster}/${id}`;
    const fresh = (await callLive('GET', path)).body;
    expect(fresh).toMatchObject({ id, email, name: 'Alex Kim', user_id: user, status: 'active', archived_at: null });
    const archived = await callLive('PATCH', path, { status: 'archived' });
    expect(archived.body).toEqual({ ...fresh, status: 'archived', archived_at: expect.any(String) });
    system.clock.advance(1_000);
    expect((await callLive('PATCH', path, { status: 'archived' })).text).toBe(archived.text);
    expect((await callLive('PATCH', path, { status: 'active' })).body).toEqual(fresh);
    expect((await callLive('PATCH', path, { status: 'active' })).body).toEqual(fresh);
    expect((await callLive('GET', `/v1/users/${user}`)).status).toBe(200);
    const common = { member_id: id, user_id: user };
    expect(await listMemberEvents()).toMatchObject([
      { event_type: 'member.joined', ...common },
      { event_type: 'member.archived', ...common },
      { event_type: 'member.reactivated', ...common },
    ]);
  });

  test.each([{}, { status: 'gone' }, { status: null }, { status: 'archived', name: 'Alex' }])(
    'is not changed by the invalid body %j',
    async (body) => {
      const { member: id } = await addMember();
      const refused = await callLive('PATCH', `${roster}/${id}`, body);
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_body']);
      expect((await callLive('GET', `${roster}/${id}`)).body.status).toBe('active');
    },
  );

  test('is archived once, even if requested concurrently', async () => {
    const { member: id } = await addMember();
    const responses = await Promise.all(
      oneTo(10).map(() => callLive('PATCH', `${roster}/${id}`, { status: 'archived' })),
    );
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await listMemberEvents()).map(({ event_type }) => event_type)).toEqual([
      'member.joined',
      'member.archived',
    ]);
  });

  test('who is active again needs no invitation: a pending one is revoked', async () => {
    const email = newEmail();
    const { member: id } = await addMember({ email });
    await callLive('PATCH', `${roster}/${id}`, { status: 'archived' });
    const waiting = (await invite({ email })).body.id;
    await callLive('PATCH', `${roster}/${id}`, { status: 'active' });
    expect((await callLive('GET', `${invitations}/${waiting}`)).body.status).toBe('revoked');
    expect((await invite({ email })).body.error).toBe('already_member');
  });

  test('is removed permanently, with name and address; its user and data remain, and the address can be invited again', async () => {
    const email = newEmail();
    const { member: id, user, id: invitation } = await addMember({ email, name: 'Somebody Special' });
    expect((await callLive('DELETE', `${roster}/${id}`)).status).toBe(204);
    expect((await callLive('DELETE', `${roster}/${id}`)).status).toBe(204);
    system.clock.advance(200 * dayMs);
    account = { ...account, live_key: await createKey(system.host.deps, account.account_id, 'live') };
    expect((await callLive('DELETE', `${roster}/${id}`)).status).toBe(204);
    expect((await callLive('GET', `${roster}/${id}`)).status).toBe(404);
    expect((await callLive('PATCH', `${roster}/${id}`, { status: 'active' })).status).toBe(404);
    expect((await callLive('GET', `/v1/users/${user}`)).status).toBe(200);
    expect((await callLive('GET', `${invitations}/${invitation}`)).body).toMatchObject({
      status: 'accepted',
      email: null,
      name: null,
    });
    expect((await invite({ email })).status).toBe(201);
    const { member: again } = await rejoin(email);
    expect(again).not.toBe(id);
  });

  test('filters the list of users by its user, until it is removed', async () => {
    const { member: id, user } = await addMember();
    await system.user(account.live_key);
    const listed = async (query: string) => (await callLive('GET', `/v1/users?${query}`)).body;
    expect(await listed(`member=${id}`)).toMatchObject({ data: [{ id: user }], next_cursor: null });
    const { next_cursor } = await listed('limit=1');
    expect((await listed(`limit=1&member=${id}&cursor=${next_cursor}`)).error).toBe('invalid_cursor');
    await callLive('DELETE', `${roster}/${id}`);
    expect(await listed(`member=${id}`)).toEqual({ data: [], next_cursor: null });
    expect((await callLive('GET', '/v1/users?member=')).status).toBe(400);
  });

  test('who is removed produces one event', async () => {
    const { member: id, user } = await addMember();
    await Promise.all(oneTo(10).map(() => callLive('DELETE', `${roster}/${id}`)));
    expect((await listMemberEvents()).at(-1)).toMatchObject({
      event_type: 'member.removed',
      member_id: id,
      user_id: user,
    });
    expect(await listMemberEvents()).toHaveLength(2);
  });
});

async function rejoin(email: string) {
  const { body } = await callLive('GET', roster);
  expect(body.data).toEqual([]);
  system.clock.advance(14 * dayMs);
  return addMember({ email });
}
