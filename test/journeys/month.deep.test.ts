import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { openPhone, type Phone } from '../harness/phone.ts';
import { type System, startSystem } from '../harness/system.ts';
import {
  type CombineValues,
  combineBy,
  deviceDays,
  expectedDaily,
  lastDays,
  makePhoneMonth,
  makeWatchMonth,
} from './month.ts';

let system: System;
let account: NewAccount;
let user: string;
let days: string[];
let watch: Phone;
let phone: Phone;
const decimals = new Map<string, number>();

const call = (method: string, path: string, body?: unknown) =>
  system.call(method, path, { token: account.live_key, ...(body === undefined ? {} : { body }) });
const range = () => `from_date=${days[0]}&to_date=${days.at(-1)}`;
const readDaily = async (types: string) =>
  (await call('GET', `/v1/users/${user}/daily?types=${types}&${range()}`)).body;

beforeAll(async () => {
  system = await startSystem();
  account = await system.account();
  user = await system.user(account.live_key, { timezone: 'Europe/Berlin' });
  for (const { id, precision } of (await call('GET', '/v1/metrics')).body.metrics) decimals.set(id, precision);
  days = lastDays(system.clock.now(), 30);
  watch = await openPhone(system, account.live_key, user, 'apple_health');
  phone = await openPhone(system, account.live_key, user, 'samsung_health');
});
afterAll(() => system.stop());

const comparedMetrics = [
  'steps',
  'heart_rate',
  'active_calories',
  'resting_heart_rate',
  'distance',
  'weight',
  'asleep',
  'deep_sleep',
  'light_sleep',
  'rem_sleep',
  'time_awake',
  'time_in_bed',
  'restorative_sleep',
  'sleep_efficiency',
];

async function expectDaily(how: (metric: string) => CombineValues): Promise<void> {
  const [first, second] = [deviceDays(makeWatchMonth(days)), deviceDays(makePhoneMonth(days))];
  const { series, dates } = await readDaily(comparedMetrics.join(','));
  expect(dates).toEqual(days);
  for (const metric of comparedMetrics)
    expect([metric, series[metric]]).toEqual([
      metric,
      expectedDaily(metric, days, first, second, how(metric), decimals.get(metric) ?? 0),
    ]);
}

async function patch(body: object): Promise<void> {
  const response = await call('PATCH', `/v1/users/${user}/consolidation`, body);
  expect([response.status, response.body.status]).toEqual([202, 'reconsolidating']);
  await waitForRebuild();
}

/** Drains twice, because the rebuilds of one user are spaced apart. */
async function waitForRebuild(): Promise<void> {
  await system.host.drain();
  await system.host.drain();
}

test('two devices upload a month, and every record is accepted', async () => {
  for (const [device, body] of [
    [watch, makeWatchMonth(days)],
    [phone, makePhoneMonth(days)],
  ] as const) {
    const response = await device.upload(body);
    const sent = body.samples.length + body.daily.length + body.sleep.length + body.workouts.length;
    expect([response.status, response.body.accepted, response.body.rejected]).toEqual([202, sent, []]);
  }
  await system.host.drain();
  const devices = (await call('GET', `/v1/users/${user}/devices`)).body.data;
  expect(devices.map(({ provider, status }: Record<string, string>) => [provider, status]).sort()).toEqual([
    ['apple_health', 'active'],
    ['samsung_health', 'active'],
  ]);
  expect((await call('GET', `/v1/users/${user}`)).body.last_sync_at).not.toBeNull();
});

test('each day has the value of the highest-ranked device', async () => expectDaily(() => combineBy.priority));

test('sources name the device and the value as reported', async () => {
  const { body } = await call(
    'GET',
    `/v1/users/${user}/daily?types=active_calories,distance&include_sources=true&${range()}`,
  );
  const devices = (await call('GET', `/v1/users/${user}/devices`)).body.data;
  const idOf = (provider: string) =>
    devices.find((device: Record<string, string>) => device['provider'] === provider).id;
  expect(body.sources.active_calories[0]).toEqual({
    provider: 'apple_health',
    device_id: idOf('apple_health'),
    original_value: makeWatchMonth(days).daily.find(({ metric }) => metric === 'active_calories')?.value,
    original_unit: 'kJ',
  });
  expect(body.sources.distance[3]).toMatchObject({ provider: 'samsung_health', original_unit: 'm' });
});

test('imperial units are converted and named', async () => {
  const metric = await readDaily('distance,weight');
  const { body } = await call('GET', `/v1/users/${user}/daily?types=distance,weight&unit_system=imperial&${range()}`);
  expect(body.units).toEqual({ distance: 'mi', weight: 'lb' });
  for (const [i, km] of metric.series.distance.entries())
    expect(Math.abs(body.series.distance[i] - km / 1.609344)).toBeLessThan(0.011);
  expect(body.series.weight[0]).toBe(
    150 + (makePhoneMonth(days).samples.find(({ metric: m }) => m === 'weight')?.value ?? 0) - 150,
  );
});

