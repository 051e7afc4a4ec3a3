// Dates in the life of an account, in the numbers that every vendor tells in its own words.

import type { DeviceType } from '../../catalog/provider.ts';
import { meanOf } from '../../platform/arithmetic.ts';
import { BoundedCache } from '../../platform/bounded-cache.ts';
import { addDays, datesInRange, todayIn } from '../../platform/time/local-day.ts';
import { timeIn } from '../../system/ids.ts';
import { type Quarter, quartersOf } from '../life/activity.ts';
import { type DayPlan, planDay } from '../life/day-plan.ts';
import {
  type Beat,
  beatMs,
  beatsOf,
  nightBeats,
  oneDecimal,
  oxygenDuring,
  stressDuring,
  traceOf,
  variabilityDuring,
} from '../life/heart.ts';
import type { Sleep } from '../life/night.ts';
import { isMissing, personFor, ringIsOff, type SandboxPerson } from '../life/persona.ts';
import { diceFor } from '../life/random.ts';
import type { SandboxLife } from '../life/sandbox-day.ts';
import { seenByWatch, wearsWatch } from '../life/story.ts';
import { offsetMinutesAt, zoneOn } from '../life/whereabouts.ts';
import type { PlannedWorkout } from '../life/workout.ts';
import { type LifeDay, type LifeSleep, type LifeWorkout, nothingTold } from '../simulated-providers/life.ts';

export interface Living extends SandboxLife {
  /** What the vendor makes: whoever changes from a ring to a watch stops telling the one and begins to tell the other. */
  worn: DeviceType;
}

const minuteMs = 60_000;
const mostKept = 512;
const whole = new BoundedCache<string, LifeDay>(mostKept);

/** Only what is over by `untilMs`. */
export function lifeDay(life: Living, date: string, untilMs: number): LifeDay {
  const { persona, userId, timezone, worn } = life;
  const name = [userId, persona, timezone, worn, date].join(' ');
  const known = whole.get(name);
  if (known && known.endMs <= untilMs) return known;
  const day = told(life, date, untilMs);
  if (day.endMs <= untilMs) whole.set(name, day);
  return day;
}

/** The dates of these that the account has lived: from the persona's past before its user was made until now. */
export function lifeDays(life: Living, { from, to }: { from: string; to: string }, nowMs: number): LifeDay[] {
  const person = personFor(life.userId, life.persona, life.timezone ?? 'UTC');
  const first = addDays(todayIn(life.timezone, timeIn(life.userId)), -person.habits.pastDays);
  // A day ahead: where a traveller is, tomorrow may have begun.
  const last = addDays(todayIn(life.timezone, nowMs), 1);
  return datesInRange(from < first ? first : from, to > last ? last : to)
    .map((date) => (date === first ? withoutEve(lifeDay(life, date, nowMs)) : lifeDay(life, date, nowMs)))
    .filter(({ startMs }) => startMs <= nowMs);
}

/** Of the evening before nothing is told where nothing was worn on that date. */
const withoutEve = (day: LifeDay): LifeDay => ({
  ...day,
  variability: day.variability.filter(({ ms }) => ms >= day.startMs),
});

function told(life: Living, date: string, untilMs: number): LifeDay {
  const home = personFor(life.userId, life.persona, life.timezone ?? 'UTC');
  const person = life.worn === 'wrist' && wearsWatch(home, date) ? seenByWatch(home) : home;
  const plan = planDay(person, date);
  const blank: LifeDay = { ...nothingTold, date, zone: zoneOn(person, date), startMs: plan.startMs, endMs: plan.endMs };
  if (!isWorn(life, home, date)) return blank;
  const quarters = quartersOf(home, person === home ? plan : planDay(home, date));
  const day = { ...blank, ...ofTheDay(person, plan, quarters, untilMs), ...ofTheNight(person, plan, untilMs) };
  return isWorn(life, home, addDays(date, -1)) ? day : withoutEve(day);
}

function isWorn({ worn }: Living, home: SandboxPerson, date: string): boolean {
  if (isMissing(home, date) || ringIsOff(home, date)) return false;
  if (home.habits.turn !== 'device_swap') return true;
  return wearsWatch(home, date) ? worn !== 'ring' : worn !== 'wrist';
}

