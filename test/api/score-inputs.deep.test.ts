import { beforeAll, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { addDays, utcDay } from '../../shared/platform/time/local-day.ts';
import { openPhone } from '../harness/phone.ts';
import { makeUpload } from '../harness/sdk.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

let system: System;
let account: NewAccount;
/**
 * The newest day with data: the day before yesterday, so that none of its scores is provisional.
 */
let lastDay: string;

beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
  lastDay = addDays(utcDay(system.clock.now()), -2);
});

interface DailyTotal {
  date: string;
  metric: string;
  value: number;
  unit: string;
}

/** For each metric another unit, and its amount per one of the metric's own unit. */
const otherUnits: Readonly<Record<string, readonly [unit: string, times: number]>> = {
  asleep: ['h', 1 / 60],
  sleep_latency: ['s', 60],
  sleep_efficiency: ['fraction', 0.01],
  sleep_heart_rate_variability: ['s', 0.001],
  resting_heart_rate: ['count/min', 1],
  active_calories: ['kJ', 4.184],
  total_calories: ['J', 4184],
  dietary_energy: ['kJ', 4.184],
  exercise: ['h', 1 / 60],
  weight: ['lb', 1 / 0.45359237],
  height: ['in', 1 / 2.54],
  protein: ['oz', 1 / 28.349523125],
  fiber: ['mg', 1000],
  sodium: ['g', 0.001],
};

/** Returns six weeks in which each day differs slightly from the others. */
const makeWeeks = (): DailyTotal[] =>
  Array.from({ length: 42 }, (_none, back) => {
    const wave = (every: number) => Math.sin((back * 2 * Math.PI) / every);
    const stated: [string, number, string][] = [
      ['asleep', 430 + 45 * wave(5), 'min'],
      ['sleep_latency', 20 + 12 * wave(4), 'min'],
      ['sleep_efficiency', 86 + 6 * wave(6), '%'],
      ['sleep_heart_rate_variability', 52 + 9 * wave(9), 'ms'],
      ['resting_heart_rate', 58 + 3 * wave(8), 'bpm'],
      ['active_calories', 450 + 250 * wave(3.5), 'kcal'],
      ['total_calories', 2150 + 250 * wave(3.5), 'kcal'],
      ['exercise', 35 + 30 * wave(3.5), 'min'],
      ['dietary_energy', 2100 + 400 * wave(7), 'kcal'],
      ['weight', 92 + wave(30), 'kg'],
      ['height', 174, 'cm'],
      ['protein', 75 + 20 * wave(5), 'g'],
      ['fiber', 22 + 8 * wave(11), 'g'],
      ['sodium', 2300 + 900 * wave(6), 'mg'],
    ];
    return stated.map(([metric, value, unit]) => ({ date: addDays(lastDay, -back), metric, value, unit }));
  }).flat();

/** Returns five weeks of scores with all details, in date order. */
async function readScoresAfter(uploads: readonly DailyTotal[][]): Promise<unknown> {
  const user = await system.user(account.live_key);
  const phone = await openPhone(system, account.live_key, user);
  for (const daily of uploads) {
    const response = await phone.upload(makeUpload({ daily }));
    expect(response.status, response.text).toBeLessThan(300);
    await system.host.drain();
    system.clock.advance(5 * 60_000);
    await system.host.drain();
  }
  const range = `from_date=${addDays(lastDay, -34)}&to_date=${lastDay}`;
  const { status, body } = await system.call(
    'GET',
    `/v1/users/${user}/scores?${range}&include_factors=true&include_status=true`,
    { token: account.live_key },
  );
  expect(status).toBe(200);
  return normalizeScores(body);
}

/** Removes the devices, and floating-point noise in the last digits. */
const normalizeScores = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body, (name, value) =>
      name === 'source' ? undefined : typeof value === 'number' ? Number(value.toFixed(6)) : value,
    ),
  );

describe('scores are the same', () => {
  let expected: unknown;
  beforeAll(async () => {
    expected = await readScoresAfter([makeWeeks()]);
    const { series } = JSON.parse(JSON.stringify(expected));
    for (const values of Object.values<(number | null)[]>(series))
      expect(values.filter((value) => value !== null).length).toBeGreaterThan(25);
  });

  test('in whichever units the data arrived', async () => {
    const converted = makeWeeks().map((stated) => {
      const [unit, times] = otherUnits[stated.metric] ?? [stated.unit, 1];
      return { ...stated, unit, value: stated.value * times };
    });
    expect(await readScoresAfter([converted])).toEqual(expected);
  });

  test('in whichever order the days arrived, all at once or one week at a time', async () => {
    const backwards = makeWeeks();
    const byWeek = Array.from({ length: 6 }, (_none, week) => backwards.slice(week * 98, (week + 1) * 98));
    expect(await readScoresAfter(byWeek)).toEqual(expected);
    expect(await readScoresAfter([...byWeek.toReversed(), ...byWeek.slice(0, 1)])).toEqual(expected);
  });

  test('and differ when the data differs', async () => {
    const shorter = makeWeeks().map((stated) =>
      stated.metric === 'asleep' ? { ...stated, value: stated.value - 60 } : stated,
    );
    expect(await readScoresAfter([shorter])).not.toEqual(expected);
  });
});
