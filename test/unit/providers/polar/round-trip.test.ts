import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Records } from '../../../../shared/measurements/records.ts';
import { todayIn } from '../../../../shared/platform/time/local-day.ts';
import type { ProviderPage } from '../../../../shared/providers/kit/provider-pages.ts';
import type { PushKeys } from '../../../../shared/providers/kit/push.ts';
import { polarFetch } from '../../../../shared/providers/polar/fetch.ts';
import { polarPush } from '../../../../shared/providers/polar/push.ts';
import { ensurePolarWebhook } from '../../../../shared/providers/polar/webhook.ts';
import { polarSimulator } from '../../../../shared/sandbox/simulated-providers/polar.ts';
import {
  testCredentials as credentials,
  nightSummaries,
  normalizePages,
  runRequestFlow,
} from '../../../harness/request-flow.ts';
import { itemsOfDays, respondAsProvider } from '../../../harness/simulated-provider.ts';
import { makeSimulatedDay } from '../simulated-day.ts';
import { normalized, page } from './pages.ts';
import { night } from './payloads.ts';

const nowMs = Date.parse('2026-03-12T20:00:00Z');
const account = '475';
const days = ['2026-03-09', '2026-03-10', '2026-03-11', '2026-03-12'].map((date) => makeSimulatedDay(date));
const window = { from: '2026-03-10', to: '2026-03-11' };
const respondFor = (written: Record<string, readonly unknown[]> = {}) =>
  respondAsProvider(polarSimulator, itemsOfDays(polarSimulator, days, account, written), { account, nowMs });
const fetchRequest = { ...window, zone: 'Europe/Berlin', account, scopes: null, nowMs, credentials };

function fetched(written?: Record<string, readonly unknown[]>): Records {
  const pages = runRequestFlow(polarFetch.fetchWindow(fetchRequest), respondFor(written)).result;
  const facts = { requested: window, receivedMs: nowMs, timeZone: 'Europe/Berlin' };
  const { records, rejected } = normalizePages('polar', pages, facts);
  expect(rejected).toEqual({ count: 0, first: [] });
  return records;
}

describe('what the sandbox returns as Polar', () => {
  const records = fetched();
  const dailyOf = (date: string) =>
    Object.fromEntries(records.daily.filter((each) => each.date === date).map(({ metric, value }) => [metric, value]));

  test('reads back with unchanged daily values', () => {
    expect(dailyOf('2026-03-10')).toEqual({
      steps: 9000,
      distance: 7.2,
      active_calories: 520,
      total_calories: 2170,
    });
    expect([...new Set(records.daily.map(({ date }) => date))].toSorted()).toEqual(['2026-03-10', '2026-03-11']);
  });

  test('reads back with the lowest and the highest heart rate of each day, workouts included', () => {
    const valuesOf = (wanted: string, date: string) =>
      records.samples
        .filter(({ metric, startMs }) => metric === wanted && todayIn('Europe/Berlin', startMs) === date)
        .map(({ value }) => value);
    for (const { date, heartRate, workouts } of days.slice(1, 3)) {
      const beats = heartRate.map(({ bpm }) => bpm);
      expect(Math.min(...valuesOf('min_heart_rate', date))).toBe(Math.min(...beats));
      expect(Math.max(...valuesOf('max_heart_rate', date))).toBe(
        Math.max(...beats, ...workouts.map(({ maxBpm }) => maxBpm)),
      );
    }
  });

  test('reads back with unchanged nights', () => {
    const slept = days.slice(1, 3).map(({ sleeps }) => sleeps.find(({ isNap }) => !isNap));
    expect(nightSummaries(records)).toEqual(
      Array(2).fill({
        sleep_heart_rate: 54,
        sleep_heart_rate_variability: 48,
        sleep_respiratory_rate: 14.5,
        sleep_skin_temperature: days[1]?.skinCelsius,
      }),
    );
    expect(
      records.sleep.map(({ startMs, endMs, stages, asleepMinutes }) => ({ startMs, endMs, stages, asleepMinutes })),
    ).toEqual(
      slept.map((sleep) => ({
        startMs: sleep?.startMs,
        endMs: sleep?.endMs,
        stages: sleep?.stages,
        asleepMinutes: (sleep?.deepMinutes ?? 0) + (sleep?.lightMinutes ?? 0) + (sleep?.remMinutes ?? 0),
      })),
    );
  });

  test('reads back with unchanged workouts', () => {
    const done = days.slice(1, 3).flatMap(({ workouts }) => workouts);
    expect(done.length).toBeGreaterThan(0);
    expect(records.workouts).toMatchObject(
      done.map(({ sport, startMs, endMs, kcal, distanceKm, avgBpm, maxBpm }) => ({
        type: sport,
        startMs,
        endMs,
        calories: kcal,
        distanceKm,
        avgHeartRate: avgBpm,
        maxHeartRate: maxBpm,
      })),
    );
    const seen = records.samples
      .filter(({ metric }) => metric === 'exercise')
      .reduce((sum, { value }) => sum + value, 0);
    expect(seen).toBe(done.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / 60_000, 0));
  });

  test('reads back with unchanged heart rates', () => {
    const simulated = days
      .slice(1, 3)
      .flatMap(({ heartRate }) => heartRate.map(({ ms, bpm }) => [ms, bpm]))
      .toSorted(([a = 0], [b = 0]) => a - b);
    const reported = records.samples
      .filter(({ metric }) => metric === 'heart_rate')
      .map(({ startMs, value }) => [startMs, value]);
    expect(simulated.length).toBeGreaterThan(0);
    expect(reported.toSorted(([a = 0], [b = 0]) => a - b)).toEqual(simulated);
  });

  test('of an empty account has no records and covers its days', () => {
    const nothing = {
      activities: [],
      nights: [],
      recharges: [],
      heart_rates: [],
      exercises: [],
      spo2: [],
      skintemperature: [],
    };
    const empty = fetched({ ...nothing, physical: [] });
    expect({ ...empty, covered: [] }).toEqual({ samples: [], daily: [], sleep: [], workouts: [], covered: [] });
    expect(empty.covered).toMatchObject([{ ...window, sleep: true, workouts: true }]);
  });
});

