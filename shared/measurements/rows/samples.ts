// The samples of one device and metric: how new samples merge with stored ones, and the value of a
// day of samples.

import { type SampleId, sampleRow } from '../../catalog/metrics.ts';
import { meanOf, sumOf } from '../../platform/arithmetic.ts';
import type { StoredSample } from '../codec/sample-block.ts';
import type { Original } from '../records.ts';
import type { DayPart } from './split-sample.ts';

const compareByTime = (a: StoredSample, b: StoredSample): number => a.startMs - b.startMs || a.endMs - b.endMs;

/**
 * Sorts by start and end; of several samples with the same start and end, the last one passed in
 * wins.
 */
function sortAndDeduplicate(samples: readonly StoredSample[]): StoredSample[] {
  const versions: StoredSample[] = [];
  for (const sample of samples.toSorted(compareByTime)) {
    const before = versions.at(-1);
    if (before === undefined || compareByTime(before, sample) !== 0) versions.push(sample);
    else versions[versions.length - 1] = sample;
  }
  return versions;
}

const hasSameContent = (a: StoredSample, b: StoredSample): boolean =>
  a.value === b.value &&
  a.offsetMinutes === b.offsetMinutes &&
  a.original?.value === b.original?.value &&
  a.original?.unit === b.original?.unit;

/** Both lists must be sorted. */
export const areSamplesEqual = (a: readonly StoredSample[], b: readonly StoredSample[]): boolean =>
  a.length === b.length &&
  a.every((sample, at) => {
    const other = b[at];
    return other !== undefined && compareByTime(sample, other) === 0 && hasSameContent(sample, other);
  });

export interface MergedSamples {
  samples: StoredSample[];
  /** The stored versions that were replaced. */
  replaced: StoredSample[];
  changed: boolean;
}

/** An incoming sample replaces the stored sample with the same start and end. */
export function mergeSamples(stored: readonly StoredSample[], incoming: readonly StoredSample[]): MergedSamples {
  const samples: StoredSample[] = [];
  const replaced: StoredSample[] = [];
  const old = sortAndDeduplicate(stored);
  let changed = false;
  let at = 0;
  for (const sample of sortAndDeduplicate(incoming)) {
    let before = old[at];
    while (before !== undefined && compareByTime(before, sample) < 0) {
      samples.push(before);
      before = old[++at];
    }
    if (before === undefined || compareByTime(before, sample) > 0) {
      samples.push(sample);
      changed = true;
    } else if (hasSameContent(before, sample)) {
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

type MeasuredSample = Pick<DayPart, 'startMs' | 'endMs' | 'value' | 'original'>;

/**
 * Returns one value for a day of samples, using the metric's aggregation. A mean weighs every
 * sample equally.
 */
export function computeDayValue(metric: SampleId, samples: readonly MeasuredSample[]): number | undefined {
  const { aggregation } = sampleRow(metric);
  if (samples.length === 0) return undefined;
  if (aggregation === 'sum') return sumOf(samples.map(({ value }) => value));
  if (aggregation === 'avg') return meanOf(samples.map(({ value }) => value));
  return selectSample(aggregation, samples)?.value;
}

/**
 * Returns the same value in the source's unit; undefined when that is the metric's own unit, or
 * when the samples use several units.
 */
export function computeDayOriginal(metric: SampleId, samples: readonly MeasuredSample[]): Original | undefined {
  const { aggregation } = sampleRow(metric);
  if (aggregation !== 'sum' && aggregation !== 'avg') return selectSample(aggregation, samples)?.original;
  const unit = samples[0]?.original?.unit;
  if (unit === undefined) return undefined;
  const values: number[] = [];
  for (const { original } of samples) {
    if (original?.unit !== unit) return undefined;
    values.push(original.value);
  }
  return { unit, value: aggregation === 'sum' ? sumOf(values) : meanOf(values) };
}

/** Of equal values the first wins; of samples with the same start and end, the last. */
function selectSample(how: 'min' | 'max' | 'last', samples: readonly MeasuredSample[]): MeasuredSample | undefined {
  const isBetter = (b: MeasuredSample, a: MeasuredSample): boolean => {
    if (how === 'last') return (b.startMs - a.startMs || b.endMs - a.endMs) >= 0;
    return how === 'min' ? b.value < a.value : b.value > a.value;
  };
  let best = samples[0];
  for (const sample of samples) if (best === undefined || isBetter(sample, best)) best = sample;
  return best;
}
