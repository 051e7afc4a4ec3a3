import { decodeJwt } from 'jose';
import { expect, it } from 'vitest';
import { respond, startReceiver } from '../harness/receiver.ts';
import { createScopedCredentials, exchange, makeUpload, upload } from '../harness/sdk.ts';
import { accountWithManyUsers, webhookHistory } from './fixtures.ts';
import { ada, dailyTotal, makeSample, ned } from './users.ts';
import { contractWorld, hourMs, minuteMs, outcome } from './world.ts';

const world = contractWorld();
const call = (method: string, path: string, body?: object, token?: string | null) =>
  world().call(method, path, body, token);
const remainingMs = (expiresAt: string): number => Date.parse(expiresAt) - world().system.clock.now();

it('222. POST user-token answers a token that lives an hour', async () => {
  const { id: user_id } = await ada(world());
  const { status, body } = await call('POST', '/v1/auth/user-token', { user_id });
  expect([status, body.user_id]).toEqual([200, user_id]);
  expect(Math.abs(remainingMs(body.expires_at) - hourMs)).toBeLessThan(10_000);
  expect((await world().get(`/v1/users/${user_id}/daily`, body.token)).status).toBe(200);
});

it('223. refresh answers a new token for the same user', async () => {
  const { id: user_id } = await ada(world());
  const first = (await call('POST', '/v1/auth/user-token', { user_id })).body;
  world().system.clock.advance(minuteMs);
  const { status, body } = await call('POST', '/v1/auth/user-token/refresh', { user_id });
  expect([status, body.user_id, decodeJwt(body.token).sub]).toEqual([200, user_id, user_id]);
  expect(body.token).not.toBe(first.token);
  expect(Date.parse(body.expires_at)).toBeGreaterThan(Date.parse(first.expires_at));
  expect((await world().get(`/v1/users/${user_id}/daily`, body.token)).status).toBe(200);
});

/**
 * Returns the rejections of a sleep, an activity, a vitals and a nutrition record for a phone with
 * these scopes.
 */
async function uploadRejections(scopes?: string[]): Promise<string[]> {
  const { access_token } = await createScopedCredentials(world().system, world().key, await world().user(), scopes);
  const daily = [
    dailyTotal('2026-03-10', 'asleep', 400, 'min'),
    dailyTotal('2026-03-10', 'steps', 100, 'count'),
    dailyTotal('2026-03-10', 'protein', 50, 'g'),
  ];
  const samples = [makeSample('heart_rate', '2026-03-10T08:00:00Z', 60, 'bpm')];
  const response = await upload(world().system, access_token, makeUpload({ daily, samples }));
  expect(response.status).toBe(202);
  return response.body.rejected.map(({ path }: { path: string }) => path.split('.').slice(0, 2).join('.')).sort();
}

it('224. mobile-token takes optional scopes, all categories by default', async () => {
  expect(await uploadRejections()).toEqual([]);
  expect(await uploadRejections(['sleep'])).toHaveLength(3);
});

it('224b. a mobile token lives 5 minutes', async () => {
  const { body } = await call('POST', '/v1/auth/mobile-token', { user_id: await ned(world()) });
  expect(Math.abs(remainingMs(body.expires_at) - 5 * minuteMs)).toBeLessThan(10_000);
  const late = (await call('POST', '/v1/auth/mobile-token', { user_id: await ned(world()) })).body.token;
  world().system.clock.advance(4.9 * minuteMs);
  expect((await exchange(world().system, body.token)).status).toBe(200);
  world().system.clock.advance(0.2 * minuteMs);
  expect(outcome(await exchange(world().system, late))).toBe('401 invalid_token');
});

it('225. scopes are categories such as activity, sleep and vitals', async () => {
  expect(await uploadRejections(['activity', 'sleep', 'vitals'])).toHaveLength(1);
  const user_id = await ned(world());
  const requestToken = async (scopes: string[]) =>
    outcome(await call('POST', '/v1/auth/mobile-token', { user_id, scopes }));
  const categories = ['activity', 'sleep', 'vitals', 'body_composition', 'energy', 'nutrition', 'scores'];
  for (const scope of categories) expect([scope, await requestToken([scope])]).toEqual([scope, '200']);
  expect([await requestToken(categories), await requestToken(['dreams'])]).toEqual(['200', '400 invalid_body']);
});

