// The search of people and the state of an environment, as the pages of the console read them.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { setAccountStatus } from '../../shared/accounts/accounts.ts';
import { storeHourlyCounts } from '../../shared/overview/store-hourly-counts.ts';
import { quarantinedUploadRows } from '../../shared/pipeline/quarantined-upload-rows.ts';
import { formatTimestamp } from '../../shared/platform/time/time.ts';
import { keys, lists, toSortableTimestamp } from '../../shared/system/keys.ts';
import type { UploadCommand } from '../../shared/users/command-rows.ts';
import { signIn } from '../harness/console-session.ts';
import { openPhone } from '../harness/phone.ts';
import { timeTravelSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { createMember } from '../harness/team-members.ts';
import { someUpload } from '../unit/users/sample-upload.ts';

let system: System;
beforeAll(async () => {
  system = await timeTravelSystem();
});
beforeEach(() => system.clock.advance(100));

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

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
  // The admission takes two, the others are the number of users, the feed's end, the webhooks, the
  // environment, its key and what its rows have counted, the hours, quarantined uploads and failing
  // connections; and, before the first hour is stored, when the account was created.
  const gets = Array.from({ length: 6 }, () => 'GetItem');
  const queries = Array.from({ length: 5 }, () => 'Query');
  expect(calls.sort()).toEqual(['BatchGetItem', ...gets, ...queries, 'UpdateItem']);
  system.clock.advance(77 * dayMs);
  expect(kinds((await read()).body.attention)).toEqual(['key_ending', 'provider_unconfigured']);
});

/** Goes to the first minute of the next hour, in which the sweep stores the hour that has ended. */
async function endHour(): Promise<void> {
  system.clock.advance(hourMs - (system.clock.now() % hourMs) + 60_000);
  await storeHourlyCounts(system.host.deps);
}

test('the overview counts by hour what happened in its environment, and a range costs one query', async () => {
  const account = await system.account();
  const { live_key: token } = account;
  await endHour();
  const before = system.clock.now();
  await system.call('POST', '/v1/webhooks', { token, body: { url: 'http://127.0.0.1:9/', events: ['user.created'] } });
  const user = await system.user(token);
  for (let at = 0; at < 3; at++) await system.call('GET', '/v1/users/usr_unknown', { token });
  await system.call('GET', `/v1/users/${user}`, { token });
  const phone = await openPhone(system, token, user);
  const daily = [{ date: '2026-01-01', metric: 'steps', value: 10, unit: 'count' }];
  const upload = { time_zone: 'UTC', device: { name: 'Phone', model: 'P1', type: 'phone' }, daily };
  expect((await phone.upload(upload)).status).toBe(202);
  await system.host.drain();
  await endHour();
  await system.call('GET', '/v1/metrics', { token });
  const read = async (role: 'owner' | 'support', of = account, query = '', env: 'live' | 'sandbox' = 'live') => {
    const { headers } = await signIn(system, of, role, env);
    const callsBefore = system.calls.length;
    const { status, body } = await system.call('GET', `/console/api/overview${query}`, { headers });
    return { status, body, queries: system.calls.slice(callsBefore).filter(({ operation }) => operation === 'Query') };
  };
  const { body } = await read('support');
  const { series } = body;
  expect(Date.parse(series.from)).toBe(Math.floor(system.clock.now() / hourMs) * hourMs - 23 * hourMs);
  const hourOf = (list: unknown[], at: number) => list.at(at);
  const last = Object.fromEntries(
    Object.entries(series).flatMap(([name, list]) =>
      Array.isArray(list) && list.length === 24 ? [[name, hourOf(list, -2)]] : [],
    ),
  );
  expect(last).toMatchObject({ people: 1, client_errors: 3, server_errors: 0, limited: 0, uploads: 1, records: 1 });
  // The webhook, the user, four reads, and the session of the phone.
  expect(last['requests']).toBe(7);
  expect(last['events']).toBe(body.events);
  expect([last['deliveries'], last['failed_attempts']]).toEqual([1, 1]);
  expect(last['rate_limit_use']).toBeGreaterThan(0);
  // The current hour so far, and hours before the account existed.
  expect([series.requests.at(-1), series.uploads.at(-1), series.requests[0]]).toEqual([1, 0, null]);
  expect(series.approximate).toEqual(['client_errors', 'server_errors', 'limited', 'failed_attempts']);
  for (const [range, length] of [
    ['7d', 168],
    ['30d', 720],
  ] as const) {
    const { body: longer, queries } = await read('owner', account, `?range=${range}`);
    expect([longer.series.people.length, queries.length]).toEqual([length, 5]);
    expect(longer.series.uploads.at(-2)).toBe(1);
  }
  expect((await read('owner', account, '?range=1y')).status).toBe(400);
  const sandbox = (await read('owner', account, '', 'sandbox')).body.series;
  const others = (await read('owner', await system.account())).body.series;
  for (const { uploads, requests, events } of [sandbox, others])
    for (const list of [uploads, requests, events])
      expect(list.reduce((sum: number, each: number | null) => sum + (each ?? 0), 0)).toBe(0);
  expect(before).toBeLessThan(system.clock.now());
});

test('the overview says how many uploads were quarantined, since when, and whose was the first', async () => {
  const account = await system.account();
  const user = await system.user(account.live_key);
  const owner = { id: user, account: account.account_id, env: 'live' } as const;
  const { store } = system.host.deps;
  const quarantine = (id: string, atMs: number) => {
    const command: UploadCommand = { ...someUpload({ id }), kind: 'upload', sk: '', failures: 3, crashes: 0 };
    return store.commit([quarantinedUploadRows(store).buildQuarantine(owner, command, atMs, 'no JSON')]);
  };
  const atMs = system.clock.now();
  await quarantine('bat_1', atMs);
  await quarantine('bat_2', atMs + 5);
  const readKinds = async (of: typeof account, env: 'live' | 'sandbox') => {
    const { headers } = await signIn(system, of, 'support', env);
    const { attention } = (await system.call('GET', '/console/api/overview', { headers })).body;
    return attention.filter(({ kind }: { kind: string }) => kind === 'uploads_quarantined');
  };
  expect(await readKinds(account, 'live')).toEqual([
    { kind: 'uploads_quarantined', uploads: 2, has_more: false, since: formatTimestamp(atMs), user_id: user },
  ]);
  expect(await readKinds(account, 'sandbox')).toEqual([]);
  expect(await readKinds(await system.account(), 'live')).toEqual([]);
});

test('the overview names a provider whose connections keep failing, and how many people it hits', async () => {
  const account = await system.account();
  const { table } = system.host.deps.store;
  const list = lists.failingConnections(account.account_id, 'live');
  const sinceMs = system.clock.now();
  const people = [await system.user(account.live_key), await system.user(account.live_key)];
  for (const [at, user] of people.entries())
    for (const device of ['a', 'b'])
      await table.write({
        kind: 'put',
        item: {
          ...keys.connection(user, device),
          listPk: list,
          listSk: `oura#${toSortableTimestamp(sinceMs + at)}#${device}`,
        },
      });
  const { headers } = await signIn(system, account, 'support');
  const { attention } = (await system.call('GET', '/console/api/overview', { headers })).body;
  const since = formatTimestamp(sinceMs);
  expect(attention[0]).toEqual({ kind: 'connections_failing', provider: 'oura', people: 2, has_more: false, since });
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
