// A made-up life in Google Health's data points.
import { createHash } from 'node:crypto';
import type { LifeDay, LifeSleep, LifeWorkout } from './life.ts';

const types: Readonly<Record<string, string>> = {
  walking: 'WALKING',
  running: 'RUNNING',
  cycling: 'BIKING',
  swimming: 'SWIMMING',
};

const numbered = (id: string): string => String(createHash('sha256').update(id).digest().readUIntBE(0, 6));
const time = (ms: number): string => new Date(ms).toISOString();
const offset = (minutes: number): string => `${minutes * 60}s`;
const minuteMs = 60_000;

/** A zero is left out. */
const clock = (ms: number, offsetMinutes: number) => {
  const wall = new Date(ms + offsetMinutes * minuteMs);
  const [hours, minutes, seconds] = [wall.getUTCHours(), wall.getUTCMinutes(), wall.getUTCSeconds()];
  return {
    date: { year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, day: wall.getUTCDate() },
    time: { ...(hours && { hours }), ...(minutes && { minutes }), ...(seconds && { seconds }) },
  };
};

function civil(date: string) {
  const [year, month, day] = date.split('-').map(Number);
  return { year, month, day };
}

const interval = ({ startMs, endMs, offsetMinutes }: Pick<LifeSleep, 'startMs' | 'endMs' | 'offsetMinutes'>) => ({
  startTime: time(startMs),
  startUtcOffset: offset(offsetMinutes),
  endTime: time(endMs),
  endUtcOffset: offset(offsetMinutes),
});

/** One after the other: nobody is told in which order they were. */
function stagesOf({ startMs, awakeMinutes, lightMinutes, deepMinutes, remMinutes }: LifeSleep) {
  let at = startMs;
  return Object.entries({ AWAKE: awakeMinutes, LIGHT: lightMinutes, DEEP: deepMinutes, REM: remMinutes })
    .filter(([, minutes]) => minutes > 0)
    .map(([type, minutes]) => {
      const stage = { startTime: time(at), endTime: time(at + minutes * minuteMs), type };
      at += minutes * minuteMs;
      return stage;
    });
}

const night = (sleep: LifeSleep, account: string) => ({
  name: `users/${account}/dataTypes/sleep/dataPoints/${numbered(sleep.id)}`,
  sleep: {
    interval: interval(sleep),
    type: 'STAGES',
    stages: stagesOf(sleep),
    metadata: { stagesStatus: 'SUCCEEDED', processed: true, ...(sleep.isNap ? { nap: true } : { mainSleep: true }) },
    summary: {
      minutesAsleep: String(Math.round(sleep.asleepMinutes)),
      minutesAwake: String(Math.round(sleep.awakeMinutes)),
    },
    updateTime: time(sleep.endMs),
  },
});

const pool = ({ measures }: LifeWorkout) =>
  measures?.swimmingLapLengthM
    ? { exerciseMetadata: { poolLengthMillimeters: String(measures.swimmingLapLengthM * 1000) } }
    : {};

const exercise = (workout: LifeWorkout, account: string) => ({
  name: `users/${account}/dataTypes/exercise/dataPoints/${numbered(workout.id)}`,
  exercise: {
    interval: { ...interval(workout), civilStartTime: clock(workout.startMs, workout.offsetMinutes) },
    exerciseType: types[workout.sport] ?? 'WORKOUT',
    displayName: workout.name,
    activeDuration: `${(workout.endMs - workout.startMs) / 1000}s`,
    ...pool(workout),
    metricsSummary: {
      caloriesKcal: workout.kcal,
      ...(isSummed(workout) ? { distanceMillimeters: workout.distanceKm * 1_000_000 } : {}),
      ...(workout.steps > 0 ? { steps: String(workout.steps) } : {}),
      averageHeartRateBeatsPerMinute: String(Math.round(workout.avgBpm)),
      ...(workout.elevationMetres === null ? {} : { elevationGainMillimeters: workout.elevationMetres * 1000 }),
    },
    updateTime: time(workout.endMs),
  },
});

/** Bicycles tell their distance minute by minute, and not in the summary. */
const isSummed = ({ sport }: LifeWorkout): boolean => sport !== 'cycling';

const minutesOf = ({ startMs, endMs, distanceKm }: LifeWorkout) =>
  Array.from({ length: Math.ceil((endMs - startMs) / minuteMs) }, (_, at) => {
    const from = startMs + at * minuteMs;
    const until = Math.min(from + minuteMs, endMs);
    const millimeters = String(Math.round((distanceKm * 1_000_000 * (until - from)) / (endMs - startMs)));
    return { distance: { interval: { startTime: time(from), endTime: time(until) }, millimeters } };
  });

type Told = (day: LifeDay, account: string) => readonly unknown[];

/** Nothing where the life has no number. */
const total =
  (field: string, of: (day: LifeDay) => object | null): Told =>
  (day) => {
    const value = of(day);
    return value ? [{ civilStartTime: { date: civil(day.date), time: {} }, [field]: value }] : [];
  };
const whole = (name: string, value: number | null): object | null =>
  value === null ? null : { [name]: String(Math.round(value)) };
