import { expect, test } from 'vitest';
import { normalizeSuunto } from '../../../../shared/providers/suunto/normalize.ts';
import { nightSummaries } from '../../../harness/request-flow.ts';

const requestedDays = { from: '2026-05-12', to: '2026-05-13' };
function normalizedIn(timeZone: string | null, window: typeof requestedDays, resource: string, ...bodies: unknown[]) {
  const pages = bodies.map((body) => ({ resource, text: JSON.stringify(body) }));
  const raw = Buffer.from(JSON.stringify({ requested: window, pages }));
  return normalizeSuunto(raw, { receivedMs: Date.parse('2026-05-20T00:00:00Z'), scopes: [], timeZone });
}
const normalized = (resource: string, ...bodies: unknown[]) => normalizedIn(null, requestedDays, resource, ...bodies);
const noTelling = { sleep_latency: null, sleep_heart_rate: null, sleep_heart_rate_variability: null };

const start = '2026-05-12T23:05:00.000+02:00';
const end = '2026-05-13T06:50:00.000+02:00';
const night = {
  timestamp: start,
  entryData: {
    SleepId: 1_778_619_900,
    DateTime: start,
    BedtimeStart: start,
    BedtimeEnd: end,
    Duration: 27_900.0,
    DeepSleepDuration: 5400.0,
    LightSleepDuration: 16_500.0,
    REMSleepDuration: 5100.0,
    SleepOnsetLatencyDuration: 540,
    WakeAfterSleepOnsetDuration: 600,
    WakeBeforeOffBedDuration: 120,
    HRAvg: 58.0,
    HRMin: 49.0,
    AvgHRV: 51,
    AvgHRVSampleCount: 90,
    MaxSpo2: 0.98,
    SleepQualityScore: 79,
    IsNap: false,
  },
};

test('a night carries its values, and its lowest heart rate is a sample at its end', () => {
  const { records } = normalized('sleep', [night]);
  expect(records.sleep).toEqual([
    {
      startMs: Date.parse(start),
      endMs: Date.parse(end),
      offsetMinutes: 120,
      sourceId: '1778619900',
      asleepMinutes: 450,
      deepMinutes: 90,
      lightMinutes: 275,
      remMinutes: 85,
      awakeMinutes: 12,
      inBedMinutes: 465,
      summary: {
        sleep_latency: { value: 9, original: { value: 540, unit: 's' } },
        sleep_heart_rate: { value: 58 },
        sleep_heart_rate_variability: { value: 51 },
      },
    },
  ]);
  expect(records.daily).toEqual([]);
  expect(records.samples).toEqual([
    { metric: 'min_heart_rate', value: 49, startMs: Date.parse(end), endMs: Date.parse(end), offsetMinutes: 120 },
  ]);
});

test.each([
  ['Pacific/Auckland', '2026-05-12', '2026-05-13'],
  ['America/New_York', '2026-05-13', '2026-05-12'],
])(
  "a night counts on the day it ends in the user's zone, regardless of its offset: in %s not on %s but on %s",
  (timeZone, other, own) => {
    // The night ends at 16:50 on the 12th in UTC, when it is past midnight in Auckland and noon in
    // New York.
    const times = { BedtimeStart: '2026-05-12T23:05:00.000+14:00', BedtimeEnd: '2026-05-13T06:50:00.000+14:00' };
    const abroad = { ...night, entryData: { ...night.entryData, ...times } };
    const on = (day: string) => normalizedIn(timeZone, { from: day, to: day }, 'sleep', [abroad]).records;
    expect(on(own)).toMatchObject({ sleep: [{ offsetMinutes: 840 }], samples: [{ metric: 'min_heart_rate' }] });
    expect(on(other)).toMatchObject({ sleep: [], samples: [] });
  },
);

test('without bedtimes a night lasts from its time for its duration, and unmeasured values are unknown', () => {
  const { records } = normalized('sleep', [
    { timestamp: start, entryData: { DateTime: start, Duration: 27_900, HRAvg: 0 } },
  ]);
  expect(records.sleep).toMatchObject([
    { startMs: Date.parse(start), endMs: Date.parse(end), asleepMinutes: null, awakeMinutes: null, inBedMinutes: 465 },
  ]);
  expect(nightSummaries(records)).toEqual([noTelling]);
});

test('a nap is a separate sleep session, and adds nothing to the night', () => {
  const nap = {
    timestamp: '2026-05-13T14:00:00.000+02:00',
    entryData: { SleepId: 1, Duration: 1800, LightSleepDuration: 1500, HRAvg: 80, AvgHRV: 10, HRMin: 70, IsNap: true },
  };
  const { records } = normalized('sleep', [night, nap]);
  expect(records.sleep.map(({ asleepMinutes }) => asleepMinutes)).toEqual([450, 25]);
  expect(nightSummaries(records)).toEqual([
    { sleep_latency: 9, sleep_heart_rate: 58, sleep_heart_rate_variability: 51 },
    noTelling,
  ]);
  expect(normalized('sleep', [nap]).records).toMatchObject({ sleep: [{ asleepMinutes: 25 }], daily: [], samples: [] });
});

test('each part of a night in two parts carries its own measurements', () => {
  const part = {
    timestamp: '2026-05-13T07:30:00.000+02:00',
    entryData: { SleepId: 2, Duration: 3600, LightSleepDuration: 3600, HRAvg: 66, IsNap: false },
  };
  const { records } = normalized('sleep', [night, part]);
  expect(nightSummaries(records).map(({ sleep_heart_rate }) => sleep_heart_rate)).toEqual([58, 66]);
});

