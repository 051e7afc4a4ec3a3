// Renders simulated days as Google Health's data points.
import { createHash } from 'node:crypto';
import type { SimulatedDay, SimulatedSleep, SimulatedWorkout } from './simulated-day.ts';

const exerciseTypes: Readonly<Record<string, string>> = {
  walking: 'WALKING',
  running: 'RUNNING',
  cycling: 'BIKING',
  swimming: 'SWIMMING',
};

const toNumericId = (id: string): string => String(createHash('sha256').update(id).digest().readUIntBE(0, 6));
const toIso = (ms: number): string => new Date(ms).toISOString();
const formatOffsetSeconds = (minutes: number): string => `${minutes * 60}s`;
const minuteMs = 60_000;

/** Zeros are omitted. */
const toCivilTime = (ms: number, offsetMinutes: number) => {
  const localTime = new Date(ms + offsetMinutes * minuteMs);
  const [hours, minutes, seconds] = [localTime.getUTCHours(), localTime.getUTCMinutes(), localTime.getUTCSeconds()];
  return {
    date: { year: localTime.getUTCFullYear(), month: localTime.getUTCMonth() + 1, day: localTime.getUTCDate() },
    time: { ...(hours && { hours }), ...(minutes && { minutes }), ...(seconds && { seconds }) },
  };
};

function toCivilDate(date: string) {
  const [year, month, day] = date.split('-').map(Number);
  return { year, month, day };
}

const toInterval = ({
  startMs,
  endMs,
  offsetMinutes,
}: Pick<SimulatedSleep, 'startMs' | 'endMs' | 'offsetMinutes'>) => ({
  startTime: toIso(startMs),
  startUtcOffset: formatOffsetSeconds(offsetMinutes),
  endTime: toIso(endMs),
  endUtcOffset: formatOffsetSeconds(offsetMinutes),
});

const buildStages = ({ stages }: SimulatedSleep) =>
  stages.map(({ stage, startMs, endMs }) => ({
    startTime: toIso(startMs),
    endTime: toIso(endMs),
    type: stage.toUpperCase(),
  }));

const buildSleepPoint = (sleep: SimulatedSleep, account: string) => ({
  name: `users/${account}/dataTypes/sleep/dataPoints/${toNumericId(sleep.id)}`,
  sleep: {
    interval: toInterval(sleep),
    type: 'STAGES',
    stages: buildStages(sleep),
    metadata: { stagesStatus: 'SUCCEEDED', processed: true, ...(sleep.isNap ? { nap: true } : { mainSleep: true }) },
    summary: {
      minutesAsleep: String(Math.round(sleep.asleepMinutes)),
      minutesAwake: String(Math.round(sleep.awakeMinutes)),
    },
    updateTime: toIso(sleep.endMs),
  },
});

const poolMetadata = ({ measures }: SimulatedWorkout) =>
  measures?.swimmingLapLengthM
    ? { exerciseMetadata: { poolLengthMillimeters: String(measures.swimmingLapLengthM * 1000) } }
    : {};

const buildExercisePoint = (workout: SimulatedWorkout, account: string) => ({
  name: `users/${account}/dataTypes/exercise/dataPoints/${toNumericId(workout.id)}`,
  exercise: {
    interval: { ...toInterval(workout), civilStartTime: toCivilTime(workout.startMs, workout.offsetMinutes) },
    exerciseType: exerciseTypes[workout.sport] ?? 'WORKOUT',
    displayName: workout.name,
    activeDuration: `${(workout.endMs - workout.startMs) / 1000}s`,
    ...poolMetadata(workout),
    metricsSummary: {
      caloriesKcal: workout.kcal,
      ...(hasSummaryDistance(workout) ? { distanceMillimeters: workout.distanceKm * 1_000_000 } : {}),
      ...(workout.steps > 0 ? { steps: String(workout.steps) } : {}),
      averageHeartRateBeatsPerMinute: String(Math.round(workout.avgBpm)),
      ...(workout.elevationMetres === null ? {} : { elevationGainMillimeters: workout.elevationMetres * 1000 }),
    },
    updateTime: toIso(workout.endMs),
  },
});

/** Bike rides report their distance minute by minute, and not in the summary. */
const hasSummaryDistance = ({ sport }: SimulatedWorkout): boolean => sport !== 'cycling';

const buildDistancePoints = ({ startMs, endMs, distanceKm }: SimulatedWorkout) =>
  Array.from({ length: Math.ceil((endMs - startMs) / minuteMs) }, (_, at) => {
    const from = startMs + at * minuteMs;
    const until = Math.min(from + minuteMs, endMs);
    const millimeters = String(Math.round((distanceKm * 1_000_000 * (until - from)) / (endMs - startMs)));
    return { distance: { interval: { startTime: toIso(from), endTime: toIso(until) }, millimeters } };
  });

type ResourceBuilder = (day: SimulatedDay, account: string) => readonly unknown[];

/** Empty if the simulated day has no value. */
const dailyTotal =
  (field: string, read: (day: SimulatedDay) => object | null): ResourceBuilder =>
  (day) => {
    const value = read(day);
    return value ? [{ civilStartTime: { date: toCivilDate(day.date), time: {} }, [field]: value }] : [];
  };
const roundedField = (name: string, value: number | null): object | null =>
  value === null ? null : { [name]: String(Math.round(value)) };
