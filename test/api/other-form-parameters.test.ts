// Parameters of the other form are rejected by name, and the error suggests the one to use.
import { beforeAll, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

let system: System;
let account: NewAccount;

beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account({ form: 1 });
});

const get = (path: string, token = account.live_key) => system.call('GET', path, { token });

describe('a parameter of the other form', () => {
  const range = 'start_date=2026-03-01&end_date=2026-03-02';
  const inForm1: [path: string, name: string, instead: string][] = [
    ['/v1/users', 'external_ref', 'reference_id'],
    ['/v1/users', 'limit', 'per_page'],
    ['/v1/users', 'cursor', 'page'],
    [`/v1/users/{id}/daily?${range}`, 'types', 'metrics'],
    [`/v1/users/{id}/daily?${range}`, 'from_date', 'start_date'],
    [`/v1/users/{id}/daily?${range}`, 'to_date', 'end_date'],
    [`/v1/users/{id}/sleep?${range}`, 'from_date', 'start_date'],
    [`/v1/users/{id}/workouts?${range}`, 'to_date', 'end_date'],
    [`/v1/users/{id}/workouts?${range}`, 'limit', 'per_page'],
    [`/v1/users/{id}/workouts?${range}`, 'cursor', 'page'],
    ['/v1/users/{id}/scores', 'types', 'GET /v1/users/{user_id}/scores/history'],
    ['/v1/users/{id}/scores', 'from_date', 'GET /v1/users/{user_id}/scores/history'],
    [`/v1/users/{id}/scores/history?${range}`, 'from_date', 'start_date'],
    [`/v1/users/{id}/timeseries?metrics=steps&${range}`, 'types', 'metrics'],
  ];
  const inForm2: typeof inForm1 = [
    ['/v1/users', 'reference_id', 'external_ref'],
    ['/v1/users', 'page', 'cursor'],
    ['/v1/users', 'per_page', 'limit'],
    ['/v1/users/{id}/daily', 'metrics', 'types'],
    ['/v1/users/{id}/daily', 'start_date', 'from_date'],
    ['/v1/users/{id}/sleep', 'end_date', 'to_date'],
    ['/v1/users/{id}/sleep', 'page', 'cursor'],
    ['/v1/users/{id}/workouts', 'per_page', 'limit'],
    ['/v1/users/{id}/scores', 'start_date', 'from_date'],
    ['/v1/events', 'page', 'cursor'],
    ['/v1/events', 'per_page', 'limit'],
    [`/v1/users/{id}/scores/history?${range}`, 'from_date', 'start_date'],
    [`/v1/users/{id}/scores/history?${range}`, 'to_date', 'end_date'],
    [`/v1/users/{id}/timeseries?metrics=steps&${range}`, 'from_date', 'start_date'],
  ];
  const tried = [
    ...inForm1.map(([path, name, instead]) => ({ form: 1 as const, path, name, instead })),
    ...inForm2.map(([path, name, instead]) => ({ form: 2 as const, path, name, instead })),
  ];

  test.each(tried)(
    'on Form $form: $name of $path is rejected in favor of $instead',
    async ({ form, path, name, instead }) => {
      const own = await system.account({ form });
      const filled = path.replace('{id}', await system.user(own.live_key));
      const response = await get(`${filled}${filled.includes('?') ? '&' : '?'}${name}=1`, own.live_key);
      expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
      expect(response.body.details.issues[0]).toMatchObject({
        path: name,
        message: expect.stringContaining(`use ${instead}`),
      });
      expect(response.body.message).toContain(name);
    },
  );

  test('that pages sessions is rejected where every session is returned', async () => {
    const filled = `/v1/users/${await system.user(account.live_key)}/sleep?start_date=2026-03-01&end_date=2026-03-14`;
    for (const name of ['limit', 'cursor', 'page', 'per_page'])
      expect((await get(`${filled}&${name}=1`)).body.message).toBe(
        `Unknown parameter \`${name}\`. Leave it out, because every session in the range is returned.`,
      );
  });

  test.each(['sleep', 'workouts', 'workouts/wrk_01k9p3we5f7h9k1n3q5s7v9x1z'])(
    'that sets the unit system of %s, whose field names carry their units, is rejected',
    async (path) => {
      const own = await system.account();
      const filled = `/v1/users/${await system.user(own.live_key)}/${path}`;
      for (const system of ['metric', 'imperial']) {
        const response = await get(`${filled}?unit_system=${system}`, own.live_key);
        expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
        expect(response.body.message).toBe(
          'Unknown parameter `unit_system`. Leave it out, because the field names include their units.',
        );
        expect(response.body.details.issues[0].path).toBe('unit_system');
      }
    },
  );

  test('that requests what current scores always include is rejected', async () => {
    const filled = `/v1/users/${await system.user(account.live_key)}/scores`;
    for (const name of ['include_factors', 'include_status'])
      expect((await get(`${filled}?${name}=true`)).body.message).toContain(
        `Unknown parameter \`${name}\`. Leave it out`,
      );
  });

  test('that requests the stages of one night is rejected, and a list without stages names its parameters', async () => {
    const own = await system.account();
    const filled = `/v1/users/${await system.user(own.live_key)}`;
    const messageOf = async (path: string) =>
      (await get(`${filled}/${path}?include_stages=true`, own.live_key)).body.message;
    expect(await messageOf('sleep/slp_01k9p3wb2c4e6g8j0m2p4r6t8w')).toBe(
      'Unknown parameter `include_stages`. Leave it out, because the stages are always included.',
    );
    expect(await messageOf('workouts')).toBe(
      'Unknown parameter `include_stages`. This call takes `from_date`, `to_date`, `limit`, `cursor`, `include_sources`.',
    );
  });

  test.each(['metric=weight&from_date=2026-03-01', 'metric=weight&start_date=2026-03-01', ''])(
    'or of the other shape of samples leads to both shapes: %j',
    async (query) => {
      const own = await system.account();
      const { body } = await get(`/v1/users/${await system.user(own.live_key)}/timeseries?${query}`, own.live_key);
      expect(body.message).toMatch(
        / Send metrics, start_date and end_date for samples, or metric and date for one day in equal steps\.$/,
      );
    },
  );

  test('that numbers the pages of a cursor list is rejected, instead of returning the first page forever', async () => {
    const { body } = await system.call('POST', '/v1/webhooks', {
      token: account.live_key,
      body: { url: 'https://example.com/hook', events: ['data.updated'] },
    });
    for (const path of ['/v1/events', `/v1/webhooks/${body.data.id}/deliveries`])
      expect((await get(`${path}?page=2`)).body.details).toEqual({ issues: [{ path: 'page', message: 'use cursor' }] });
  });

  test('is rejected with its own advice, although another name is near', async () => {
    const filled = `/v1/users/${await system.user(account.live_key)}/daily?start_date=2026-03-01&end_date=2026-03-02`;
    expect((await get(`${filled}&to_date=2026-03-02`)).body.message).toBe(
      'Unknown parameter `to_date`. Use `end_date`.',
    );
    expect((await get(`${filled}&todate=2026-03-02`)).body.message).toBe(
      'Unknown parameter `todate`. Did you mean `end_date`?',
    );
  });
});
