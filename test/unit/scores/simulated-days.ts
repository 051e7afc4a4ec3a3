// The days of a simulated person as devices would report them: a body that drifts and recovers,
// weekdays and weekends, sensors that round.

import type { MetricId } from '../../../shared/catalog/metrics.ts';
import { addDays } from '../../../shared/platform/time/local-day.ts';
import type { Profile } from '../../../shared/users/profile.ts';
import { type Random, randomFrom } from '../../oracle/random.ts';
import { type Days, dayOf, type Values } from './days.ts';

export interface Habits {
  /** RMSSD during sleep in ms, and the spread of its logarithm from day to day. */
  variability: number;
  variabilitySpread: number;
  /** Resting heart rate in beats per minute, and its spread. */
  rate: number;
  rateSpread: number;
  breaths: number;
  asleepMinutes: number;
  latencyMinutes: number;
  /** Deep and REM sleep as a share of the time asleep. */
  restorative: number;
  steps: number;
  /** The share of days with a workout, and its minutes. */
  training: number;
  trainingMinutes: number;
  /** The share of days with logged meals. */
  logs: number;
}

/** How a day differs from the usual ones. */
export interface Shift {
  lnVariability?: number;
  rate?: number;
  breaths?: number;
  asleep?: number;
  efficiency?: number;
  /** A multiple of the usual movement. */
  movement?: number;
  /** Minutes of another sleep on the date. */
  secondSleep?: number;
}

export interface SimulatedPerson {
  name: string;
  profile: Profile;
  habits: Habits;
  /** Takes the day of the year, from 0; days before the year are below 0. */
  shift?: (day: number, random: Random) => Shift;
  isWorn?: (day: number, random: Random) => boolean;
  device?: (day: number) => number;
  /** The first day with any data. */
  since?: number;
}

export const firstDay = '2025-01-01';
export const dateOf = (day: number): string => addDays(firstDay, day);
const daysBeforeTheYear = 42;
export const daysOfTheYear = 365;
/** 2025-01-01 is a Wednesday. */
const isWeekend = (day: number): boolean => [3, 4].includes(((day % 7) + 7) % 7);

/** A normally distributed number with a standard deviation of 1. */
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
const rounded = (value: number, digits = 0): number => Number(value.toFixed(digits));

/**
 * A state that carries over from one day into the next, like that of the body; its standard
 * deviation is 1.
 */
function lasting(random: Random, share: number): () => number {
  let now = normal(random);
  return () => {
    now = share * now + Math.sqrt(1 - share ** 2) * normal(random);
    return now;
  };
}

/** The same seed gives the same year; different people have different years. */
export function simulatedDays(person: SimulatedPerson, seed: number): Days {
  const random = randomFrom([...person.name].reduce((sum, char) => 31 * sum + char.charCodeAt(0), seed) >>> 0);
  const { habits } = person;
  const bodily = { shared: lasting(random, 0.35), variability: lasting(random, 0.2), rate: lasting(random, 0.3) };
  const days: Days = new Map();
  let trainedYesterday = 0;
  for (let day = Math.max(-daysBeforeTheYear, person.since ?? -daysBeforeTheYear); day < daysOfTheYear; day++) {
    const state = { shared: bodily.shared(), variability: bodily.variability(), rate: bodily.rate() };
    const shift = person.shift?.(day, random) ?? {};
    /** For example wine, a late dinner, or a child that wakes up. */
    const isBadNight = random.chance(isWeekend(day) ? 0.06 : 0.025);
    const trained = random.chance(habits.training) ? habits.trainingMinutes * Math.exp(0.3 * normal(random)) : 0;
    const values: Values = {
      ...nightOf(random, day, habits, shift, isBadNight),
      ...heartOf(habits, state, shift, isBadNight, trainedYesterday > 1.2 * habits.trainingMinutes, normal(random)),
      ...activityOf(random, day, habits, shift, trained),
    };
    trainedYesterday = trained;
    const dayValues = (person.isWorn ?? usuallyWorn)(day, random)
      ? { ...values, ...mealsOf(random, person, values) }
      : unworn(random);
    if (Object.keys(dayValues).length > 0) days.set(dateOf(day), dayOf(dayValues, person.device?.(day) ?? 0));
  }
  return days;
}