const dailyPoint =
  (field: string, name: string, read: (day: SimulatedDay) => number | null): ResourceBuilder =>
  (day) => {
    const value = read(day);
    return value === null ? [] : [{ [field]: { date: toCivilDate(day.date), [name]: value } }];
  };

const morningMs = 7 * 3_600_000;
const morningSample =
  (field: string, name: string, read: (day: SimulatedDay) => number | null): ResourceBuilder =>
  (day) => {
    const value = read(day);
    const wakeMs = Math.max(day.startMs, ...day.sleeps.filter(({ isNap }) => !isNap).map(({ endMs }) => endMs));
    const at = wakeMs === day.startMs ? day.startMs + morningMs : wakeMs + 10 * minuteMs;
    return value === null ? [] : [{ [field]: { sampleTime: { physicalTime: toIso(at) }, [name]: value } }];
  };

const heartRatePoints: ResourceBuilder = ({ heartRate, workouts }) =>
  [...heartRate, ...workouts.flatMap(({ trace }) => trace)].map(({ ms, bpm }) => ({
    heartRate: { sampleTime: { physicalTime: toIso(ms) }, beatsPerMinute: String(Math.round(bpm)) },
  }));

const resourceBuilders: Readonly<Record<string, ResourceBuilder>> = {
  settings: ({ zone }) => [{ timeZone: zone }],
  sleep: ({ sleeps }, account) => sleeps.map((sleep) => buildSleepPoint(sleep, account)),
  exercise: ({ workouts }, account) => workouts.map((workout) => buildExercisePoint(workout, account)),
  'heart-rate': heartRatePoints,
  'heart-rate-variability': ({ variability }) =>
    variability.map(({ ms, value }) => ({
      heartRateVariability: {
        sampleTime: { physicalTime: toIso(ms) },
        rootMeanSquareOfSuccessiveDifferencesMilliseconds: value,
      },
    })),
  'daily:steps': dailyTotal('steps', ({ steps }) => roundedField('countSum', steps)),
  'daily:distance': dailyTotal('distance', ({ distanceKm }) =>
    roundedField('millimetersSum', distanceKm === null ? null : distanceKm * 1_000_000),
  ),
  'daily:active-energy-burned': dailyTotal('activeEnergyBurned', ({ activeKcal }) =>
    activeKcal === null ? null : { kcalSum: activeKcal },
  ),
  'daily:total-calories': dailyTotal('totalCalories', ({ activeKcal, restingKcal }) =>
    activeKcal === null || restingKcal === null ? null : { kcalSum: activeKcal + restingKcal },
  ),
  'daily:active-minutes': dailyTotal('activeMinutes', ({ exerciseMinutes }) =>
    exerciseMinutes === null
      ? null
      : {
          activeMinutesRollupByActivityLevel: [
            { activityLevel: 'LIGHT', activeMinutesSum: '90' },
            { activityLevel: 'VIGOROUS', activeMinutesSum: String(Math.round(exerciseMinutes)) },
          ],
        },
  ),
  'daily:heart-rate': dailyTotal('heartRate', ({ minBpm, maxBpm }) =>
    minBpm === null || maxBpm === null ? null : { beatsPerMinuteMin: minBpm, beatsPerMinuteMax: maxBpm },
  ),
  'daily-resting-heart-rate': (day) =>
    day.restingBpm === null
      ? []
      : [
          {
            dailyRestingHeartRate: { date: toCivilDate(day.date), beatsPerMinute: String(Math.round(day.restingBpm)) },
          },
        ],
  'daily-heart-rate-variability': dailyPoint(
    'dailyHeartRateVariability',
    'averageHeartRateVariabilityMilliseconds',
    ({ rmssdMs }) => rmssdMs,
  ),
  'daily-oxygen-saturation': dailyPoint('dailyOxygenSaturation', 'averagePercentage', ({ oxygenPct }) => oxygenPct),
  'daily-respiratory-rate': dailyPoint(
    'dailyRespiratoryRate',
    'breathsPerMinute',
    ({ breathsPerMinute }) => breathsPerMinute,
  ),
  'daily-sleep-temperature-derivations': dailyPoint(
    'dailySleepTemperatureDerivations',
    'nightlyTemperatureCelsius',
    ({ skinCelsius }) => skinCelsius,
  ),
  weight: morningSample('weight', 'weightGrams', ({ weightKg }) => (weightKg === null ? null : weightKg * 1000)),
  'body-fat': morningSample('bodyFat', 'percentage', ({ bodyFatPct }) => bodyFatPct),
  'vo2-max': morningSample('vo2Max', 'vo2Max', ({ vo2Max }) => vo2Max),
  'daily-vo2-max': dailyPoint('dailyVo2Max', 'vo2Max', ({ vo2Max }) => vo2Max),
  'run-vo2-max': (day) =>
    day.vo2Max === null
      ? []
      : day.workouts
          .filter(({ sport }) => sport === 'running')
          .map(({ endMs }) => ({
            runVo2Max: { sampleTime: { physicalTime: toIso(endMs) }, runVo2Max: day.vo2Max },
          })),
  'oxygen-saturation': morningSample('oxygenSaturation', 'percentage', ({ oxygenPct }) => oxygenPct),
  distance: ({ workouts }) => workouts.flatMap(buildDistancePoints),
};

export const googleHealthItems = (
  resource: string,
  days: readonly SimulatedDay[],
  account: string,
): readonly unknown[] => days.flatMap((day) => resourceBuilders[resource]?.(day, account) ?? []);
