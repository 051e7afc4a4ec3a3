import { describe, expect, test } from 'vitest';
import { nightSummaries } from '../../../harness/request-flow.ts';
import { readInMarch } from '../kit/march-requests.ts';
import { echoedDay, nap, night, page, swim, typedWeight, walk, watchDay, weighing } from './payloads.ts';

const normalized = (...pages: Parameters<typeof readInMarch>[1]) => readInMarch('withings', pages);
const records = (...pages: Parameters<typeof readInMarch>[1]) => normalized(...pages).records;
const dailyValues = (daily: readonly { metric: string; date: string; value: number }[]) =>
  Object.fromEntries(daily.map(({ metric, date, value }) => [`${date} ${metric}`, value]));

describe('daily totals', () => {
  test('are converted from meters, seconds and floors to kilometers, minutes and flights, and inactive energy is resting energy', () => {
    expect(dailyValues(records(page('activity', { activities: [watchDay], more: false })).daily)).toEqual({
      '2026-03-05 steps': 6200,
      '2026-03-05 distance': 4.8105,
      '2026-03-05 flights_climbed': 6,
      '2026-03-05 exercise': 26,
      '2026-03-05 active_calories': 304.8,
      '2026-03-05 total_calories': 2454.5,
      '2026-03-05 resting_energy': 2149.7,
      '2026-03-05 min_heart_rate': 49,
      '2026-03-05 max_heart_rate': 141,
    });
  });

  test('that echo another health store are left out, in any order, and also on days without other data', () => {
    for (const activities of [
      [watchDay, echoedDay],
      [echoedDay, watchDay],
    ])
      expect(dailyValues(records(page('activity', { activities })).daily)['2026-03-05 steps']).toBe(6200);
    expect(records(page('activity', { activities: [echoedDay] })).daily).toEqual([]);
  });

  test('of a watch take precedence over a phone, and the last modified version over the others', () => {
    const phone = { ...watchDay, steps: 5000, is_tracker: false, modified: 1772790000 };
    const later = { ...watchDay, steps: 6300, modified: 1772760000 };
    expect(
      dailyValues(records(page('activity', { activities: [later, phone, watchDay] })).daily)['2026-03-05 steps'],
    ).toBe(6300);
    expect(dailyValues(records(page('activity', { activities: [phone] })).daily)['2026-03-05 steps']).toBe(5000);
  });

  test('skip null, missing and impossible zero values, and zero steps count as zero', () => {
    const bare = { date: '2026-03-05', steps: 0, distance: null, hr_min: 0, hr_max: 0, calories: 'many' };
    const { records: normalizedRecords, rejected } = normalized(page('activity', { activities: [bare] }));
    expect(dailyValues(normalizedRecords.daily)).toEqual({ '2026-03-05 steps': 0 });
    expect(rejected.count).toBe(0);
  });

  test('of days that were not requested are left out', () => {
    expect(records(page('activity', { activities: [{ ...watchDay, date: '2026-03-04' }] })).daily).toEqual([]);
  });
});

