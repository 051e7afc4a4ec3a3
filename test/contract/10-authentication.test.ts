import { createHmac } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, it } from 'vitest';
import { commands } from '../../infra/cli/commands.ts';
import { createKey } from '../../shared/accounts/accounts.ts';
import { addDays } from '../../shared/platform/time/local-day.ts';
import { createCredentials, exchange, makeUpload, openSession, refresh, upload } from '../harness/sdk.ts';
import { timeTravelSystem } from '../harness/shared-system.ts';
import { newEmail } from '../harness/team-members.ts';
import { type ContractEndpoint, endpoints, pathFor } from './endpoints.ts';
import { webhookHistory } from './fixtures.ts';
import { ada, con, ned, sam } from './users.ts';
import { contractWorld, dayMs, hourMs, minuteMs, outcome } from './world.ts';

const world = contractWorld();
const call = (method: string, path: string, body?: object, token?: string | null) =>
  world().call(method, path, body, token);
const requestEndpoint = (endpoint: ContractEndpoint, user: string, token: string | null) =>
  call(endpoint.method, pathFor(endpoint, user), endpoint.body, token);
const nameOf = ({ method, path }: ContractEndpoint): string => `${method} ${path}`;
const createOwnToken = async () => world().system.userToken(world().key, (await ada(world())).id);

const withoutBearer = ['POST /v1/sdk/sessions/exchange', 'POST /v1/sdk/sessions/refresh'];

it('234. every request carries a bearer token, except exchange and refresh', async () => {
  const user = await ned(world());
  for (const endpoint of endpoints) {
    // These two calls authenticate the token in the body, and report one that they do not know as
    // invalid.
    const expected = withoutBearer.includes(nameOf(endpoint)) ? '401 invalid_token' : '401 unauthorized';
    expect([nameOf(endpoint), outcome(await requestEndpoint(endpoint, user, null))]).toEqual([
      nameOf(endpoint),
      expected,
    ]);
  }
});

it('235. API keys are issued by the dashboard', async () => {
  const { account_id, live_key: previousKey } = await world().system.account();
  const run = commands['keys create']?.prepare({ account: account_id, env: 'live' });
  const { json } = Object(await run?.(world().system.host.deps));
  expect(json.key).toMatch(/^sk_live_/);
  expect((await world().get('/v1/users', json.key)).status).toBe(200);
  expect(outcome(await world().get('/v1/users', previousKey))).toBe('401 invalid_token');
});

it('236. an API key lives 90 days and can be rotated', async () => {
  const far = await timeTravelSystem();
  const { account_id, live_key } = await far.account();
  const use = (token: string) => far.call('GET', '/v1/users', { token });
  far.clock.advance(90 * dayMs - minuteMs);
  expect((await use(live_key)).status).toBe(200);
  const next = await createKey(far.host.deps, account_id, 'live');
  far.clock.advance(minuteMs);
  expect([outcome(await use(live_key)), outcome(await use(next))]).toEqual(['401 invalid_token', '200']);
});

it('237. an API key has the full account, any user and any operation', async () => {
  const [one, another] = [(await ada(world())).id, await con(world())];
  const steps = `daily?types=steps&from_date=2026-03-10&to_date=2026-03-10`;
  expect((await world().get(`/v1/users/${one}/${steps}`)).body.series.steps).toEqual([7900]);
  expect((await world().get(`/v1/users/${another}/${steps}`)).status).toBe(200);
  // An API key is accepted everywhere except on the phone's own calls.
  const ofPhones = ['DELETE /v1/sdk/sessions/current', ...withoutBearer];
  for (const endpoint of endpoints.filter((each) => !ofPhones.includes(nameOf(each)) && each.path.includes('{id}')))
    expect([nameOf(endpoint), (await requestEndpoint(endpoint, 'usr_nobody', world().key)).status]).toEqual([
      nameOf(endpoint),
      expect.not.toSatisfy((status: number) => status === 401 || status === 403),
    ]);
});