describe('what the sandbox pushes as Polar', () => {
  const keys: PushKeys = { credentials, pathSecret: 'p', verificationToken: 'v', subscriptionSecret: 'key-1' };
  const sent = (polarSimulator.buildPushes?.(account, days.slice(1, 2), keys, nowMs) ?? []).map(
    ({ headers, body }) => ({
      method: 'POST' as const,
      headers,
      query: {},
      pathSecret: undefined,
      body: Buffer.from(body),
      receivedMs: nowMs,
    }),
  );

  test('is genuine, and names its day', () => {
    expect(sent.map((request) => polarPush.isGenuine(request, keys))).toEqual([true, true, true]);
    const notes = sent.flatMap((request) => polarPush.read(request)?.notifications ?? []);
    expect(notes.map(({ what }) => what)).toEqual(['days', 'days', 'object']);
    const announced = notes.find(({ what }) => what === 'object');
    if (announced?.what !== 'object') return expect.unreachable();
    const flow = polarFetch.locate?.(announced, fetchRequest);
    if (!flow) return expect.unreachable();
    expect(runRequestFlow(flow, respondFor()).result).toEqual({ from: '2026-03-10', to: '2026-03-10' });
  });

  test('is empty until a webhook exists, which can be created', () => {
    expect(polarSimulator.buildPushes?.(account, days, { ...keys, subscriptionSecret: undefined }, nowMs)).toEqual([]);
    const flow = ensurePolarWebhook({
      credentials,
      callbackUrl: 'https://daybook.test/push',
      verificationToken: 'v',
      known: undefined,
      nowMs,
    });
    if (!flow) return expect.unreachable();
    expect(runRequestFlow(flow, respondFor()).result.secret).toMatch(/^[\w-]{32}$/);
  });
});

test('any split into pages and any order gives the same nights', () => {
  const nights = Array.from({ length: 5 }, (_, at) => ({
    ...night,
    date: `2026-03-0${at + 5}`,
    sleep_start_time: `2026-03-0${at + 4}T23:00:00+02:00`,
    sleep_end_time: `2026-03-0${at + 5}T06:00:00+02:00`,
    light_sleep: 9000,
  }));
  const days = { window: { from: '2026-03-01', to: '2026-03-12' } };
  const sorted = (pages: readonly ProviderPage[]) => {
    const { sleep, samples } = normalized(pages, days).records;
    return {
      sleep: sleep.toSorted((a, b) => a.startMs - b.startMs),
      samples: samples.toSorted((a, b) => a.startMs - b.startMs),
    };
  };
  const expected = sorted([page('sleep', { nights })]);
  expect(expected.sleep).toHaveLength(5);
  expect(expected.samples).toHaveLength(10);
  fc.assert(
    fc.property(
      fc.shuffledSubarray(nights, { minLength: nights.length }),
      fc.integer({ min: 0, max: nights.length }),
      (shuffled, cut) => {
        const pages = [shuffled.slice(0, cut), shuffled.slice(cut)].map((some) => page('sleep', { nights: some }));
        expect(sorted(pages)).toEqual(expected);
      },
    ),
  );
});
