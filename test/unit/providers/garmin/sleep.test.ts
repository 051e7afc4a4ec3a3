import { expect, test } from 'vitest';
import { normalizeGarmin } from '../../../../shared/providers/garmin/normalize.ts';
import { nightSummaries } from '../../../harness/request-flow.ts';

function normalized(...sleeps: unknown[]) {
  const pages = [{ resource: 'push', text: JSON.stringify({ sleeps }) }];
  const raw = Buffer.from(JSON.stringify({ requested: null, pages }));
  return normalizeGarmin(raw, { receivedMs: Date.parse('2026-03-12T00:00:00Z'), scopes: [], timeZone: null });
}

/** From 23:00 on the 10th to 06:40 on the 11th, at +01:00: 440 minutes asleep, 20 awake. */
const night = {
  userId: 'ada',
  summaryId: 'n1',
  calendarDate: '2026-03-11',
  startTimeInSeconds: 1_773_180_000,
  startTimeOffsetInSeconds: 3600,
  durationInSeconds: 26_400,
  deepSleepDurationInSeconds: 5400,
  lightSleepDurationInSeconds: 15_600,
  remSleepInSeconds: 5400,
  awakeDurationInSeconds: 1200,
  unmeasurableSleepInSeconds: 0,
  sleepLevelsMap: {
    deep: [{ startTimeInSeconds: 1_773_180_000, endTimeInSeconds: 1_773_185_400 }],
    light: [{ startTimeInSeconds: 1_773_185_400, endTimeInSeconds: 1_773_201_000 }],
    rem: [{ startTimeInSeconds: 1_773_201_000, endTimeInSeconds: 1_773_206_400 }],
    awake: [{ startTimeInSeconds: 1_773_206_400, endTimeInSeconds: 1_773_207_600 }],
  },
  validation: 'ENHANCED_FINAL',
  timeOffsetSleepSpo2: { '60': 95, '120': 96, '180': 0 },
  timeOffsetSleepRespiration: { '60': 14.2, '120': 13.8, '180': -1 },
  overallSleepScore: { value: 82, qualifierKey: 'GOOD' },
};

test('a night ends with its last stage, is identified by its summary id, and carries its measurements', () => {
  const { records, rejected } = normalized(night);
  expect(rejected.count).toBe(0);
  expect(records.sleep).toEqual([
    {
      startMs: Date.parse('2026-03-10T23:00:00+01:00'),
      endMs: Date.parse('2026-03-11T06:40:00+01:00'),
      offsetMinutes: 60,
      sourceId: 'n1',
      asleepMinutes: 440,
      deepMinutes: 90,
      lightMinutes: 260,
      remMinutes: 90,
      awakeMinutes: 20,
      inBedMinutes: 460,
      summary: { sleep_blood_oxygen: { value: 95.5 }, sleep_respiratory_rate: { value: 14 } },
      stages: [
        { stage: 'deep', startMs: 1_773_180_000_000, endMs: 1_773_185_400_000 },
        { stage: 'light', startMs: 1_773_185_400_000, endMs: 1_773_201_000_000 },
        { stage: 'rem', startMs: 1_773_201_000_000, endMs: 1_773_206_400_000 },
        { stage: 'awake', startMs: 1_773_206_400_000, endMs: 1_773_207_600_000 },
      ],
    },
  ]);
  expect(records.daily).toEqual([]);
});

test('a night retracts measurements that it no longer contains', () => {
  const { timeOffsetSleepSpo2: _, ...unmeasured } = { ...night, timeOffsetSleepRespiration: { '60': -1 } };
  expect(nightSummaries(normalized(unmeasured).records)).toEqual([
    { sleep_blood_oxygen: null, sleep_respiratory_rate: null },
  ]);
});

test('without timed stages, a night ends after the sum of its stages, because its duration leaves out the time awake', () => {
  const { records } = normalized({ ...night, sleepLevelsMap: null });
  expect(records.sleep[0]?.endMs).toBe(Date.parse('2026-03-11T06:40:00+01:00'));
  expect(records.sleep[0]?.inBedMinutes).toBe(460);
});

test('the minutes asleep of a night without stages are unknown, not zero', () => {
  const { records } = normalized({
    userId: 'ada',
    startTimeInSeconds: night.startTimeInSeconds,
    startTimeOffsetInSeconds: null,
    durationInSeconds: 26_400,
    validation: 'MANUAL',
  });
  expect(records.sleep).toMatchObject([
    { asleepMinutes: null, deepMinutes: null, awakeMinutes: null, inBedMinutes: 440, offsetMinutes: null },
  ]);
  expect(records.sleep[0]).not.toHaveProperty('sourceId');
  expect(records.daily).toEqual([]);
});

