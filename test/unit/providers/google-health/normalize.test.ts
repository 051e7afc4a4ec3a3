import { describe, expect, test } from 'vitest';
import { readInMarch } from '../kit/march-requests.ts';
import { beat, nap, night, page, total, totals, walk } from './payloads.ts';

type Pages = Parameters<typeof readInMarch>[1];
const normalized = (...pages: Pages) => readInMarch('google_health', pages, { timeZone: 'Asia/Tokyo' });
const records = (...pages: Pages) => normalized(...pages).records;
const dailyValues = (...pages: Pages) =>
  Object.fromEntries(records(...pages).daily.map(({ metric, date, value }) => [`${date} ${metric}`, value]));
const sampled = (...pages: Pages) =>
  records(...pages).samples.map(({ metric, startMs, value, offsetMinutes }) => [metric, startMs, value, offsetMinutes]);

describe('daily totals', () => {
  test('are read from numeric strings, millimeters become kilometers, and light activity does not count as exercise', () => {
    expect(
      dailyValues(
        totals('daily:steps', [total(5, { steps: { countSum: '9525' } }), total(6, { steps: {} })]),
        totals('daily:distance', [total(5, { distance: { millimetersSum: '6812345' } })]),
        totals('daily:floors', [total(5, { floors: { countSum: '12' } })]),
        totals('daily:active-energy-burned', [total(5, { activeEnergyBurned: { kcalSum: 512.5 } })]),
        totals('daily:total-calories', [
          total(5, { totalCalories: { kcalSum: 2310.75 } }),
          total(6, { totalCalories: {} }),
        ]),
        totals('daily:active-minutes', [
          total(5, {
            activeMinutes: {
              activeMinutesRollupByActivityLevel: [
                { activityLevel: 'LIGHT', activeMinutesSum: '120' },
                { activityLevel: 'MODERATE', activeMinutesSum: '20' },
                { activityLevel: 'VIGOROUS', activeMinutesSum: '15' },
                { activityLevel: 'SUPERHUMAN', activeMinutesSum: '9' },
                { activityLevel: 'VIGOROUS' },
              ],
            },
          }),
        ]),
        totals('daily:heart-rate', [
          total(5, { heartRate: { beatsPerMinuteMin: 47, beatsPerMinuteMax: 151.2, beatsPerMinuteAvg: 71 } }),
        ]),
      ),
    ).toEqual({
      '2026-03-05 steps': 9525,
      // The device was worn without a step: Google omits the zero.
      '2026-03-06 steps': 0,
      '2026-03-05 distance': 6.812345,
      '2026-03-05 flights_climbed': 12,
      '2026-03-05 active_calories': 512.5,
      '2026-03-05 total_calories': 2310.75,
      '2026-03-05 resting_energy': 1798.25,
      '2026-03-05 exercise': 35,
      '2026-03-05 min_heart_rate': 47,
      '2026-03-05 max_heart_rate': 151.2,
    });
  });

  test('are absent on a day without a total, and left out on days that were not requested', () => {
    expect(
      dailyValues(
        totals('daily:steps', [
          total(5, {}),
          total(4, { steps: { countSum: '1' } }),
          total(7, { steps: { countSum: '1' } }),
        ]),
        page('daily:floors', []),
      ),
    ).toEqual({});
  });
});

test('overnight and resting values belong to the date they state', () => {
  const date = { year: 2026, month: 3, day: 6 };
  expect(
    dailyValues(
      page('daily-resting-heart-rate', [{ dailyRestingHeartRate: { date, beatsPerMinute: '58' } }]),
      page('daily-heart-rate-variability', [
        {
          dailyHeartRateVariability: {
            date,
            averageHeartRateVariabilityMilliseconds: 44.5,
            deepSleepRootMeanSquareOfSuccessiveDifferencesMilliseconds: 58.1,
          },
        },
      ]),
      page('daily-oxygen-saturation', [
        { dailyOxygenSaturation: { date, averagePercentage: 96.1, lowerBoundPercentage: 92 } },
      ]),
      page('daily-respiratory-rate', [{ dailyRespiratoryRate: { date, breathsPerMinute: 14.2 } }]),
      page('daily-sleep-temperature-derivations', [
        {
          dailySleepTemperatureDerivations: {
            date,
            nightlyTemperatureCelsius: 34.12,
            baselineTemperatureCelsius: 33.9,
          },
        },
      ]),
    ),
  ).toEqual({
    '2026-03-06 resting_heart_rate': 58,
    '2026-03-06 heart_rate_variability_rmssd': 44.5,
    '2026-03-06 sleep_blood_oxygen': 96.1,
    '2026-03-06 sleep_respiratory_rate': 14.2,
    '2026-03-06 sleep_skin_temperature': 34.12,
  });
});

