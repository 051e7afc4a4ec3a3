// A fixed set of people and days that every formula is tried on. A change to it changes every
// digest, so it is not shared with other tests.
import type { MetricId } from '../../../shared/catalog/metrics.ts';
import type { Profile } from '../../../shared/users/profile.ts';
import { randomFrom } from '../../harness/faults.ts';
import { type Days, dayOf, daysBefore, type Values } from './days.ts';

/** The realistic range of each metric. */
const ranges: readonly (readonly [MetricId, number, number])[] = [
  ['asleep', 100, 1150],
  ['longest_sleep', 100, 700],
  ['time_in_bed', 300, 900],
  ['sleep_efficiency', 45, 100],
  ['sleep_latency', 0, 90],
  ['restorative_sleep', 0, 260],
  ['deep_sleep', 0, 130],
  ['rem_sleep', 0, 150],
  ['sleep_heart_rate_variability', 15, 120],
  ['heart_rate_variability_rmssd', 15, 120],
  ['heart_rate_variability', 15, 140],
  ['resting_heart_rate', 42, 80],
  ['sleep_heart_rate', 42, 80],
  ['sleep_respiratory_rate', 11, 19],
  ['respiratory_rate', 11, 19],
  ['active_calories', 0, 1500],
  ['exercise', 0, 120],
  ['steps', 0, 20_000],
  ['dietary_energy', 400, 4500],
  ['total_calories', 1200, 4000],
  ['resting_energy', 900, 2200],
  ['weight', 45, 130],
  ['height', 145, 205],
  ['protein', 0, 180],
  ['fiber', 0, 60],
  ['saturated_fat', 0, 70],
  ['sugar', 0, 220],
  ['sodium', 0, 6000],
];

/** Values where a rule begins or ends. */
const borders: Partial<Record<MetricId, readonly number[]>> = {
  asleep: [179, 180, 970, 990],
  steps: [499, 500, 510],
  active_calories: [49, 50, 51],
  exercise: [0, 1],
  dietary_energy: [0, 1, 799, 800],
};

/** Each of them reaches an age limit while they are scored. */
const born = [1, 3, 6, 14, 18, 26, 65].map((age) => `${2026 - age}-02-14`);
const grown = ['1990-06-01', '1950-06-01'];
const body = { weight_kg: 71, height_cm: 174 };
const profiles: readonly Profile[] = [
  {},
  body,
  ...[...born, ...grown].flatMap((date_of_birth) => [{ date_of_birth }, { date_of_birth, ...body }]),
];

export interface PinnedUser {
  profile: Profile;
  days: Days;
  /** The dates that have enough days before them. */
  dates: string[];
}

const history = 100;
const scored = 60;

/**
 * Steady and unsteady people, with gaps, with a metric that they never have, and with a second
 * device.
 */
export const pinnedUsers: readonly PinnedUser[] = [...profiles, ...profiles, ...profiles, ...profiles].map(
  (profile, index) => {
    const random = randomFrom(index + 1);
    const habits = ranges.map(([metric, min, max]) => ({
      metric,
      level: min + random() * (max - min),
      spread: (max - min) * (random() < 0.5 ? 0.04 : 0.4),
      share: [0, 0.15, 0.8, 0.9, 1, 1][Math.floor(6 * random())] ?? 1,
      bounds: [min, max] as const,
    }));
    const swap = random() < 0.5 ? Math.floor(random() * history) : -1;
    const days: Days = new Map();
    for (let back = history; back >= 0; back--) {
      const values: Values = {};
      for (const { metric, level, spread, share, bounds } of habits) {
        const [min, max] = bounds;
        const usual = Math.min(Math.max(level + (2 * random() - 1) * spread, min), max);
        const rare = [min + random() * (max - min), ...(borders[metric] ?? [])];
        const value = random() < 0.8 ? usual : rare[Math.floor(rare.length * random())];
        if (random() < share && value !== undefined) values[metric] = value;
      }
      if (random() < 0.95) days.set(daysBefore(back), dayOf(values, back < swap ? 1 : 0));
    }
    return { profile, days, dates: Array.from({ length: scored }, (_none, at) => daysBefore(scored - 1 - at)) };
  },
);
