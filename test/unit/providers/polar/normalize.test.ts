import { describe, expect, test } from 'vitest';
import { nightSummaries } from '../../../harness/request-flow.ts';
import { normalized, type Page, page } from './pages.ts';
import {
  activity,
  bodyTemperature,
  exercise,
  exerciseInFull,
  heartRates,
  night,
  oxygenTest,
  physical,
  recharge,
  skinNight,
} from './payloads.ts';

const at = (text: string): number => Date.parse(text);

test('an activity has the steps, distance and energy of its day, on the date of its start', () => {
  const { records, rejected } = normalized([page('activities', [activity])]);
  expect(rejected.count).toBe(0);
  expect(records.daily).toEqual([
    { metric: 'steps', date: '2026-03-11', value: 9140 },
    { metric: 'distance', date: '2026-03-11', value: 6.4802, original: { value: 6480.2, unit: 'm' } },
    { metric: 'active_calories', date: '2026-03-11', value: 700 },
    { metric: 'total_calories', date: '2026-03-11', value: 2410 },
  ]);
});

test('missing values of an activity are skipped, and zero steps count as zero', () => {
  const { records } = normalized([
    page('activities', [{ start_time: '2026-03-11T00:00:00', steps: 0, calories: null }]),
  ]);
  expect(records.daily).toEqual([{ metric: 'steps', date: '2026-03-11', value: 0 }]);
  const unmeasured = { ...activity, steps: null, distance_from_steps: null, active_calories: null, calories: 0 };
  expect(normalized([page('activities', [unmeasured])]).records.daily).toEqual([]);
});

