// The individual samples of two devices that measured at the same time: the part of each that
// counts, at the time it was measured.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { openPhone, type Phone } from '../harness/phone.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { phoneDevice, watch } from '../harness/test-user.ts';

let system: System;
let account: NewAccount;
let keys: string[];
let userId: string;
let phones: { apple: Phone; samsung: Phone };

beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
  keys = [account.live_key, await system.form1Key(account.account_id)];
});
beforeEach(async () => {
  userId = await system.user(account.live_key, { timezone: 'Europe/Berlin' });
  phones = {
    apple: await openPhone(system, account.live_key, userId),
    samsung: await openPhone(system, account.live_key, userId, 'samsung_health'),
  };
});

/** `start` and `end` are UTC and leave out the year, as in `11-10T22:30`. */
const stepsSample = (start: string, end: string, value: number) => ({
  metric: 'steps',
  start: `2025-${start}:00Z`,
  end: `2025-${end}:00Z`,
  value,
  unit: 'count',
});

async function send(phone: Phone, device: object, ...samples: object[]): Promise<void> {
  system.clock.advance(1_000);
  const response = await phone.upload({ time_zone: 'Europe/Berlin', device, samples });
  expect([response.status, response.body.rejected]).toEqual([202, []]);
  await system.host.drain();
}

const get = (key: string, path: string) => system.call('GET', `/v1/users/${userId}/${path}`, { token: key });

/** Returns the start and value of each sample, and expects both forms to return the same. */
async function listSamples(from: string, to = from): Promise<[string, number][]> {
  const path = `timeseries?metrics=steps&start_date=${from}&end_date=${to}`;
  const [response, inForm1] = await Promise.all(keys.map((key) => get(key, path)));
  expect(inForm1?.body).toEqual(response?.body);
  const data: { timestamp: string; value: number }[] = response?.body.data;
  return data.map(({ timestamp, value }) => [timestamp.slice(5, 16), value]);
}

async function sumHours(date: string): Promise<number> {
  const path = `timeseries?metric=steps&date=${date}&resolution=1h`;
  const [response, inForm1] = await Promise.all(keys.map((key) => get(key, path)));
  expect(inForm1?.body).toEqual(response?.body);
  return response?.body.values.reduce((sum: number, value: number | null) => sum + (value ?? 0), 0);
}

const readDays = async (from: string, to: string): Promise<(number | null)[]> =>
  (await get(account.live_key, `daily?from_date=${from}&to_date=${to}&types=steps`)).body.series.steps;

const sumOfValues = (rows: [string, number][]): number => rows.reduce((sum, [, value]) => sum + value, 0);

describe('across two midnights, a watch and a phone from different providers', () => {
  const days = ['2025-11-10', '2025-11-11', '2025-11-12'];
  beforeEach(async () => {
    await send(
      phones.apple,
      watch,
      stepsSample('11-10T22:30', '11-10T23:00', 300),
      stepsSample('11-11T08:00', '11-11T09:00', 1_001),
      stepsSample('11-11T22:00', '11-12T00:00', 1_000),
    );
    await send(
      phones.samsung,
      phoneDevice,
      stepsSample('11-10T22:30', '11-10T23:30', 800),
      stepsSample('11-11T08:30', '11-11T09:30', 800),
    );
  });

  test('the part of a sample that counts is listed at the time and on the day it was measured', async () => {
    expect(await listSamples('2025-11-10')).toEqual([['11-10T22:30', 300]]);
    expect(await listSamples('2025-11-11')).toEqual([
      ['11-10T23:00', 400],
      ['11-11T08:00', 1_001],
      ['11-11T09:00', 400],
      ['11-11T22:00', 500],
    ]);
    expect(await listSamples('2025-11-12')).toEqual([['11-11T23:00', 500]]);
  });

  test('the samples of each day add up to its hours and its value, read alone or in a range', async () => {
    const alone = await Promise.all(days.map((date) => listSamples(date)));
    expect(alone.map(sumOfValues)).toEqual([300, 2_301, 500]);
    expect(await Promise.all(days.map(sumHours))).toEqual([300, 2_301, 500]);
    expect(await readDays('2025-11-10', '2025-11-12')).toEqual([300, 2_301, 500]);
    expect(await listSamples('2025-11-10', '2025-11-12')).toEqual(alone.flat());
  });

  test('each sample names its device and what that device reported', async () => {
    const path = 'timeseries?metrics=steps&start_date=2025-11-11&end_date=2025-11-11&include_sources=true';
    const [response, inForm1] = await Promise.all(keys.map((key) => get(key, path)));
    expect(inForm1?.body).toEqual(response?.body);
    const data: { source: { provider: string; original_value: number } }[] = response?.body.data;
    expect(data.map(({ source }) => [source.provider, source.original_value])).toEqual([
      ['samsung_health', 400],
      ['apple_health', 1_001],
      ['samsung_health', 400],
      ['apple_health', 500],
    ]);
  });
});

test('a sample with a higher-ranked one in its middle is listed before and after it', async () => {
  await send(phones.samsung, phoneDevice, stepsSample('11-11T08:00', '11-11T11:00', 900));
  await send(phones.apple, watch, stepsSample('11-11T09:00', '11-11T10:00', 5));
  expect(await listSamples('2025-11-11')).toEqual([
    ['11-11T08:00', 300],
    ['11-11T09:00', 5],
    ['11-11T10:00', 300],
  ]);
});

test('a share is rounded once: both halves of an odd number are rounded up, and so are the days', async () => {
  await send(phones.apple, watch, stepsSample('11-11T22:00', '11-12T00:00', 1_001));
  expect(await listSamples('2025-11-11', '2025-11-12')).toEqual([
    ['11-11T22:00', 501],
    ['11-11T23:00', 501],
  ]);
  expect(await readDays('2025-11-11', '2025-11-12')).toEqual([501, 501]);
});

test('seven tenths of 45 is 31.5, which is shown as 32', async () => {
  await send(phones.samsung, phoneDevice, stepsSample('11-11T06:00', '11-11T16:00', 45));
  await send(phones.apple, watch, stepsSample('11-11T13:00', '11-11T16:00', 1));
  expect(await listSamples('2025-11-11')).toEqual([
    ['11-11T06:00', 32],
    ['11-11T13:00', 1],
  ]);
});

test.each([
  [
    '25',
    '2025-10-26',
    stepsSample('10-25T21:00', '10-26T22:00', 2_500),
    stepsSample('10-26T22:30', '10-26T23:30', 100),
  ],
  [
    '23',
    '2025-03-30',
    stepsSample('03-29T22:00', '03-30T21:00', 2_300),
    stepsSample('03-30T21:30', '03-30T22:30', 100),
  ],
])('a day of %s hours lists the samples between its own midnights', async (_hours, date, early, late) => {
  await send(phones.apple, watch, early, late);
  const hourLater = new Date(Date.parse(early.start) + 3_600_000).toISOString().slice(5, 16);
  expect(await listSamples(date)).toEqual([
    [hourLater, early.value - 100],
    [late.start.slice(5, 16), 50],
  ]);
  expect(await sumHours(date)).toBe(early.value - 50);
});
