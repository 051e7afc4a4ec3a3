// Which values the README's `average` users can have. The days are random in the id of the user, so
// no sample can be compared number by number.
import { habitsByPersona } from '../../../shared/sandbox/life/habits.ts';
import type { CheckScalar } from './sample-json.ts';

const { restingBpm, maxBpm, asleepMinutes } = habitsByPersona.average;

/** A hard day, a short night and chance move a value this far from what is usual for the user. */
const ranges: Readonly<Record<string, readonly [low: number, high: number]>> = {
  steps: [0, 40_000],
  resting_heart_rate: [restingBpm[0] - 8, restingBpm[1] + 8],
  asleep: [asleepMinutes[0] - 180, asleepMinutes[1] + 240],
  // The hours of a timeseries of the heart rate.
  values: [restingBpm[0] - 15, maxBpm[1]],
  step_seconds: [3_600, 3_600],
  // A nap is a sleep, too.
  duration_minutes: [10, 780],
  sleep_score: [0, 100],
  value: [0, 780],
  previous_value: [0, 100],
  contribution: [0, 100],
};

const words: Readonly<Record<string, readonly string[]>> = {
  confidence: ['high', 'medium', 'low'],
  direction: ['positive', 'neutral', 'negative'],
};

/** Returns what is implausible about a value of that name. */
export function checkValue(name: string, value: unknown): string | undefined {
  if (typeof value === 'number') {
    const range = ranges[name];
    if (!range) return `has no known range: add ${name} to the ranges of the persona`;
    return value >= range[0] && value <= range[1] ? undefined : `is ${value}, not from ${range[0]} to ${range[1]}`;
  }
  const allowed = words[name];
  return typeof value === 'string' && allowed && !allowed.includes(value) ? `is ${value}` : undefined;
}

/**
 * The same kind of value as in the sample, and plausible. The last item of a list is today's, which
 * has no value before the user has got up.
 */
export const checkLikeSample: CheckScalar = (value, { name, isLast, sample }) => {
  if (value === null && (isLast || sample === null)) return undefined;
  if (typeof value !== typeof sample || (value === null) !== (sample === null))
    return `is ${value}, not like ${sample}`;
  if (typeof value === 'string' && !words[name] && digitsAsZero(value) !== digitsAsZero(String(sample)))
    return `is ${value}, not like ${sample}`;
  return checkValue(name, value);
};

const digitsAsZero = (text: string): string => text.replaceAll(/\d/g, '0');
