import { expect, it } from 'vitest';
import type { ApiResponse } from '../harness/send-request.ts';
import { endpoints, pathFor } from './endpoints.ts';
import { openApiDocument, rateLimitedRequests } from './fixtures.ts';
import { ada, ned } from './users.ts';
import { contractWorld, outcome } from './world.ts';

const world = contractWorld();
const get = (path: string, token?: string | null) => world().get(path, token);
const getForAda = async (path: string): Promise<ApiResponse> => get(`/v1/users/${(await ada(world())).id}/${path}`);
const countSuccesses = (results: { response: ApiResponse }[]): number =>
  results.filter(({ response }) => response.status === 200).length;

it('277. a key may make 100 requests a second', async () => {
  // A tenth of a second after the burst.
  const { later } = await rateLimitedRequests(world());
  expect([countSuccesses(later), later.length]).toEqual([10, 14]);
});

it('278. bursts go up to 200 requests', async () => {
  const { atOnce } = await rateLimitedRequests(world());
  expect([countSuccesses(atOnce), atOnce.length]).toEqual([200, 210]);
});

it('279. page starts at 1', async () => {
  const { form1Key } = world();
  const first = (await get('/v1/users?page=1&per_page=1', form1Key)).body;
  expect([first.data.length, first.meta.page]).toEqual([1, 1]);
  for (const page of ['0', '-1']) {
    const response = await get(`/v1/users?page=${page}`, form1Key);
    expect([outcome(response), response.body.details.issues[0].path]).toEqual(['400 invalid_request', 'page']);
  }
});

it('280. sleep and workouts cover 366 days inclusive at most', async () => {
  for (const read of ['sleep', 'workouts']) {
    expect((await getForAda(`${read}?from_date=2025-03-14&to_date=2026-03-14`)).status).toBe(200);
    const longer = await getForAda(`${read}?from_date=2025-03-13&to_date=2026-03-14`);
    expect(outcome(longer)).toBe('400 invalid_request');
  }
});

it('281. the version is the first path segment', async () => {
  expect((await get('/v1/users')).status).toBe(200);
  for (const path of ['/users', '/v2/users', '/api/v1/users']) expect(outcome(await get(path))).toBe('404 not_found');
});

interface Schema {
  additionalProperties?: unknown;
}

it('282b. new fields may appear, so answers are open', async () => {
  const schemas: Record<string, Schema> = (await openApiDocument(world())).components.schemas;
  for (const name of ['User', 'DetailedUser', 'Device', 'Workout', 'Error', 'TokenResponse', 'Webhook'])
    expect([name, schemas[name]?.additionalProperties]).toEqual([name, undefined]);
});

it('283. the machine-readable description states version 1.0.0', async () => {
  for (const name of ['openapi.json', 'openapi.form1.json']) {
    const { openapi, info } = (await get(`/${name}`, null)).body;
    expect([openapi, info.version]).toEqual([expect.stringMatching(/^3\.1/), '1.0.0']);
  }
});

it('284. requests with a body send Content-Type: application/json', async () => {
  const create = (type: string) =>
    world().system.call('POST', '/v1/users', { token: world().key, raw: '{}', headers: { 'content-type': type } });
  expect((await create('application/json')).status).toBe(201);
  expect((await create('application/json; charset=utf-8')).status).toBe(201);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
    expect(outcome(await create(type))).toBe('415 unsupported_media_type');
});

it('285. responses are application/json', async () => {
  const user = await ned(world());
  const { system, key } = world();
  for (const endpoint of endpoints.filter(({ method }) => method === 'GET'))
    for (const token of [key, 'nonsense']) {
      const response = await system.call('GET', pathFor(endpoint, user), { token });
      expect([endpoint.path, response.headers.get('content-type')]).toEqual([endpoint.path, 'application/json']);
    }
  const malformed = await system.call('POST', '/v1/users', { token: key, raw: '{' });
  expect([malformed.status, malformed.headers.get('content-type')]).toEqual([400, 'application/json']);
});

it('286. both forms are served, by account', async () => {
  const [first, second] = [await world().system.account({ form: 1 }), await world().system.account()];
  const usersOf = async (key: string) => Object.keys((await get('/v1/users', key)).body);
  expect(await usersOf(first.live_key)).toEqual(['data', 'meta']);
  expect(await usersOf(second.live_key)).toEqual(['data', 'next_cursor']);
  const dailyOf = async (key: string, query: string) =>
    get(`/v1/users/${await world().system.user(key)}/daily?${query}`, key);
  const [inForm1, inForm2] = ['start_date=2026-03-01&end_date=2026-03-02', 'from_date=2026-03-01&to_date=2026-03-02'];
  expect((await dailyOf(first.live_key, inForm1)).body).toEqual({ data: [] });
  expect((await dailyOf(second.live_key, inForm2)).body.dates).toEqual(['2026-03-01', '2026-03-02']);
  expect(outcome(await dailyOf(first.live_key, inForm2))).toBe('400 invalid_request');
  expect(outcome(await dailyOf(second.live_key, inForm1))).toBe('400 invalid_request');
});
