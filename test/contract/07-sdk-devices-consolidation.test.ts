import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { openPhone } from '../harness/phone.ts';
import {
  createCredentials,
  installation,
  makeUpload,
  openSession,
  refresh,
  requestSession,
  upload,
} from '../harness/sdk.ts';
import { readSteps, resetSettings } from './fixtures.ts';
import { ada, con, dailyTotal, ned, phoneDevice, uploadAndProcess } from './users.ts';
import { contractWorld, outcome } from './world.ts';

const world = contractWorld();
const call = (method: string, path: string, body?: object, token?: string | null) =>
  world().call(method, path, body, token);
const sessionsPath = (user: string) => `/v1/users/${user}/sdk-sessions`;
const requestNedSession = async (body: unknown, key: string) =>
  requestSession(world().system, world().key, await ned(world()), body, key);

it('172. POST sdk-sessions requires an Idempotency-Key that is a UUID', async () => {
  const path = sessionsPath(await ned(world()));
  expect(outcome(await call('POST', path, installation()))).toBe('400 invalid_request');
  expect(outcome(await requestNedSession(installation(), 'not-a-uuid'))).toBe('400 invalid_request');
  expect((await requestNedSession(installation(), randomUUID())).status).toBe(201);
});

const bootstrap = {
  session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  client_token: expect.any(String),
  expires_at: expect.stringMatching(/Z$/),
};

it('173. a new installation session answers 201 with a bootstrap', async () => {
  const response = await requestNedSession(installation(), randomUUID());
  expect([response.status, response.body]).toMatchObject([
    201,
    { ...bootstrap, status: 'pending', user_id: await ned(world()) },
  ]);
});

it('174. a replay or a recovery answers 200 with a bootstrap', async () => {
  const [body, key] = [installation(), randomUUID()];
  const first = await requestNedSession(body, key);
  const replay = await requestNedSession(body, key);
  expect([replay.status, replay.body]).toEqual([200, first.body]);
  const recovery = await requestNedSession(body, randomUUID());
  expect([recovery.status, recovery.body]).toMatchObject([200, bootstrap]);
  expect(recovery.body.session_id).toBe(first.body.session_id);
  expect(recovery.body.client_token).not.toBe(first.body.client_token);
});

it('175. POST sdk-sessions answers 400, 401, 404 and 409', async () => {
  const key = randomUUID();
  await requestNedSession(installation(), key);
  expect(outcome(await requestNedSession({ app_id: 7 }, randomUUID()))).toBe('400 invalid_body');
  expect(outcome(await call('POST', sessionsPath(await ned(world())), installation(), null))).toBe('401 unauthorized');
  const nobody = await requestSession(world().system, world().key, 'usr_nobody');
  expect(outcome(nobody)).toBe('404 not_found');
  expect(outcome(await requestNedSession(installation(), key))).toBe('409 idempotency_conflict');
});

it('176. GET sdk-sessions lists pending and active sessions', async () => {
  const user = await world().user();
  const pending = await openSession(world().system, world().key, user);
  const active = await createCredentials(world().system, world().key, user);
  const { data } = (await world().get(sessionsPath(user))).body;
  const listed = data.map(({ id, status }: Record<string, string>) => [id, status]);
  expect(listed).toHaveLength(2);
  expect(listed).toContainEqual([pending.session_id, 'pending']);
  expect(listed).toContainEqual([active.session_id, 'active']);
});

it('177. DELETE sdk-session answers 204', async () => {
  const user = await world().user();
  const { session_id, access_token } = await createCredentials(world().system, world().key, user);
  expect(outcome(await call('DELETE', `${sessionsPath(user)}/${randomUUID()}`))).toBe('404 not_found');
  const response = await call('DELETE', `${sessionsPath(user)}/${session_id}`);
  expect([response.status, response.text]).toEqual([204, '']);
  expect(outcome(await upload(world().system, access_token, makeUpload()))).toBe('401 invalid_token');
  expect((await world().get(sessionsPath(user))).body.data).toEqual([]);
});

