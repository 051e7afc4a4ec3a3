import { expect, test } from 'vitest';
import { workoutDistanceMetrics } from '../../../../shared/catalog/workout-types.ts';
import { nightSummaries, normalizePages } from '../../../harness/request-flow.ts';

const receivedMs = Date.parse('2026-03-20T00:00:00Z');
const requestedDays = { from: '2026-03-10', to: '2026-03-12' };
const page = (resource: string, text: unknown, parameter = '2026-03-09') => ({
  resource,
  text: typeof text === 'string' ? text : JSON.stringify({ result: '0000', data: text }),
  parameter,
});
const normalized = (pages: ReturnType<typeof page>[], more: object = {}) =>
  normalizePages('coros', pages, { requested: requestedDays, receivedMs, ...more });

const day = {
  happenDay: 20_260_311,
  sleepStartTime: '2026-03-10 22:40:00',
  sleepEndTime: '2026-03-11 06:55:00',
  startTimezone: 8,
  endTimezone: 8,
  calorie: 1_812_000,
  step: 5200,
  rhr: 52,
  ppgHrv: 47,
  sleepAvgHr: 55,
  hrvList: [
    { hrv: 45, hr: 56, timestamp: 1_773_190_800 },
    { hrv: 0, timestamp: 1_773_191_400 },
    { hrv: 44, hr: 0, timestamp: 1_773_192_000 },
  ],
};
const days = (...dailyList: unknown[]) => page('daily', { dailyList });

test('a day has totals by the watch’s calendar, and a night without stages that carries its measurements', () => {
  const { records, rejected } = normalized([days(day)]);
  expect(rejected.count).toBe(0);
  expect(records.daily.map(({ metric, date, value }) => [metric, date, value])).toEqual([
    ['steps', '2026-03-11', 5200],
    ['resting_heart_rate', '2026-03-11', 52],
  ]);
  // The offset +02:00 is eight quarters of an hour.
  expect(records.sleep).toEqual([
    {
      startMs: Date.parse('2026-03-10T20:40:00Z'),
      endMs: Date.parse('2026-03-11T04:55:00Z'),
      offsetMinutes: 120,
      sourceId: 'night 2026-03-11',
      inBedMinutes: 495,
      asleepMinutes: null,
      deepMinutes: null,
      lightMinutes: null,
      remMinutes: null,
      awakeMinutes: null,
      summary: { sleep_heart_rate: { value: 55 }, sleep_heart_rate_variability: { value: 47 } },
    },
  ]);
  expect(
    records.samples.map(({ metric, value, startMs, offsetMinutes }) => [metric, value, startMs, offsetMinutes]),
  ).toEqual([
    ['heart_rate_variability_rmssd', 45, 1_773_190_800_000, 120],
    ['heart_rate', 56, 1_773_190_800_000, 120],
    ['heart_rate_variability_rmssd', 44, 1_773_192_000_000, 120],
  ]);
});

test('without an offset, times are in the profile’s time zone, even on a night when the clocks change', () => {
  const { startTimezone: _, endTimezone: __, ...bare } = day;
  const night = {
    ...bare,
    happenDay: '20260329',
    sleepStartTime: '2026-03-28 23:30:00',
    sleepEndTime: '2026-03-29 07:30:00',
    hrvList: null,
  };
  const window = {
    requested: { from: '2026-03-28', to: '2026-03-29' },
    receivedMs: Date.parse('2026-04-02T00:00:00Z'),
  };
  const [berlin] = normalized([days(night)], { ...window, timeZone: 'Europe/Berlin' }).records.sleep;
  expect(berlin).toMatchObject({
    startMs: Date.parse('2026-03-28T23:30:00+01:00'),
    endMs: Date.parse('2026-03-29T07:30:00+02:00'),
    offsetMinutes: null,
    inBedMinutes: 420,
  });
  const [utc] = normalized([days(night)], window).records.sleep;
  expect(utc).toMatchObject({ startMs: Date.parse('2026-03-28T23:30:00Z'), inBedMinutes: 480 });
});

test.each([
  [{ startTimezone: 8 }, 120],
  [{ endTimezone: 8 }, 120],
  [{ startTimezone: 4, endTimezone: 8 }, 120],
])('an offset that is stated at only one end applies to both ends: %j', (offsets, offsetMinutes) => {
  const { startTimezone: _, endTimezone: __, ...bare } = day;
  const [night] = normalized([days({ ...bare, ...offsets })], { timeZone: 'Asia/Tokyo' }).records.sleep;
  const start = 'startTimezone' in offsets && offsets.startTimezone === 4 ? '+01:00' : '+02:00';
  expect(night).toMatchObject({
    startMs: Date.parse(`2026-03-10T22:40:00${start}`),
    endMs: Date.parse('2026-03-11T06:55:00+02:00'),
    offsetMinutes,
  });
});

test('zero and null count as not measured, but zero steps count as zero', () => {
  const { records } = normalized([
    days({ happenDay: 20_260_311, step: 0, rhr: 0, ppgHrv: 0, sleepAvgHr: 0 }, { happenDay: 20_260_312, rhr: null }),
  ]);
  expect(records.daily).toEqual([{ metric: 'steps', date: '2026-03-11', value: 0 }]);
  expect(records.sleep).toEqual([]);
});