describe('a night', () => {
  test('is in minutes, and is identified by the day that Polar states', () => {
    const { records } = normalized([page('sleep', { nights: [night] })]);
    expect(records.sleep).toEqual([
      {
        sourceId: '2026-03-11',
        startMs: at('2026-03-10T21:42:30Z'),
        endMs: at('2026-03-11T05:30:30Z'),
        offsetMinutes: 120,
        // 25,000 s of light, deep and REM sleep, and two minutes asleep in no recognized stage.
        asleepMinutes: 418.6666666666667,
        lightMinutes: 233.33333333333334,
        deepMinutes: 83.33333333333333,
        remMinutes: 100,
        awakeMinutes: 25,
        inBedMinutes: 468,
        summary: {},
        stages: [
          { stage: 'light', startMs: at('2026-03-10T21:42:30Z'), endMs: at('2026-03-10T21:58:00Z') },
          { stage: 'deep', startMs: at('2026-03-10T21:58:00Z'), endMs: at('2026-03-10T22:40:00Z') },
          { stage: 'unknown', startMs: at('2026-03-10T22:40:00Z'), endMs: at('2026-03-11T05:30:30Z') },
        ],
      },
    ]);
  });

  test('without stages has its bounds only', () => {
    const { date, sleep_start_time, sleep_end_time } = night;
    const { records } = normalized([
      page('sleep', { nights: [{ date, sleep_start_time, sleep_end_time, deep_sleep: null }] }),
    ]);
    expect(records.sleep).toMatchObject([
      { asleepMinutes: null, deepMinutes: null, awakeMinutes: null, inBedMinutes: 468 },
    ]);
  });

  test.each([
    ['the stages and the unrecognized time', {}, [418.6666666666667, 233.33333333333334]],
    ['the stages alone', { unrecognized_sleep_stage: null }, [416.6666666666667, 233.33333333333334]],
    [
      'the unrecognized time of a watch without stages',
      { light_sleep: 0, deep_sleep: 0, rem_sleep: 0, unrecognized_sleep_stage: 24_000 },
      [400, null],
    ],
    [
      // 468 minutes minus 25.
      'the time from falling asleep to waking up minus the interruptions',
      { light_sleep: 0, deep_sleep: 0, rem_sleep: 0, unrecognized_sleep_stage: 0 },
      [443, null],
    ],
  ])('was asleep for %s', (_name, more, [asleepMinutes, lightMinutes]) => {
    const { records } = normalized([page('sleep', { nights: [{ ...night, ...more }] })]);
    expect(records.sleep).toMatchObject([{ asleepMinutes, lightMinutes, awakeMinutes: 25, inBedMinutes: 468 }]);
  });

  test('whose start moved is the same night, and the last of two versions counts', () => {
    const moved = { ...night, sleep_start_time: '2026-03-11T00:30:00+02:00', light_sleep: 9000 };
    const { records } = normalized([page('sleep', { nights: [night, moved] })]);
    expect(records.sleep.map(({ sourceId, startMs }) => [sourceId, startMs])).toEqual([
      ['2026-03-11', at('2026-03-10T22:30:00Z')],
    ]);
  });

  const slept = page('sleep', { nights: [night] });
  const recharged = page('recharge', { recharges: [{ ...recharge, hrv_samples: null }] });
  const warmed = page('skin_temperature', [skinNight]);
  const ofRecharge = { sleep_heart_rate: 55, sleep_heart_rate_variability: 38, sleep_respiratory_rate: 13.8 };
  const summariesIn = (...pages: Page[]) => nightSummaries(normalized(pages).records);

  test('carries the values of its recharge and skin temperature, which are then no daily values', () => {
    const { records } = normalized([slept, recharged, warmed]);
    expect(nightSummaries(records)).toEqual([{ ...ofRecharge, sleep_skin_temperature: 34.1 }]);
    expect(records.daily).toEqual([]);
  });

  test('that is missing leaves the values to the day that Polar states', () => {
    for (const pages of [[recharged], [page('sleep', ''), recharged]])
      expect(normalized(pages).records.daily).toEqual([
        { metric: 'sleep_heart_rate', date: '2026-03-11', value: 55 },
        { metric: 'sleep_heart_rate_variability', date: '2026-03-11', value: 38 },
        { metric: 'sleep_respiratory_rate', date: '2026-03-11', value: 13.8 },
      ]);
  });

  test('that is unreadable adds no daily values, because an earlier version may have carried them', () => {
    const unreadable = page('sleep', { nights: [{ ...night, sleep_end_time: 'later' }] });
    expect(normalized([unreadable, recharged, warmed]).records.daily).toEqual([]);
  });

  test('retracts values that are gone, and keeps those of a list that was refused or is unreadable', () => {
    const none = { sleep_heart_rate: null, sleep_heart_rate_variability: null, sleep_respiratory_rate: null };
    expect(summariesIn(slept, page('recharge', ''), page('skin_temperature', ''))).toEqual([
      { ...none, sleep_skin_temperature: null },
    ]);
    expect(summariesIn(slept, page('recharge', '<html>'), warmed)).toEqual([{ sleep_skin_temperature: 34.1 }]);
    expect(summariesIn(slept, page('recharge', { recharges: [recharge, { date: 'today' }] }))).toEqual([ofRecharge]);
    expect(summariesIn(slept, page('recharge', { recharges: [{ date: 'today' }] }))).toEqual([{}]);
    expect(summariesIn(slept)).toEqual([{}]);
  });

  test('retracts nothing on days that the lists no longer reach', () => {
    const late = { received: '2026-04-08T12:00:00Z' };
    expect(nightSummaries(normalized([slept, page('recharge', '')], late).records)).toEqual([{}]);
    expect(normalized([page('sleep', ''), recharged], late).records.daily).toEqual([]);
  });

  test('whose recharge was not measured has no values', () => {
    const none = { date: '2026-03-11', heart_rate_avg: 0, heart_rate_variability_avg: null };
    const { records, rejected } = normalized([page('recharge', { recharges: [none] })]);
    expect(records.daily).toEqual([]);
    expect(rejected.count).toBe(0);
  });
});

test('the lowest heart rate is taken from plausible samples, one per quarter of an hour', () => {
  const odd = { heart_rate: 500, sample_time: '12:00:00' };
  const day = { ...heartRates, heart_rate_samples: [...heartRates.heart_rate_samples, odd] };
  const { records, rejected } = normalized([page('heart_rate', { heart_rates: [day] })]);
  const lowest = records.samples.filter(({ metric }) => metric === 'min_heart_rate');
  expect(lowest.map(({ startMs, value }) => [startMs, value])).toEqual([
    [at('2026-03-10T22:03:10Z'), 58],
    [at('2026-03-11T15:30:00Z'), 97],
  ]);
  expect(records.daily).toEqual([]);
  expect(rejected).toMatchObject({ count: 1, first: [{ path: 'heart_rate.0.0.heart_rate_samples.4' }] });
});

