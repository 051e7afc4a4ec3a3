// Simulates the heart rate every five minutes of a date and every 15 seconds of a workout, and the
// heart rate variability during sleep.
import type { QuarterHour } from './activity.ts';
import { quarterHourMs } from './activity.ts';
import type { Condition, DayPlan } from './day-plan.ts';
import type { PlannedSleep } from './plan-sleep.ts';
import type { PlannedWorkout } from './plan-workout.ts';
import { createSeededRandom } from './seeded-random.ts';
import type { SimulatedUser } from './simulated-user.ts';

export interface BpmReading {
  ms: number;
  bpm: number;
}

export const heartRateIntervalMs = 300_000;
const traceIntervalMs = 15_000;

export function simulateHeartRate(user: SimulatedUser, plan: DayPlan, quarters: readonly QuarterHour[]): BpmReading[] {
  const heartRates: BpmReading[] = [];
  for (let ms = plan.startMs; ms < plan.endMs; ms += heartRateIntervalMs) {
    const sleep = plan.sleeps.find((each) => ms >= each.startMs && ms < each.endMs);
    const workout = plan.workouts.find((each) => ms >= each.startMs && ms < each.endMs);
    if (sleep) heartRates.push({ ms, bpm: asleepBpm(user, sleep, conditionFor(plan, sleep), ms) });
    else if (workout) heartRates.push({ ms, bpm: workoutBpm(user, plan, workout, ms) });
    else {
      const steps = quarters[Math.floor((ms - plan.startMs) / quarterHourMs)]?.steps ?? 0;
      const noise = createSeededRandom(user.lifeSeed, 'beat', ms).normal(0, 3);
      const calmBpm = plan.condition.restingBpm + 13 + Math.min(45, 0.035 * steps) + noise;
      heartRates.push({ ms, bpm: clampBpm(recoveringBpm(user, plan, ms, calmBpm), user) });
    }
  }
  return heartRates;
}

/** Of the excess at the end of a workout, 37 % are left after this time. */
const recoveryMs = 150_000;
const recoveredMs = 6 * recoveryMs;

/** After a workout the heart rate falls from its last value, at first quickly, and then ever more slowly. */
function recoveringBpm(user: SimulatedUser, plan: DayPlan, ms: number, calmBpm: number): number {
  const workout = plan.workouts.findLast(({ endMs }) => ms >= endMs && ms < endMs + recoveredMs);
  if (!workout) return calmBpm;
  const excessBpm = Math.max(0, workoutBpm(user, plan, workout, workout.endMs) - calmBpm);
  return calmBpm + excessBpm * Math.exp((workout.endMs - ms) / recoveryMs);
}

/** The night of a date from its beginning, which may be before the date. */
export function simulateNightHeartRate(user: SimulatedUser, { night, condition }: DayPlan): BpmReading[] {
  const first = Math.ceil(night.startMs / heartRateIntervalMs) * heartRateIntervalMs;
  return Array.from({ length: Math.ceil((night.endMs - first) / heartRateIntervalMs) }, (_none, at) => {
    const ms = first + at * heartRateIntervalMs;
    return { ms, bpm: asleepBpm(user, night, condition, ms) };
  });
}

const conditionFor = (plan: DayPlan, sleep: PlannedSleep): Condition =>
  sleep.endMs > plan.endMs ? plan.nextCondition : plan.condition;

/** The heart rate falls through the night towards its minimum before waking. */
function asleepBpm(user: SimulatedUser, sleep: PlannedSleep, { restingBpm }: Condition, ms: number): number {
  const progress = (ms - sleep.startMs) / (sleep.endMs - sleep.startMs);
  const noise = createSeededRandom(user.lifeSeed, 'beat', ms).normal(0, 1.3);
  return clampBpm(restingBpm + 6 * (1 - progress) ** 2 + Math.sin(12 * progress) + noise, user);
}

