// Applies the general rules of the contract to every operation that has its own shape on Form 1.
import { expect, test } from 'vitest';
import { form1Contract } from '../../functions/api/reference/contract.ts';
import { testEveryRoute } from './every-route.ts';
import { type CreateSample, samples } from './samples.ts';

const range = 'start_date=2026-03-01&end_date=2026-03-14';
const userSample =
  (sample: { query?: string; body?: object; status?: number } = {}): CreateSample =>
  ({ userId }) => ({ params: { user_id: userId }, status: 200, ...sample });

const form1Samples: Record<string, CreateSample> = {
  createUser: () => ({ body: { timezone: 'Europe/Berlin' }, status: 201 }),
  listUsers: () => ({ query: '?page=1&per_page=2', status: 200 }),
  getUser: userSample(),
  updateUser: userSample({ body: { timezone: 'Asia/Tokyo' } }),
  deleteUser: async ({ system, token }) => ({ params: { user_id: await system.user(token) }, status: 202 }),
  connectDevice: userSample({ body: { provider: 'oura' } }),
  getDaily: userSample({ query: `?metrics=steps,asleep&${range}&include_sources=true` }),
  listSleep: userSample({ query: `?${range}` }),
  listWorkouts: userSample({ query: `?${range}&page=1&per_page=2` }),
  getScores: userSample(),
  getScoreHistory: userSample({ query: `?types=energy_reserve_score&${range}` }),
};

/** The operations as the contract lists them, written out independently of the code. */
const operationsInBothForms = [
  'listUsers',
  'getUser',
  'createUser',
  'updateUser',
  'deleteUser',
  'connectDevice',
  'getDaily',
  'listSleep',
  'listWorkouts',
  'getScores',
  'getScoreHistory',
];

const endpoints = form1Contract.filter(({ form2Route: form1Of }) => form1Of !== undefined);

test('every operation that the contract shows in two forms has a Form 1 route', () => {
  expect(endpoints.map(({ route }) => route.operationId).sort()).toEqual(operationsInBothForms.toSorted());
  for (const name of operationsInBothForms) expect(samples).toHaveProperty(name);
});

test('the user is named by a parameter that the path has', () => {
  for (const { user, route } of endpoints) {
    expect(user !== undefined).toBe(/^\/v1\/users\/\{/.test(route.path));
    if (user !== undefined) expect(route.path).toContain(`{${user}}`);
  }
});

testEveryRoute({ form: 1, endpoints, samples: form1Samples });
