// The samples of one device and metric: how new ones join those already kept, and what a day of them comes to.

import { type SampleId, sampleRow } from '../../catalog/metrics.ts';
import { meanOf, sumOf } from '../../platform/arithmetic.ts';
import type { KeptSample } from '../codec/sample-block.ts';
import type { Original } from '../records.ts';
import type { Part } from './sample-parts.ts';

const inOrder = (a: KeptSample, b: KeptSample): number => a.startMs - b.startMs || a.endMs - b.endMs;

/** By start and end; of several with the same start and end the one given last. */
function ordered(samples: readonly KeptSample[]): KeptSample[] {
  const versions: KeptSample[] = [];
  for (const sample of samples.toSorted(inOrder)) {
    const before = versions.at(-1);
    if (before === undefined || inOrder(before, sample) !== 0) versions.push(sample);
    else versions[versions.length - 1] = sample;
  }
  return versions;
}

const saysTheSame = (a: KeptSample, b: KeptSample): boolean =>
  a.value === b.value &&
  a.offsetMinutes === b.offsetMinutes &&
  a.original?.value === b.original?.value &&
  a.original?.unit === b.original?.unit;

/** Both in order. */
export const sameSamples = (a: readonly KeptSample[], b: readonly KeptSample[]): boolean =>
  a.length === b.length &&
  a.every((sample, at) => {
    const other = b[at];
    return other !== undefined && inOrder(sample, other) === 0 && saysTheSame(sample, other);
  });

export interface MergedSamples {
  samples: KeptSample[];
  /** The versions that others have taken the place of. */
  replaced: KeptSample[];
  changed: boolean;
}

/** A sample that arrives again replaces the kept one. */
export function mergeSamples(kept: readonly KeptSample[], incoming: readonly KeptSample[]): MergedSamples {
  const samples: KeptSample[] = [];
  const replaced: KeptSample[] = [];
  const old = ordered(kept);
  let changed = false;
  let at = 0;
  for (const sample of ordered(incoming)) {
    let before = old[at];
    while (before !== undefined && inOrder(before, sample) < 0) {
      samples.push(before);
      before = old[++at];
    }
    if (before === undefined || inOrder(before, sample) > 0) {
      samples.push(sample);
      changed = true;
    } else if (saysTheSame(before, sample)) {
      samples.push(before);
      at++;
    } else {
      samples.push(sample);
      replaced.push(before);
      changed = true;
      at++;
    }
  }
  for (; at < old.length; at++) {
    const rest = old[at];
    if (rest !== undefined) samples.push(rest);
  }
  return { samples, replaced, changed };
}

type Measured = Pick<Part, 'startMs' | 'endMs' | 'value' | 'original'>;

/** One value for a day of samples, by the metric's own aggregation; a mean counts every sample alike. */
export function dayValue(metric: SampleId, samples: readonly Measured[]): number | undefined {
  const { aggregation } = sampleRow(metric);
  if (samples.length === 0) return undefined;
  if (aggregation === 'sum') return sumOf(samples.map(({ value }) => value));
  if (aggregation === 'avg') return meanOf(samples.map(({ value }) => value));
  return chosen(aggregation, samples)?.value;
}

/** The same in the unit that the source spoke; undefined when that was the metric's own, or several. */
export function dayOriginal(metric: SampleId, samples: readonly Measured[]): Original | undefined {
  const { aggregation } = sampleRow(metric);
  if (aggregation !== 'sum' && aggregation !== 'avg') return chosen(aggregation, samples)?.original;
  const unit = samples[0]?.original?.unit;
  if (unit === undefined) return undefined;
  const values: number[] = [];
  for (const { original } of samples) {
    if (original?.unit !== unit) return undefined;
    values.push(original.value);
  }
  return { unit, value: aggregation === 'sum' ? sumOf(values) : meanOf(values) };
}

/** Of equals the first, but the last of those that begin and end together. */
function chosen(how: 'min' | 'max' | 'last', samples: readonly Measured[]): Measured | undefined {
  const isBetter = (b: Measured, a: Measured): boolean => {
    if (how === 'last') return (b.startMs - a.startMs || b.endMs - a.endMs) >= 0;
    return how === 'min' ? b.value < a.value : b.value > a.value;
  };
  let best = samples[0];
  for (const sample of samples) if (best === undefined || isBetter(sample, best)) best = sample;
  return best;
}
