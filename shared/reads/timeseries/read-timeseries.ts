// Samples within days, in two shapes: one by one over some days, or one local day of one metric in equal steps.

import { type SampleId, sampleRow } from '../../catalog/metrics.ts';
import type { Original } from '../../measurements/records.ts';
import type { KeptSampleDay } from '../../measurements/rows/sample-day.ts';
import { datesInRange, dayBounds } from '../../platform/time/local-day.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import type { Subject } from '../../users/subject.ts';
import { mustNotBeReversed, mustNotBeTooLong, type StatedRange } from '../kit/range.ts';
import { believedSamples } from './believed-samples.ts';
import { type ColumnRead, readColumn, type StepsAsked } from './day-column.ts';
import { mergedStretches, shareIn, spanWithin } from './merged-samples.ts';
import { ownSubjectAndSamples } from './subject-samples.ts';

export interface SamplesAsked<Id extends SampleId> {
  shape: 'samples';
  metrics: readonly Id[];
  range: StatedRange;
}

export interface SamplesRead<Id extends SampleId> {
  shape: 'samples';
  /** In the order of the metrics asked for; the samples of each in no order. */
  byMetric: { metric: Id; samples: ReadSample[] }[];
}
/** A sample; of what accrues a stretch of one that counts, within one local day. */
export interface ReadSample {
  device: DeviceRow;
  startMs: number;
  value: number;
  /** What the source said, or its share of that, where it used another unit. */
  original: Original | undefined;
}

export type TimeseriesAsked<Id extends SampleId> = SamplesAsked<Id> | StepsAsked;
export type TimeseriesRead<Id extends SampleId> = SamplesRead<Id> | ColumnRead;

export const readTimeseries = <Id extends SampleId>(
  deps: Deps,
  caller: Caller,
  userId: string,
  asked: TimeseriesAsked<Id>,
): Promise<TimeseriesRead<Id>> =>
  asked.shape === 'samples' ? readSamples(deps, caller, userId, asked) : readColumn(deps, caller, userId, asked);

async function readSamples<Id extends SampleId>(
  deps: Deps,
  caller: Caller,
  userId: string,
  { shape, metrics, range }: SamplesAsked<Id>,
): Promise<SamplesRead<Id>> {
  mustNotBeReversed(range);
  mustNotBeTooLong(range);
  const { from, to } = range;
  const { subject, samples } = await ownSubjectAndSamples(deps, caller, userId, metrics, range);
  const byMetric = metrics.map((metric) => ({
    metric,
    samples: shownSamples(subject, metric, samples.get(metric) ?? [], from, to),
  }));
  return { shape, byMetric };
}

function shownSamples(
  subject: Subject,
  metric: SampleId,
  kept: readonly KeptSampleDay[],
  from: string,
  to: string,
): ReadSample[] {
  if (!sampleRow(metric).accrues)
    return believedSamples(subject, metric, kept, datesInRange(from, to)).flatMap(({ device, samples }) =>
      samples.map(({ startMs, value, original }) => ({ device, startMs, value, original })),
    );
  const days = datesInRange(from, to).map((date) => dayBounds(date, subject.user.timezone));
  const samples: ReadSample[] = [];
  for (const stretch of mergedStretches(subject, metric, kept))
    for (const day of days) {
      const inside = spanWithin(stretch, day);
      if (inside) samples.push({ device: stretch.device, startMs: inside.startMs, ...shareIn(stretch.of, inside) });
    }
  return samples;
}