describe('nights', () => {
  test('have minutes converted from seconds, the zone they name, and their own measurements', () => {
    const { sleep, daily } = records(page('sleep', { series: [night], more: false, offset: 0 }));
    expect(sleep).toEqual([
      {
        startMs: 1772747000_000,
        endMs: 1772774000_000,
        offsetMinutes: 60,
        sourceId: '2081804182',
        asleepMinutes: 405,
        deepMinutes: 90,
        lightMinutes: 225,
        remMinutes: 90,
        awakeMinutes: 45,
        inBedMinutes: 450,
        keepsStages: true,
        summary: {
          sleep_latency: { value: 9, original: { value: 540, unit: 's' } },
          sleep_heart_rate: { value: 56 },
          sleep_respiratory_rate: { value: 14 },
          sleep_body_temperature: { value: 36.6 },
        },
      },
    ]);
    expect(daily).toEqual([]);
  });

  test('are separate from naps, which carry their own measurements', () => {
    const normalizedRecords = records(page('sleep', { series: [night, nap] }));
    expect(
      normalizedRecords.sleep.map(({ sourceId, asleepMinutes, deepMinutes }) => [sourceId, asleepMinutes, deepMinutes]),
    ).toEqual([
      ['2081804182', 405, 90],
      ['2081804999', 25, null],
    ]);
    expect(nightSummaries(normalizedRecords)).toMatchObject([
      { sleep_heart_rate: 56, sleep_respiratory_rate: 14 },
      { sleep_heart_rate: 61, sleep_respiratory_rate: null },
    ]);
  });

  test.each([
    ['America/New_York', '2026-03-04T23:59:59-05:00', 0],
    ['America/New_York', '2026-03-05T00:00:00-05:00', 1],
    ['Pacific/Auckland', '2026-03-06T23:59:59+13:00', 1],
    ['Pacific/Auckland', '2026-03-07T00:00:00+13:00', 0],
  ])(
    'in %s that end at %s are read %i times, regardless of the day and zone that Withings names',
    (timeZone, end, times) => {
      const enddate = Date.parse(end) / 1000;
      for (const [date, timezone] of [
        ['2026-03-03', 'Europe/Paris'],
        ['2026-03-05', 'Pacific/Auckland'],
        ['2026-03-08', 'Asia/Tokyo'],
      ]) {
        const series = [{ ...night, startdate: enddate - 27000, enddate, date, timezone }];
        expect(readInMarch('withings', [page('sleep', { series })], { timeZone }).records.sleep).toHaveLength(times);
      }
    },
  );

  test('that are edited keep their id while their start moves, and only the last version is read', () => {
    const edited = { ...night, startdate: 1772748800, modified: 1772790000, data: { asleepduration: 22800 } };
    for (const series of [
      [night, edited],
      [edited, night],
    ]) {
      const { sleep } = records(page('sleep', { series }));
      expect(sleep).toHaveLength(1);
      expect(sleep[0]).toMatchObject({ startMs: 1772748800_000, sourceId: '2081804182', asleepMinutes: 380 });
      expect(sleep[0]?.deepMinutes).toBeNull();
    }
  });

  test('have the offset of their end, two hours after clocks went forward', () => {
    // 2026-03-29 05:00 UTC, four hours after the change.
    const spring = { ...night, startdate: 1774735200, enddate: 1774760400, date: '2026-03-29', data: null };
    const { records: normalizedRecords } = readInMarch('withings', [page('sleep', { series: [spring] })], {
      requested: { from: '2026-03-28', to: '2026-03-29' },
      receivedMs: Date.UTC(2026, 2, 30),
    });
    expect(normalizedRecords.sleep[0]).toMatchObject({ offsetMinutes: 120, asleepMinutes: null });
  });

  const stages = { lightsleepduration: 13500, deepsleepduration: 5400, remsleepduration: 5400 };
  test.each([
    ['the total', { total_sleep_time: 24000, asleepduration: 9000, ...stages }, 400],
    ['the total of another source', { asleepduration: 22800, wakeupduration: 2700 }, 380],
    ['the stages of an older account', { ...stages, wakeupduration: 2700 }, 405],
    ['the stages where the total is a zero', { total_sleep_time: 0, asleepduration: 0, ...stages }, 405],
    ['two stages of a device without REM', { lightsleepduration: 13500, deepsleepduration: 5400 }, 315],
    ['27000 s in bed minus the time awake', { wakeupduration: 2700 }, 405],
    ['27000 s in bed without a minute awake', { wakeupduration: 0 }, 450],
    ['unknown for time in bed only', { total_timeinbed: 27000 }, null],
    ['unknown for stages of zero', { lightsleepduration: 0, deepsleepduration: 0, wakeupduration: 2700 }, null],
    ['unknown for more time awake than the night has', { wakeupduration: 27001 }, null],
  ])('have as time asleep: %s', (_name, data, minutes) => {
    expect(records(page('sleep', { series: [{ ...night, data }] })).sleep[0]?.asleepMinutes).toBe(minutes);
  });

  test('have another field for respiration in America', () => {
    const american = { ...night, data: { rr_average: null, chest_movement_rate_wellness_average: 13.5 } };
    expect(nightSummaries(records(page('sleep', { series: [american] })))).toEqual([
      { sleep_latency: null, sleep_heart_rate: null, sleep_respiratory_rate: 13.5, sleep_body_temperature: null },
    ]);
  });
});