test('there is one session per night and per run, newest first, from the highest-ranked device', async () => {
  const nights = (await call('GET', `/v1/users/${user}/sleep?limit=100&${range()}`)).body.data;
  expect(nights.map(({ date }: { date: string }) => date)).toEqual([...days].reverse());
  for (const night of nights) {
    const d = days.indexOf(night.date);
    expect([night.date, night.source]).toEqual([night.date, d % 4 === 3 ? 'samsung_health' : 'apple_health']);
    expect(night.is_main_sleep).toBe(true);
    expect(night.deep_minutes === null).toBe(d % 4 === 3);
  }
  const runs = (await call('GET', `/v1/users/${user}/workouts?limit=100&${range()}`)).body.data;
  expect(runs).toHaveLength(10);
  const { body } = await call('GET', `/v1/users/${user}/workouts/${runs[0].id}`);
  expect(body).toMatchObject({ type: 'running', name: 'Run 27', duration_minutes: 60, distance_km: 10, calories: 527 });
  expect(body.heart_rate.samples).toHaveLength(60);
  expect(body.metrics.avg_pace_seconds_per_km).toBe(360);
});

test('the individual samples can be read back', async () => {
  const day = days[10];
  const { body } = await call('GET', `/v1/users/${user}/timeseries?metrics=steps&start_date=${day}&end_date=${day}`);
  const { series } = await readDaily('steps');
  const total = body.data.reduce((sum: number, { value }: { value: number }) => sum + value, 0);
  expect(days.indexOf(day ?? '') % 5).toBe(0);
  expect(total).toBe(
    deviceDays({ ...makeWatchMonth(days), daily: [] })
      .get('steps')
      ?.get(day ?? ''),
  );
  expect(series.steps[10]).toBe(12_355);
  const columns = (await call('GET', `/v1/users/${user}/timeseries?metric=steps&date=${day}&resolution=1h`)).body;
  expect(columns.values.reduce((sum: number, value: number | null) => sum + (value ?? 0), 0)).toBe(total);
});

describe('consolidation', () => {
  test.each(['max', 'avg', 'sum'] as const)('%s matches the naive oracle', async (method) => {
    await patch({ metrics: { steps: { method } } });
    await expectDaily((metric) => (metric === 'steps' ? combineBy[method] : combineBy.priority));
  });

  test('a provider can be disabled for one metric, then for all', async () => {
    await patch({ metrics: { steps: { method: null, providers: { apple_health: false } } } });
    await expectDaily((metric) => (metric === 'steps' ? combineBy.second : combineBy.priority));
    await patch({ providers: { apple_health: false } });
    await expectDaily(() => combineBy.second);
    const nights = (await call('GET', `/v1/users/${user}/sleep?limit=100&${range()}`)).body.data;
    expect(new Set(nights.map(({ source }: { source: string }) => source))).toEqual(new Set(['samsung_health']));
  });

  test('the defaults can be restored', async () => {
    const response = await call('DELETE', `/v1/users/${user}/consolidation`);
    expect([response.status, response.body.status]).toEqual([202, 'reconsolidating']);
    await waitForRebuild();
    await expectDaily(() => combineBy.priority);
    const again = await call('DELETE', `/v1/users/${user}/consolidation`);
    expect([again.status, again.body.status]).toEqual([202, 'unchanged']);
  });
});

test('the same month again changes nothing: no write to a day, no event', async () => {
  const readEvents = async () => (await call('GET', '/v1/events?limit=1000')).body.events;
  await system.host.drain();
  const events = await readEvents();
  expect(events.length).toBeGreaterThan(2);
  const before = system.calls.length;
  await watch.upload(makeWatchMonth(days));
  await phone.upload(makePhoneMonth(days));
  await system.host.drain();
  expect(await readEvents()).toEqual(events);
  const writes = system.calls.slice(before).filter(({ writeUnits }) => writeUnits > 0);
  expect(writes.filter(({ operation }) => operation !== 'UpdateItem')).toEqual([]);
  await expectDaily(() => combineBy.priority);
});

test('a disconnected device leaves nothing behind, and the other one provides every value', async () => {
  const devices = (await call('GET', `/v1/users/${user}/devices`)).body.data;
  const gone = devices.find(({ provider }: { provider: string }) => provider === 'apple_health');
  for (let twice = 0; twice < 2; twice++)
    expect((await call('DELETE', `/v1/users/${user}/devices/${gone.id}`)).status).toBe(204);
  await system.host.drain();
  await expectDaily(() => combineBy.second);
  expect((await call('GET', `/v1/users/${user}/devices`)).body.data).toHaveLength(1);
  expect((await call('GET', `/v1/users/${user}/workouts?${range()}`)).body.data).toEqual([]);
  const nights = (await call('GET', `/v1/users/${user}/sleep?limit=100&${range()}`)).body.data;
  expect(nights).toHaveLength(30);
  const day = days[5];
  const left = (
    await call(
      'GET',
      `/v1/users/${user}/timeseries?metrics=steps,heart_rate&start_date=${day}&end_date=${day}&include_sources=true`,
    )
  ).body;
  expect(new Set(left.data.map(({ source }: { source: { provider: string } }) => source.provider))).toEqual(
    new Set(['samsung_health']),
  );
});
