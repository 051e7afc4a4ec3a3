import { expect, test } from 'vitest';
import { normalizeGarmin } from '../../../../shared/providers/garmin/normalize.ts';

function normalized(lists: unknown) {
  const raw = Buffer.from(
    JSON.stringify({ requested: null, pages: [{ resource: 'push', text: JSON.stringify(lists) }] }),
  );
  return normalizeGarmin(raw, { receivedMs: Date.parse('2026-03-12T00:00:00Z'), scopes: [], timeZone: null });
}

/** The run lasts from 17:00 to 18:00 at +01:00. */
const run = {
  userId: 'ada',
  summaryId: '123',
  activityId: 123,
  activityName: 'Evening run',
  activityType: 'RUNNING',
  startTimeInSeconds: 1_773_244_800,
  startTimeOffsetInSeconds: 3600,
  durationInSeconds: 3600,
  distanceInMeters: 10_012.3,
  activeKilocalories: 610,
  averageHeartRateInBeatsPerMinute: 151,
  maxHeartRateInBeatsPerMinute: 176,
  steps: 9800,
  totalElevationGainInMeters: 84.2,
  deviceName: 'fenix',
};
const startMs = Date.parse('2026-03-11T17:00:00+01:00');

test('an activity is a workout plus the distance of its sport over its span, and its exercise minutes are in the daily', () => {
  const { records } = normalized({ activities: [run] });
  expect(records.workouts).toEqual([
    {
      type: 'running',
      sourceType: 'RUNNING',
      name: 'Evening run',
      startMs,
      endMs: startMs + 3_600_000,
      offsetMinutes: 60,
      calories: 610,
      distanceKm: 10.0123,
      avgHeartRate: 151,
      maxHeartRate: 176,
      elevationMeters: 84.2,
      steps: 9800,
      heartRate: null,
      sourceId: '123',
      outline: true,
    },
  ]);
  expect(records.samples).toEqual([
    {
      metric: 'running',
      startMs,
      endMs: startMs + 3_600_000,
      value: 10.0123,
      original: { value: 10_012.3, unit: 'm' },
      offsetMinutes: 60,
    },
  ]);
});

test('details hold the same activity with its heart rate, and take precedence over the summary', () => {
  const { summaryId: _, userId: __, ...summary } = run;
  const details = {
    userId: 'ada',
    summaryId: '123-detail',
    activityId: 123,
    summary,
    samples: [
      { startTimeInSeconds: 1_773_244_860, heartRate: 120 },
      { startTimeInSeconds: 1_773_244_920, heartRate: null },
      { startTimeInSeconds: 1_773_244_980 },
      { startTimeInSeconds: 1_773_250_000, heartRate: 130 },
    ],
  };
  for (const lists of [{ activities: [run], activityDetails: [details] }, { activityDetails: [details] }]) {
    const { records } = normalized(lists);
    expect(records.workouts).toMatchObject([{ sourceId: '123', heartRate: [{ atMs: 1_773_244_860_000, bpm: 120 }] }]);
  }
});

test('details without an activity id take the id of the summary', () => {
  const { activityId: _, ...bare } = run;
  const { records } = normalized({
    activities: [{ ...bare, summaryId: 'x9' }],
    activityDetails: [{ userId: 'ada', summaryId: 'x9-detail', summary: { ...bare, summaryId: null } }],
  });
  expect(records.workouts.map(({ sourceId }) => sourceId)).toEqual(['x9']);
});

test('the parts of a multisport activity are stored, and the activity as a whole is not', () => {
  const parent = { ...run, activityId: 1, activityType: 'MULTI_SPORT' };
  const flagged = { ...run, activityId: 2, activityType: 'TRIATHLON', isParent: true };
  const swim = {
    ...run,
    activityId: 3,
    activityType: 'OPEN_WATER_SWIMMING',
    parentSummaryId: '1',
    distanceInMeters: 1500,
  };
  const { records } = normalized({
    activities: [parent, flagged, swim, { ...run, activityId: 4, startTimeInSeconds: 1_773_249_000 }],
  });
  expect(records.workouts.map(({ type, sourceId }) => [type, sourceId])).toEqual([
    ['open_water_swimming', '3'],
    ['running', '4'],
  ]);
  expect(records.samples.map(({ metric, value }) => [metric, value])).toEqual([
    ['swimming', 1500],
    ['running', 10.0123],
  ]);
});

test.each([
  ['TREADMILL_RUNNING', 'indoor_running', 'indoor_running'],
  ['INDOOR_CYCLING', 'indoor_cycling', 'indoor_cycling'],
  ['MOUNTAIN_BIKING', 'mountain_biking', 'cycling'],
  ['HIKING', 'hiking', 'walking'],
  ['LAP_SWIMMING', 'swimming', 'swimming'],
  ['E_BIKE_FITNESS', 'e_biking', 'cycling'],
  ['E_BIKE_MOUNTAIN', 'e_mountain_biking', 'cycling'],
  ['TRACK_CYCLING', 'track_cycling', 'cycling'],
  ['ENDURO_MTB', 'mountain_biking', 'cycling'],
  ['HANDCYCLING', 'handcycling', 'cycling'],
  ['BMX', 'bmx', 'cycling'],
  ['RUCKING', 'rucking', 'walking'],
  ['CROSS_COUNTRY_SKIING_WS', 'cross_country_skiing', undefined],
  ['RESORT_SKIING_SNOWBOARDING_WS', 'downhill_skiing', undefined],
  ['ROWING_V2', 'rowing', undefined],
  ['SOMETHING_NEW', 'other', undefined],
  [null, 'other', undefined],
])('the sport %s is %s, and its distance counts as %s', (activityType, type, metric) => {
  const { records } = normalized({ activities: [{ ...run, activityType, distanceInMeters: 2000 }] });
  expect(records.workouts[0]?.type).toBe(type);
  expect(records.samples[0]?.metric).toBe(metric);
});

test('fields that an activity lacks stay unknown, and an activity without a duration is rejected', () => {
  const bare = {
    userId: 'ada',
    activityId: 9,
    startTimeInSeconds: 1_773_244_800,
    durationInSeconds: 600,
    activityType: 'YOGA',
  };
  const { records, rejected } = normalized({
    manuallyUpdatedActivities: [bare, { ...bare, activityId: 10, durationInSeconds: null }],
  });
  expect(records.workouts).toMatchObject([
    {
      type: 'yoga',
      name: null,
      calories: null,
      distanceKm: null,
      avgHeartRate: null,
      steps: null,
      elevationMeters: null,
    },
  ]);
  expect(rejected.first).toMatchObject([{ path: 'pages.0.manuallyUpdatedActivities.1', code: 'invalid_time' }]);
});
