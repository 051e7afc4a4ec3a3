// Samples of what accrues, always merged by period, whatever method the days follow: at each moment those of the most believed device that
// measured then. They come to the day's value under `merge`, where no device stated a total.

import type { SampleId } from '../../catalog/metrics.ts';
import { Coverage, mergeSpans } from '../../consolidation/coverage-shares.ts';
import { bundleSamples, type SampleBundle } from '../../measurements/build-timeline.ts';
import type { StoredSample } from '../../measurements/codec/sample-block.ts';
import type { Original } from '../../measurements/records.ts';
import type { StoredSampleDay } from '../../measurements/rows/sample-day.ts';
import { computeDayOriginal } from '../../measurements/rows/samples.ts';
import { type DayPart, splitSampleByDay } from '../../measurements/rows/split-sample.ts';
import type { Piece, Span } from '../../measurements/timeline.ts';
import { removeFloatNoise } from '../../platform/arithmetic.ts';
import { Failure } from '../../system/failure.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import { dayRuleOf, type UserContext } from '../../users/user-context.ts';
import { rankEnabledDevices } from '../kit/reader.ts';

type SamplePart = DayPart & { sample: StoredSample };

/** What a device measured evenly over a time: a sample, or several within five minutes that were partly covered together. */
interface SpreadMeasurement extends Piece {
  original?: Original | undefined;
}

/** A stretch of it that nobody better measured, without gaps and as long as can be. */
export interface MergedSpan extends Span {
  device: DeviceRow;
  measurement: SpreadMeasurement;
}

/** Several times what an answer shows. Long samples that lie over many short ones of a better device come to as many as both multiplied. */
const maxMergedSpans = 400_000;

/** What nothing is left of is left out. */
export function mergeSamplesByPeriod(
  userContext: UserContext,
  metric: SampleId,
  storedDays: readonly StoredSampleDay[],
): MergedSpan[] {
  const coverage = new Coverage();
  const merged: MergedSpan[] = [];
  for (const device of rankEnabledDevices(userContext, metric)) {
    const bundles = bundleDeviceSamples(userContext, metric, storedDays, device);
    const own: MergedSpan[] = [];
    for (const bundle of bundles) {
      for (const mergedSpan of findUncoveredSpans(metric, bundle, coverage, device)) own.push(mergedSpan);
      if (merged.length + own.length > maxMergedSpans) throw tooManySpans(metric);
    }
    coverage.add(bundles.map(({ piece }) => piece));
    for (const mergedSpan of joinSplitSpans(own)) merged.push(mergedSpan);
  }
  return merged;
}

const tooManySpans = (metric: SampleId): Failure =>
  new Failure(
    'invalid_request',
    `The samples of ${metric} on these days are in too many pieces to be merged at once: ask for fewer days, or read the daily values.`,
  );

function bundleDeviceSamples(
  { user }: UserContext,
  metric: SampleId,
  storedDays: readonly StoredSampleDay[],
  device: DeviceRow,
): SampleBundle<SamplePart>[] {
  const rule = dayRuleOf(user);
  const own = storedDays.filter((day) => day.device === device.ordinal);
  const parts = own.flatMap(({ samples }) =>
    samples.flatMap((sample) =>
      splitSampleByDay(metric, sample, rule).map((part): SamplePart => ({ ...part, sample })),
    ),
  );
  return [...Map.groupBy(parts, ({ date }) => date).values()].flatMap((dayParts) => bundleSamples(dayParts));
}

/** An uncovered bundle leaves its samples as they are. What is left of a partly covered one is no sample's own any more, and spread over the gaps. */
function findUncoveredSpans(
  metric: SampleId,
  { piece, members }: SampleBundle<SamplePart>,
  coverage: Coverage,
  device: DeviceRow,
): MergedSpan[] {
  const gaps = coverage.findGaps(piece);
  const [first] = gaps;
  if (first === undefined) return [];
  if (first.startMs === piece.startMs && first.endMs === piece.endMs)
    return members.map(({ startMs, endMs, sample }) => ({ device, measurement: sample, startMs, endMs }));
  const [onlyMember] = members;
  // A moment of a day that has too many of them stands for a minute, and is spread over that.
  const isSingleSample = members.length === 1 && onlyMember?.endMs === piece.endMs;
  const measurement = isSingleSample ? onlyMember.sample : { ...piece, original: computeDayOriginal(metric, members) };
  return gaps.map(({ startMs, endMs }) => ({ device, measurement, startMs, endMs }));
}

/** A sample that was split where its own day ended is one again. */
function joinSplitSpans(spans: readonly MergedSpan[]): MergedSpan[] {
  return [...Map.groupBy(spans, ({ measurement }) => measurement).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length === 1) return group;
    return mergeSpans(group).map((span) => ({ ...first, ...span }));
  });
}

/** What of a span lies between two times, the second left out; undefined when nothing does. */
export function intersectSpans({ startMs, endMs }: Span, bounds: Span): Span | undefined {
  const from = Math.max(startMs, bounds.startMs);
  const until = Math.min(endMs, bounds.endMs);
  const isWithin = startMs === endMs ? startMs === from && startMs < bounds.endMs : from < until;
  return isWithin ? { startMs: from, endMs: until } : undefined;
}

/** From 0 to 1; a moment is whole. */
const computeFraction = (measurement: Span, { startMs, endMs }: Span): number =>
  measurement.startMs === measurement.endMs ? 1 : (endMs - startMs) / (measurement.endMs - measurement.startMs);

/** How much of it was measured in a span that lies within it. */
export const computeValueWithin = (measurement: SpreadMeasurement, span: Span): number =>
  measurement.value * computeFraction(measurement, span);

/** The same with what its source said of that. All of it is told as it was sent. */
export function computeShareWithin(
  measurement: SpreadMeasurement,
  span: Span,
): { value: number; original: Original | undefined } {
  const { value, original } = measurement;
  const fraction = computeFraction(measurement, span);
  if (fraction === 1) return { value, original };
  return {
    value: removeFloatNoise(value * fraction),
    original: original && { value: removeFloatNoise(original.value * fraction), unit: original.unit },
  };
}
