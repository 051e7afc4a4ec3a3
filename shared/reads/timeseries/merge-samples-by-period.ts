// Merges the samples of accruing metrics by period, regardless of the method of the days: at each
// instant the highest-ranked device that measured then counts. Under `merge` they add up to the
// day's value, unless a device stated a total.

import type { SampleId } from '../../catalog/metrics.ts';
import { Coverage, mergeSpans } from '../../consolidation/coverage-shares.ts';
import { rankEnabledDevices } from '../../consolidation/rank-devices.ts';
import { bundleSamples, type SampleBundle } from '../../measurements/build-timeline.ts';
import type { StoredSample } from '../../measurements/codec/sample-block.ts';
import type { Original } from '../../measurements/records.ts';
import type { StoredSampleDay } from '../../measurements/rows/sample-day.ts';
import { computeDayOriginal } from '../../measurements/rows/samples.ts';
import { type DayPart, splitSampleByDay } from '../../measurements/rows/split-sample.ts';
import type { Piece, Span } from '../../measurements/timeline.ts';
import { removeFloatNoise } from '../../platform/arithmetic.ts';
import type { WithOffset } from '../../platform/time/local-day.ts';
import { Failure } from '../../system/failure.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import { dayRuleOf, type UserContext } from '../../users/user-context.ts';

type SamplePart = DayPart & { sample: StoredSample };

/**
 * A value that a device measured evenly over a period: one sample, or several within five minutes
 * that were partly covered together.
 */
interface SpreadMeasurement extends Piece, WithOffset {
  original?: Original | undefined;
}

/** A maximal contiguous part of a measurement that no higher-ranked device covers. */
export interface MergedSpan extends Span {
  device: DeviceRow;
  measurement: SpreadMeasurement;
}

/**
 * Several times what a response can hold. When long samples overlap many short ones of a
 * higher-ranked device, the number of parts is the product of both.
 */
const maxMergedSpans = 400_000;

/** Measurements that are fully covered are omitted. */
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
    `The samples of ${metric} on these days have too many intervals to merge in one request. Request fewer days, or read the daily values.`,
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

/**
 * An uncovered bundle returns its samples unchanged. The rest of a partly covered bundle no longer
 * belongs to individual samples and is spread over the gaps.
 */
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
  // On a day with too many instants, an instant stands for a minute and is spread over that minute.
  const isSingleSample = members.length === 1 && onlyMember?.endMs === piece.endMs;
  const measurement = isSingleSample
    ? onlyMember.sample
    : {
        ...piece,
        original: computeDayOriginal(metric, members),
        offsetMinutes: findCommonOffset(members.map(({ sample }) => sample)),
      };
  return gaps.map(({ startMs, endMs }) => ({ device, measurement, startMs, endMs }));
}

/** Null if the samples state different offsets, or some of them none. */
function findCommonOffset([first, ...others]: readonly WithOffset[]): number | null {
  const offsetMinutes = first?.offsetMinutes ?? null;
  return others.every((other) => other.offsetMinutes === offsetMinutes) ? offsetMinutes : null;
}

/** Joins a sample again that was split at the end of its own day. */
function joinSplitSpans(spans: readonly MergedSpan[]): MergedSpan[] {
  return [...Map.groupBy(spans, ({ measurement }) => measurement).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length === 1) return group;
    return mergeSpans(group).map((span) => ({ ...first, ...span }));
  });
}

/**
 * Returns the part of a span within the bounds, whose end is exclusive; undefined if there is none.
 */
export function intersectSpans({ startMs, endMs }: Span, bounds: Span): Span | undefined {
  const from = Math.max(startMs, bounds.startMs);
  const until = Math.min(endMs, bounds.endMs);
  const isWithin = startMs === endMs ? startMs === from && startMs < bounds.endMs : from < until;
  return isWithin ? { startMs: from, endMs: until } : undefined;
}

/** From 0 to 1; an instant always counts as 1. */
const computeFraction = (measurement: Span, { startMs, endMs }: Span): number =>
  measurement.startMs === measurement.endMs ? 1 : (endMs - startMs) / (measurement.endMs - measurement.startMs);

/** Returns the part of the value that was measured in a span within the measurement. */
export const computeValueWithin = (measurement: SpreadMeasurement, span: Span): number =>
  measurement.value * computeFraction(measurement, span);

/**
 * Returns that value together with the original in the source's unit. A complete measurement is
 * returned exactly as it was sent.
 */
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