const ofDay =
  (field: string, name: string, of: (day: LifeDay) => number | null): Told =>
  (day) => {
    const value = of(day);
    return value === null ? [] : [{ [field]: { date: civil(day.date), [name]: value } }];
  };

const morningMs = 7 * 3_600_000;
const measured =
  (field: string, name: string, of: (day: LifeDay) => number | null): Told =>
  (day) => {
    const value = of(day);
    const up = Math.max(day.startMs, ...day.sleeps.filter(({ isNap }) => !isNap).map(({ endMs }) => endMs));
    const at = up === day.startMs ? day.startMs + morningMs : up + 10 * minuteMs;
    return value === null ? [] : [{ [field]: { sampleTime: { physicalTime: time(at) }, [name]: value } }];
  };

const beats: Told = ({ heartRate, workouts }) =>
  [...heartRate, ...workouts.flatMap(({ trace }) => trace)].map(({ ms, bpm }) => ({
    heartRate: { sampleTime: { physicalTime: time(ms) }, beatsPerMinute: String(Math.round(bpm)) },
  }));

const told: Readonly<Record<string, Told>> = {
  settings: ({ zone }) => [{ timeZone: zone }],
  sleep: ({ sleeps }, account) => sleeps.map((sleep) => night(sleep, account)),
  exercise: ({ workouts }, account) => workouts.map((workout) => exercise(workout, account)),
  'heart-rate': beats,
  'heart-rate-variability': ({ variability }) =>
    variability.map(({ ms, value }) => ({
      heartRateVariability: {
        sampleTime: { physicalTime: time(ms) },
        rootMeanSquareOfSuccessiveDifferencesMilliseconds: value,
      },
    })),
  'daily:steps': total('steps', ({ steps }) => whole('countSum', steps)),
  'daily:distance': total('distance', ({ distanceKm }) =>
    whole('millimetersSum', distanceKm === null ? null : distanceKm * 1_000_000),
  ),
  'daily:active-energy-burned': total('activeEnergyBurned', ({ activeKcal }) =>
    activeKcal === null ? null : { kcalSum: activeKcal },
  ),
  'daily:total-calories': total('totalCalories', ({ activeKcal, restingKcal }) =>
    activeKcal === null || restingKcal === null ? null : { kcalSum: activeKcal + restingKcal },
  ),
  'daily:active-minutes': total('activeMinutes', ({ exerciseMinutes }) =>
    exerciseMinutes === null
      ? null
      : {
          activeMinutesRollupByActivityLevel: [
            { activityLevel: 'LIGHT', activeMinutesSum: '90' },
            { activityLevel: 'VIGOROUS', activeMinutesSum: String(Math.round(exerciseMinutes)) },
          ],
        },
  ),
  'daily:heart-rate': total('heartRate', ({ minBpm, maxBpm }) =>
    minBpm === null || maxBpm === null ? null : { beatsPerMinuteMin: minBpm, beatsPerMinuteMax: maxBpm },
  ),
  'daily-resting-heart-rate': (day) =>
    day.restingBpm === null
      ? []
      : [{ dailyRestingHeartRate: { date: civil(day.date), beatsPerMinute: String(Math.round(day.restingBpm)) } }],
  'daily-heart-rate-variability': ofDay(
    'dailyHeartRateVariability',
    'averageHeartRateVariabilityMilliseconds',
    ({ rmssdMs }) => rmssdMs,
  ),
  'daily-oxygen-saturation': ofDay('dailyOxygenSaturation', 'averagePercentage', ({ oxygenPct }) => oxygenPct),
  'daily-respiratory-rate': ofDay(
    'dailyRespiratoryRate',
    'breathsPerMinute',
    ({ breathsPerMinute }) => breathsPerMinute,
  ),
  'daily-sleep-temperature-derivations': ofDay(
    'dailySleepTemperatureDerivations',
    'nightlyTemperatureCelsius',
    ({ skinCelsius }) => skinCelsius,
  ),
  weight: measured('weight', 'weightGrams', ({ weightKg }) => (weightKg === null ? null : weightKg * 1000)),
  'body-fat': measured('bodyFat', 'percentage', ({ bodyFatPct }) => bodyFatPct),
  'vo2-max': measured('vo2Max', 'vo2Max', ({ vo2Max }) => vo2Max),
  'daily-vo2-max': ofDay('dailyVo2Max', 'vo2Max', ({ vo2Max }) => vo2Max),
  'run-vo2-max': (day) =>
    day.vo2Max === null
      ? []
      : day.workouts
          .filter(({ sport }) => sport === 'running')
          .map(({ endMs }) => ({
            runVo2Max: { sampleTime: { physicalTime: time(endMs) }, runVo2Max: day.vo2Max },
          })),
  'oxygen-saturation': measured('oxygenSaturation', 'percentage', ({ oxygenPct }) => oxygenPct),
  distance: ({ workouts }) => workouts.flatMap(minutesOf),
};

export const googleHealthLife = (resource: string, days: readonly LifeDay[], account: string): readonly unknown[] =>
  days.flatMap((day) => told[resource]?.(day, account) ?? []);