function ofTheDay(
  person: SandboxPerson,
  plan: DayPlan,
  quarters: readonly Quarter[],
  untilMs: number,
): Partial<LifeDay> {
  const heartRate = beatsOf(person, plan, quarters).filter(({ ms }) => ms + beatMs <= untilMs);
  const sleeps = plan.sleeps.filter(({ endMs }) => endMs <= plan.endMs && endMs <= untilMs);
  const workouts = plan.workouts
    .filter(({ endMs }) => endMs <= untilMs)
    .map((workout) => lifeWorkout(person, plan, workout));
  return {
    ...counted(person, plan, quarters, heartRate, workouts, untilMs),
    sleeps: sleeps.map((sleep) => lifeSleep(person, plan, sleep)),
    workouts,
    heartRate,
    variability: sleeps.flatMap((sleep) => variabilityDuring(person, sleep, plan.condition)),
    stress: stressDuring(person, plan, heartRate),
  };
}

/** A wearable counts a few steps less than a pocket. */
function counted(
  person: SandboxPerson,
  plan: DayPlan,
  quarters: readonly Quarter[],
  beats: readonly Beat[],
  workouts: readonly LifeWorkout[],
  untilMs: number,
): Partial<LifeDay> {
  const over = quarters.filter(({ endMs }) => endMs <= untilMs);
  if (over.length === 0 || beats.length === 0) return {};
  const seen = diceFor(person.userId, 'ring', plan.date).between(0.92, 0.99);
  const total = (of: 'steps' | 'metres' | 'activeKcal' | 'restingKcal') =>
    over.reduce((sum, each) => sum + each[of], 0);
  const bpm = [...beats, ...workouts.flatMap(({ trace }) => trace)].map((beat) => beat.bpm);
  const energy = { restingKcal: total('restingKcal'), minBpm: Math.min(...bpm), maxBpm: Math.max(...bpm) };
  // Before somebody has got up there is nothing to count yet, which is not the same as none.
  if (total('steps') === 0) return energy;
  return {
    ...energy,
    steps: Math.round(total('steps') * seen),
    distanceKm: Math.round(total('metres') * seen) / 1000,
    activeKcal: Math.round(total('activeKcal') * seen),
    exerciseMinutes: workouts.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / minuteMs, 0),
    walked: walkedIn(over, seen),
  };
}

/** They add up to the day's steps. */
function walkedIn(over: readonly Quarter[], seen: number): LifeDay['walked'] {
  let exact = 0;
  let given = 0;
  return over.flatMap(({ startMs, endMs, steps }) => {
    exact += steps;
    const now = Math.round(exact * seen) - given;
    given += now;
    return now > 0 ? [{ startMs, endMs, steps: now }] : [];
  });
}

function ofTheNight(person: SandboxPerson, plan: DayPlan, untilMs: number): Partial<LifeDay> {
  const { night, condition } = plan;
  if (night.endMs > untilMs) return {};
  const isUp = Math.max(plan.startMs, night.endMs) + 12 * minuteMs <= untilMs;
  return {
    restingBpm: oneDecimal(condition.restingBpm),
    sleepBpm: oneDecimal(meanOf(nightBeats(person, plan).map(({ bpm }) => bpm))),
    rmssdMs: oneDecimal(meanOf(variabilityDuring(person, night, condition).map(({ value }) => value))),
    breathsPerMinute: oneDecimal(condition.breathsPerMinute),
    ...(person.habits.gaps
      ? {}
      : {
          oxygenPct: oneDecimal(meanOf(oxygenDuring(person, night, condition).map(({ value }) => value))),
          skinCelsius: oneDecimal(condition.skinCelsius),
          vo2Max: oneDecimal(person.vo2Max),
          ...(isUp
            ? { weightKg: Math.round(plan.weightKg * 100) / 100, bodyFatPct: oneDecimal(person.bodyFatPct) }
            : {}),
        }),
  };
}

const lifeSleep = (person: SandboxPerson, plan: DayPlan, sleep: Sleep): LifeSleep => ({
  id: `${person.userId}-${plan.date}-${sleep === plan.night ? 'night' : 'nap'}`,
  startMs: sleep.startMs,
  endMs: sleep.endMs,
  offsetMinutes: offsetMinutesAt(person, plan.date, sleep.endMs),
  asleepMinutes: sleep.asleepMinutes,
  deepMinutes: sleep.deepMinutes,
  lightMinutes: sleep.lightMinutes,
  remMinutes: sleep.remMinutes,
  awakeMinutes: sleep.awakeMinutes,
  latencyMinutes: sleep.latencyMinutes,
  isNap: sleep !== plan.night,
});

function lifeWorkout(person: SandboxPerson, plan: DayPlan, workout: PlannedWorkout): LifeWorkout {
  const trace = traceOf(person, plan, workout);
  const bpm = trace.map((beat) => beat.bpm);
  return {
    id: `${person.userId}-${plan.date}-${workout.sport}`,
    sport: workout.sport,
    name: workout.name,
    startMs: workout.startMs,
    endMs: workout.endMs,
    offsetMinutes: offsetMinutesAt(person, plan.date, workout.startMs),
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