describe('sleep', () => {
  test('is added up from its stages, and its day is that of the end by the offset it states', () => {
    expect(records(page('sleep', [night])).sleep).toEqual([
      {
        startMs: Date.UTC(2026, 2, 4, 15, 10),
        endMs: Date.UTC(2026, 2, 4, 22, 40),
        offsetMinutes: 540,
        sourceId: '880',
        asleepMinutes: 430,
        deepMinutes: 60,
        lightMinutes: 280,
        remMinutes: 90,
        awakeMinutes: 20,
        inBedMinutes: 450,
        stages: [
          { stage: 'awake', startMs: Date.UTC(2026, 2, 4, 15, 10), endMs: Date.UTC(2026, 2, 4, 15, 20) },
          { stage: 'light', startMs: Date.UTC(2026, 2, 4, 15, 20), endMs: Date.UTC(2026, 2, 4, 17, 50) },
          { stage: 'deep', startMs: Date.UTC(2026, 2, 4, 17, 50), endMs: Date.UTC(2026, 2, 4, 18, 50) },
          { stage: 'rem', startMs: Date.UTC(2026, 2, 4, 18, 50), endMs: Date.UTC(2026, 2, 4, 20, 20) },
          { stage: 'light', startMs: Date.UTC(2026, 2, 4, 20, 20), endMs: Date.UTC(2026, 2, 4, 22, 30) },
          { stage: 'awake', startMs: Date.UTC(2026, 2, 4, 22, 30), endMs: Date.UTC(2026, 2, 4, 22, 40) },
        ],
      },
    ]);
  });

  test('of the classic type is a separate session, asleep or awake, without stages', () => {
    expect(records(page('sleep', [nap])).sleep).toMatchObject([
      {
        sourceId: '881',
        asleepMinutes: 24,
        awakeMinutes: 6,
        deepMinutes: null,
        lightMinutes: null,
        remMinutes: null,
        inBedMinutes: 30,
      },
    ]);
  });

  test('without stages yet has the values of its summary', () => {
    const { stages: _, ...bare } = night.sleep;
    const early = { ...night, sleep: { ...bare, metadata: { processed: false }, updateTime: '2026-03-04T22:50:00Z' } };
    expect(records(page('sleep', [early])).sleep).toMatchObject([
      { asleepMinutes: 430, awakeMinutes: 20, deepMinutes: null },
    ]);
    for (const points of [
      [early, night],
      [night, early],
    ])
      expect(records(page('sleep', points)).sleep).toMatchObject([{ sourceId: '880', deepMinutes: 60 }]);
  });

  test('that is edited keeps its id while its start moves', () => {
    const moved = {
      ...night,
      sleep: {
        ...night.sleep,
        interval: { ...night.sleep.interval, startTime: '2026-03-04T15:20:00Z' },
        stages: night.sleep.stages.slice(1),
        updateTime: '2026-03-05T09:00:00Z',
      },
    };
    expect(records(page('sleep', [night]), page('sleep', [moved])).sleep).toMatchObject([
      {
        sourceId: '880',
        startMs: Date.UTC(2026, 2, 4, 15, 20),
        asleepMinutes: 430,
        awakeMinutes: 10,
        inBedMinutes: 440,
      },
    ]);
  });

  test('on a plane belongs to the day of its end in the zone where it ended', () => {
    // On the way from Tokyo to Paris, it ended at 23:40 in Paris on the 4th, and at 07:40 in Tokyo
    // on the 5th.
    const flown = { ...night.sleep.interval, endUtcOffset: '3600s' };
    const offsetsBetween = (from: string, to: string) =>
      readInMarch('google_health', [page('sleep', [{ ...night, sleep: { ...night.sleep, interval: flown } }])], {
        requested: { from, to },
      }).records.sleep.map(({ offsetMinutes }) => offsetMinutes);
    expect(offsetsBetween('2026-03-04', '2026-03-04')).toEqual([60]);
    expect(offsetsBetween('2026-03-05', '2026-03-05')).toEqual([]);
  });

  test('that ended on the day before the requested days is left out', () => {
    // 14:40 UTC on the 4th is 23:40 on the 4th in Tokyo.
    const evening = { ...nap.sleep.interval, startTime: '2026-03-04T14:00:00Z', endTime: '2026-03-04T14:40:00Z' };
    expect(records(page('sleep', [{ ...nap, sleep: { ...nap.sleep, interval: evening, stages: [] } }])).sleep).toEqual(
      [],
    );
  });
});

