// Simulates dates of an account, in the values that every simulated provider renders in its own
// format.

import type { DeviceType } from '../../catalog/provider.ts';
import { meanOf } from '../../platform/arithmetic.ts';
import { BoundedCache } from '../../platform/bounded-cache.ts';
import { addDays, datesInRange, todayIn } from '../../platform/time/local-day.ts';
import { parseIdTime } from '../../system/ids.ts';
import { type QuarterHour, simulateActivity } from '../life/activity.ts';
import { type DayPlan, planDay } from '../life/day-plan.ts';
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
} from '../life/heart-rate.ts';
import { offsetMinutesAt, zoneOn } from '../life/location.ts';
import type { PlannedSleep } from '../life/plan-sleep.ts';
import type { PlannedWorkout } from '../life/plan-workout.ts';
import { countPastDays } from '../life/sandbox-day.ts';
import { asMeasuredByWatch, wearsWatch } from '../life/scenario.ts';
import { createSeededRandom } from '../life/seeded-random.ts';
import {
  createSimulatedUser,
  isDateMissing,
  isRingOff,
  type SandboxProfile,
  type SimulatedUser,
} from '../life/simulated-user.ts';
import { simulateSleepStages } from '../life/sleep-stages.ts';
import {
  emptySimulatedDay,
  type SimulatedDay,
  type SimulatedSleep,
  type SimulatedWorkout,
} from '../simulated-providers/simulated-day.ts';

export interface WearableProfile extends SandboxProfile {
  /**
   * The device type of the provider: a user who changes from a ring to a watch stops reporting with
   * one and starts with the other.
   */
  worn: DeviceType;
}

const minuteMs = 60_000;
const maxCachedDays = 512;
const dayCache = new BoundedCache<string, SimulatedDay>(maxCachedDays);

/** Includes only what is over by `untilMs`. */
export function simulateDay(profile: WearableProfile, date: string, untilMs: number): SimulatedDay {
  const { persona, userId, timezone, lifeSeed, worn } = profile;
  const name = [userId, persona, timezone, lifeSeed, worn, date].join(' ');
  const cached = dayCache.get(name);
  if (cached && cached.endMs <= untilMs) return cached;
  const day = buildDay(profile, date, untilMs);
  if (day.endMs <= untilMs) dayCache.set(name, day);
  return day;
}

/**
 * The requested dates that the account has data for: from the past before its user was
 * created until now.
 */
export function simulateDays(
  profile: WearableProfile,
  { from, to }: { from: string; to: string },
  nowMs: number,
): SimulatedDay[] {
  const first = addDays(todayIn(profile.timezone, parseIdTime(profile.userId)), -countPastDays(profile));
  // One day ahead, because the next day may have begun where a traveller is.
  const last = addDays(todayIn(profile.timezone, nowMs), 1);
  return datesInRange(from < first ? first : from, to > last ? last : to)
    .map((date) =>
      date === first ? withoutPreviousEvening(simulateDay(profile, date, nowMs)) : simulateDay(profile, date, nowMs),
    )
    .filter(({ startMs }) => startMs <= nowMs);
}

/** Nothing is reported for the evening before, because no device was worn on that date. */
const withoutPreviousEvening = (day: SimulatedDay): SimulatedDay => ({
  ...day,
  variability: day.variability.filter(({ ms }) => ms >= day.startMs),
});

function buildDay(profile: WearableProfile, date: string, untilMs: number): SimulatedDay {
  const homeUser = createSimulatedUser(profile);
  const user = profile.worn === 'wrist' && wearsWatch(homeUser, date) ? asMeasuredByWatch(homeUser) : homeUser;
  const plan = planDay(user, date);
  const blank: SimulatedDay = {
    ...emptySimulatedDay,
    date,
    zone: zoneOn(user, date),
    startMs: plan.startMs,
    endMs: plan.endMs,
  };
  if (!isWorn(profile, homeUser, date)) return blank;
  const quarters = simulateActivity(homeUser, user === homeUser ? plan : planDay(homeUser, date));
  const day = { ...blank, ...buildDayValues(user, plan, quarters, untilMs), ...buildNightValues(user, plan, untilMs) };
  return isWorn(profile, homeUser, addDays(date, -1)) ? day : withoutPreviousEvening(day);
}

function isWorn({ worn }: WearableProfile, homeUser: SimulatedUser, date: string): boolean {
  if (isDateMissing(homeUser, date) || isRingOff(homeUser, date)) return false;
  if (homeUser.habits.scenario !== 'device_swap') return true;
  return wearsWatch(homeUser, date) ? worn !== 'ring' : worn !== 'wrist';
}

function buildDayValues(
  user: SimulatedUser,
  plan: DayPlan,
  quarters: readonly QuarterHour[],
  untilMs: number,
): Partial<SimulatedDay> {
  const heartRate = simulateHeartRate(user, plan, quarters).filter(({ ms }) => ms + heartRateIntervalMs <= untilMs);
  const sleeps = plan.sleeps.filter(({ endMs }) => endMs <= plan.endMs && endMs <= untilMs);
  const workouts = plan.workouts
    .filter(({ endMs }) => endMs <= untilMs)
    .map((workout) => toSimulatedWorkout(user, plan, workout));
  return {
    ...buildActivityValues(user, plan, quarters, heartRate, workouts, untilMs),
    sleeps: sleeps.map((sleep) => toSimulatedSleep(user, plan, sleep)),
    workouts,
    heartRate,
    variability: sleeps.flatMap((sleep) => simulateVariability(user, sleep, plan.condition)),
    stress: simulateStress(user, plan, heartRate),
  };
}

