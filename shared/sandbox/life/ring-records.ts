// What the ring reports for a date: sleep, heart rate, workouts, and its own estimate of the
// activity.
import { meanOf } from '../../platform/arithmetic.ts';
import { formatTimestamp } from '../../platform/time/time.ts';
import type { QuarterHour } from './activity.ts';
import type { DayPlan } from './day-plan.ts';
import {
  buildSample,
  type DeviceRecords,
  emptyRecords,
  offsetField,
  toUploadedMeasures,
  type UploadedDaily,
  type UploadedSample,
  type UploadedSleep,
  type UploadedWorkout,
} from './device-records.ts';
import {
  type BpmReading,
  heartRateIntervalMs,
  roundToTenth,
  simulateHeartRate,
  simulateNightHeartRate,
  simulateOxygen,
  simulateStress,
  simulateTrace,
  simulateVariability,
} from './heart-rate.ts';
import type { PlannedSleep } from './plan-sleep.ts';
import type { PlannedWorkout } from './plan-workout.ts';
import { wearsWatch } from './scenario.ts';
import { createSeededRandom } from './seeded-random.ts';
import { isDateMissing, isRingOff, type SimulatedUser } from './simulated-user.ts';
import { simulateSleepStages } from './sleep-stages.ts';

/** Includes only what is over by `untilMs`. */
export function buildRingRecords(
  user: SimulatedUser,
  plan: DayPlan,
  quarters: readonly QuarterHour[],
  untilMs: number,
): DeviceRecords {
  if (isDateMissing(user, plan.date) || isRingOff(user, plan.date) || wearsWatch(user, plan.date)) return emptyRecords;
  return buildWearableRecords(user, plan, quarters, untilMs);
}

/** What any device reports that is worn day and night. */
export function buildWearableRecords(
  user: SimulatedUser,
  plan: DayPlan,
  quarters: readonly QuarterHour[],
  untilMs: number,
): DeviceRecords {
  const heartRates = simulateHeartRate(user, plan, quarters).filter(({ ms }) => ms + heartRateIntervalMs <= untilMs);
  const sleeps = plan.sleeps.filter(({ endMs }) => endMs <= plan.endMs && endMs <= untilMs);
  const workouts = plan.workouts.filter(({ endMs }) => endMs <= untilMs);
  const completed = quarters.filter(({ endMs }) => endMs <= untilMs);
  return {
    samples: [
      ...heartRates.map(({ ms, bpm }) =>
        buildSample(user, plan.date, 'heart_rate', 'bpm', { startMs: ms, value: bpm }),
      ),
      ...buildSleepSamples(user, plan, sleeps),
      ...simulateStress(user, plan, heartRates).map(({ ms, value }) =>
        buildSample(user, plan.date, 'stress_score', 'score', { startMs: ms, value }),
      ),
    ],
    daily: [
      ...(plan.night.endMs <= untilMs ? buildNightTotals(user, plan) : []),
      ...buildDayTotals(user, plan, completed, heartRates, workouts),
    ],
    sleep: sleeps.map((sleep) => sleepRecord(user, plan.date, sleep)),
    workouts: workouts.map((workout) => workoutRecord(user, plan, workout)),
  };
}

/**
 * A ring measures these during sleep and reports them when the sleep is over, because half a night
 * says nothing about the morning.
 */
function buildSleepSamples(user: SimulatedUser, plan: DayPlan, completed: readonly PlannedSleep[]): UploadedSample[] {
  const isOnDate = ({ ms }: { ms: number }) => ms >= plan.startMs && ms < plan.endMs;
  return completed.flatMap((sleep) => {
    const oxygen = user.habits.hasGaps ? [] : simulateOxygen(user, sleep, plan.condition);
    return [
      ...simulateVariability(user, sleep, plan.condition)
        .filter(isOnDate)
        .map(({ ms, value }) =>
          buildSample(user, plan.date, 'heart_rate_variability_rmssd', 'ms', { startMs: ms, value }),
        ),
      ...oxygen
        .filter(isOnDate)
        .map(({ ms, value }) => buildSample(user, plan.date, 'blood_oxygen', '%', { startMs: ms, value })),
    ];
  });
}

export const nightlyRmssd = (user: SimulatedUser, { night, condition }: DayPlan): number =>
  roundToTenth(meanOf(simulateVariability(user, night, condition).map(({ value }) => value)));

/**
 * Values of the whole night are daily totals, because the samples before midnight are on the
 * previous date.
 */
