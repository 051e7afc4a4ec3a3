import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { startReceiver } from '../harness/receiver.ts';
import { installation, requestSession } from '../harness/sdk.ts';
import { timeTravelSystem } from '../harness/shared-system.ts';
import { newEmail } from '../harness/team-members.ts';
import { rateLimitedRequests, suspendedKey, webhookHistory } from './fixtures.ts';
import { ada, con, ned } from './users.ts';
import { contractWorld, hourMs, outcome } from './world.ts';

const world = contractWorld();
const call = (method: string, path: string, body?: unknown, token?: string | null) =>
  world().call(method, path, body, token);
const get = (path: string, token?: string | null) => world().get(path, token);
const consolidationPath = async () => `/v1/users/${await con(world())}/consolidation`;
const patch = async (body: unknown) => call('PATCH', await consolidationPath(), body);

it('254. webhooks deliver by HTTP POST in real time', async () => {
  const { live_key: key } = await world().system.account();
  const receiver = await startReceiver();
  await call('POST', '/v1/webhooks', { url: receiver.url, events: ['user.created'] }, key);
  const before = world().system.clock.now();
  const id = await world().system.user(key);
  await receiver.waitForRequests(1);
  expect(world().system.clock.now() - before).toBeLessThan(60_000);
  const [{ body = '', headers } = {}] = receiver.received;
  expect(headers?.['content-type']).toMatch(/^application\/json/);
  expect(JSON.parse(body)).toMatchObject({ event_type: 'user.created', user_id: id });
  await world().system.host.drain();
  await receiver.close();
});

it('255. the five event types are delivered', async () => {
  const { received, id } = await webhookHistory(world());
  const events = received.map(({ body }) => JSON.parse(body));
  for (const type of ['data.updated', 'score.updated', 'device.connected', 'device.disconnected', 'subject.synced'])
    expect(events).toContainEqual(expect.objectContaining({ event_type: type, user_id: id }));
});

it('256. subject.synced follows a consolidation change that alters data', async () => {
  const { key, received, beforeSettings } = await webhookHistory(world());
  const types = received.map(({ body }) => JSON.parse(body).event_type);
  expect(types.slice(0, beforeSettings)).not.toContain('subject.synced');
  const { events } = (await get('/v1/events?types=subject.synced', key)).body;
  expect(events).toMatchObject([{ metrics: ['steps'], from_date: '2026-03-03', to_date: '2026-03-10' }]);
});

it('257. the events feed is in cursor order', async () => {
  const { key } = await webhookHistory(world());
  const allEvents = (await get('/v1/events?limit=1000', key)).body.events;
  const times = allEvents.map(({ timestamp }: { timestamp: string }) => timestamp);
  expect(times).toEqual(times.toSorted());
  const seen: unknown[] = [];
  let cursor = '';
  do {
    const page = (await get(`/v1/events?limit=3${cursor && `&cursor=${cursor}`}`, key)).body;
    seen.push(...page.events);
    cursor = page.has_more ? page.cursor : '';
  } while (cursor !== '');
  expect(seen).toEqual(allEvents);
});

it('258. an error has error, message and details, {} when empty', async () => {
  const { id } = await ada(world());
  const plain = [await get('/v1/users', null), await get('/v1/nothing'), await get('/v1/users/usr_nobody')];
  const detailed = [
    await get(`/v1/users/${id}/daily?types=toes`),
    await patch({ metrics: { dreams: { method: 'max' } } }),
  ];
  for (const { body } of [...plain, ...detailed]) {
    expect(Object.keys(body).sort()).toEqual(['details', 'error', 'message']);
    expect([body.error, body.message]).toEqual([expect.stringMatching(/^[a-z_]+$/), expect.stringMatching(/\S/)]);
  }
  expect(plain[0]?.body.details).toEqual({});
  for (const { body } of detailed) expect(Object.keys(body.details)).not.toEqual([]);
});

it('259. 400 is for invalid parameters', async () => {
  const { id } = await ada(world());
  for (const [path, name] of [
    ['/v1/users?limit=0', 'limit'],
    [`/v1/users/${id}/daily?from_date=yesterday`, 'from_date'],
    [`/v1/users/${id}/daily?start_date=2026-03-01`, 'start_date'],
    [`/v1/users/${id}/sleep?limit=101`, 'limit'],
  ] as const) {
    const { status, body } = await get(path);
    expect([path, status, body.error, body.details.issues[0].path]).toEqual([path, 400, 'invalid_request', name]);
  }
});

it('260. 400 invalid_body is for a wrong shape or method', async () => {
  const shapes = [
    [],
    {},
    { surprise: 1 },
    { metrics: { steps: { method: 7 } } },
    { providers: { apple_health: 'no' } },
  ];
  for (const body of shapes) expect([body, outcome(await patch(body))]).toEqual([body, '400 invalid_body']);
  // No such method exists.
  expect(outcome(await patch({ metrics: { steps: { method: 'median' } } }))).toBe('400 invalid_body');
});

