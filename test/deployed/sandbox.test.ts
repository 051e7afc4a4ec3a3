import { expect, test } from 'vitest';
import { call, eventually, newAccount } from './caller.ts';

test('a sandbox user has a week of data and five scores shortly after it is created', async () => {
  const { sandbox_key: token, live_key } = await newAccount();
  const user = (await call('POST', '/v1/users', { token, body: { timezone: 'Europe/Paris' } })).body.id;
  const get = (path: string) => call('GET', `/v1/users/${user}${path}`, { token });
  await eventually(async () => {
    const { series } = (await get('/daily?types=steps,resting_heart_rate,asleep')).body;
    for (const values of Object.values<(number | null)[]>(series))
      expect(values.filter((value) => value !== null).length).toBeGreaterThanOrEqual(7);
  }, 90);
  expect((await get('/sleep')).body.data.length).toBeGreaterThanOrEqual(7);
  expect((await get('/devices')).body.data).toHaveLength(2);
  await eventually(async () => {
    const { latest } = (await get('/scores')).body;
    const values = Object.values<{ value: number } | null>(latest).map((score) => score?.value ?? null);
    expect(values).toHaveLength(5);
    for (const value of values) expect(value).toEqual(expect.any(Number));
  }, 150);
  expect((await get('')).body.score_status).toBe('ready');

  const live = (await call('POST', '/v1/users', { token: live_key, body: {} })).body.id;
  expect((await call('GET', `/v1/users/${live}/devices`, { token: live_key })).body.data).toEqual([]);
}, 300_000);