function buildNightTotals(user: SimulatedUser, plan: DayPlan): UploadedDaily[] {
  const { night, condition } = plan;
  const toRecord = (metric: string, value: number, unit: string): UploadedDaily => ({
    date: plan.date,
    metric,
    value,
    unit,
  });
  const rmssd = nightlyRmssd(user, plan);
  const oxygen = roundToTenth(meanOf(simulateOxygen(user, night, condition).map(({ value }) => value)));
  const breaths = roundToTenth(condition.breathsPerMinute);
  return [
    toRecord('resting_heart_rate', roundToTenth(condition.restingBpm), 'bpm'),
    toRecord('heart_rate_variability_rmssd', rmssd, 'ms'),
    toRecord('sleep_heart_rate_variability', rmssd, 'ms'),
    toRecord('sleep_heart_rate', roundToTenth(meanOf(simulateNightHeartRate(user, plan).map(({ bpm }) => bpm))), 'bpm'),
    toRecord('sleep_respiratory_rate', breaths, 'brpm'),
    toRecord('respiratory_rate', breaths, 'brpm'),
    toRecord('sleep_latency', night.latencyMinutes, 'min'),
    ...(user.habits.hasGaps
      ? []
      : [
          toRecord('sleep_blood_oxygen', oxygen, '%'),
          toRecord('blood_oxygen', oxygen, '%'),
          toRecord('sleep_skin_temperature', roundToTenth(condition.skinCelsius), '°C'),
          toRecord('skin_temperature', roundToTenth(condition.skinCelsius), '°C'),
          toRecord('vo2_max', roundToTenth(user.vo2Max), 'mL/kg/min'),
        ]),
  ];
}

/** A ring counts slightly fewer steps than a phone in a pocket. */
function buildDayTotals(
  user: SimulatedUser,
  plan: DayPlan,
  completed: readonly QuarterHour[],
  heartRates: readonly BpmReading[],
  workouts: readonly PlannedWorkout[],
): UploadedDaily[] {
  if (completed.length === 0 || heartRates.length === 0) return [];
  const countedShare = createSeededRandom(user.lifeSeed, 'ring', plan.date).uniform(0.92, 0.99);
  const total = (field: 'steps' | 'metres' | 'activeKcal' | 'restingKcal') =>
    completed.reduce((sum, each) => sum + each[field], 0);
  const active = Math.round(total('activeKcal') * countedShare);
  const bpm = [...heartRates, ...workouts.flatMap((workout) => simulateTrace(user, plan, workout))].map(
    (reading) => reading.bpm,
  );
  const toRecord = (metric: string, value: number, unit: string): UploadedDaily => ({
    date: plan.date,
    metric,
    value,
    unit,
  });
  const hasMoved = total('steps') > 0;
  return [
    toRecord('min_heart_rate', Math.min(...bpm), 'bpm'),
    toRecord('max_heart_rate', Math.max(...bpm), 'bpm'),
    // Before the user has got up, nothing is counted, which is not the same as zero.
    ...(hasMoved
      ? [
          toRecord('steps', Math.round(total('steps') * countedShare), 'count'),
          toRecord('distance', Math.round(total('metres') * countedShare) / 1000, 'km'),
          toRecord('active_calories', active, 'kcal'),
        ]
      : []),
    toRecord('resting_energy', total('restingKcal'), 'kcal'),
    toRecord('total_calories', active + total('restingKcal'), 'kcal'),
  ];
}

const sleepRecord = (user: SimulatedUser, date: string, sleep: PlannedSleep): UploadedSleep => ({
  start: formatTimestamp(sleep.startMs),
  end: formatTimestamp(sleep.endMs),
  ...offsetField(user, date, sleep.endMs),
  asleep_minutes: sleep.asleepMinutes,
  deep_minutes: sleep.deepMinutes,
  light_minutes: sleep.lightMinutes,
  rem_minutes: sleep.remMinutes,
  awake_minutes: sleep.awakeMinutes,
  in_bed_minutes: sleep.asleepMinutes + sleep.awakeMinutes,
  stages: simulateSleepStages(user, sleep).map(({ stage, startMs, endMs }) => ({
    stage,
    start: formatTimestamp(startMs),
    end: formatTimestamp(endMs),
  })),
});

function workoutRecord(user: SimulatedUser, plan: DayPlan, workout: PlannedWorkout): UploadedWorkout {
  const trace = simulateTrace(user, plan, workout);
  const bpm = trace.map((reading) => reading.bpm);
  return {
    type: workout.sport,
    name: workout.name,
    start: formatTimestamp(workout.startMs),
    end: formatTimestamp(workout.endMs),
    ...offsetField(user, plan.date, workout.startMs),
    calories: workout.kcal,
    distance_km: workout.distanceKm,
    avg_heart_rate: Math.round(meanOf(bpm)),
    max_heart_rate: Math.max(...bpm),
    ...(workout.elevationMetres === null ? {} : { elevation_meters: workout.elevationMetres }),
    ...(workout.steps === 0 ? {} : { steps: workout.steps }),
    ...toUploadedMeasures(workout.measures),
    heart_rate: trace.map((reading) => ({ timestamp: formatTimestamp(reading.ms), bpm: reading.bpm })),
  };
}