it('238. a user token is a JWT for one user, read-only, renewable, for an hour', async () => {
  const far = await timeTravelSystem();
  const { live_key } = await far.account();
  const user = await far.user(live_key);
  const token = await far.userToken(live_key, user);
  expect(decodeProtectedHeader(token).alg).toBe('ES256');
  const { sub, iat = 0, exp = 0 } = decodeJwt(token);
  expect([sub, exp - iat]).toEqual([user, 3600]);
  const read = async (bearer: string) => outcome(await far.call('GET', `/v1/users/${user}/daily`, { token: bearer }));
  far.clock.advance(hourMs - minuteMs);
  expect(await read(token)).toBe('200');
  const refreshOptions = { token: live_key, body: { user_id: user } };
  const renewed = (await far.call('POST', '/v1/auth/user-token/refresh', refreshOptions)).body.token;
  far.clock.advance(minuteMs);
  expect([await read(token), await read(renewed)]).toEqual(['401 token_expired', '200']);
});

it('239. a mobile token is not a REST credential', async () => {
  const { id: user_id } = await ada(world());
  const { token } = (await call('POST', '/v1/auth/mobile-token', { user_id })).body;
  for (const path of ['/v1/users', `/v1/users/${user_id}/daily`, '/v1/providers'])
    expect(outcome(await world().get(path, token))).toBe('401 invalid_token');
  expect((await exchange(world().system, token)).status).toBe(200);
});

it('240. the SDK bearer credential is for its SDK session', async () => {
  const user = await ned(world());
  const { access_token, refresh_token } = await createCredentials(world().system, world().key, user);
  for (const path of ['/v1/users', `/v1/users/${user}/daily`])
    expect(outcome(await world().get(path, access_token))).toBe('403 insufficient_scope');
  const renewed = (await refresh(world().system, refresh_token)).body;
  expect((await upload(world().system, renewed.access_token, makeUpload())).status).toBe(202);
  expect((await call('DELETE', '/v1/sdk/sessions/current', undefined, renewed.access_token)).status).toBe(204);
});

it('241. keys begin with sk_live_ and sk_sandbox_', async () => {
  const { live_key, sandbox_key } = await world().system.account();
  expect([live_key.slice(0, 8), sandbox_key.slice(0, 11)]).toEqual(['sk_live_', 'sk_sandbox_']);
  const live = await world().system.user(live_key);
  expect(outcome(await world().get(`/v1/users/${live}`, sandbox_key))).toBe('404 not_found');
});

/** Returns a sandbox user and the range of the seven full days before today. */
async function sandboxWeek(): Promise<{ id: string; range: string }> {
  const id = await sam(world());
  const { to_date } = (await world().get(`/v1/users/${id}/daily?types=steps`, world().sandboxKey)).body;
  return { id, range: `from_date=${addDays(to_date, -7)}&to_date=${addDays(to_date, -1)}` };
}

it('242. new sandbox users have 7 days of data', async () => {
  const { id, range } = await sandboxWeek();
  const types = 'steps,heart_rate,asleep,resting_heart_rate,active_calories,dietary_energy';
  const { series } = (await world().get(`/v1/users/${id}/daily?types=${types}&${range}`, world().sandboxKey)).body;
  for (const [metric, values] of Object.entries<unknown[]>(series))
    expect([metric, values]).toEqual([metric, Array(7).fill(expect.any(Number))]);
  const live = (await world().get(`/v1/users/${await ned(world())}/daily?${range}`)).body.series;
  expect(new Set(Object.values<unknown[]>(live).flat())).toEqual(new Set([null]));
});

it('243. new sandbox users have precomputed scores', async () => {
  const { id, range } = await sandboxWeek();
  const { series } = (await world().get(`/v1/users/${id}/scores?${range}`, world().sandboxKey)).body;
  expect(Object.keys(series)).toHaveLength(5);
  for (const [score, values] of Object.entries<unknown[]>(series))
    expect([score, values]).toEqual([score, Array(7).fill(expect.any(Number))]);
});

it('244. mobile tokens begin with mt_', async () => {
  const { body } = await call('POST', '/v1/auth/mobile-token', { user_id: await ned(world()) });
  expect(body.token).toMatch(/^mt_\w{20,}$/);
});

it('245. keys older than 90 days are revoked', async () => {
  const far = await timeTravelSystem();
  const { live_key: token } = await far.account();
  far.clock.advance(90 * dayMs);
  expect(outcome(await far.call('GET', '/v1/users', { token }))).toBe('401 token_expired');
});

it('246. a new key revokes the old one immediately', async () => {
  const { account_id, live_key, sandbox_key } = await world().system.account();
  expect((await world().get('/v1/users', live_key)).status).toBe(200);
  const next = await createKey(world().system.host.deps, account_id, 'live');
  expect(outcome(await world().get('/v1/users', live_key))).toBe('401 invalid_token');
  for (const key of [next, sandbox_key]) expect((await world().get('/v1/users', key)).status).toBe(200);
});

