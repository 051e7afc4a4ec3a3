// The search of people and the state of an environment, as the pages of the console read them.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { setAccountStatus } from '../../shared/accounts/accounts.ts';
import { signIn } from '../harness/console-session.ts';
import { timeTravelSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { createMember } from '../harness/team-members.ts';

let system: System;
beforeAll(async () => {
  system = await timeTravelSystem();
});
beforeEach(() => system.clock.advance(100));

const dayMs = 24 * 3_600_000;

test('every role finds people by id, by the beginning of a reference and by a member’s e-mail address', async () => {
  const account = await system.account();
  const user = await system.user(account.live_key, { external_ref: 'Member-4711', profile: { weight_kg: 71.3 } });
  const { user: member } = await createMember(system.host.deps, account.account_id, { email: 'ada@example.com' });
  for (const role of ['owner', 'developer', 'support'] as const) {
    const { headers } = await signIn(system, account, role);
    const search = async (text: string) =>
      (await system.call('GET', `/console/api/search?q=${encodeURIComponent(text)}`, { headers })).body.data;
    expect(await search(user)).toMatchObject([{ id: user, matched: 'id' }]);
    expect(await search('member-47')).toEqual([
      {
        id: user,
        external_ref: 'Member-4711',
        status: 'active',
        last_sync_at: null,
        created_at: expect.any(String),
        matched: 'external_ref',
      },
    ]);
    expect(await search('ADA@example.com')).toMatchObject([{ id: member, matched: 'email' }]);
    expect(await search('4711')).toEqual([]);
  }
});

test('a search needs a session, stays in its environment and account, and rejects an empty text', async () => {
  const account = await system.account();
  const user = await system.user(account.live_key, { external_ref: 'mine-1' });
  const search = (text: string, headers: Record<string, string>) =>
    system.call('GET', `/console/api/search?q=${text}`, { headers });
  const { headers } = await signIn(system, account, 'owner', 'sandbox');
  const { headers: others } = await signIn(system, await system.account());
  for (const text of ['mine', user])
    for (const each of [headers, others]) expect((await search(text, each)).body.data).toEqual([]);
  expect((await search('', headers)).status).toBe(400);
  expect((await search('mine', {})).status).toBe(401);
  const withKey = await system.call('GET', '/console/api/search?q=mine', { token: account.live_key });
  expect(withKey.status).toBe(401);
});

test('a suspended account finds nobody and has no overview, as its keys read nothing', async () => {
  const account = await system.account();
  await system.user(account.live_key, { external_ref: 'mine-1' });
  const { headers } = await signIn(system, account);
  for (const path of ['/console/api/search?q=mine', '/console/api/overview']) {
    const outcome = async () => (await system.call('GET', path, { headers })).status;
    expect(await outcome()).toBe(200);
    await setAccountStatus(system.host.deps, account.account_id, 'suspended');
    expect(await outcome()).toBe(402);
    await setAccountStatus(system.host.deps, account.account_id, 'active');
    expect(await outcome()).toBe(200);
  }
});

test('the overview counts people and events, and names keys that end soon and providers without credentials', async () => {
  const account = await system.account();
  for (let at = 0; at < 3; at++) await system.user(account.live_key);
  await system.host.drain();
  const read = async () => {
    const { headers } = await signIn(system, account, 'support');
    const before = system.calls.length;
    const { body } = await system.call('GET', '/console/api/overview', { headers });
    return { body, calls: system.calls.slice(before).map(({ operation }) => operation) };
  };
  const { body, calls } = await read();
  expect(body).toMatchObject({ people: 3, events: 3 });
  const kinds = (attention: { kind: string }[]) => [...new Set(attention.map(({ kind }) => kind))];
  expect(kinds(body.attention)).toEqual(['provider_unconfigured']);
  // The admission takes two, the others are the counts, the feed's end, the webhooks, the environment
  // and its key.
  expect(calls.sort()).toEqual(['GetItem', 'GetItem', 'GetItem', 'GetItem', 'Query', 'Query', 'UpdateItem']);
  system.clock.advance(77 * dayMs);
  expect(kinds((await read()).body.attention)).toEqual(['key_ending', 'provider_unconfigured']);
});

test('the overview names an endpoint that fails, and since when', async () => {
  const account = await system.account();
  const { live_key: token } = account;
  const hook = { url: 'http://127.0.0.1:9/', events: ['user.created'] };
  const { data } = (await system.call('POST', '/v1/webhooks', { token, body: hook })).body;
  await system.user(token);
  await system.host.drain();
  const { headers } = await signIn(system, account, 'developer');
  const { attention } = (await system.call('GET', '/console/api/overview', { headers })).body;
  expect(attention[0]).toEqual({
    kind: 'webhook_failing',
    webhook_id: data.id,
    since: expect.any(String),
    disabled: false,
  });
});