export function simulateTrace(user: SimulatedUser, plan: DayPlan, workout: PlannedWorkout): BpmReading[] {
  return Array.from({ length: (workout.endMs - workout.startMs) / traceIntervalMs }, (_none, at) => {
    const ms = workout.startMs + at * traceIntervalMs;
    return { ms, bpm: workoutBpm(user, plan, workout, ms) };
  });
}

/** The heart rate rises during the warm-up, drifts upwards, and falls during the cool-down. */
function workoutBpm(user: SimulatedUser, plan: DayPlan, workout: PlannedWorkout, ms: number): number {
  const progress = (ms - workout.startMs) / (workout.endMs - workout.startMs);
  const shape = Math.min(1, 0.55 + progress * 4) * Math.min(1, 0.7 + (1 - progress) * 4) + 0.08 * progress;
  const { restingBpm } = plan.condition;
  const wave = 0.02 * Math.sin(progress * 40);
  const noise = createSeededRandom(user.lifeSeed, 'trace', ms).normal(0, 1.2);
  return clampBpm(restingBpm + (user.maxBpm - restingBpm) * workout.effort * (shape + wave) + noise, user);
}

const clampBpm = (bpm: number, user: SimulatedUser): number => Math.round(Math.min(user.maxBpm, Math.max(32, bpm)));

export interface ValueReading {
  ms: number;
  value: number;
}

/** RMSSD in milliseconds during a sleep, every 15 minutes. It recovers towards the morning. */
export function simulateVariability(user: SimulatedUser, sleep: PlannedSleep, { rmssdMs }: Condition): ValueReading[] {
  return sampleDuringSleep(sleep, quarterHourMs, (ms, progress) => {
    const noise = createSeededRandom(user.lifeSeed, 'rmssd', ms).normal(1, 0.08);
    return roundToTenth(Math.max(6, rmssdMs * (0.92 + 0.16 * progress) * noise));
  });
}

/** Blood oxygen in percent during a sleep, every half hour. */
export function simulateOxygen(user: SimulatedUser, sleep: PlannedSleep, { oxygenPct }: Condition): ValueReading[] {
  return sampleDuringSleep(sleep, 2 * quarterHourMs, (ms) =>
    roundToTenth(Math.min(100, createSeededRandom(user.lifeSeed, 'oxygen', ms).normal(oxygenPct, 0.5))),
  );
}

function sampleDuringSleep(
  sleep: PlannedSleep,
  stepMs: number,
  valueAt: (ms: number, progress: number) => number,
): ValueReading[] {
  const first = Math.ceil(sleep.startMs / stepMs) * stepMs;
  return Array.from({ length: Math.max(0, Math.ceil((sleep.endMs - first) / stepMs)) }, (_none, at) => {
    const ms = first + at * stepMs;
    return { ms, value: valueAt(ms, (ms - sleep.startMs) / (sleep.endMs - sleep.startMs)) };
  });
}

export const roundToTenth = (value: number): number => Math.round(value * 10) / 10;

/**
 * The stress level from 1 to 100, every quarter hour while awake, by how much faster the heart
 * beats than at rest. Workouts, and the recovery from them, have no stress level.
 */
export function simulateStress(user: SimulatedUser, plan: DayPlan, heartRates: readonly BpmReading[]): ValueReading[] {
  const recoveries = plan.workouts.map(({ startMs, endMs }) => ({ startMs, endMs: endMs + recoveredMs }));
  const excludedSpans = [...plan.sleeps, ...recoveries];
  const restingElevation = plan.condition.restingBpm - user.restingBpm;
  return heartRates.flatMap(({ ms, bpm }) => {
    if (ms % quarterHourMs !== 0 || excludedSpans.some(({ startMs, endMs }) => ms >= startMs && ms < endMs)) return [];
    const excessBpm = bpm - plan.condition.restingBpm - 13;
    const level = createSeededRandom(user.lifeSeed, 'stress', ms).normal(
      28 + 1.2 * excessBpm + 2 * restingElevation,
      6,
    );
    return [{ ms, value: Math.min(100, Math.max(1, Math.round(level))) }];
  });
}