describe('workouts', () => {
  test('of a paused walk span from start to end, add their distance as walking, and have no climb from floors', () => {
    const { workouts, samples } = records(page('workouts', { series: [walk] }));
    expect(workouts).toEqual([
      {
        type: 'walking',
        sourceType: '1',
        name: null,
        startMs: 1772700000_000,
        endMs: 1772700900_000,
        offsetMinutes: 60,
        calories: 47,
        distanceKm: 0.68,
        avgHeartRate: 80,
        maxHeartRate: 95,
        elevationMeters: null,
        steps: 779,
        heartRate: null,
        sourceId: '3661300277',
      },
    ]);
    expect(samples).toEqual([
      {
        metric: 'walking',
        startMs: 1772700000_000,
        endMs: 1772700900_000,
        value: 0.68,
        original: { value: 680, unit: 'm' },
        offsetMinutes: 60,
      },
    ]);
  });

  test('of swimming have laps times their length, and manual values replace missing measurements', () => {
    const { workouts, samples } = records(page('workouts', { series: [swim] }));
    expect(workouts[0]).toMatchObject({ type: 'swimming', distanceKm: 1, calories: 210, avgHeartRate: null });
    expect(workouts[0]).toMatchObject({ swimmingStrokeCount: 812, swimmingLapLengthM: 25 });
    expect(samples).toMatchObject([{ metric: 'swimming', value: 1000 }]);
  });

  test('have no values for zeros', () => {
    const still = {
      ...walk,
      data: { calories: 0, distance: 0, steps: 0, hr_average: 0, hr_max: 255, strokes: 0, pool_length: 0 },
    };
    const { workouts, samples } = records(page('workouts', { series: [still] }));
    expect(Object.keys(workouts[0] ?? {})).not.toContain('swimmingLapLengthM');
    expect(Object.keys(workouts[0] ?? {})).not.toContain('swimmingStrokeCount');
    expect(workouts[0]).toMatchObject({
      ...{ calories: null, distanceKm: null, steps: null, avgHeartRate: null, maxHeartRate: null },
    });
    expect(samples).toEqual([]);
  });

  test('of an unknown category with empty data are still read', () => {
    const odd = { ...walk, category: 9999, data: { algo_pause_duration: null } };
    const { workouts, samples } = records(page('workouts', { series: [odd] }));
    expect(workouts[0]).toMatchObject({ type: 'other', distanceKm: null, calories: null, steps: null });
    expect(samples).toEqual([]);
  });
});

