// Provider payloads that no sandbox persona has: treadmills, blood pressure, meals. Each is in its
// provider's own format.
import type { CloudProviderId } from '../../../../shared/catalog/provider.ts';
import type { ProviderPage } from '../../../../shared/providers/kit/provider-pages.ts';
import { page as googlePage, totals as googleTotals, walk as googleWalk, total } from '../google-health/payloads.ts';
import { listOf as ouraList } from '../oura/documents.ts';
import { bodyTemperature, exercise, physical } from '../polar/payloads.ts';
import { trailRun } from '../strava/payloads.ts';
import { documented, metrics } from '../ultrahuman/days.ts';
import { listOf as whoopList, workout } from '../whoop/records.ts';
import { night, watchDay, page as withingsPage, walk as withingsWalk } from '../withings/payloads.ts';

const json = (resource: string, body: unknown): ProviderPage => ({ resource, text: JSON.stringify(body) });

const whoop = ['spin', 'meditation'].map((sport_name) => ({ ...workout, id: sport_name, sport_name }));

const garminOwn = { userId: 'ada', summaryId: 's', startTimeInSeconds: 1_773_187_200, startTimeOffsetInSeconds: 3600 };
const garminMoment = { measurementTimeInSeconds: 1_773_212_400, measurementTimeOffsetInSeconds: 3600 };
const garmin = {
  dailies: [{ ...garminOwn, calendarDate: '2026-03-11', durationInSeconds: 86_400, floorsClimbed: 8 }],
  activities: ['INDOOR_WALKING', 'TREADMILL_RUNNING', 'INDOOR_CYCLING'].map((activityType, at) => ({
    ...{ ...garminOwn, startTimeInSeconds: 1_773_244_800 + at * 7200 },
    ...{ activityId: at, activityType, durationInSeconds: 3600, distanceInMeters: 5000 },
  })),
  bodyComps: [
    {
      ...garminMoment,
      ...{ bodyWaterInPercent: 55.1, bodyMassIndex: 22.9, muscleMassInGrams: 33_100, boneMassInGrams: 3050 },
    },
  ],
  bloodPressures: [{ ...garminMoment, systolic: 118, diastolic: 76 }],
};

const polarSports = ['INDOOR_WALKING', 'TREADMILL_RUNNING', 'INDOOR_CYCLING'].map((name, at) => ({
  ...exercise,
  id: `x${at}`,
  detailed_sport_info: name,
  sport: name.split('_')[1],
}));

const suuntoWorkouts = [52, 53].map((activityId) => ({
  workoutKey: `w${activityId}`,
  activityId,
  startTime: 1_778_680_800_000,
  stopTime: 1_778_684_400_000,
  totalTime: 3600,
  totalDistance: 9150,
  timeOffsetInMinutes: 120,
}));

const corosWorkouts = [8, 9].map((mode) => ({
  labelId: `4372651988701265${mode}`,
  ...{ mode, subMode: 2, distance: 10_012, duration: 3000, startTime: 1_773_216_000, endTime: 1_773_219_100 },
}));

const measured = (type: number, value: number, unit = 0) => ({ type, value, unit });
const withingsMeasures = [
  ...[measured(1, 80), measured(4, 178, -2), measured(5, 60), measured(8, 15), measured(9, 76), measured(10, 118)],
  ...[
    measured(54, 97),
    measured(71, 367, -1),
    measured(73, 341, -1),
    measured(76, 33),
    measured(77, 44),
    measured(88, 3),
  ],
];

const sampleTime = { physicalTime: '2026-03-05T22:05:00Z', utcOffset: '32400s' };
const interval = { startTime: '2026-03-05T03:00:00Z', endTime: '2026-03-05T03:30:00Z', startUtcOffset: '32400s' };
const nutrients = ['PROTEIN', 'SATURATED_FAT', 'DIETARY_FIBER', 'SUGAR', 'SODIUM', 'CHOLESTEROL', 'CAFFEINE'];
const googleSports = ['TREADMILL_WALKING', 'TREADMILL', 'SPINNING'].map((exerciseType, at) => ({
  dataPointName: `users/1/dataTypes/exercise/dataPoints/${at}`,
  exercise: { ...googleWalk.exercise, exerciseType },
}));

