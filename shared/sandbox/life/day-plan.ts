// Everything that is true of a user's date before any device measures it. It depends only on the
// previous and the following date.
import { addDays } from '../../platform/time/local-day.ts';
import { dateWindow } from './location.ts';
import { type PlannedSleep, planNap, planNight } from './plan-sleep.ts';
import { intendedWorkoutOn, type PlannedWorkout, scheduleWorkout } from './plan-workout.ts';
import { illnessOn } from './scenario.ts';
import { createSeededRandom } from './seeded-random.ts';
import { dayNumber, type SimulatedUser } from './simulated-user.ts';

export interface DayPlan {
  date: string;
  startMs: number;
  endMs: number;
  /** When the following night begins, or the date ends. */
  bedMs: number;
  /** The sleep that ended on this date. */
  night: PlannedSleep;
  /** Every sleep that overlaps this date, including the beginning of the following night. */
  sleeps: PlannedSleep[];
  workouts: PlannedWorkout[];
  /** Outside of workouts. */
  steps: number;
  /** In the morning, after the previous day and the night. */
  condition: Condition;
  /** In the morning after the following night, which begins before this date ends. */
  nextCondition: Condition;
  weightKg: number;
}

export interface Condition {
  restingBpm: number;
  rmssdMs: number;
  breathsPerMinute: number;
  skinCelsius: number;
  oxygenPct: number;
}

export function planDay(user: SimulatedUser, date: string): DayPlan {
  const next = addDays(date, 1);
  const { startMs, endMs } = dateWindow(user, date);
  const night = planNight(user, date, strainOn(user, addDays(date, -1)));
  const nextNight = planNight(user, next, strainOn(user, date));
  const nap = planNap(user, date);
  const bedMs = Math.min(endMs, nextNight.startMs);
  const awakeFromMs = Math.max(night.endMs, startMs);
  const fittingNap = nap && nap.startMs > awakeFromMs + hourMs && nap.endMs < bedMs - 3 * hourMs ? nap : undefined;
  const awake = { fromMs: fittingNap?.endMs ?? awakeFromMs, toMs: bedMs, midnightMs: startMs };
  const workout = scheduleWorkout(user, date, intendedWorkoutOn(user, date), awake);
  const sleeps = [night, fittingNap, nextNight].filter((sleep) => sleep !== undefined);
  return {
    date,
    startMs,
    endMs,
    bedMs,
    night,
    sleeps: sleeps.filter((sleep) => sleep.startMs < endMs),
    workouts: workout ? [workout] : [],
    steps: stepsOn(user, date),
    condition: conditionOn(user, date, night),
    nextCondition: conditionOn(user, next, nextNight),
    weightKg: weightOn(user, date),
  };
}

const hourMs = 3_600_000;

function stepsOn(user: SimulatedUser, date: string): number {
  const healthySteps = createSeededRandom(user.lifeSeed, 'steps', date).normal(user.steps, user.steps * 0.22);
  return Math.round(Math.max(900, healthySteps * (1 - 0.75 * illnessOn(user, date))));
}

/**
 * How much harder a date is than usual, in standard deviations, according to its planned activity.
 */
function strainOn(user: SimulatedUser, date: string): number {
  const { workoutChance, workoutMinutes } = user.habits;
  const intention = intendedWorkoutOn(user, date);
  const load = (intention ? intention.minutes * intention.effort : 0) + stepsOn(user, date) / 400;
  const workoutRate = Math.max(workoutChance, 0.5);
  const usual = workoutRate * ((workoutMinutes[0] + workoutMinutes[1]) / 2) * 0.6 + user.steps / 400;
  return Math.min(2.2, Math.max(-2.2, (load - usual) / (0.28 * workoutMinutes[1])));
}

function conditionOn(user: SimulatedUser, date: string, night: PlannedSleep): Condition {
  const random = createSeededRandom(user.lifeSeed, 'condition', date);
  const illness = illnessOn(user, date);
  // A day in bed because of illness does not count as rest.
  const strain = strainOn(user, addDays(date, -1)) * (1 - illness);
  const rest = Math.min(1.5, Math.max(-2, night.surplusHours));
  return {
    restingBpm: user.restingBpm + 1.6 * strain - 1.1 * rest + random.normal(0, 0.7) + 9 * illness,
    rmssdMs: user.rmssdMs * Math.exp(-0.11 * strain + 0.07 * rest + random.normal(0, 0.06) - 0.45 * illness),
    breathsPerMinute: user.breathsPerMinute + 0.2 * strain + random.normal(0, 0.25) + 2.5 * illness,
    skinCelsius: user.skinCelsius + 0.08 * strain + random.normal(0, 0.15) + 0.9 * illness,
    oxygenPct: random.uniform(95.6, 98.4) - illness,
  };
}

/** A slow seasonal wave, and small day-to-day changes of body water. */
function weightOn(user: SimulatedUser, date: string): number {
  const season = Math.sin((2 * Math.PI * (dayNumber(date) + user.phase)) / 97);
  return user.weightKg + 1.1 * season + createSeededRandom(user.lifeSeed, 'weight', date).normal(0, 0.1);
}
