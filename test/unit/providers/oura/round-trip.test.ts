// What the sandbox returns as Oura reads back as the days it was made from.
import { expect, test } from 'vitest';
import { todayIn } from '../../../../shared/platform/time/local-day.ts';
import { ouraFetch } from '../../../../shared/providers/oura/fetch.ts';
import { ouraPush } from '../../../../shared/providers/oura/push.ts';
import { ouraSimulator } from '../../../../shared/sandbox/simulated-providers/oura.ts';
import type { SimulatedDay } from '../../../../shared/sandbox/simulated-providers/simulated-day.ts';
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

const at = (text: string): number => Date.parse(text);

const simulatedDayOn = (date: string): SimulatedDay =>
  makeLifeDay(date, 60, {
    steps: 8123,
    distanceKm: 6.2,
    activeKcal: 410,
    restingKcal: 1650,
    exerciseMinutes: 45,
    restingBpm: 51.3,
    sleepBpm: 54.2,
    rmssdMs: 48.7,
    breathsPerMinute: 14.2,
    oxygenPct: 96.4,
    vo2Max: 43.1,
    sleeps: [
      withStages({
        id: `${date}-night`,
        startMs: at(`${date}T00:00:00Z`) - 90 * 60_000,
        endMs: at(`${date}T06:00:00Z`),
        offsetMinutes: 60,
        asleepMinutes: 420,
        deepMinutes: 80,
        lightMinutes: 240,
        remMinutes: 100,
        awakeMinutes: 30,
        latencyMinutes: 11,
        isNap: false,
      }),
    ],
    workouts: [
      {
        id: `${date}-swim`,
        sport: 'swimming',
        name: 'Evening swim',
        startMs: at(`${date}T17:00:00Z`),
        endMs: at(`${date}T17:45:00Z`),
        offsetMinutes: 60,
        kcal: 320,
        distanceKm: 1.6,
        avgBpm: 130,
        maxBpm: 150,
        elevationMetres: null,
        steps: 0,
        trace: [
          { ms: at(`${date}T17:00:00Z`), bpm: 110 },
          { ms: at(`${date}T17:30:00Z`), bpm: 150 },
        ],
      },
    ],
    heartRate: [
      { ms: at(`${date}T03:00:00Z`), bpm: 49 },
      { ms: at(`${date}T12:00:00Z`), bpm: 71 },
    ],
    variability: [
      { ms: at(`${date}T00:00:00Z`), value: 44 },
      { ms: at(`${date}T00:15:00Z`), value: 53 },
    ],
  });

const dates = Array.from({ length: 20 }, (_none, index) => `2026-02-${String(index + 1).padStart(2, '0')}`);
const requestedDays = { from: '2026-02-03', to: '2026-02-19' };
const respond = respondAsProvider(ouraSimulator, itemsOfDays(ouraSimulator, dates.map(simulatedDayOn)));

test('a window of seventeen days reads back over several pages', () => {
  const { result: pages, requests } = runRequestFlow(ouraFetch.fetchWindow(makeFetchRequest(requestedDays)), respond);
  expect(requests.filter(({ query }) => query?.['next_token'] !== undefined).length).toBeGreaterThan(3);
  const { records, rejected } = normalizePages('oura', pages, { requested: requestedDays, timeZone: 'Europe/Berlin' });
  expect(rejected.count).toBe(0);
  expect(records.covered).toHaveLength(7);

  const wanted = dates.filter((date) => date >= requestedDays.from && date <= requestedDays.to);
  expect(records.sleep.map(({ endMs }) => todayIn('Europe/Berlin', endMs))).toEqual(wanted);
  expect(new Set(records.sleep.map(({ asleepMinutes, inBedMinutes }) => `${asleepMinutes} ${inBedMinutes}`))).toEqual(
    new Set(['420 450']),
  );
  expect(records.workouts).toHaveLength(17);
  expect(records.workouts[0]).toMatchObject({ type: 'swimming', distanceKm: 1.6, calories: 320, maxHeartRate: 150 });

  const on = (date: string) =>
    Object.fromEntries(records.daily.filter((each) => each.date === date).map(({ metric, value }) => [metric, value]));
  for (const date of wanted)
    expect(on(date)).toEqual({
      steps: 8123,
      distance: 6.2,
      active_calories: 410,
      resting_energy: 1650,
      total_calories: 2060,
      exercise: 45,
      sleep_blood_oxygen: 96.4,
      vo2_max: 43.1,
    });
  expect(nightSummaries(records)).toEqual(
    Array(17).fill({
      resting_heart_rate: 51.3,
      sleep_heart_rate: 54.2,
      sleep_heart_rate_variability: 48.7,
      sleep_respiratory_rate: 14.2,
      sleep_latency: 11,
    }),
  );
  const sampled = (metric: string) => records.samples.filter((each) => each.metric === metric);
  expect(sampled('heart_rate')).toHaveLength(4 * 17);
  expect(Math.min(...sampled('min_heart_rate').map(({ value }) => value))).toBe(49);
  expect(Math.max(...sampled('max_heart_rate').map(({ value }) => value))).toBe(150);
  expect(sampled('heart_rate_variability_rmssd')).toHaveLength(2 * 17);
  expect(sampled('swimming').map(({ value }) => value)).toEqual(Array(17).fill(1600));
});

test('an account without data reads back empty', () => {
  const { result: pages } = runRequestFlow(
    ouraFetch.fetchWindow(makeFetchRequest(requestedDays)),
    respondAsProvider(ouraSimulator, () => []),
  );
  const { records } = normalizePages('oura', pages, { requested: requestedDays });
  expect(records).toMatchObject({ samples: [], daily: [], sleep: [], workouts: [] });
  expect(records.covered).toHaveLength(7);
});

test('a push is genuine, and the document it names is found', () => {
  const nowMs = at('2026-02-19T08:00:00Z');
  const sent = ouraSimulator.buildPushes?.('account-1', [simulatedDayOn('2026-02-19')], pushKeys, nowMs) ?? [];
  expect(sent).toHaveLength(3);
  for (const { headers, body } of sent) {
    const request = makePushRequest(body, { headers, receivedMs: nowMs + 1000 });
    expect(ouraPush.isGenuine(request, pushKeys)).toBe(true);
    const [note] = ouraPush.read(request)?.notifications ?? [];
    if (note?.what !== 'object') throw new Error('the push names no document');
    const flow = ouraFetch.locate?.(note, makeFetchRequest(requestedDays));
    expect(flow && runRequestFlow(flow, respond).result).toEqual({ from: '2026-02-18', to: '2026-02-20' });
  }
});