test('a night longer than a day is rejected, while the rest of its day and the days next to an invalid one are stored', () => {
  const long = { ...day, sleepStartTime: '2026-03-08 20:55:00', hrvList: [{ timestamp: 'x' }] };
  const { records, rejected } = normalized([
    days(long, { step: 5 }, { ...day, happenDay: 20_260_312, sleepStartTime: 'late' }),
  ]);
  expect(records.sleep).toEqual([]);
  // An unreadable night adds no daily values, because an earlier version of the night may have
  // carried them.
  expect(records.daily.map(({ metric }) => metric)).toEqual(Array(2).fill(['steps', 'resting_heart_rate']).flat());
  expect(rejected.first.map(({ path, code }) => [path, code])).toEqual([
    ['pages.0.1.happenDay', 'invalid_record'],
    ['pages.0.0.hrvList.0.timestamp', 'invalid_record'],
    ['pages.0.0.sleepStartTime', 'invalid_time'],
    ['pages.0.2.sleepStartTime', 'invalid_time'],
  ]);
});

test('a night whose start moves keeps its id, and the last version of a repeated day counts', () => {
  const moved = { ...day, sleepStartTime: '2026-03-10 23:10:00', step: 6000 };
  const { records } = normalized([days(day, moved)]);
  expect(records.sleep).toMatchObject([{ sourceId: 'night 2026-03-11', inBedMinutes: 465 }]);
  expect(records.daily.find(({ metric }) => metric === 'steps')?.value).toBe(6000);
});

test('a window covers the lists that were returned, as far back as they were requested', () => {
  const covered = (...pages: ReturnType<typeof page>[]) => normalized(pages).records.covered;
  const workouts = {
    workouts: true,
    samples: ['exercise', ...workoutDistanceMetrics],
  };
  const daily = {
    sleep: true,
    daily: ['steps', 'resting_heart_rate', 'sleep_heart_rate', 'sleep_heart_rate_variability'],
    samples: ['heart_rate', 'heart_rate_variability_rmssd'],
  };
  expect(covered(page('sport', []), days())).toEqual([
    { ...requestedDays, ...workouts },
    { ...requestedDays, ...daily },
  ]);
  // On the 11th, some watches may still show the 10th, which was not requested.
  expect(covered(page('sport', [], '2026-03-11'))).toEqual([{ from: '2026-03-12', to: '2026-03-12', ...workouts }]);
  expect(covered(page('sport', 'nothing'), page('daily', {}))).toBeUndefined();
  expect(covered(page('sport', []), page('sport', 'nothing'))).toBeUndefined();
  // Only the day after the window was still available to request.
  expect(covered(page('sport', [], '2026-03-13'))).toBeUndefined();
  expect(covered()).toBeUndefined();
  expect(normalized([days(day)], { requested: null }).records.covered).toBeUndefined();
});

test('data outside the requested days is dropped from a fetched window but stored from a push', () => {
  const other = { ...day, happenDay: 20_260_309 };
  expect(normalized([days(other)]).records.daily).toEqual([]);
  expect(normalized([days(other)], { requested: null }).records.daily).toHaveLength(2);
});

test.each([
  ['America/New_York', '2026-03-10', '2026-03-11'],
  ['Pacific/Auckland', '2026-03-11', '2026-03-10'],
])(
  'in %s a night and its heart rate variability count on %s, not on %s, even though the watch may show another date',
  (timeZone, own, other) => {
    const abroad = { ...day, startTimezone: 52, endTimezone: 52, hrvList: [{ hrv: 45, timestamp: 1_773_158_400 }] };
    const on = (date: string) => normalized([days(abroad)], { timeZone, requested: { from: date, to: date } }).records;
    // In UTC, the night starts at 17:55 and the sample is at 16:00, on the 10th.
    expect(on(own)).toMatchObject({ sleep: [{ offsetMinutes: 780 }], samples: [{ value: 45 }] });
    expect(on(other)).toMatchObject({ sleep: [], samples: [] });
    expect(on('2026-03-11').daily.map(({ metric }) => metric)).toEqual(['steps', 'resting_heart_rate']);
  },
);

test('measurements of a night without times belong to the day that COROS names', () => {
  const { sleepStartTime: _, sleepEndTime: __, ...untimed } = day;
  expect(normalized([days(untimed)]).records.daily.map(({ metric, date, value }) => [metric, date, value])).toEqual([
    ['steps', '2026-03-11', 5200],
    ['resting_heart_rate', '2026-03-11', 52],
    ['sleep_heart_rate', '2026-03-11', 55],
    ['sleep_heart_rate_variability', '2026-03-11', 47],
  ]);
});

test('a night retracts measurements that it no longer contains', () => {
  expect(nightSummaries(normalized([days({ ...day, sleepAvgHr: 0, ppgHrv: null })]).records)).toEqual([
    { sleep_heart_rate: null, sleep_heart_rate_variability: null },
  ]);
});

test('a day whose sleep times are the Unix epoch has no night, and is covered', () => {
  const never = { ...day, sleepStartTime: '1970-01-01 00:00:00', sleepEndTime: '1970-01-01 00:00:00' };
  const { records, rejected } = normalized([days(never)]);
  expect(records.sleep).toEqual([]);
  expect(rejected.count).toBe(0);
  expect(records.covered).toMatchObject([{ sleep: true }]);
});