test('a night recorded off the wrist is skipped, and an unknown validation counts', () => {
  expect(normalized({ ...night, validation: 'OFF_WRIST' }).records).toMatchObject({ sleep: [], daily: [] });
  expect(normalized({ ...night, validation: 'SOMETHING_NEW' }).records.sleep).toHaveLength(1);
});

test('a nap is a separate sleep session, and an invalid nap is rejected', () => {
  const naps = [
    {
      napStartTimeInSeconds: 1_773_234_000,
      napDurationInSeconds: 1800,
      napOffsetInSeconds: 3600,
      napValidation: 'DEVICE',
    },
    { napStartTimeInSeconds: null, napDurationInSeconds: 60 },
    { napStartTimeInSeconds: 1_773_240_000, napDurationInSeconds: 600, napValidation: 'OFF_WRIST' },
  ];
  const { records, rejected } = normalized({ ...night, naps });
  expect(records.sleep.filter(({ sourceId }) => sourceId === undefined)).toEqual([
    {
      startMs: Date.parse('2026-03-11T14:00:00+01:00'),
      endMs: Date.parse('2026-03-11T14:30:00+01:00'),
      offsetMinutes: 60,
      asleepMinutes: 30,
      inBedMinutes: 30,
      deepMinutes: null,
      lightMinutes: null,
      remMinutes: null,
      awakeMinutes: null,
    },
  ]);
  expect(rejected.first).toMatchObject([{ path: 'pages.0.sleeps.0.naps.1.napStartTimeInSeconds' }]);
});

test('a nap without an offset has the offset of its night', () => {
  const naps = [{ napStartTimeInSeconds: 1_773_234_000, napDurationInSeconds: 1800 }];
  expect(normalized({ ...night, naps }).records.sleep.map(({ offsetMinutes }) => offsetMinutes)).toEqual([60, 60]);
});

test.each([
  ['its name', { startTimeInSeconds: night.startTimeInSeconds - 40_000 }],
  ['its start', { summaryId: 'n2', calendarDate: '2026-03-10' }],
  ['its day and time', { summaryId: 'n2', startTimeInSeconds: night.startTimeInSeconds + 600 }],
])('the last version of a night sent twice in one push counts, matched by %s', (_, first) => {
  const { records } = normalized({ ...night, validation: 'ENHANCED_TENTATIVE', ...first }, night);
  expect(records.sleep).toMatchObject([{ sourceId: 'n1', startMs: night.startTimeInSeconds * 1000 }]);
});

test('each sleep session of a day carries its own measurements', () => {
  const second = {
    ...night,
    summaryId: 'n3',
    startTimeInSeconds: 1_773_216_000,
    durationInSeconds: 3600,
    deepSleepDurationInSeconds: 0,
    lightSleepDurationInSeconds: 3600,
    remSleepInSeconds: 0,
    awakeDurationInSeconds: 0,
    sleepLevelsMap: {},
    timeOffsetSleepSpo2: { '60': 90 },
  };
  const { records } = normalized(night, second);
  expect(records.sleep).toHaveLength(2);
  expect(nightSummaries(records).map(({ sleep_blood_oxygen }) => sleep_blood_oxygen)).toEqual([95.5, 90]);
});

test('a night in which clocks change has its actual duration', () => {
  // From 23:30 +01:00 on 28 March to 07:30 +02:00 on 29 March are seven hours.
  const spring = {
    ...night,
    calendarDate: '2026-03-29',
    startTimeInSeconds: Date.parse('2026-03-28T23:30:00+01:00') / 1000,
    durationInSeconds: 25_200,
    deepSleepDurationInSeconds: 25_200,
    lightSleepDurationInSeconds: 0,
    remSleepInSeconds: 0,
    awakeDurationInSeconds: 0,
    sleepLevelsMap: null,
  };
  const pages = [{ resource: 'push', text: JSON.stringify({ sleeps: [spring] }) }];
  const raw = Buffer.from(JSON.stringify({ requested: null, pages }));
  const { records } = normalizeGarmin(raw, {
    receivedMs: Date.parse('2026-03-30T00:00:00Z'),
    scopes: [],
    timeZone: null,
  });
  expect(records.sleep).toMatchObject([
    { endMs: Date.parse('2026-03-29T07:30:00+02:00'), asleepMinutes: 420, inBedMinutes: 420 },
  ]);
});
