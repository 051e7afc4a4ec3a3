// A naive version of the baseline and the deviation from it, written straight from the description:
// slow and plain.
import type { MetricId } from '../../../shared/catalog/metrics.ts';
import type { Values } from './days.ts';

export interface PlainDay {
  values: Values;
  /** The device of each value. */
  from: Partial<Record<MetricId, number>>;
}
/** The first is the scored day, each next one the day before it. */
export type PlainHistory = readonly PlainDay[];

export const on = (history: PlainHistory, back: number, metric: MetricId): number | undefined =>
  history[back]?.values[metric];

const inOrder = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);
const sum = (numbers: readonly number[]): number => inOrder(numbers).reduce((total, each) => total + each, 0);
export const average = (numbers: readonly number[]): number => sum(numbers) / numbers.length;

function median(numbers: readonly number[]): number {
  const sorted = inOrder(numbers);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** Clips the numbers to median ± 3 × 1.4826 × MAD, unless the MAD is 0. */
function clipped(numbers: readonly number[]): number[] {
  const middle = median(numbers);
  const mad = median(numbers.map((each) => Math.abs(each - middle)));
  if (mad === 0) return [...numbers];
  const away = 3 * 1.4826 * mad;
  return numbers.map((each) => Math.min(middle + away, Math.max(middle - away, each)));
}

export interface Usual {
  /** The number of days it is based on. */
  n: number;
  mean: number;
  /** The sample standard deviation. */
  sd: number;
}

export interface Waiting {
  days: number;
  needed: number;
}
export const isWaiting = (found: Usual | Waiting): found is Waiting => 'needed' in found;

/**
 * Takes values by how many days before the scored day they are. A baseline needs at least 5 in 28
 * days, 3 of them in the last 14.
 */
export function usualOf(byBack: ReadonlyMap<number, number>): Usual | Waiting {
  const backs = [...byBack.keys()].filter((back) => back >= 1 && back <= 28);
  const recent = backs.filter((back) => back <= 14);
  if (backs.length < 5) return { days: backs.length, needed: 5 };
  if (recent.length < 3) return { days: recent.length, needed: 3 };
  const clippedValues = clipped(backs.map((back) => byBack.get(back) ?? Number.NaN));
  const mean = average(clippedValues);
  return {
    n: clippedValues.length,
    mean,
    sd: Math.sqrt(sum(clippedValues.map((each) => (each - mean) ** 2)) / (clippedValues.length - 1)),
  };
}

/** The one that lacks the fewest days, and among those the one that has the most. */
export const nearest = (waiting: readonly Waiting[]): Waiting | undefined =>
  [...waiting].sort((a, b) => a.needed - a.days - (b.needed - b.days) || b.days - a.days)[0];

/** The earlier days that have the metric from the device of today's value. */
export function sameDevice(history: PlainHistory, metric: MetricId): Map<number, number> {
  const found = new Map<number, number>();
  for (let back = 1; back <= 28; back++) {
    const value = on(history, back, metric);
    if (value !== undefined && history[back]?.from[metric] === history[0]?.from[metric]) found.set(back, value);
  }
  return found;
}

export interface Deviation extends Usual {
  z: number;
}

/**
 * The spread is shrunk toward that of most people, and is never below what the sensor can resolve.
 */
export function deviation(x: number, usual: Usual, prior: number, floor: number): Deviation {
  const { n, mean, sd } = usual;
  const s = Math.max(floor, Math.sqrt((7 * prior ** 2 + (n - 1) * sd ** 2) / (n + 6)));
  return { ...usual, z: (x - mean) / (s * Math.sqrt(1 + 1 / n)) };
}
