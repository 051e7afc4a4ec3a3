// Reads samples in two shapes: individual samples over a range of days, or one local day of one
// metric in equal steps.

import { type SampleId, sampleRow } from '../../catalog/metrics.ts';
import type { Original } from '../../measurements/records.ts';
import type { StoredSampleDay } from '../../measurements/rows/sample-day.ts';
import { datesInRange, dayBounds } from '../../platform/time/local-day.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import type { UserContext } from '../../users/user-context.ts';
import { assertNotReversed, assertNotTooLong, type ExplicitRange } from '../kit/range.ts';
import { selectHighestRankedSamples } from './highest-ranked-samples.ts';
import { computeShareWithin, intersectSpans, mergeSamplesByPeriod } from './merge-samples-by-period.ts';
import { readAuthorizedSamples } from './read-authorized-samples.ts';
import { type ColumnResult, readColumn, type StepsRequest } from './read-column.ts';

export interface SamplesRequest<Id extends SampleId> {
  shape: 'samples';
  metrics: readonly Id[];
  range: ExplicitRange;
}

export interface SamplesResult<Id extends SampleId> {
  shape: 'samples';
  /** In the order of the requested metrics; the samples of each are unsorted. */
  byMetric: { metric: Id; samples: SampleResult[] }[];
}
/** A sample or, for accruing metrics, the part of a sample that counts within one local day. */
export interface SampleResult {
  device: DeviceRow;
  startMs: number;
  value: number;
  /** The source's own value, or its share, if it used another unit. */
  original: Original | undefined;
}

export type TimeseriesRequest<Id extends SampleId> = SamplesRequest<Id> | StepsRequest;
export type TimeseriesResult<Id extends SampleId> = SamplesResult<Id> | ColumnResult;

export const readTimeseries = <Id extends SampleId>(
  deps: Deps,
  caller: Caller,
  userId: string,
  requested: TimeseriesRequest<Id>,
): Promise<TimeseriesResult<Id>> =>
  requested.shape === 'samples'
    ? readSamples(deps, caller, userId, requested)
    : readColumn(deps, caller, userId, requested);

async function readSamples<Id extends SampleId>(
  deps: Deps,
  caller: Caller,
  userId: string,
  { shape, metrics, range }: SamplesRequest<Id>,
): Promise<SamplesResult<Id>> {
  assertNotReversed(range);
  assertNotTooLong(range);
  const { from, to } = range;
  const { userContext, samples } = await readAuthorizedSamples(deps, caller, userId, metrics, range);
  const byMetric = metrics.map((metric) => ({
    metric,
    samples: selectSamples(userContext, metric, samples.get(metric) ?? [], from, to),
  }));
  return { shape, byMetric };
}

function selectSamples(
  userContext: UserContext,
  metric: SampleId,
  storedDays: readonly StoredSampleDay[],
  from: string,
  to: string,
): SampleResult[] {
  if (!sampleRow(metric).accrues)
    return selectHighestRankedSamples(userContext, metric, storedDays, datesInRange(from, to)).flatMap(
      ({ device, samples }) => samples.map(({ startMs, value, original }) => ({ device, startMs, value, original })),
    );
  const days = datesInRange(from, to).map((date) => dayBounds(date, userContext.user.timezone));
  const samples: SampleResult[] = [];
  for (const mergedSpan of mergeSamplesByPeriod(userContext, metric, storedDays))
    for (const day of days) {
      const overlap = intersectSpans(mergedSpan, day);
      if (overlap)
        samples.push({
          device: mergedSpan.device,
          startMs: overlap.startMs,
          ...computeShareWithin(mergedSpan.measurement, overlap),
        });
    }
  return samples;
}