export const rarePages: Readonly<Record<CloudProviderId, readonly ProviderPage[]>> = {
  oura: [
    {
      resource: 'session',
      text: ouraList([
        {
          ...{ id: 's1', day: '2026-03-05', type: 'meditation' },
          ...{ start_datetime: '2026-03-05T08:00:00+01:00', end_datetime: '2026-03-05T08:10:00+01:00' },
        },
      ]),
    },
  ],
  whoop: [{ resource: 'workout', text: whoopList(...whoop) }],
  garmin: [json('push', garmin)],
  polar: [
    json('exercises', polarSports),
    json('body_temperature', [
      bodyTemperature,
      { ...bodyTemperature, measurement_type: 'TM_SKIN_TEMPERATURE', start_time: '2026-03-11T07:00:00' },
    ]),
    json('physical', physical),
  ],
  suunto: [
    json('workouts', { payload: suuntoWorkouts }),
    json('activity', [{ timestamp: '2026-05-13T10:20:00.000+02:00', entryData: { SpO2: 0.96 } }]),
  ],
  strava: [
    json('activities', [
      { ...trailRun, id: 1, sport_type: 'Walk', trainer: true },
      { ...trailRun, id: 2, sport_type: 'VirtualRun' },
      { ...trailRun, id: 3, sport_type: 'VirtualRide' },
    ]),
  ],
  withings: [
    withingsPage('activity', { activities: [{ ...watchDay, elevation: 12 }] }),
    withingsPage('workouts', {
      series: [306, 307, 308].map((category) => ({ ...withingsWalk, id: category, category })),
    }),
    withingsPage('sleep', { series: [{ ...night, data: { ...night.data, core_body_temperature_avg: 36.6 } }] }),
    withingsPage('intraday', { series: { 1772700000: { sdnn1: 52, spo2_auto: 0.97 } } }),
    withingsPage('measures', {
      measuregrps: [{ grpid: 1, attrib: 0, category: 1, date: 1772780000, measures: withingsMeasures }],
    }),
  ],
  google_health: [
    googleTotals('daily:floors', [total(5, { floors: { countSum: '12' } })]),
    googlePage('exercise', googleSports),
    googlePage('heart-rate-variability', [{ heartRateVariability: { sampleTime, standardDeviationMilliseconds: 52 } }]),
    googlePage('core-body-temperature', [{ coreBodyTemperature: { sampleTime, temperatureCelsius: 36.7 } }]),
    googlePage('blood-glucose', [{ bloodGlucose: { sampleTime, bloodGlucoseMilligramsPerDeciliter: 98 } }]),
    googlePage('height', [{ height: { sampleTime, heightMillimeters: '1782' } }]),
    googlePage('hydration-log', [{ hydrationLog: { interval, amountConsumed: { milliliters: 250 } } }]),
    googlePage('nutrition-log', [
      {
        nutritionLog: {
          ...{ interval, energy: { kcal: 200 }, totalCarbohydrate: { grams: 44.5 }, totalFat: { grams: 3.6 } },
          nutrients: nutrients.map((nutrient) => ({ nutrient, quantity: { grams: 0.05 } })),
        },
      },
    ]),
  ],
  ultrahuman: [{ resource: 'metrics', text: documented({ '2026-03-05': metrics }), parameter: '2026-03-05' }],
  coros: [
    json('sport', { result: '0000', data: corosWorkouts }),
    json('daily', {
      result: '0000',
      data: { dailyList: [{ happenDay: 20_260_311, hrvList: [{ hrv: 45, hr: 56, timestamp: 1_773_190_800 }] }] },
    }),
  ],
};