describe('workouts', () => {
  test('a paused walk spans from start to end, and its highest heart rate is that of its samples', () => {
    const { workouts, samples } = records(
      page('exercise', [walk]),
      page('exercise-heart-rate', [beat('2026-03-05T09:30:05Z', '141'), beat('2026-03-05T09:30:00Z', '139')], '77'),
      page('exercise-heart-rate', [beat('2026-03-05T09:40:00Z', '190')], 'another'),
    );
    expect(workouts).toEqual([
      {
        type: 'walking',
        sourceType: 'WALKING',
        name: 'Walk',
        startMs: Date.UTC(2026, 2, 5, 9),
        endMs: Date.UTC(2026, 2, 5, 10, 10),
        offsetMinutes: 540,
        calories: 542,
        distanceKm: 3.2485,
        avgHeartRate: 126,
        maxHeartRate: 141,
        elevationMeters: 21.5,
        steps: 4699,
        heartRate: [
          { atMs: Date.UTC(2026, 2, 5, 9, 30), bpm: 139 },
          { atMs: Date.UTC(2026, 2, 5, 9, 30, 5), bpm: 141 },
        ],
        sourceId: '77',
      },
    ]);
    expect(samples.map(({ metric, startMs, endMs, value }) => [metric, startMs, endMs, value])).toEqual([
      ['walking', Date.UTC(2026, 2, 5, 9), Date.UTC(2026, 2, 5, 10, 10), 3.2485],
    ]);
  });

  test.each([
    ['BIKING', 'cycling', 'cycling'],
    ['RUNNING', 'running', 'running'],
    ['TREADMILL', 'indoor_running', 'indoor_running'],
    ['SWIMMING', 'swimming', 'swimming'],
    ['YOGA', 'yoga', undefined],
    ['OUTDOOR_BIKE', 'cycling', 'cycling'],
    ['ELECTRIC_BIKE', 'e_biking', 'cycling'],
    ['TRAIL_RUN', 'trail_running', 'running'],
    ['INCLINE_RUN', 'running', 'running'],
    ['POWER_WALKING', 'power_walking', 'walking'],
    ['TREADMILL_WALK', 'indoor_walking', 'indoor_walking'],
    ['PARKOUR_ON_THE_MOON', 'other', undefined],
    ['EXERCISE_TYPE_UNSPECIFIED', 'other', undefined],
    [null, 'other', undefined],
  ])('%s is %s', (exerciseType, type, metric) => {
    const { workouts, samples } = records(
      page('exercise', [{ ...walk, exercise: { ...walk.exercise, exerciseType } }]),
    );
    expect([workouts[0]?.type, samples[0]?.metric]).toEqual([type, metric]);
  });

  test('the version that was updated last counts, in any order', () => {
    const edited = {
      ...walk,
      exercise: { ...walk.exercise, exerciseType: 'HIKING', updateTime: '2026-03-06T08:00:00Z' },
    };
    for (const points of [
      [walk, edited],
      [edited, walk],
    ])
      expect(records(page('exercise', points)).workouts.map(({ type }) => type)).toEqual(['hiking']);
  });

  test('a swim has the length of its pool', () => {
    const exercise = {
      ...walk.exercise,
      exerciseType: 'SWIMMING',
      exerciseMetadata: { poolLengthMillimeters: '22860' },
    };
    expect(records(page('exercise', [{ ...walk, exercise }])).workouts).toMatchObject([{ swimmingLapLengthM: 22.86 }]);
  });

  test('a workout without summary and heart rate has only its times', () => {
    const { metricsSummary: _, displayName: __, ...bare } = walk.exercise;
    expect(records(page('exercise', [{ ...walk, exercise: bare }])).workouts).toMatchObject([
      { calories: null, distanceKm: null, steps: null, maxHeartRate: null, heartRate: null, name: null },
    ]);
  });
});

