// What a change of the consolidation settings would do, before it is saved.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { addDays } from '../../shared/platform/time/local-day.ts';
import { avoidMidnight } from '../harness/clock.ts';
import { openPhone } from '../harness/phone.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { phoneDevice, watch } from '../harness/test-user.ts';

let system: System;
let account: NewAccount;
let userId: string;
let today: string;

beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
});
beforeEach(async () => {
  avoidMidnight(system.clock);
  today = new Date(system.clock.now()).toISOString().slice(0, 10);
  userId = await system.user(account.live_key, { timezone: 'UTC' });
});

/** Two providers that disagree about weight and resting heart rate. */
async function uploadTwoProviders(): Promise<void> {
  const daily = (back: number, metric: string, value: number, unit: string) => ({
    date: addDays(today, -back),
    metric,
    value,
    unit,
  });
  const first = await openPhone(system, account.live_key, userId, 'apple_health');
  await first.upload({
    time_zone: 'UTC',
    device: phoneDevice,
    daily: [
      ...[1, 2, 3].map((back) => daily(back, 'weight', 70, 'kg')),
      daily(4, 'resting_heart_rate', 60, 'bpm'),
      daily(31, 'weight', 50, 'kg'),
    ],
  });
  system.clock.advance(1_000);
  const second = await openPhone(system, account.live_key, userId, 'health_connect');
  await second.upload({
    time_zone: 'UTC',
    device: watch,
    daily: [
      daily(1, 'weight', 70, 'kg'),
      daily(2, 'weight', 71, 'kg'),
      daily(3, 'weight', 75.5, 'kg'),
      daily(5, 'weight', 72, 'kg'),
      daily(31, 'weight', 90, 'kg'),
    ],
  });
  await system.settle();
}

const call = (method: string, path: string, body?: object, token = account.live_key) =>
  system.call(method, `/v1/users/${userId}${path}`, { token, ...(body ? { body } : {}) });
const preview = (body: object, token = account.live_key) => call('POST', '/consolidation/preview', body, token);
const dailyWeights = async () => (await call('GET', '/daily?types=weight')).body.series.weight;

describe('a preview', () => {
  test('has the metrics that change, how much, and both columns', async () => {
    await uploadTwoProviders();
    const before = await dailyWeights();
    const { status, body } = await preview({ metrics: { weight: { method: 'max' }, steps: { method: 'sum' } } });
    expect(status).toBe(200);
    const { metrics, ...range } = body.data;
    expect(range).toMatchObject({ from_date: addDays(today, -29), to_date: today, days_changed: 2 });
    expect(range.dates).toHaveLength(30);
    expect(metrics).toEqual([
      {
        metric: 'weight',
        unit: 'kg',
        days_changed: 2,
        days_gained: 0,
        days_lost: 0,
        mean_change: 3.25,
        largest_change: { date: addDays(today, -3), before: 70, after: 75.5 },
        before,
        after: before.map((value: number | null, at: number) => ({ 26: 75.5, 27: 71 })[at] ?? value),
      },
    ]);
  });

  test('stores nothing, and is what the days become', async () => {
    await uploadTwoProviders();
    const change = { metrics: { weight: { providers: { apple_health: false } } } };
    const [before, settings] = [await dailyWeights(), (await call('GET', '/consolidation')).text];
    const [weight] = (await preview(change)).body.data.metrics;
    expect([weight.days_changed, weight.days_lost, weight.days_gained]).toEqual([2, 0, 0]);
    await system.settle();
    expect([await dailyWeights(), (await call('GET', '/consolidation')).text]).toEqual([before, settings]);
    await call('PATCH', '/consolidation', change);
    await system.settle();
    expect(await dailyWeights()).toEqual(weight.after);
    expect((await preview(change)).body.data).toMatchObject({ days_changed: 0, metrics: [] });
  });

  test('counts the days that lose or gain a value', async () => {
    await uploadTwoProviders();
    const off = { providers: { apple_health: false } };
    const lost = (await preview(off)).body.data.metrics;
    expect(lost.map(({ metric }: { metric: string }) => metric)).toEqual(['resting_heart_rate', 'weight']);
    expect(lost[0]).toMatchObject({ days_changed: 1, days_lost: 1, mean_change: null, largest_change: null });
    await call('PATCH', '/consolidation', off);
    const gained = (await preview({ providers: { apple_health: true } })).body.data.metrics;
    expect(gained[0]).toMatchObject({ days_changed: 1, days_gained: 1, days_lost: 0, largest_change: null });
  });

  test('is the same in Form 1', async () => {
    await uploadTwoProviders();
    const change = { metrics: { weight: { method: 'avg' } } };
    const form1Key = await system.form1Key(account.account_id);
    expect((await preview(change, form1Key)).text).toBe((await preview(change)).text);
  });
});

describe('what saving rejects, a preview rejects', () => {
  test.each([
    {},
    { metrics: {} },
    { metrics: { steps: { method: 'median' } } },
    { surprise: true },
    { metrics: { dreams: { method: 'max' } } },
    { metrics: { deep_sleep: { method: 'max' } } },
    { metrics: { weight: { method: 'sum' } } },
    { providers: { garmin: false } },
  ])('%j', async (body) => {
    const [saved, previewed] = [await call('PATCH', '/consolidation', body), await preview(body)];
    const withoutId = ({ status, body: { request_id: _, ...rest } }: typeof saved) => [status, rest];
    expect(withoutId(previewed)).toEqual(withoutId(saved));
    expect(previewed.status).toBeGreaterThanOrEqual(400);
  });

  test('for a missing user and for a user of another account', async () => {
    const change = { metrics: { weight: { method: 'avg' } } };
    const other = await system.account();
    expect(await preview(change, other.live_key)).toMatchObject({ status: 404, body: { error: 'user_not_found' } });
    userId = 'usr_nobody';
    expect(await preview(change)).toMatchObject({ status: 404, body: { error: 'user_not_found' } });
  });
});

test('a preview costs two Queries and no write, and 30 days of two devices cost at most 20 read units', async () => {
  const token = account.sandbox_key;
  userId = await system.user(token, { timezone: 'UTC', profile: { sandbox_days: 40 } });
  await system.settle();
  const { providers } = (await call('GET', '/consolidation', undefined, token)).body;
  const change = { providers: { [providers[0].provider]: false } };
  await preview(change, token);
  system.calls.length = 0;
  const { text, body } = await preview(change, token);
  expect(body.data.days_changed).toBeGreaterThan(20);
  const operations = system.calls.map(({ operation }) => operation).sort();
  expect(operations).toEqual(['Query', 'Query', 'UpdateItem']);
  expect(system.calls.reduce((sum, { readUnits }) => sum + readUnits, 0)).toBeLessThanOrEqual(20);
  expect(text.length).toBeLessThan(40_000);
});