it('226. token calls are made with an API key', async () => {
  const { id: user_id } = await ada(world());
  const token = await world().system.userToken(world().key, user_id);
  for (const name of ['user-token', 'user-token/refresh', 'mobile-token']) {
    const requestToken = async (bearer: string | null) =>
      outcome(await call('POST', `/v1/auth/${name}`, { user_id }, bearer));
    expect([await requestToken(world().key), await requestToken(token), await requestToken(null)]).toEqual([
      '200',
      '403 insufficient_scope',
      '401 unauthorized',
    ]);
  }
});

const url = 'https://example.com/hook';

it('227. GET /v1/webhooks answers data', async () => {
  const { live_key: key } = await world().system.account();
  expect((await world().get('/v1/webhooks', key)).body).toEqual({ data: [] });
  const { id } = (await call('POST', '/v1/webhooks', { url, events: ['*'] }, key)).body.data;
  expect((await world().get('/v1/webhooks', key)).body).toMatchObject({ data: [{ id, url }] });
});

it('228. POST /v1/webhooks registers an endpoint and is not idempotent', async () => {
  const { live_key: key } = await world().system.account();
  const register = () => call('POST', '/v1/webhooks', { url, events: ['data.updated'] }, key);
  const [first, second] = [await register(), await register()];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(first.body.data.id).not.toBe(second.body.data.id);
  expect((await world().get('/v1/webhooks', key)).body.data).toHaveLength(2);
});

it('229. PATCH webhook answers 200 and data', async () => {
  const { live_key: key } = await world().system.account();
  const { id } = (await call('POST', '/v1/webhooks', { url, events: ['*'] }, key)).body.data;
  const response = await call('PATCH', `/v1/webhooks/${id}`, { status: 'paused' }, key);
  expect([response.status, response.body]).toMatchObject([200, { data: { id, url, status: 'paused' } }]);
});

it('230. DELETE webhook removes it and cancels pending deliveries', async () => {
  const { live_key: key } = await world().system.account();
  const receiver = await startReceiver();
  receiver.respondWith(respond(500));
  const { id } = (await call('POST', '/v1/webhooks', { url: receiver.url, events: ['*'] }, key)).body.data;
  await world().system.user(key);
  await world().system.host.drain();
  const tries = receiver.received.length;
  expect(tries).toBeGreaterThan(0);
  const { data } = (await world().get(`/v1/webhooks/${id}/deliveries`, key)).body;
  expect(data).toMatchObject([{ status: 'pending' }]);
  expect((await call('DELETE', `/v1/webhooks/${id}`, undefined, key)).status).toBe(204);
  await world().passTime(10 * minuteMs);
  expect(receiver.received).toHaveLength(tries);
  expect((await world().get('/v1/webhooks', key)).body).toEqual({ data: [] });
  await receiver.close();
});

it('231. GET /v1/events starts from the beginning without a cursor', async () => {
  const { key, id } = await webhookHistory(world());
  const { events } = (await world().get('/v1/events?limit=1', key)).body;
  expect(events).toMatchObject([{ event_type: 'user.created', user_id: id }]);
  const { cursor } = (await world().get('/v1/events?limit=1', key)).body;
  const next = (await world().get(`/v1/events?limit=1&cursor=${cursor}`, key)).body.events;
  expect(next).toMatchObject([{ event_type: 'device.connected' }]);
});

it('232. the events limit is 100 by default', async () => {
  const { key, ids } = await accountWithManyUsers(world());
  const { events, has_more } = (await world().get('/v1/events', key)).body;
  expect([ids.length > 100, events.length, has_more]).toEqual([true, 100, true]);
  expect((await world().get('/v1/events?limit=7', key)).body.events).toHaveLength(7);
});

it('233. GET /v1/events answers events, cursor and has_more', async () => {
  const { key, ids } = await accountWithManyUsers(world());
  const first = (await world().get('/v1/events?limit=100', key)).body;
  expect(Object.keys(first).sort()).toEqual(['cursor', 'events', 'has_more']);
  const rest = (await world().get(`/v1/events?limit=100&cursor=${first.cursor}`, key)).body;
  expect([first.has_more, rest.has_more]).toEqual([true, false]);
  const users = [...first.events, ...rest.events].map((event: { user_id: string }) => event.user_id);
  expect(users.sort()).toEqual([...ids].sort());
  expect((await world().get(`/v1/events?cursor=${rest.cursor}`, key)).body).toMatchObject({
    events: [],
    has_more: false,
  });
});
