import { expect, test } from 'vitest';
import { addDays, utcDay } from '../../shared/platform/time/local-day.ts';
import { documentChecker } from '../harness/openapi-checker.ts';
import { call, eventually, newAccount } from './caller.ts';
import { deployment } from './deployment.ts';

test('an account on Form 1 creates, lists, reads and deletes a user, each response as documented', async () => {
  const { sandbox_key: token } = await newAccount({ form: 1 });
  const check = await documentChecker(deployment.apiUrl, 'openapi.form1.json');
  const callForm1 = async (method: string, path: string, body?: object) => {
    const response = await call(method, path, { token, ...(body ? { body } : {}) });
    check(method, path, response);
    return response;
  };
  const today = utcDay(Date.now());
  const range = `start_date=${addDays(today, -30)}&end_date=${today}`;

  const created = await callForm1('POST', '/v1/users', { reference_id: 'ada', timezone: 'Europe/Paris' });
  expect([created.status, created.body.reference_id]).toEqual([201, 'ada']);
  const user = `/v1/users/${created.body.id}`;
  expect((await callForm1('GET', user)).body.data).toMatchObject({ id: created.body.id, reference_id: 'ada' });
  await eventually(async () => {
    const { body } = await callForm1('GET', '/v1/users?page=1&per_page=5');
    expect(body).toMatchObject({ data: [{ id: created.body.id }], meta: { page: 1, per_page: 5, total: 1 } });
  });

  await eventually(async () => {
    const { data } = (await callForm1('GET', `${user}/daily?metrics=steps&${range}&include_sources=true`)).body;
    expect(data.length).toBeGreaterThanOrEqual(7);
    expect(data[0]).toMatchObject({ metric: 'steps', unit: 'count', source: { provider: expect.any(String) } });
  }, 90);
  await eventually(async () => {
    const { data } = (await callForm1('GET', `${user}/sleep?${range}`)).body;
    expect(data.length).toBeGreaterThanOrEqual(7);
  }, 90);
  const { data: workouts, meta } = (await callForm1('GET', `${user}/workouts?${range}&per_page=100`)).body;
  expect(meta.total).toBe(workouts.length);
  await eventually(async () => {
    const { data } = (await callForm1('GET', `${user}/scores`)).body;
    expect(data.map(({ type }: { type: string }) => type)).toContain('energy_reserve_score');
  }, 150);
  expect((await callForm1('GET', `${user}/scores/history?${range}`)).body.data.length).toBeGreaterThan(0);

  const wrong = await callForm1('GET', `${user}/daily?types=steps&${range}`);
  expect([wrong.status, wrong.body.details.issues]).toEqual([400, [{ path: 'types', message: 'use metrics' }]]);

  expect((await callForm1('DELETE', user)).status).toBe(202);
  expect((await callForm1('GET', user)).status).toBe(404);
  expect((await callForm1('GET', '/v1/users?reference_id=ada')).body.meta.total).toBe(0);
  await eventually(async () => expect((await callForm1('GET', '/v1/users')).body.meta.total).toBe(0));
}, 300_000);
