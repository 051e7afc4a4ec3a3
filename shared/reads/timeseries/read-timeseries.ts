// Reads samples in two shapes: individual samples over a range of days, or one local day of one
// metric in equal steps.

import { type SampleId, sampleRow } from '../../catalog/metrics.ts';
import type { Original } from '../../measurements/records.ts';
import type { Span } from '../../measurements/timeline.ts';
import { datesInRange, dayBounds, type WithOffset } from '../../platform/time/local-day.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import { assertNotReversed, assertNotTooLong, type ExplicitRange, type Range } from '../kit/range.ts';
import { selectHighestRankedSamples } from './highest-ranked-samples.ts';
import { computeShareWithin, intersectSpans, mergeSamplesByPeriod } from './merge-samples-by-period.ts';
import { readAuthorizedSamples, type UserContextSamples } from './read-authorized-samples.ts';
import { type ColumnResult, readColumn, type StepsRequest } from './read-column.ts';

export interface SamplesRequest {
  shape: 'samples';
  metrics: readonly SampleId[];
  range: ExplicitRange;
  /** Counts the samples of all devices, also of those that are not returned. */
  maxStoredSamples?: number;
}

export interface SamplesResult {
  shape: 'samples';
  /** The time zone of the days; null means UTC. */
  zone: string | null;
  /** The days that were read in full. */
  range: Range;
  /** Whether these are all requested days. Reading stops at `maxStoredSamples`. */
  isComplete: boolean;
  /** In the order of the requested metrics; the samples of each are unsorted. */
  byMetric: { metric: SampleId; samples: SampleResult[] }[];
}
/** A sample or, for accruing metrics, the part of a sample that counts within one local day. */
export interface SampleResult extends WithOffset {
  device: DeviceRow;
  startMs: number;
  value: number;
  /** The source's own value, or its share, if it used another unit. */
  original: Original | undefined;
}

export type TimeseriesRequest = SamplesRequest | StepsRequest;
export type TimeseriesResult = SamplesResult | ColumnResult;

export const readTimeseries = (
  deps: Deps,
  caller: Caller,
  userId: string,
  requested: TimeseriesRequest,
): Promise<TimeseriesResult> =>
  requested.shape === 'samples'
    ? readSamples(deps, caller, userId, requested)
    : readColumn(deps, caller, userId, requested);

async function readSamples(
  deps: Deps,
  caller: Caller,
  userId: string,
  { shape, metrics, range, maxStoredSamples }: SamplesRequest,
): Promise<SamplesResult> {
  assertNotReversed(range);
  assertNotTooLong(range);
  const found = await readAuthorizedSamples(deps, caller, userId, metrics, range, maxStoredSamples);
  const { from } = range;
  const to = found.completeTo;
  return {
    shape,
    zone: found.userContext.user.timezone,
    range: { from, to },
    isComplete: to === range.to,
    byMetric: metrics.map((metric) => ({ metric, samples: from > to ? [] : selectSamples(found, metric, from, to) })),
  };
}

function selectSamples(
  { userContext, samples: storedDays }: UserContextSamples,
  metric: SampleId,
  from: string,
  to: string,
): SampleResult[] {
  if (!sampleRow(metric).accrues)
    return selectHighestRankedSamples(userContext, metric, storedDays, datesInRange(from, to)).flatMap(
      ({ device, samples }) =>
        samples.map(({ startMs, value, original, offsetMinutes }) => ({
          device,
          startMs,
          value,
          original,
          offsetMinutes,
        })),
    );
  const days = datesInRange(from, to).map((date) => dayBounds(date, userContext.user.timezone));
  const samples: SampleResult[] = [];
  for (const mergedSpan of mergeSamplesByPeriod(userContext, metric, storedDays.get(metric) ?? []))
    for (const day of findOverlappedDays(days, mergedSpan)) {
      const overlap = intersectSpans(mergedSpan, day);
      if (overlap)
        samples.push({
          device: mergedSpan.device,
          startMs: overlap.startMs,
          offsetMinutes: mergedSpan.measurement.offsetMinutes,
          ...computeShareWithin(mergedSpan.measurement, overlap),
        });
    }
  return samples;
}

/** `days` are sorted and adjacent. A range may have thousands of days, and a span a few of them. */
function* findOverlappedDays(days: readonly Span[], { startMs, endMs }: Span): Generator<Span> {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle]?.endMs ?? 0) <= startMs) low = middle + 1;
    else high = middle;
  }
  // A moment is a span without a length.
  for (let at = low; at < days.length; at++) {
    const day = days[at];
    if (!day || day.startMs > endMs) return;
    yield day;
  }
}