it('178. the exchange needs no authentication, and its token works once', async () => {
  const { client_token } = await openSession(world().system, world().key, await ned(world()));
  const response = await call('POST', '/v1/sdk/sessions/exchange', { client_token }, null);
  const credentials = { access_token: expect.any(String), refresh_token: expect.any(String) };
  expect([response.status, response.body]).toMatchObject([200, credentials]);
  const again = await call('POST', '/v1/sdk/sessions/exchange', { client_token }, null);
  expect(outcome(again)).toBe('401 invalid_token');
});

it('179. the exchange answers 400 and 401', async () => {
  const postOutcome = async (body: object) => outcome(await call('POST', '/v1/sdk/sessions/exchange', body, null));
  expect(await postOutcome({ client_token: 7 })).toBe('400 invalid_body');
  expect(await postOutcome({ client_token: 'ct_unknown' })).toBe('401 invalid_token');
});

it('180. the refresh answers rotated credentials', async () => {
  const first = await createCredentials(world().system, world().key, await ned(world()));
  const response = await call('POST', '/v1/sdk/sessions/refresh', { refresh_token: first.refresh_token }, null);
  expect([response.status, response.body.session_id]).toEqual([200, first.session_id]);
  expect(response.body.access_token).not.toBe(first.access_token);
  expect(response.body.refresh_token).not.toBe(first.refresh_token);
  expect((await upload(world().system, response.body.access_token, makeUpload())).status).toBe(202);
});

it('181. the refresh answers 400 and 401', async () => {
  const postOutcome = async (body: object) => outcome(await call('POST', '/v1/sdk/sessions/refresh', body, null));
  expect(await postOutcome({})).toBe('400 invalid_body');
  expect(await postOutcome({ refresh_token: 'sdk_rt_unknown' })).toBe('401 invalid_token');
});

it('182. DELETE current revokes the session of its bearer', async () => {
  const own = await createCredentials(world().system, world().key, await ned(world()));
  const other = await createCredentials(world().system, world().key, await ned(world()));
  const end = async (token: string | null) =>
    outcome(await call('DELETE', '/v1/sdk/sessions/current', undefined, token));
  expect(await end(own.access_token)).toBe('204');
  expect(await end(own.access_token)).toBe('401 invalid_token');
  expect(await end(null)).toBe('401 unauthorized');
  expect(outcome(await refresh(world().system, own.refresh_token))).toBe('401 invalid_token');
  expect((await upload(world().system, other.access_token, makeUpload())).status).toBe(202);
});

it('183. GET devices answers data, and 404 for an unknown user', async () => {
  const { id, devices } = await ada(world());
  const { body } = await world().get(`/v1/users/${id}/devices`);
  expect(Object.keys(body)).toEqual(['data']);
  expect(body.data.map((device: { id: string }) => device.id).sort()).toEqual(Object.values(devices).sort());
  for (const token of [world().key, world().form1Key])
    expect(outcome(await world().get('/v1/users/usr_nobody/devices', token))).toBe('404 not_found');
});

it('184. POST devices requires a body and answers 200', async () => {
  const path = `/v1/users/${await world().user()}/devices`;
  expect(outcome(await call('POST', path))).toBe('400 invalid_body');
  expect(outcome(await call('POST', path, { provider: 'nobody' }))).toBe('400 invalid_provider');
  const response = await call('POST', path, { provider: 'garmin' });
  const page = await world().system.call('GET', new URL(response.body.auth_url).pathname);
  expect([response.status, page.status]).toEqual([200, 302]);
});

it('185. Form 1 wraps the pending device in data', async () => {
  const path = `/v1/users/${await world().user()}/devices`;
  const { status, body } = await call('POST', path, { provider: 'garmin' }, world().form1Key);
  expect([status, Object.keys(body)]).toEqual([200, ['data']]);
  expect(body.data).toMatchObject({
    id: expect.stringMatching(/^dev_/),
    provider: 'garmin',
    status: 'pending',
    auth_url: expect.stringMatching(/^http/),
  });
});