it('247. user tokens may not create or delete users, manage webhooks and events, or issue tokens', async () => {
  const { id } = await ada(world());
  const token = await createOwnToken();
  const ofKeys = /^(POST \/v1\/users|DELETE \/v1\/users\/\{id\})$|\/v1\/(webhooks|events|auth)/;
  const refused = endpoints.filter((endpoint) => ofKeys.test(nameOf(endpoint)));
  expect(refused).toHaveLength(10);
  for (const endpoint of refused)
    expect([nameOf(endpoint), outcome(await requestEndpoint(endpoint, id, token))]).toEqual([
      nameOf(endpoint),
      '403 insufficient_scope',
    ]);
  expect((await world().get(`/v1/users/${id}`)).status).toBe(200);
});

const readableResources = ['scores', 'daily', 'sleep', 'workouts', 'timeseries', 'devices'];
const isReadable = ({ method, path }: ContractEndpoint): boolean =>
  method === 'GET' && readableResources.some((name) => path.startsWith(`/v1/users/{id}/${name}`));

it('248. a user token may GET scores, daily, sleep, workouts, timeseries and devices of its user', async () => {
  const { id } = await ada(world());
  const token = await createOwnToken();
  const march = 'from_date=2026-03-10&to_date=2026-03-10';
  for (const read of ['scores', 'daily', 'sleep', 'workouts']) {
    const path = `/v1/users/${id}/${read}?${march}`;
    expect((await world().get(path, token)).text).toBe((await world().get(path)).text);
  }
  const samples = `timeseries?metrics=heart_rate&start_date=2026-03-10&end_date=2026-03-10`;
  expect((await world().get(`/v1/users/${id}/${samples}`, token)).body.data).toHaveLength(3);
  expect((await world().get(`/v1/users/${id}/devices`, token)).body.data).toHaveLength(4);
});

it('249. everything else is refused to a user token', async () => {
  const { id } = await ada(world());
  const token = await createOwnToken();
  const ofPhones = ['DELETE /v1/sdk/sessions/current', ...withoutBearer];
  for (const endpoint of endpoints.filter((each) => !ofPhones.includes(nameOf(each)) && !isReadable(each)))
    expect([nameOf(endpoint), outcome(await requestEndpoint(endpoint, id, token))]).toEqual([
      nameOf(endpoint),
      '403 insufficient_scope',
    ]);
  // The path of any other user is rejected too.
  for (const endpoint of endpoints.filter(isReadable)) {
    const response = await requestEndpoint(endpoint, await ned(world()), token);
    expect([nameOf(endpoint), outcome(response)]).toEqual([nameOf(endpoint), '403 wrong_user']);
    world().system.clock.advance(500);
  }
});

it('250. roster changes with a sandbox key are 403', async () => {
  const roster = '/v1/team/roster';
  const callRoster = async (method: string, path: string, body?: object) =>
    outcome(await call(method, path, body, world().sandboxKey));
  expect(await callRoster('POST', `${roster}/invitations`, { email: newEmail() })).toBe('403 insufficient_scope');
  expect(await callRoster('PATCH', `${roster}/mem_x`, { status: 'archived' })).toBe('403 insufficient_scope');
  expect(await callRoster('DELETE', `${roster}/mem_x`)).toBe('403 insufficient_scope');
});

it('251. the client token is exchanged without a bearer header', async () => {
  const { client_token } = await openSession(world().system, world().key, await ned(world()));
  const response = await call('POST', '/v1/sdk/sessions/exchange', { client_token }, null);
  expect([response.status, response.body.user_id]).toEqual([200, await ned(world())]);
});

it('252. an expired mobile token fails with invalid_token', async () => {
  const user_id = await ned(world());
  const issue = async () => (await call('POST', '/v1/auth/mobile-token', { user_id })).body.token;
  const expired = await issue();
  world().system.clock.advance(5 * minuteMs + 1_000);
  expect(outcome(await exchange(world().system, expired))).toBe('401 invalid_token');
  expect((await exchange(world().system, await issue())).status).toBe(200);
});

it('253. webhook requests are signed with HMAC-SHA256', async () => {
  const { received, secret } = await webhookHistory(world());
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  expect(received.length).toBeGreaterThan(3);
  for (const { headers, body } of received) {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    expect(String(headers['webhook-signature']).split(' ')).toContain(expected);
  }
});
