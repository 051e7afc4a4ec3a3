// The scale of a vertical axis: it covers every value, ends at ticks, and no two ticks read the same.

/** Amounts are drawn from zero; the axis of a rate need not begin there. */
export type ChartKind = 'amount' | 'rate';

export interface ValueScale {
  min: number;
  max: number;
  /** From the lowest to the highest, one step apart. */
  ticks: readonly number[];
  step: number;
  /** How many decimals a tick needs. */
  decimals: number;
}

export interface ScaleLimits {
  /** The distances that two ticks may have, smallest first. Otherwise 1, 2 and 5 times a power of ten. */
  steps?: readonly number[];
  /** No smaller distance than this: counts are whole, and a share is not less than a percent. */
  minStep?: number;
}

const maxIntervals = 4;
/** The distances that two ticks of an axis in minutes may have. */
export const minuteSteps = [1, 2, 5, 10, 15, 30, 60, 120];

function* listDecimalSteps(smallest: number): Generator<{ step: number; decimals: number }> {
  for (let power = Math.floor(Math.log10(smallest)); ; power += 1)
    for (const digit of [1, 2, 5]) {
      const decimals = Math.max(0, -power);
      const step = roundTo(digit * 10 ** power, decimals);
      if (step >= smallest) yield { step, decimals };
    }
}

const roundTo = (value: number, decimals: number): number => Number(value.toFixed(decimals));

export function chooseScale(
  kind: ChartKind,
  values: readonly (number | null | undefined)[],
  { steps, minStep = steps?.[0] ?? 0 }: ScaleLimits = {},
): ValueScale {
  const known = values.filter((value) => value !== null && value !== undefined);
  const [low, high] = findBounds(kind, known, minStep);
  // A longer range than the steps are made for has a multiple of the longest.
  const listed = steps?.map((step) => ({ step, decimals: 0 })) ?? [];
  const smallest = Math.max(minStep, steps?.at(-1) ?? (high - low) / maxIntervals / 10);
  for (const { step, decimals } of chain(listed, listDecimalSteps(smallest))) {
    const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
    if (last - first > maxIntervals) continue;
    const ticks = Array.from({ length: last - first + 1 }, (_none, at) => roundTo((first + at) * step, decimals));
    return { min: ticks[0] ?? low, max: ticks.at(-1) ?? high, ticks, step, decimals };
  }
  throw new Error('every range has a step');
}

function* chain<Item>(...lists: Iterable<Item>[]): Generator<Item> {
  for (const list of lists) yield* list;
}

/** What the axis must cover, never empty. */
function findBounds(kind: ChartKind, values: readonly number[], minStep: number): [low: number, high: number] {
  const [lowest, highest] = values.length === 0 ? [0, 0] : [Math.min(...values), Math.max(...values)];
  const low = kind === 'amount' ? Math.min(0, lowest) : lowest;
  const high = kind === 'amount' ? Math.max(0, highest) : highest;
  if (high > low) return [low, high];
  const margin = Math.max(Math.abs(high) * 0.05, minStep);
  return kind === 'amount' || high === 0 ? [0, Math.max(minStep, 1)] : [low - margin, high + margin];
}