describe('measures', () => {
  const values = (groups: readonly object[], more: object = {}) =>
    Object.fromEntries(
      records(page('measures', { timezone: 'Europe/Paris', measuregrps: groups, ...more })).samples.map(
        ({ metric, value }) => [metric, value],
      ),
    );
  const measure = (type: number, value: number, unit: number) => ({
    ...weighing,
    measures: [{ type, value, unit }],
  });

  test('have digits and a power of ten as value, water as a share of the weight next to it, and no segments', () => {
    const { samples } = records(page('measures', { timezone: 'Europe/Paris', measuregrps: [weighing], more: 0 }));
    expect(samples).toEqual([
      { metric: 'weight', startMs: 1772780000_000, endMs: 1772780000_000, value: 80.25, offsetMinutes: 60 },
      {
        metric: 'body_fat_percentage',
        startMs: 1772780000_000,
        endMs: 1772780000_000,
        value: 21.437,
        offsetMinutes: 60,
      },
      // 44.138 kg of 80.25 kg.
      {
        metric: 'body_water_percentage',
        startMs: 1772780000_000,
        endMs: 1772780000_000,
        value: 55.000623052959,
        offsetMinutes: 60,
      },
    ]);
  });

  test.each([
    [4, 178, -2, 'height', 178],
    [5, 612, -1, 'lean_body_mass', 61.2],
    [8, 1725, -2, 'fat_mass', 17.25],
    [9, 78, 0, 'blood_pressure_diastolic', 78],
    [10, 122, 0, 'blood_pressure_systolic', 122],
    [11, 64, 0, 'heart_rate', 64],
    [54, 97, 0, 'blood_oxygen', 97],
    [54, 97, -2, 'blood_oxygen', 97],
    [71, 3672, -2, 'body_temperature', 36.72],
    [73, 331, -1, 'skin_temperature', 33.1],
    [76, 582, -1, 'muscle_mass', 58.2],
    [88, 31, -1, 'bone_mass', 3.1],
    [123, 42, 0, 'vo2_max', 42],
  ])('of type %i, %i x 10^%i are %s %d', (type, value, unit, metric, expected) => {
    expect(values([measure(type, value, unit)])).toEqual({ [metric]: expected });
  });

  test.each([
    ['that may belong to another user', { attrib: 1 }],
    ['entered at sign-up', { attrib: 4 }],
    ['that are a goal', { category: 2 }],
  ])('%s are left out', (_name, more) => {
    expect(values([{ ...weighing, ...more }])).toEqual({});
  });

  test('entered manually count, and the last modified version counts', () => {
    const corrected = { ...measure(1, 795, -1), attrib: 2, modified: 1772790000 };
    expect(values([corrected, weighing])).toEqual({ weight: 79.5 });
  });

  test('of a manually entered weight have no fat and no lean mass', () => {
    expect(values([typedWeight])).toEqual({ weight: 67 });
    expect(values([{ ...typedWeight, category: 2 }])).toEqual({});
  });

  test('of a manually entered weight leave the fat that the scale measured on the same day', () => {
    expect(values([weighing, typedWeight])).toMatchObject({ weight: 67, body_fat_percentage: 21.437 });
  });

  test('of fat that was entered with the weight count', () => {
    const measures = [...typedWeight.measures.slice(0, 1), { value: 20, type: 6, unit: 0 }];
    expect(values([{ ...typedWeight, measures }])).toEqual({ weight: 67, body_fat_percentage: 20 });
  });

  test.each([0, 2, 5, 7, 8])('of zero are skipped, also with attrib %i', (attrib) => {
    const zeros = [4, 6, 8, 9, 10, 11, 54, 71, 73, 76, 77, 88, 123].map((type) => ({ type, value: 0, unit: 0 }));
    const group = { ...weighing, attrib, measures: [{ type: 1, value: 67, unit: 0 }, ...zeros] };
    const { records: found, rejected } = normalized(page('measures', { measuregrps: [group] }));
    expect(found.samples.map(({ metric }) => metric)).toEqual(['weight']);
    expect(rejected.count).toBe(0);
  });

  test('of lean mass are skipped when they equal the weight or come without fat', () => {
    const lean = (value: number, ...others: object[]) => ({
      ...weighing,
      measures: [{ type: 1, value: 67, unit: 0 }, { type: 5, value, unit: 0 }, ...others],
    });
    expect(values([lean(67)])).toEqual({ weight: 67 });
    expect(values([lean(66, { type: 6, value: 0, unit: 0 })])).toEqual({ weight: 67 });
    expect(values([lean(66, { type: 8, value: 0, unit: 0 })])).toEqual({ weight: 67 });
    expect(values([lean(52)])).toEqual({ weight: 67, lean_body_mass: 52 });
  });

  test('of an unspecified temperature are skipped', () => {
    expect(values([measure(12, 367, -1)])).toEqual({});
  });
});