const usuallyWorn = (_day: number, random: Random): boolean => random.chance(0.97);
/** Only the phone counts a few steps. */
const unworn = (random: Random): Values => (random.chance(0.5) ? { steps: random.int(20, 450) } : {});

function heartOf(
  habits: Habits,
  state: { shared: number; variability: number; rate: number },
  { lnVariability = 0, rate = 0, breaths = 0 }: Shift,
  isBadNight: boolean,
  trainedHard: boolean,
  breath: number,
): Values {
  const logarithm =
    Math.log(habits.variability) +
    habits.variabilitySpread * (-0.65 * state.shared + 0.76 * state.variability) +
    lnVariability -
    (isBadNight ? 0.15 : 0) -
    (trainedHard ? 0.04 : 0);
  const beats =
    habits.rate +
    habits.rateSpread * (0.65 * state.shared + 0.76 * state.rate) +
    rate +
    (isBadNight ? 3 : 0) +
    (trainedHard ? 1 : 0);
  return {
    sleep_heart_rate_variability: rounded(Math.exp(logarithm)),
    resting_heart_rate: rounded(beats),
    sleep_respiratory_rate: rounded(habits.breaths + 0.35 * breath + breaths, 1),
  };
}

function nightOf(random: Random, day: number, habits: Habits, shift: Shift, isBadNight: boolean): Values {
  const { asleep = 0, efficiency = 0, secondSleep = 0 } = shift;
  const longer = (isWeekend(day) ? 30 : 0) - (isBadNight ? 50 : 0) + asleep;
  const main = rounded(Math.max(60, habits.asleepMinutes + longer + 38 * normal(random)));
  const percent = Math.min(98, 90 + 3 * normal(random) + efficiency - (isBadNight ? 5 : 0));
  const nap = rounded(secondSleep);
  return {
    asleep: main + nap,
    longest_sleep: Math.max(main, nap),
    sleep_efficiency: rounded(percent, 1),
    restorative_sleep: rounded((main + nap) * habits.restorative * (1 + 0.12 * normal(random))),
    sleep_latency: rounded(habits.latencyMinutes * Math.exp(0.5 * normal(random))),
  };
}

/** On days without a workout, no exercise is reported. */
function activityOf(random: Random, day: number, habits: Habits, { movement = 1 }: Shift, trained: number): Values {
  const minutes = rounded(trained * movement);
  const steps = rounded(
    habits.steps * (isWeekend(day) ? 0.85 : 1.06) * movement * Math.exp(0.3 * normal(random)) + 90 * minutes,
  );
  const active = rounded(0.035 * steps + 7 * minutes);
  return {
    steps,
    active_calories: active,
    total_calories: rounded(active + 1500 * Math.exp(0.03 * normal(random))),
    ...(minutes > 0 ? { exercise: minutes } : {}),
  };
}

/** One log in eight stops at lunch. */
function mealsOf(random: Random, { habits, profile }: SimulatedPerson, { total_calories = 2000 }: Values): Values {
  if (!random.chance(habits.logs)) return {};
  const logged = random.chance(0.125) ? random.between(0.2, 0.6) : 1;
  const eaten = logged * total_calories * Math.exp(0.16 * normal(random) - 0.05);
  const around = (amount: number, spread: number) => amount * Math.exp(spread * normal(random));
  const meals: Partial<Record<MetricId, number>> = {
    dietary_energy: rounded(eaten),
    protein: rounded(logged * around(1.1 * (profile.weight_kg ?? 70), 0.25), 1),
    fiber: rounded(logged * around(22, 0.35), 1),
    saturated_fat: rounded((eaten * around(0.11, 0.25)) / 9, 1),
    sugar: rounded((eaten * around(0.17, 0.3)) / 4, 1),
    sodium: rounded(logged * around(2600, 0.3)),
  };
  return meals;
}