/** A wearable counts slightly fewer steps than a phone in a pocket. */
function buildActivityValues(
  user: SimulatedUser,
  plan: DayPlan,
  quarters: readonly QuarterHour[],
  heartRateReadings: readonly BpmReading[],
  workouts: readonly SimulatedWorkout[],
  untilMs: number,
): Partial<SimulatedDay> {
  const completed = quarters.filter(({ endMs }) => endMs <= untilMs);
  if (completed.length === 0 || heartRateReadings.length === 0) return {};
  const countedShare = createSeededRandom(user.lifeSeed, 'ring', plan.date).uniform(0.92, 0.99);
  const total = (field: 'steps' | 'metres' | 'activeKcal' | 'restingKcal') =>
    completed.reduce((sum, each) => sum + each[field], 0);
  const bpm = [...heartRateReadings, ...workouts.flatMap(({ trace }) => trace)].map((reading) => reading.bpm);
  const energy = { restingKcal: total('restingKcal'), minBpm: Math.min(...bpm), maxBpm: Math.max(...bpm) };
  // Before the user has got up, nothing is counted, which is not the same as zero.
  if (total('steps') === 0) return energy;
  return {
    ...energy,
    steps: Math.round(total('steps') * countedShare),
    distanceKm: Math.round(total('metres') * countedShare) / 1000,
    activeKcal: Math.round(total('activeKcal') * countedShare),
    exerciseMinutes: workouts.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / minuteMs, 0),
    stepIntervals: splitSteps(completed, countedShare),
  };
}

/** The intervals add up to the day's steps. */
function splitSteps(completed: readonly QuarterHour[], countedShare: number): SimulatedDay['stepIntervals'] {
  let exact = 0;
  let emitted = 0;
  return completed.flatMap(({ startMs, endMs, steps }) => {
    exact += steps;
    const increment = Math.round(exact * countedShare) - emitted;
    emitted += increment;
    return increment > 0 ? [{ startMs, endMs, steps: increment }] : [];
  });
}

function buildNightValues(user: SimulatedUser, plan: DayPlan, untilMs: number): Partial<SimulatedDay> {
  const { night, condition } = plan;
  if (night.endMs > untilMs) return {};
  const isAwake = Math.max(plan.startMs, night.endMs) + 12 * minuteMs <= untilMs;
  return {
    restingBpm: roundToTenth(condition.restingBpm),
    sleepBpm: roundToTenth(meanOf(simulateNightHeartRate(user, plan).map(({ bpm }) => bpm))),
    rmssdMs: roundToTenth(meanOf(simulateVariability(user, night, condition).map(({ value }) => value))),
    breathsPerMinute: roundToTenth(condition.breathsPerMinute),
    ...(user.habits.hasGaps
      ? {}
      : {
          oxygenPct: roundToTenth(meanOf(simulateOxygen(user, night, condition).map(({ value }) => value))),
          skinCelsius: roundToTenth(condition.skinCelsius),
          vo2Max: roundToTenth(user.vo2Max),
          ...(isAwake
            ? { weightKg: Math.round(plan.weightKg * 100) / 100, bodyFatPct: roundToTenth(user.bodyFatPct) }
            : {}),
        }),
  };
}

const toSimulatedSleep = (user: SimulatedUser, plan: DayPlan, sleep: PlannedSleep): SimulatedSleep => ({
  id: `${user.userId}-${plan.date}-${sleep === plan.night ? 'night' : 'nap'}`,
  startMs: sleep.startMs,
  endMs: sleep.endMs,
  offsetMinutes: offsetMinutesAt(user, plan.date, sleep.endMs),
  asleepMinutes: sleep.asleepMinutes,
  deepMinutes: sleep.deepMinutes,
  lightMinutes: sleep.lightMinutes,
  remMinutes: sleep.remMinutes,
  awakeMinutes: sleep.awakeMinutes,
  latencyMinutes: sleep.latencyMinutes,
  stages: simulateSleepStages(user, sleep),
  isNap: sleep !== plan.night,
});

function toSimulatedWorkout(user: SimulatedUser, plan: DayPlan, workout: PlannedWorkout): SimulatedWorkout {
  const trace = simulateTrace(user, plan, workout);
  const bpm = trace.map((reading) => reading.bpm);
  return {
    id: `${user.userId}-${plan.date}-${workout.sport}`,
    sport: workout.sport,
    name: workout.name,
    startMs: workout.startMs,
    endMs: workout.endMs,
    offsetMinutes: offsetMinutesAt(user, plan.date, workout.startMs),
    kcal: workout.kcal,
    distanceKm: workout.distanceKm,
    avgBpm: Math.round(meanOf(bpm)),
    maxBpm: Math.max(...bpm),
    elevationMetres: workout.elevationMetres,
    steps: workout.steps,
    measures: workout.measures,
    trace,
  };
}
