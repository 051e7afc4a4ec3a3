// What the sandbox returns as WHOOP reads back as the days it was made from.
import { expect, test } from 'vitest';
import { whoopFetch } from '../../../../shared/providers/whoop/fetch.ts';
import { whoopPush } from '../../../../shared/providers/whoop/push.ts';
import type { SimulatedDay } from '../../../../shared/sandbox/simulated-providers/simulated-day.ts';
import { whoopSimulator } from '../../../../shared/sandbox/simulated-providers/whoop.ts';
import {
  makeFetchRequest,
  makePushRequest,
  nightSummaries,
  normalizePages,
  pushKeys,
  runRequestFlow,
} from '../../../harness/request-flow.ts';
import { itemsOfDays, makeLifeDay, respondAsProvider } from '../../../harness/simulated-provider.ts';
import { withStages } from '../../../harness/simulated-stages.ts';

const account = '10129';
const at = (text: string): number => Date.parse(text);
const simulatedDayOn = (date: string): SimulatedDay =>
  makeLifeDay(date, -300, {
    activeKcal: 400,
    restingKcal: 1600,
    restingBpm: 52,
    maxBpm: 163,
    rmssdMs: 61.5,
    breathsPerMinute: 13.9,
    oxygenPct: 95.5,
    skinCelsius: 34.6,
    sleeps: [
      withStages({
        id: `${date}-night`,
        startMs: at(`${date}T04:00:00Z`),
        endMs: at(`${date}T12:00:00Z`),
        offsetMinutes: -300,
        asleepMinutes: 440,
        deepMinutes: 90,
        lightMinutes: 250,
        remMinutes: 100,
        awakeMinutes: 40,
        latencyMinutes: 9,
        isNap: false,
      }),
      withStages({
        id: `${date}-nap`,
        startMs: at(`${date}T19:00:00Z`),
        endMs: at(`${date}T19:30:00Z`),
        offsetMinutes: -300,
        asleepMinutes: 25,
        deepMinutes: 0,
        lightMinutes: 25,
        remMinutes: 0,
        awakeMinutes: 5,
        latencyMinutes: 4,
        isNap: true,
      }),
    ],
    workouts: [
      {
        id: `${date}-ride`,
        sport: 'cycling',
        name: 'Ride',
        startMs: at(`${date}T22:00:00Z`),
        endMs: at(`${date}T23:00:00Z`),
        offsetMinutes: -300,
        kcal: 500,
        distanceKm: 24.5,
        avgBpm: 135,
        maxBpm: 163,
        elevationMetres: 210,
        steps: 0,
        trace: [],
      },
    ],
  });

const dates = Array.from({ length: 28 }, (_none, index) => `2026-02-${String(index + 1).padStart(2, '0')}`);
const requestedDays = { from: '2026-02-02', to: '2026-02-27' };
const respond = respondAsProvider(whoopSimulator, itemsOfDays(whoopSimulator, dates.map(simulatedDayOn), account), {
  account,
});

test('a window of 26 days reads back over several pages', () => {
  const { result: pages, requests } = runRequestFlow(whoopFetch.fetchWindow(makeFetchRequest(requestedDays)), respond);
  // 28 cycles and recoveries, 56 sleep sessions, 28 workouts.
  expect(requests).toHaveLength(2 + 3 + 2 + 2);
  const { records, rejected } = normalizePages('whoop', pages, { requested: requestedDays });
  expect(rejected.count).toBe(0);
  expect(records.covered).toHaveLength(3);
  expect(records.sleep).toHaveLength(2 * 26);
  expect(records.workouts).toHaveLength(26);
  expect(records.workouts[0]).toMatchObject({ type: 'cycling', calories: 500, distanceKm: 24.5, elevationMeters: 210 });
  const nightsWithEfficiency = nightSummaries(records).filter(({ sleep_efficiency }) => sleep_efficiency !== null);
  expect(nightsWithEfficiency).toHaveLength(26);
  for (const night of nightsWithEfficiency)
    expect(night).toEqual({
      sleep_respiratory_rate: 13.9,
      sleep_efficiency: 44000 / 480,
      resting_heart_rate: 52,
      heart_rate_variability_rmssd: 61.5,
      sleep_heart_rate_variability: 61.5,
      sleep_blood_oxygen: 95.5,
      sleep_skin_temperature: 34.6,
      total_calories: 2000,
      max_heart_rate: 163,
    });
  expect(records.daily).toEqual([]);
  const sampled = (metric: string) => records.samples.filter((each) => each.metric === metric);
  expect(sampled('exercise').map(({ value }) => value)).toEqual(Array(26).fill(60));
  expect(sampled('cycling').map(({ value }) => value)).toEqual(Array(26).fill(24.5));
});

test('an account without data reads back empty', () => {
  const { result: pages } = runRequestFlow(
    whoopFetch.fetchWindow(makeFetchRequest(requestedDays)),
    respondAsProvider(whoopSimulator, () => []),
  );
  const { records } = normalizePages('whoop', pages, { requested: requestedDays });
  expect(records).toMatchObject({ samples: [], daily: [], sleep: [], workouts: [] });
  expect(records.covered).toHaveLength(3);
});

test('a push is genuine, and the object it names is found', () => {
  const nowMs = at('2026-02-20T23:30:00Z');
  const sent = whoopSimulator.buildPushes?.(account, [simulatedDayOn('2026-02-20')], pushKeys, nowMs) ?? [];
  expect(sent).toHaveLength(4);
  for (const { headers, body } of sent) {
    const request = makePushRequest(body, { headers, receivedMs: nowMs + 1000 });
    expect(whoopPush.isGenuine(request, pushKeys)).toBe(true);
    const [note] = whoopPush.read(request)?.notifications ?? [];
    if (note?.what !== 'object') throw new Error('the push names no object');
    expect(note.account).toBe(account);
    const flow = whoopFetch.locate?.(note, makeFetchRequest(requestedDays));
    expect(flow && runRequestFlow(flow, respond).result).toEqual({ from: '2026-02-19', to: '2026-02-21' });
  }
});