describe('a measurement', () => {
  const at = '2026-03-05T22:05:00Z';
  const atMs = Date.UTC(2026, 2, 5, 22, 5);
  const sampleTime = {
    physicalTime: at,
    utcOffset: '32400s',
    civilTime: { date: { year: 2026, month: 3, day: 6 }, time: { hours: 7 } },
  };

  test.each([
    ['weight', { weight: { sampleTime, weightGrams: 71350 } }, [['weight', 71.35]]],
    ['body-fat', { bodyFat: { sampleTime, percentage: 19.4 } }, [['body_fat_percentage', 19.4]]],
    ['height', { height: { sampleTime, heightMillimeters: '1782' } }, [['height', 178.2]]],
    [
      'core-body-temperature',
      { coreBodyTemperature: { sampleTime, temperatureCelsius: 36.7 } },
      [['body_temperature', 36.7]],
    ],
    [
      'blood-glucose',
      { bloodGlucose: { sampleTime, bloodGlucoseMilligramsPerDeciliter: 98 } },
      [['blood_glucose', 98]],
    ],
    ['vo2-max', { vo2Max: { sampleTime, vo2Max: 44.1 } }, [['vo2_max', 44.1]]],
    [
      'heart-rate-variability',
      {
        heartRateVariability: {
          sampleTime,
          rootMeanSquareOfSuccessiveDifferencesMilliseconds: 41.5,
          standardDeviationMilliseconds: 52,
        },
      },
      [
        ['heart_rate_variability_rmssd', 41.5],
        ['heart_rate_variability', 52],
      ],
    ],
  ])('of type %s is read', (type, point, expected) => {
    expect(sampled(page(type, [point]))).toEqual(expected.map(([metric, value]) => [metric, atMs, value, 540]));
  });

  test('of heart rate is an average of five minutes, at their start', () => {
    const stretch = (startTime: string, endTime: string, beatsPerMinuteAvg: number) => ({
      startTime,
      endTime,
      heartRate: { beatsPerMinuteAvg, beatsPerMinuteMin: 1, beatsPerMinuteMax: 2 },
    });
    expect(sampled(totals('heart-rate', [stretch('2026-03-05T09:05:00Z', '2026-03-05T09:10:00Z', 71.25)]))).toEqual([
      ['heart_rate', Date.UTC(2026, 2, 5, 9, 5), 71.25, null],
    ]);
  });
});

test('the foods of a meal add up, sodium, cholesterol and caffeine are in milligrams, and a drink is in milliliters', () => {
  const interval = { startTime: '2026-03-05T03:00:00Z', endTime: '2026-03-05T03:30:00Z', startUtcOffset: '32400s' };
  const food = (id: string, more: object) => ({
    dataPointName: `users/1/dataTypes/nutrition-log/dataPoints/${id}`,
    nutritionLog: { interval, mealType: 'LUNCH', ...more },
  });
  const grams = (nutrient: string, value: number) => ({ nutrient, quantity: { grams: value } });
  const rice = food('1', {
    energy: { kcal: 200 },
    totalCarbohydrate: { grams: 44.5 },
    nutrients: [grams('PROTEIN', 4.2)],
  });
  const fish = food('2', {
    energy: { kcal: 165 },
    totalFat: { grams: 3.6 },
    nutrients: [
      grams('PROTEIN', 31),
      grams('SODIUM', 0.074),
      grams('CHOLESTEROL', 0.085),
      grams('MAGNESIUM', 0.03),
      grams('CAFFEINE', 0.0021),
    ],
  });
  const tea = {
    dataPointName: 'users/1/dataTypes/hydration-log/dataPoints/3',
    hydrationLog: { interval, amountConsumed: { milliliters: 250, userProvidedUnit: 'CUP' } },
  };
  const day = records(
    page('nutrition-log', [rice, fish, rice]),
    page('hydration-log', [tea, { hydrationLog: { interval } }]),
  ).samples;
  expect(Object.fromEntries(day.map(({ metric, value }) => [metric, value]))).toEqual({
    water: 250,
    dietary_energy: 365,
    carbohydrates: 44.5,
    fat: 3.6,
    protein: 35.2,
    sodium: 74,
    cholesterol: 85,
    caffeine: 2.1,
  });
  expect(new Set(day.map(({ startMs }) => startMs))).toEqual(new Set([Date.UTC(2026, 2, 5, 3)]));
  expect(day).toHaveLength(8);
});
