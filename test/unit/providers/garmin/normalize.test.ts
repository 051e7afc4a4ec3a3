import { describe, expect, test } from 'vitest';
import { normalizeGarmin } from '../../../../shared/providers/garmin/normalize.ts';
import { normalizePages } from '../../../harness/request-flow.ts';

const receivedMs = Date.parse('2026-03-12T00:00:00Z');

function normalized(...lists: unknown[]) {
  const pages = lists.map((each) => ({ resource: 'push', text: JSON.stringify(each) }));
  const raw = Buffer.from(JSON.stringify({ requested: null, pages }));
  return normalizeGarmin(raw, { receivedMs, scopes: [], timeZone: null });
}
const dailyOf = (...lists: unknown[]) =>
  normalized(...lists).records.daily.map(({ metric, date, value }) => [metric, date, value]);

const own = { userId: 'ada', summaryId: 's' };
const daily = {
  ...own,
  calendarDate: '2026-03-11',
  startTimeInSeconds: 1_773_187_200,
  startTimeOffsetInSeconds: 3600,
  durationInSeconds: 86_400,
  steps: 8420,
  distanceInMeters: 6310.5,
  activeTimeInSeconds: 5400,
  floorsClimbed: 8,
  activeKilocalories: 410,
  bmrKilocalories: 1730,
  moderateIntensityDurationInSeconds: 1800,
  vigorousIntensityDurationInSeconds: 600,
  minHeartRateInBeatsPerMinute: 46,
  maxHeartRateInBeatsPerMinute: 151,
  restingHeartRateInBeatsPerMinute: 52,
  averageHeartRateInBeatsPerMinute: 64,
  timeOffsetHeartRateSamples: { '15': 61, '30': 0, '45.5': 63 },
  averageStressLevel: -1,
};

test('a daily is converted to our units on the day that Garmin names', () => {
  const { records, rejected } = normalized({ dailies: [daily] });
  expect(rejected.count).toBe(0);
  expect(records.daily.map(({ metric, date, value }) => [metric, date, value])).toEqual([
    ['steps', '2026-03-11', 8420],
    ['distance', '2026-03-11', 6.3105],
    ['flights_climbed', '2026-03-11', 8],
    ['active_calories', '2026-03-11', 410],
    ['resting_energy', '2026-03-11', 1730],
    ['total_calories', '2026-03-11', 2140],
    ['exercise', '2026-03-11', 40],
    ['resting_heart_rate', '2026-03-11', 52],
    ['min_heart_rate', '2026-03-11', 46],
    ['max_heart_rate', '2026-03-11', 151],
  ]);
  // Zero means that nothing was measured.
  expect(records.samples).toEqual([
    { metric: 'heart_rate', value: 61, startMs: 1_773_187_215_000, endMs: 1_773_187_215_000, offsetMinutes: 60 },
    { metric: 'heart_rate', value: 63, startMs: 1_773_187_245_500, endMs: 1_773_187_245_500, offsetMinutes: 60 },
  ]);
  expect(records.covered).toBeUndefined();
});

test('absent, null and impossible zero values are skipped, and a daily without a date belongs to the day of its middle', () => {
  const start = 1_773_273_600; // 2026-03-12T00:00Z
  const sparse = {
    ...own,
    startTimeInSeconds: start,
    startTimeOffsetInSeconds: -18_000,
    steps: 0,
    restingHeartRateInBeatsPerMinute: 0,
    bmrKilocalories: null,
    activeKilocalories: 12,
  };
  expect(dailyOf({ dailies: [sparse] })).toEqual([
    ['steps', '2026-03-12', 0],
    ['active_calories', '2026-03-12', 12],
  ]);
});

test('the last version of a day sent twice counts, and an invalid one does not affect the others', () => {
  const later = { ...daily, summaryId: 'other', steps: 9000, timeOffsetHeartRateSamples: null };
  const { records, rejected } = normalized({ dailies: [daily, { ...daily, startTimeInSeconds: 'soon' }, later, 7] });
  expect(records.daily.filter(({ metric }) => metric === 'steps').map(({ value }) => value)).toEqual([9000]);
  expect(rejected.first.map(({ path, code }) => [path, code])).toEqual([
    ['pages.0.dailies.1.startTimeInSeconds', 'invalid_record'],
    ['pages.0.dailies.3', 'invalid_record'],
  ]);
});

test('an implausible value is rejected, and the rest of its day is stored', () => {
  const { records, rejected } = normalized({ dailies: [{ ...daily, steps: 900_000 }] });
  expect(rejected.first).toMatchObject([{ path: 'pages.0.dailies.0.steps', code: 'implausible_value' }]);
  expect(records.daily).toHaveLength(9);
});