test('the last version of a repeated night counts, and one without a time is rejected while the others are stored', () => {
  const edited = {
    ...night,
    entryData: { ...night.entryData, BedtimeStart: '2026-05-12T23:15:00.000+02:00', DeepSleepDuration: 4800 },
  };
  const { records, rejected } = normalized('sleep', [
    night,
    { ...night, entryData: { BedtimeStart: 'late', SleepId: 9 } },
    edited,
  ]);
  expect(records.sleep).toMatchObject([{ sourceId: '1778619900', deepMinutes: 80, inBedMinutes: 455 }]);
  expect(rejected.first).toMatchObject([{ path: 'pages.0.1', code: 'invalid_time' }]);
});

const run = {
  workoutId: 0,
  workoutKey: '6a01f3c2d4e5b60718293a4b',
  activityId: 1,
  startTime: Date.parse('2026-05-13T10:20:00+02:00'),
  stopTime: Date.parse('2026-05-13T11:15:00+02:00'),
  totalTime: 3120.6,
  timeOffsetInMinutes: 120,
  totalDistance: 9150.0,
  totalAscent: 84.0,
  avgSpeed: 2.9,
  stepCount: 8100,
  energyConsumption: 610,
  hrdata: { workoutAvgHR: 148, workoutMaxHR: 171, userMaxHR: 190, avg: 147, hrmax: 170, max: 190 },
};
const payload = (...items: unknown[]) => ({ error: null, payload: items, metadata: { ts: '1' } });

test('a workout with a pause lasts from start to stop, and its exercise minutes are the active ones', () => {
  const { records } = normalized('workouts', payload(run));
  const span = { startMs: run.startTime, endMs: run.stopTime, offsetMinutes: 120 };
  expect(records.workouts).toEqual([
    {
      ...span,
      sourceId: '6a01f3c2d4e5b60718293a4b',
      type: 'running',
      sourceType: '1',
      name: null,
      calories: 610,
      distanceKm: 9.15,
      avgHeartRate: 148,
      maxHeartRate: 171,
      elevationMeters: 84,
      steps: 8100,
      heartRate: null,
    },
  ]);
  expect(records.samples).toEqual([
    { metric: 'running', value: 9.15, original: { value: 9150, unit: 'm' }, ...span },
    { metric: 'exercise', value: 52.01, ...span },
  ]);
});

test('a new workout ends after its duration, and the user’s own maximum heart rate is never the workout’s', () => {
  const { stopTime: _, ...fresh } = run;
  const { records } = normalized(
    'workouts',
    payload({ ...fresh, hrdata: { avg: 2.45, max: 190, userMaxHR: 190 }, stepCount: 0 }),
  );
  expect(records.workouts).toMatchObject([
    { endMs: run.startTime + 3_120_600, avgHeartRate: 147, maxHeartRate: null, steps: null },
  ]);
});

test('a workout on overlapping pages is read once, and unknown activities are `other`', () => {
  const other = {
    ...run,
    workoutKey: 'b',
    activityId: 987,
    startTime: run.startTime + 7_200_000,
    stopTime: run.stopTime + 7_200_000,
  };
  const { records } = normalized('workouts', payload(run, other), payload({ ...other, totalDistance: 1 }));
  expect(records.workouts.map(({ type, sourceId, distanceKm }) => [type, sourceId, distanceKm])).toEqual([
    ['running', '6a01f3c2d4e5b60718293a4b', 9.15],
    ['other', 'b', 0.001],
  ]);
});

test.each([
  [0, 'walking', 'walking'],
  [53, 'indoor_running', 'indoor_running'],
  [52, 'indoor_cycling', 'indoor_cycling'],
  [21, 'swimming', 'swimming'],
  [22, 'trail_running', 'running'],
  [85, 'open_water_swimming', 'swimming'],
  [70, 'trekking', 'walking'],
  [34, 'tennis', 'exercise'],
  [105, 'e_biking', 'cycling'],
  [51, 'yoga', 'exercise'],
])('activity %s is %s, and the first metric it adds to is %s', (activityId, type, metric) => {
  const { records } = normalized('workouts', payload({ ...run, activityId }));
  expect([records.workouts[0]?.type, records.samples[0]?.metric]).toEqual([type, metric]);
});

test('a workout without a key is rejected, and the others are stored', () => {
  const { records, rejected } = normalized('workouts', payload({ ...run, workoutKey: undefined }, run));
  expect(records.workouts).toHaveLength(1);
  expect(rejected.first).toMatchObject([{ path: 'pages.0.0.workoutKey', code: 'invalid_record' }]);
});

test('a workout energy of zero counts as not measured', () => {
  const { records } = normalized('workouts', payload({ ...run, energyConsumption: 0 }));
  expect(records.workouts).toMatchObject([{ calories: null }]);
});

test('a SleepId of zero is not an id, and two such sleeps are two sessions', () => {
  const second = {
    timestamp: '2026-05-13T14:00:00.000+02:00',
    entryData: { SleepId: 0, Duration: 1800, LightSleepDuration: 1500, IsNap: true },
  };
  const first = { ...night, entryData: { ...night.entryData, SleepId: 0 } };
  const { records } = normalized('sleep', [first, second]);
  expect(records.sleep.map(({ asleepMinutes, sourceId }) => [asleepMinutes, sourceId])).toEqual([
    [450, undefined],
    [25, undefined],
  ]);
});