describe('a workout', () => {
  test('starts at its local time with its offset, and has the requested trace', () => {
    const { records } = normalized([page('exercises', [exercise]), page('exercise', exerciseInFull, 'k3Zq9w')]);
    const startMs = at('2026-03-11T15:20:05Z');
    expect(records.workouts).toEqual([
      {
        sourceId: 'k3Zq9w',
        type: 'trail_running',
        sourceType: 'RUNNING_TRAIL',
        name: null,
        startMs,
        // One hour, two minutes, three and a half seconds.
        endMs: startMs + 3_723_500,
        offsetMinutes: 120,
        calories: 612,
        distanceKm: 9.8,
        avgHeartRate: 141,
        maxHeartRate: 168,
        elevationMeters: null,
        steps: null,
        heartRate: [
          { atMs: startMs, bpm: 98 },
          { atMs: startMs + 10_000, bpm: 101 },
        ],
      },
    ]);
    expect(records.samples.map(({ metric, value }) => [metric, value])).toEqual([
      ['running', 9.8],
      ['exercise', 62.05833333333333],
      ['max_heart_rate', 168],
    ]);
  });

  test('indoors has no distance and no unmeasured values', () => {
    const { distance: _, heart_rate: __, ...inside } = exercise;
    const { records } = normalized([
      page('exercises', [{ ...inside, calories: 0, detailed_sport_info: 'INDOOR_CYCLING', sport: 'CYCLING' }]),
    ]);
    expect(records.workouts).toMatchObject([
      { type: 'indoor_cycling', distanceKm: null, calories: null, avgHeartRate: null, heartRate: null },
    ]);
    expect(records.samples.map(({ metric }) => metric)).toEqual(['exercise']);
  });

  test.each([
    ['TREADMILL_RUNNING', 'RUNNING', 'indoor_running'],
    ['NORDIC_WALKING', 'WALKING', 'nordic_walking'],
    ['HIKING', 'OTHER', 'hiking'],
    ['WATERSPORTS_WATERSKI', 'OTHER', 'water_skiing'],
    ['TEAMSPORTS_HANDBALL', 'OTHER', 'handball'],
    ['SWIMMING_POOL', 'SWIMMING', 'swimming'],
    ['SOMETHING_NEW', 'CYCLING', 'cycling'],
    ['STRENGTH_TRAINING', 'OTHER', 'strength_training'],
    ['BREAKDANCE', null, 'other'],
    [null, null, 'other'],
  ])('%s of %s is %s', (detailed_sport_info, sport, type) => {
    const { records } = normalized([page('exercises', [{ ...exercise, detailed_sport_info, sport }])]);
    expect(records.workouts[0]?.type).toBe(type);
  });

  test('without an offset starts in the local time of the profile zone, and states no offset', () => {
    const { start_time_utc_offset: _, ...nowhere } = exercise;
    const { records } = normalized([page('exercises', [nowhere])]);
    expect(records.workouts).toMatchObject([{ startMs: at('2026-03-11T15:20:05Z'), offsetMinutes: null }]);
  });

  test('that was deleted after it was listed is left out', () => {
    const { records } = normalized([page('exercises', [exercise]), page('exercise', '', 'k3Zq9w')]);
    expect(records.workouts).toEqual([]);
  });

  test('without a duration is rejected, and the others are stored', () => {
    const { records, rejected } = normalized([
      page('exercises', [{ ...exercise, id: 'a', duration: 'soon' }, exercise]),
    ]);
    expect(records.workouts.map(({ sourceId }) => sourceId)).toEqual(['k3Zq9w']);
    expect(rejected).toMatchObject({ count: 1, first: [{ path: 'exercises.0.0', code: 'invalid_time' }] });
  });
});

describe('body values', () => {
  test('a passed oxygen test is a sample at its instant, and a failed one is skipped', () => {
    const failed = { ...oxygenTest, test_status: 'SPO2_TEST_INCONCLUSIVE', test_time: 1_773_212_500 };
    const { records } = normalized([page('spo2', [oxygenTest, failed])]);
    expect(records.samples).toEqual([
      {
        metric: 'blood_oxygen',
        startMs: at('2026-03-11T07:00:00Z'),
        endMs: at('2026-03-11T07:00:00Z'),
        offsetMinutes: 120,
        value: 97,
      },
    ]);
  });

  test('temperatures count from a start in UTC, by their measurement type', () => {
    const skin = {
      ...bodyTemperature,
      measurement_type: 'TM_SKIN_TEMPERATURE',
      samples: [{ temperature_celsius: 33.5 }],
    };
    const unknown = { ...bodyTemperature, measurement_type: 'TM_UNKNOWN' };
    const { records } = normalized([page('body_temperature', [bodyTemperature, skin, unknown])]);
    expect(records.samples.map(({ metric, startMs, value }) => [metric, startMs, value])).toEqual([
      ['body_temperature', at('2026-03-11T06:00:00Z'), 36.9],
      ['body_temperature', at('2026-03-11T06:05:00Z'), 37.1],
      ['skin_temperature', at('2026-03-11T06:00:00Z'), 33.5],
    ]);
  });

  test('only the temperature itself is read from a night’s skin temperature', () => {
    const { records } = normalized([page('skin_temperature', [skinNight])]);
    expect(records.daily).toEqual([{ metric: 'sleep_skin_temperature', date: '2026-03-11', value: 34.1 }]);
  });

  test('a weight counts when it was measured, not when it was entered manually', () => {
    const typed = { ...physical, 'weight-source': 'SOURCE_USER', 'vo2-max': null };
    const { records } = normalized([page('physical', physical, '56'), page('physical', typed, '57')]);
    expect(records.samples.map(({ metric, startMs, value }) => [metric, startMs, value])).toEqual([
      ['weight', at('2026-03-10T20:11:33Z'), 71.4],
      ['vo2_max', at('2026-03-10T20:11:33Z'), 48],
    ]);
    expect(records.covered).toBeUndefined();
  });
});