it('261. 401 invalid_token is for a malformed or unknown token', async () => {
  const { key } = world();
  const other = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
  for (const token of ['hello', other, 'eyJhbGciOiJub25lIn0.e30.', `mt_${'a'.repeat(43)}`])
    expect(outcome(await get('/v1/users', token))).toBe('401 invalid_token');
});

it('262. 401 token_expired is for a token past expires_at', async () => {
  const far = await timeTravelSystem();
  const { live_key } = await far.account();
  const user = await far.user(live_key);
  const token = await far.userToken(live_key, user);
  far.clock.advance(hourMs);
  expect(outcome(await far.call('GET', `/v1/users/${user}/daily`, { token }))).toBe('401 token_expired');
});

it('263. 401 is for a missing token', async () => {
  expect(outcome(await get('/v1/users', null))).toBe('401 unauthorized');
});

it('264. 402 is for a suspended plan', async () => {
  expect(outcome(await get('/v1/users', await suspendedKey(world())))).toBe('402 payment_required');
});

it('265. 403 insufficient_scope is for a token that lacks permission', async () => {
  const token = await world().system.userToken(world().key, await ned(world()));
  expect(outcome(await call('POST', '/v1/users', {}, token))).toBe('403 insufficient_scope');
});

it('266. 403 wrong_user is for the path of another user', async () => {
  const token = await world().system.userToken(world().key, await ned(world()));
  expect(outcome(await get(`/v1/users/${(await ada(world())).id}/daily`, token))).toBe('403 wrong_user');
});

it('267. 404 not_found names the user', async () => {
  for (const path of ['', '/daily', '/devices']) {
    const response = await get(`/v1/users/usr_nobody${path}`);
    expect([outcome(response), response.body.message]).toEqual([
      '404 not_found',
      expect.stringContaining('usr_nobody'),
    ]);
  }
});

it('268. 404 user_not_found is for consolidation of a user outside the environment', async () => {
  const path = await consolidationPath();
  expect(outcome(await get(path, world().sandboxKey))).toBe('404 user_not_found');
  expect(outcome(await get(path))).toBe('200');
});

it('269. 409 is for conflicts of users, roster and SDK sessions', async () => {
  await ned(world());
  expect(outcome(await call('POST', '/v1/users', { external_ref: 'ned-1' }))).toBe('409 external_ref_taken');
  const email = newEmail();
  const invite = async () => outcome(await call('POST', '/v1/team/roster/invitations', { email }));
  expect([await invite(), await invite()]).toEqual(['201', '409 invitation_pending']);
  const key = randomUUID();
  const open = async () =>
    outcome(await requestSession(world().system, world().key, await ned(world()), installation(), key));
  expect([await open(), await open()]).toEqual(['201', '409 idempotency_conflict']);
});

it('270. 422 invalid_metric is for a key outside the catalog', async () => {
  const response = await patch({ metrics: { dreams: { method: 'max' } } });
  expect([outcome(response), response.body.details]).toMatchObject(['422 invalid_metric', { metric: 'dreams' }]);
});

it('271. 422 invalid_method is for a method that the metric does not allow', async () => {
  const response = await patch({ metrics: { weight: { method: 'sum' } } });
  const named = { metric: 'weight', method: 'sum' };
  expect([outcome(response), response.body.details]).toMatchObject(['422 invalid_method', named]);
});

it('272. 422 invalid_provider is for a provider that is not connected', async () => {
  const response = await patch({ providers: { garmin: false } });
  expect([outcome(response), response.body.details]).toMatchObject(['422 invalid_provider', { provider: 'garmin' }]);
});

it('273. 429 has Retry-After', async () => {
  const { atOnce } = await rateLimitedRequests(world());
  const refused = atOnce.filter(({ response }) => response.status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const { response } of refused) expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
});

it('274. 500 is for a server fault', async () => {
  const response = await world().withoutRandom(() => call('POST', '/v1/users', {}));
  expect([response.status, response.body]).toEqual([
    500,
    { error: 'internal_error', message: expect.stringMatching(/\S/), details: {} },
  ]);
  expect(response.text).not.toContain('random');
});

it('275. GET is safe to retry; POST creates are not idempotent, except SDK sessions', async () => {
  const { id } = await ada(world());
  const path = `/v1/users/${id}/daily?from_date=2026-03-01&to_date=2026-03-14`;
  expect((await get(path)).text).toBe((await get(path)).text);
  const [first, second] = [await call('POST', '/v1/users', {}), await call('POST', '/v1/users', {})];
  expect(first.body.id).not.toBe(second.body.id);
  const [body, key] = [installation(), randomUUID()];
  const open = () => requestSession(world().system, world().key, id, body, key);
  expect((await open()).body).toEqual((await open()).body);
});