test('overnight variability, oxygen, respiration, body composition, blood pressure and fitness are read', () => {
  const night = {
    ...own,
    calendarDate: '2026-03-11',
    startTimeInSeconds: 1_773_180_000,
    startTimeOffsetInSeconds: 3600,
    durationInSeconds: 26_400,
  };
  const measured = { ...own, measurementTimeInSeconds: 1_773_212_400, measurementTimeOffsetInSeconds: 3600 };
  const { records, rejected } = normalized({
    hrv: [{ ...night, lastNightAvg: 47, lastNight5MinHigh: 69, hrvValues: { '300': 45 } }],
    pulseox: [
      { ...night, onDemand: false, timeOffsetSpo2Values: { '60': 96, '120': -1 } },
      { ...night, onDemand: true, timeOffsetSpo2Values: { '90': 98 } },
    ],
    allDayRespiration: [{ ...night, timeOffsetEpochToBreaths: { '0': 14.6, '60': 0, '120': null } }],
    bodyComps: [
      {
        ...measured,
        weightInGrams: 71_230,
        bodyFatInPercent: 18.4,
        bodyWaterInPercent: 55.1,
        bodyMassIndex: 22.9,
        muscleMassInGrams: 33_100,
        boneMassInGrams: 3_050,
      },
      { ...measured, measurementTimeInSeconds: 1_773_216_000, weightInGrams: 71_000 },
    ],
    bloodPressures: [{ ...measured, systolic: 118, diastolic: 76, pulse: 58, sourceType: 'MANUAL' }],
    userMetrics: [{ ...own, calendarDate: '2026-03-11', vo2Max: 46, vo2MaxCycling: 49, fitnessAge: 30 }],
    skinTemp: [{ ...night, avgDeviationCelsius: -0.7 }],
  });
  expect(rejected.count).toBe(0);
  expect(records.daily).toEqual([{ metric: 'vo2_max', date: '2026-03-11', value: 46 }]);
  expect(records.samples.map(({ metric, value, startMs }) => [metric, value, startMs / 1000])).toEqual([
    // At the end of the night.
    ['sleep_heart_rate_variability', 47, 1_773_206_400],
    ['heart_rate_variability_rmssd', 45, 1_773_180_300],
    ['blood_oxygen', 96, 1_773_180_060],
    ['blood_oxygen', 98, 1_773_180_090],
    ['respiratory_rate', 14.6, 1_773_180_000],
    ['weight', 71.23, 1_773_212_400],
    ['body_fat_percentage', 18.4, 1_773_212_400],
    ['body_water_percentage', 55.1, 1_773_212_400],
    ['body_mass_index', 22.9, 1_773_212_400],
    ['muscle_mass', 33.1, 1_773_212_400],
    ['bone_mass', 3.05, 1_773_212_400],
    ['weight', 71, 1_773_216_000],
    ['blood_pressure_systolic', 118, 1_773_212_400],
    ['blood_pressure_diastolic', 76, 1_773_212_400],
  ]);
});

describe('the heart rate variability of a night', () => {
  const hrv = {
    ...own,
    calendarDate: '2026-03-11',
    // From 23:00 on the 10th to 06:20 on the 11th, at +13:00.
    startTimeInSeconds: Date.parse('2026-03-10T23:00:00+13:00') / 1000,
    startTimeOffsetInSeconds: 46_800,
    durationInSeconds: 26_400,
    lastNightAvg: 47,
  };
  const metric = 'sleep_heart_rate_variability';
  const readIn = (timeZone: string, ...items: unknown[]) =>
    normalizePages('garmin', [{ resource: 'push', text: JSON.stringify({ hrv: items }) }], { timeZone, receivedMs })
      .records;

  test.each([
    ['Pacific/Auckland', '2026-03-11'],
    ['America/New_York', '2026-03-10'],
  ])('is a sample at the end of the night, and in %s replaces the previous value on %s', (timeZone, day) => {
    const { samples, daily, covered } = readIn(timeZone, hrv);
    const atMs = Date.parse('2026-03-11T06:20:00+13:00');
    expect(samples).toEqual([{ metric, value: 47, startMs: atMs, endMs: atMs, offsetMinutes: 780 }]);
    expect(daily).toEqual([]);
    expect(covered).toEqual([{ from: day, to: day, samples: [metric] }]);
  });

  test('is at its last value when no duration is sent, and on the day that Garmin names when there is neither', () => {
    const { durationInSeconds: _, ...open } = hrv;
    const [last] = readIn('Pacific/Auckland', { ...open, hrvValues: { '300': 45, '600': 44 } }).samples;
    expect(last).toMatchObject({ metric, startMs: hrv.startTimeInSeconds * 1000 + 600_000 });
    expect(readIn('America/New_York', open)).toMatchObject({
      samples: [],
      daily: [{ metric, date: '2026-03-11', value: 47 }],
    });
  });

  test('retracts nothing when it was not measured', () => {
    expect(readIn('Pacific/Auckland', { ...hrv, lastNightAvg: 0 }).covered).toBeUndefined();
  });
});

test('zero counts as not measured for metrics that cannot be zero', () => {
  const measured = { ...own, measurementTimeInSeconds: 1_773_212_400 };
  const { records, rejected } = normalized({
    hrv: [{ ...own, calendarDate: '2026-03-11', startTimeInSeconds: 1_773_180_000, lastNightAvg: 0 }],
    bodyComps: [{ ...measured, weightInGrams: 71_000, muscleMassInGrams: 0, bodyMassIndex: 0 }],
    userMetrics: [{ ...own, calendarDate: '2026-03-11', vo2Max: 0 }],
  });
  expect(rejected.count).toBe(0);
  expect([records.daily, records.samples.map(({ metric }) => metric)]).toEqual([[], ['weight']]);
});

test('an empty push has no records, and an unreadable push is rejected', () => {
  expect(normalized({}).records).toEqual({ samples: [], daily: [], sleep: [], workouts: [] });
  expect(normalized([]).rejected.first).toMatchObject([{ path: 'pages.0', code: 'invalid_record' }]);
});

test('a requested window has no pages and covers nothing', () => {
  const raw = Buffer.from(JSON.stringify({ requested: { from: '2026-03-01', to: '2026-03-11' }, pages: [] }));
  const { records } = normalizeGarmin(raw, { receivedMs, scopes: [], timeZone: null });
  expect(records).toEqual({ samples: [], daily: [], sleep: [], workouts: [] });
});
