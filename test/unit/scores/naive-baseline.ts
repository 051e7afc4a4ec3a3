// What is usual for a person and how far from it a day is, once more: straight from the text, slow and plain.
import type { MetricId } from '../../../shared/catalog/metrics.ts';
import type { Values } from './days.ts';

export interface PlainDay {
  values: Values;
  /** The device of each value. */
  from: Partial<Record<MetricId, number>>;
}
/** The first is the day that is scored, each next one the day before it. */
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

/** Into median ± 3 × 1.4826 × MAD, unless the MAD is 0. */
function clipped(numbers: readonly number[]): number[] {
  const middle = median(numbers);
  const mad = median(numbers.map((each) => Math.abs(each - middle)));
  if (mad === 0) return [...numbers];
  const away = 3 * 1.4826 * mad;
  return numbers.map((each) => Math.min(middle + away, Math.max(middle - away, each)));
}

export interface Usual {
  /** How many days it stands on. */
  n: number;
  mean: number;
  /** The sample's own. */
  sd: number;
}

export interface Waiting {
  days: number;
  needed: number;
}
export const isWaiting = (found: Usual | Waiting): found is Waiting => 'needed' in found;

/** Of the values by how many days before the scored day they are: at least 5 in 28 days, 3 of them in the last 14. */
export function usualOf(byBack: ReadonlyMap<number, number>): Usual | Waiting {
  const backs = [...byBack.keys()].filter((back) => back >= 1 && back <= 28);
  const recent = backs.filter((back) => back <= 14);
  if (backs.length < 5) return { days: backs.length, needed: 5 };
  if (recent.length < 3) return { days: recent.length, needed: 3 };
  const kept = clipped(backs.map((back) => byBack.get(back) ?? Number.NaN));
  const mean = average(kept);
  return { n: kept.length, mean, sd: Math.sqrt(sum(kept.map((each) => (each - mean) ** 2)) / (kept.length - 1)) };
}

/** The one that lacks the fewest days, and of those the one that has most. */
export const nearest = (waiting: readonly Waiting[]): Waiting | undefined =>
  [...waiting].sort((a, b) => a.needed - a.days - (b.needed - b.days) || b.days - a.days)[0];

/** The days before that have the metric from the device that today's value is from. */
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

/** A spread that is shrunk toward what most people have, and never below what the sensor can tell. */
export function deviation(x: number, usual: Usual, prior: number, floor: number): Deviation {
  const { n, mean, sd } = usual;
  const s = Math.max(floor, Math.sqrt((7 * prior ** 2 + (n - 1) * sd ** 2) / (n + 6)));
  return { ...usual, z: (x - mean) / (s * Math.sqrt(1 + 1 / n)) };
}
