// What the sandbox returns as Ultrahuman reads back as the days it was made from.
import { expect, test } from 'vitest';
import { utcDay } from '../../../../shared/platform/time/local-day.ts';
import { ultrahumanFetch } from '../../../../shared/providers/ultrahuman/fetch.ts';
import type { SimulatedDay } from '../../../../shared/sandbox/simulated-providers/simulated-day.ts';
import { ultrahumanSimulator } from '../../../../shared/sandbox/simulated-providers/ultrahuman.ts';
import { makeFetchRequest, nightSummaries, normalizePages, runRequestFlow } from '../../../harness/request-flow.ts';
import { itemsOfDays, makeLifeDay, respondAsProvider } from '../../../harness/simulated-provider.ts';
import { withStages } from '../../../harness/simulated-stages.ts';

const at = (text: string): number => Date.parse(text);
const simulatedDayOn = (date: string): SimulatedDay =>
  makeLifeDay(date, 330, {
    steps: 7321,
    exerciseMinutes: 30,
    restingBpm: 55,
    sleepBpm: 57.5,
    rmssdMs: 44.5,
    oxygenPct: 96,
    skinCelsius: 35.1,
    vo2Max: 40.5,
    sleeps: [
      withStages({
        id: `${date}-night`,
        startMs: at(`${date}T00:00:00Z`) - 7 * 3_600_000,
        endMs: at(`${date}T01:00:00Z`),
        offsetMinutes: 330,
        asleepMinutes: 450,
        deepMinutes: 90,
        lightMinutes: 260,
        remMinutes: 100,
        awakeMinutes: 30,
        latencyMinutes: 12,
        isNap: false,
      }),
    ],
    heartRate: [
      { ms: at(`${date}T00:00:00Z`), bpm: 52 },
      { ms: at(`${date}T10:00:00Z`), bpm: 99 },
    ],
    variability: [{ ms: at(`${date}T00:00:00Z`), value: 45 }],
    stepIntervals: [{ startMs: at(`${date}T03:00:00Z`), endMs: at(`${date}T03:15:00Z`), steps: 900 }],
  });

const dates = Array.from({ length: 9 }, (_none, index) => `2026-02-0${index + 1}`);
const requestedDays = { from: '2026-02-02', to: '2026-02-08' };

test('a window of seven days reads back', () => {
  const items = itemsOfDays(ultrahumanSimulator, dates.map(simulatedDayOn));
  const { result: pages, requests } = runRequestFlow(
    ultrahumanFetch.fetchWindow(makeFetchRequest(requestedDays)),
    respondAsProvider(ultrahumanSimulator, items),
  );
  expect(requests).toHaveLength(9);
  const { records, rejected } = normalizePages('ultrahuman', pages, { requested: requestedDays });
  expect(rejected.count).toBe(0);
  expect(records.covered).toMatchObject([requestedDays]);
  expect(records.sleep.map(({ endMs }) => utcDay(endMs))).toEqual(dates.slice(1, 8));
  expect(records.sleep[0]).toMatchObject({
    asleepMinutes: 450,
    // The 18 minutes awake at the end are not part of the night.
    awakeMinutes: 12,
    inBedMinutes: 462,
    offsetMinutes: 330,
    stages: simulatedDayOn('2026-02-02').sleeps[0]?.stages.slice(0, -1),
  });
  for (const date of dates.slice(1, 8))
    expect(
      Object.fromEntries(
        records.daily.filter((each) => each.date === date).map(({ metric, value }) => [metric, value]),
      ),
    ).toEqual({
      steps: 7321,
      exercise: 30,
      vo2_max: 40.5,
    });
  expect(nightSummaries(records)).toEqual(
    Array(7).fill({
      resting_heart_rate: 55,
      sleep_heart_rate: 57.5,
      sleep_heart_rate_variability: 44.5,
      sleep_efficiency: 94,
      sleep_blood_oxygen: 96,
      sleep_skin_temperature: 35.1,
    }),
  );
  const extremes = records.samples.filter(({ metric }) => /^m(in|ax)_heart_rate$/.test(metric));
  expect(new Set(extremes.map(({ value }) => value))).toEqual(new Set([52, 99]));
  expect(records.samples).toHaveLength(7 * (4 + 4));
});

test('an account without data reads back empty', () => {
  const { result: pages } = runRequestFlow(
    ultrahumanFetch.fetchWindow(makeFetchRequest(requestedDays)),
    respondAsProvider(ultrahumanSimulator, () => []),
  );
  const { records } = normalizePages('ultrahuman', pages, { requested: requestedDays });
  expect(records).toMatchObject({ samples: [], daily: [], sleep: [], workouts: [] });
  expect(records.covered).toMatchObject([requestedDays]);
});