it('186. DELETE device disconnects it', async () => {
  const user = await world().user();
  const phone = await openPhone(world().system, world().key, user);
  await uploadAndProcess(world(), phone, phoneDevice, { daily: [dailyTotal('2026-03-10', 'steps', 10, 'count')] });
  const [device] = (await world().get(`/v1/users/${user}/devices`)).body.data;
  const response = await call('DELETE', `/v1/users/${user}/devices/${device.id}`);
  expect(response.status).toBe(204);
  await world().settle();
  expect(await readSteps(world(), user, '2026-03-10')).toBeNull();
  expect((await world().get(`/v1/users/${user}/devices`)).body.data).toEqual([]);
});

const consolidationPath = async () => `/v1/users/${await con(world())}/consolidation`;
const readConfiguration = async () => (await world().get(await consolidationPath())).body;
const patch = async (body: object) => call('PATCH', await consolidationPath(), body);

it('187. GET consolidation answers 200, and 404 for an unknown user', async () => {
  const { status, body } = await world().get(await consolidationPath());
  expect([status, Object.keys(body).sort()]).toEqual([200, ['metrics', 'providers']]);
  expect(outcome(await world().get('/v1/users/usr_nobody/consolidation'))).toBe('404 user_not_found');
});

it('188. PATCH consolidation is atomic, and only supplied settings change', async () => {
  await resetSettings(world());
  const before = await readConfiguration();
  const half = { steps: { method: 'max' }, dreams: { method: 'max' } };
  expect(outcome(await patch({ metrics: half, providers: { samsung_health: false } }))).toBe('422 invalid_metric');
  expect(outcome(await patch({ metrics: { steps: { method: 'max' } }, providers: { oura: false } }))).toBe(
    '422 invalid_provider',
  );
  expect(await readConfiguration()).toEqual(before);
  expect((await patch({ metrics: { steps: { method: 'max', providers: { apple_health: false } } } })).status).toBe(202);
  const changed = (await readConfiguration()).metrics.filter(
    (entry: { key: string }, at: number) => JSON.stringify(entry) !== JSON.stringify(before.metrics[at]),
  );
  expect(changed).toMatchObject([{ key: 'steps', method: 'max', overridden: true }]);
  expect((await readConfiguration()).providers).toEqual(before.providers);
});

it('189. DELETE consolidation answers 202 in the same shape', async () => {
  await resetSettings(world());
  const patched = await patch({ metrics: { steps: { method: 'sum' } } });
  const response = await call('DELETE', await consolidationPath());
  expect([response.status, Object.keys(response.body)]).toEqual([202, Object.keys(patched.body)]);
  expect(response.body.configuration).toEqual(await readConfiguration());
});

it('190. provider keys name connected providers', async () => {
  for (const body of [{ providers: { oura: true } }, { metrics: { steps: { providers: { oura: true } } } }]) {
    const response = await patch(body);
    expect([outcome(response), response.body.details]).toMatchObject(['422 invalid_provider', { provider: 'oura' }]);
  }
});

it('191. metric keys and methods are those of the catalog', async () => {
  const { metrics } = (await world().get('/v1/consolidation/catalog')).body;
  const allowed = new Map<string, string[]>(
    metrics.map((entry: { key: string; allowed_methods: string[] }) => [entry.key, entry.allowed_methods]),
  );
  expect(outcome(await patch({ metrics: { deep_sleep: { method: 'max' } } }))).toBe('422 invalid_metric');
  expect(allowed.has('deep_sleep')).toBe(false);
  for (const key of ['steps', 'weight', 'sleep'])
    for (const method of ['merge', 'priority', 'max', 'avg', 'sum']) {
      const response = await patch({ metrics: { [key]: { method } } });
      const isAllowed = allowed.get(key)?.includes(method);
      expect([key, method, outcome(response)]).toEqual([key, method, isAllowed ? '202' : '422 invalid_method']);
    }
  await call('DELETE', await consolidationPath());
});
