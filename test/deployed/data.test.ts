import { beforeAll, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { openPhone } from '../harness/phone.ts';
import {
  type CombineValues,
  combineBy,
  deviceDays,
  expectedDaily,
  lastDays,
  makePhoneMonth,
  makeWatchMonth,
} from '../journeys/month.ts';
import { call, eventually, newAccount } from './caller.ts';

let account: NewAccount;
let user: string;
const days = lastDays(Date.now(), 10);
const metrics = ['steps', 'heart_rate', 'active_calories', 'distance', 'asleep', 'deep_sleep'];
const decimals: Record<string, number> = {};

beforeAll(async () => {
  account = await newAccount();
  const token = account.live_key;
  user = (await call('POST', '/v1/users', { token, body: { timezone: 'Europe/Berlin' } })).body.id;
  for (const { id, precision } of (await call('GET', '/v1/metrics', { token })).body.metrics) decimals[id] = precision;
});

const get = (path: string) => call('GET', `/v1/users/${user}${path}`, { token: account.live_key });
const range = `from_date=${days[0]}&to_date=${days.at(-1)}`;

async function expectDaily(how: (metric: string) => CombineValues): Promise<void> {
  const [first, second] = [deviceDays(makeWatchMonth(days)), deviceDays(makePhoneMonth(days))];
  await eventually(async () => {
    const { body } = await get(`/daily?types=${metrics.join(',')}&${range}`);
    for (const metric of metrics)
      expect([metric, body.series[metric]]).toEqual([
        metric,
        expectedDaily(metric, days, first, second, how(metric), decimals[metric] ?? 0),
      ]);
  });
}

test('two phones upload, and every deployed worker processes its part', async () => {
  const watch = await openPhone({ call }, account.live_key, user, 'apple_health');
  const phone = await openPhone({ call }, account.live_key, user, 'samsung_health');
  expect((await watch.upload(makeWatchMonth(days))).status).toBe(202);
  expect((await phone.upload(makePhoneMonth(days))).status).toBe(202);
  await expectDaily(() => combineBy.priority);
  expect((await get(`/sleep?limit=100&${range}`)).body.data).toHaveLength(10);
  const [run] = (await get(`/workouts?${range}`)).body.data;
  expect((await get(`/workouts/${run.id}`)).body.heart_rate.samples).toHaveLength(60);
  const day = days[3];
  expect((await get(`/timeseries?metric=heart_rate&date=${day}&resolution=1h`)).body.values.length).toBeGreaterThan(22);
});

test('changed settings rebuild the history, and deleting them restores the defaults', async () => {
  const path = `/v1/users/${user}/consolidation`;
  const patched = await call('PATCH', path, {
    token: account.live_key,
    body: { metrics: { steps: { method: 'sum' } } },
  });
  expect([patched.status, patched.body.status]).toEqual([202, 'reconsolidating']);
  await expectDaily((metric) => (metric === 'steps' ? combineBy.sum : combineBy.priority));
  expect((await call('DELETE', path, { token: account.live_key })).status).toBe(202);
  await expectDaily(() => combineBy.priority);
});

test('after a device is disconnected, all values come from the other one', async () => {
  const devices = (await get('/devices')).body.data;
  const gone = devices.find(({ provider }: { provider: string }) => provider === 'apple_health');
  expect((await call('DELETE', `/v1/users/${user}/devices/${gone.id}`, { token: account.live_key })).status).toBe(204);
  await expectDaily(() => combineBy.second);
});