describe('a window', () => {
  const everything = [
    page('activities', [activity]),
    page('sleep', { nights: [night] }),
    page('recharge', { recharges: [recharge] }),
    page('heart_rate', { heart_rates: [heartRates] }),
    page('exercises', [exercise]),
    page('spo2', [oxygenTest]),
    page('body_temperature', [bodyTemperature]),
    page('skin_temperature', [skinNight]),
  ];

  test('that was read in full covers its days with every resource', () => {
    const [covered, ...more] = normalized(everything).records.covered ?? [];
    expect(more).toEqual([]);
    expect(covered).toMatchObject({ from: '2026-03-10', to: '2026-03-12', sleep: true, workouts: true });
    expect(new Set(covered?.daily)).toEqual(
      new Set([
        'steps',
        'distance',
        'active_calories',
        'total_calories',
        'sleep_heart_rate',
        'sleep_heart_rate_variability',
        'sleep_respiratory_rate',
        'sleep_skin_temperature',
      ]),
    );
    expect(new Set(covered?.samples)).toEqual(
      new Set([
        'heart_rate_variability_rmssd',
        'heart_rate',
        'min_heart_rate',
        'max_heart_rate',
        'exercise',
        'running',
        'indoor_running',
        'walking',
        'indoor_walking',
        'cycling',
        'indoor_cycling',
        'swimming',
        'blood_oxygen',
        'body_temperature',
        'skin_temperature',
      ]),
    );
  });

  test('of an empty account covers its days without records', () => {
    const { records, rejected } = normalized(everything.map(({ resource }) => page(resource, '')));
    expect(rejected.count).toBe(0);
    expect({ ...records, covered: [] }).toEqual({ samples: [], daily: [], sleep: [], workouts: [], covered: [] });
    expect(records.covered).toMatchObject([{ sleep: true, workouts: true }]);
  });

  test('does not cover resources that were refused or unreadable, and stores the rest', () => {
    const { records, rejected } = normalized([
      page('activities', [activity, { steps: 5 }, null]),
      page('sleep', { nights: [night, { ...night, date: 'yesterday' }] }),
      page('recharge', '<html>'),
      page('heart_rate', { heart_rates: null }),
    ]);
    expect(records.sleep).toHaveLength(1);
    expect(records.daily).toHaveLength(4);
    expect(records.covered).toBeUndefined();
    expect(rejected).toMatchObject({
      count: 4,
      first: [
        { path: 'sleep.0.1.date' },
        { path: 'recharge.0' },
        { path: 'activities.0.1.start_time' },
        { path: 'activities.0.2' },
      ],
    });
  });

  test('has no records of other days, even if they were listed', () => {
    const { records } = normalized(everything, { window: { from: '2026-03-08', to: '2026-03-09' } });
    expect({ ...records, covered: [] }).toEqual({ samples: [], daily: [], sleep: [], workouts: [], covered: [] });
  });

  test('never retracts days that Polar’s lists no longer reach', () => {
    // For data received on 12 March, 14 February is the first day that is certain to be listed.
    const long = normalized(everything, { window: { from: '2026-02-01', to: '2026-03-12' } });
    expect(long.records.covered).toMatchObject([{ from: '2026-02-14', to: '2026-03-12' }]);
    const old = normalized(everything, { window: { from: '2026-01-01', to: '2026-02-13' } });
    expect(old.records.covered).toBeUndefined();
  });
});
