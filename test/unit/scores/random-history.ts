// Random histories of random people, from one integer: several devices, gaps, device swaps, ages,
// and values at the borders of the rules.
import fc from 'fast-check';
import type { MetricId } from '../../../shared/catalog/metrics.ts';
import type { Profile } from '../../../shared/users/profile.ts';
import { type Random, randomFrom } from '../../oracle/random.ts';
import { type Days, dayOf, daysBefore, today } from './days.ts';
import type { PlainDay } from './naive-baseline.ts';

interface Habit {
  /** The range of values on most days. */
  usual: readonly [number, number];
  /** The part of its level by which it varies from day to day. */
  spread: number;
  /** Values at which a rule changes. */
  borders?: readonly number[];
}
const habit = (from: number, to: number, spread: number, ...borders: number[]): Habit => ({
  usual: [from, to],
  spread,
  borders,
});

const habits = {
  asleep: habit(330, 520, 0.15, 0, 40, 179.9, 180, 360, 420, 480, 600, 660, 720, 840, 960, 1080),
  longest_sleep: habit(200, 480, 0.3, 180),
  sleep_efficiency: habit(75, 96, 0.06, 50, 60, 75, 85, 95, 100),
  time_in_bed: habit(420, 600, 0.12, 0),
  restorative_sleep: habit(60, 220, 0.2, 0),
  deep_sleep: habit(30, 110, 0.2),
  rem_sleep: habit(30, 120, 0.2),
  sleep_latency: habit(4, 50, 0.5, 0, 15, 30, 45, 60, 75),
  sleep_heart_rate_variability: habit(15, 120, 0.12),
  heart_rate_variability_rmssd: habit(15, 120, 0.12),
  heart_rate_variability: habit(20, 140, 0.12),
  resting_heart_rate: habit(42, 78, 0.03),
  sleep_heart_rate: habit(42, 78, 0.03),
  sleep_respiratory_rate: habit(12, 18, 0.03),
  respiratory_rate: habit(12, 18, 0.03),
  active_calories: habit(20, 1200, 0.5, 0, 49.9, 50),
  exercise: habit(0, 90, 0.8, 0),
  steps: habit(100, 15_000, 0.5, 0, 499, 500),
  dietary_energy: habit(500, 3500, 0.25, 0, 200, 799, 800),
  total_calories: habit(1500, 3500, 0.15, 0, 799, 800, 801),
  resting_energy: habit(700, 2000, 0.05),
  weight: habit(45, 130, 0.01),
  height: habit(140, 205, 0.002),
  protein: habit(20, 160, 0.3, 0),
  fiber: habit(5, 45, 0.4, 0),
  saturated_fat: habit(5, 60, 0.4, 0),
  sugar: habit(10, 200, 0.4, 0),
  sodium: habit(800, 5500, 0.4, 1500, 2000, 3500, 5000),
} as const satisfies Partial<Record<MetricId, Habit>>;

/** The cast holds because a literal has no keys but its own. */
export const scoreInputs = Object.keys(habits) as (keyof typeof habits)[];
const habitOf = (metric: keyof typeof habits): Habit => habits[metric];

const grown = [undefined, null, '1935-06-30', '1961-03-14', '1961-03-15', '1990-05-17', '2000-03-14', '2000-03-15'];
const growing = ['2008-03-14', '2008-03-15', '2012-01-01', '2020-03-14', '2023-03-15', '2025-03-14', '2025-03-15'];

export interface AnyHistory {
  /** The scored day comes first. */
  days: PlainDay[];
  profile: Profile;
}

/** A history is given by its seed, so that a failure is readable. */
export const anySeed = fc.integer({ min: 0, max: 2 ** 31 });

/** The same seed gives the same history. */
export function anyHistory(seed: number): AnyHistory {
  const random = randomFrom(seed);
  const length = random.weighted([
    [1, random.int(1, 8)],
    [2, random.int(6, 30)],
    [5, random.int(30, 46)],
  ]);
  const devices = random.weighted<readonly number[]>([
    [3, [0]],
    [3, [0, 1]],
    [1, [4, 2, 7]],
  ]);
  const worn = random.pick([0.3, 0.8, 0.95, 1]);
  const days = Array.from({ length }, (): PlainDay => ({ values: {}, from: {} }));
  const measuresHeart = random.chance(0.9);
  for (const metric of scoreInputs) {
    const reportChance = metric.includes('heart') && !measuresHeart ? 0 : random.pick([0, 0.6, 0.95, 1, 1]);
    const deviceOn = anyDevices(random, devices, length);
    const level = random.between(...habitOf(metric).usual);
    days.forEach(({ values, from }, back) => {
      if (!random.chance(reportChance * (back === 0 ? 1 : worn))) return;
      values[metric] = anyValueNear(random, habitOf(metric), level);
      from[metric] = deviceOn(back);
    });
  }
  for (const { values } of days)
    if (values.asleep !== undefined && values.longest_sleep !== undefined && random.chance(0.9))
      values.longest_sleep = values.asleep * random.pick([1, 1, 1, 0.9, 0.5]);
  return { days, profile: anyProfile(random) };
}

/** One device throughout, another one from some day on, or any of them on any day. */
function anyDevices(random: Random, devices: readonly number[], length: number): (back: number) => number {
  const [first, second] = [random.pick(devices), random.pick(devices)];
  const swapped = random.int(1, length);
  const each = Array.from({ length }, () => (random.chance(0.8) ? first : random.pick(devices)));
  return random.pick([() => first, (back: number) => (back < swapped ? first : second), (back) => each[back] ?? first]);
}

function anyValueNear(random: Random, { usual, spread, borders }: Habit, level: number): number {
  const noise = random.next() + random.next() + random.next() - 1.5;
  const near = Math.max(0, level * (1 + 2 * spread * noise));
  return random.weighted([
    [12, near],
    [6, Math.round(near)],
    [1, random.between(usual[0] / 2, usual[1] * 1.5)],
    [borders && borders.length > 0 ? 1 : 0, random.pick(borders && borders.length > 0 ? borders : [near])],
  ]);
}

function anyProfile(random: Random): Profile {
  const profile: Profile = { date_of_birth: random.pick(random.chance(0.85) ? grown : growing) };
  if (random.chance(0.6)) profile.weight_kg = random.pick([52, 70, 104.5, null]);
  if (random.chance(0.5)) profile.height_cm = random.pick([68, 99, 100, 150, 176, 201, null]);
  return profile;
}

export const asDays = (days: readonly PlainDay[]): Days =>
  new Map(days.map(({ values, from }, back) => [back === 0 ? today : daysBefore(back), dayOf(values, from)]));

/** The age in whole years on the day, by the calendar. */
export function ageToday({ date_of_birth }: Profile): number | null {
  if (!date_of_birth) return null;
  const years = Number(today.slice(0, 4)) - Number(date_of_birth.slice(0, 4));
  return today.slice(5) < date_of_birth.slice(5) ? years - 1 : years;
}
