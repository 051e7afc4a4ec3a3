// Samples of what accrues, always merged by period, whatever method the days follow: at each moment those of the most believed device that
// measured then. They come to the day's value under `merge`, where no device stated a total.
import { Coverage, joinedSpans } from '../domain/consolidation/shares.ts';
import { type Part, partsOf } from '../domain/measurements/sample-parts.ts';
import { dayOriginal } from '../domain/measurements/samples.ts';
import { bundled, type SampleBundle } from '../domain/measurements/timeline.ts';
import type { Subject } from '../domain/users/subject.ts';
import { withoutNoise } from '../model/arithmetic.ts';
import type { MetricId } from '../model/metrics.ts';
import type { Original } from '../model/records.ts';
import type { Piece, Span } from '../model/timeline.ts';
import type { KeptSample } from '../store/codec/sample-block.ts';
import type { DeviceRow } from '../store/devices.ts';
import type { KeptSampleDay } from '../store/samples.ts';
import { rankedAndEnabled } from './reader.ts';

type SamplePart = Part & { sample: KeptSample };

/** What a device measured evenly over a time: a sample, or several within five minutes that were partly covered together. */
interface Spread extends Piece {
  original?: Original | undefined;
}

/** A stretch of it that nobody better measured, without gaps and as long as can be. */
export interface KeptStretch extends Span {
  device: DeviceRow;
  of: Spread;
}

/** What nothing is left of is left out. */
export function mergedStretches(subject: Subject, metric: MetricId, kept: readonly KeptSampleDay[]): KeptStretch[] {
  const covered = new Coverage();
  return rankedAndEnabled(subject, metric).flatMap((device) => {
    const bundles = bundlesOf(subject, metric, kept, device);
    const stretches = bundles.flatMap((bundle) => keptStretches(metric, bundle, covered, device));
    covered.add(bundles.map(({ piece }) => piece));
    return withoutSeams(stretches);
  });
}

function bundlesOf(
  { user }: Subject,
  metric: MetricId,
  kept: readonly KeptSampleDay[],
  device: DeviceRow,
): SampleBundle<SamplePart>[] {
  const own = kept.filter((day) => day.device === device.ordinal);
  const parts = own.flatMap(({ samples }) =>
    samples.flatMap((sample) =>
      partsOf(metric, sample, user.timezone).map((part): SamplePart => ({ ...part, sample })),
    ),
  );
  return [...Map.groupBy(parts, ({ date }) => date).values()].flatMap((ofDay) => bundled(ofDay));
}

/** An uncovered bundle leaves its samples as they are. What is left of a partly covered one is no sample's own any more, and spread over the gaps. */
function keptStretches(
  metric: MetricId,
  { piece, members }: SampleBundle<SamplePart>,
  covered: Coverage,
  device: DeviceRow,
): KeptStretch[] {
  const gaps = covered.gapsIn(piece);
  const [first] = gaps;
  if (first === undefined) return [];
  if (first.startMs === piece.startMs && first.endMs === piece.endMs)
    return members.map(({ startMs, endMs, sample }) => ({ device, of: sample, startMs, endMs }));
  const [alone] = members;
  const of = members.length === 1 && alone ? alone.sample : { ...piece, original: dayOriginal(metric, members) };
  return gaps.map(({ startMs, endMs }) => ({ device, of, startMs, endMs }));
}

/** A sample that was split where its own day ended is one again. */
function withoutSeams(stretches: readonly KeptStretch[]): KeptStretch[] {
  return [...Map.groupBy(stretches, ({ of }) => of).values()].flatMap((ofOne) => {
    const [first] = ofOne;
    if (first === undefined || ofOne.length === 1) return ofOne;
    return joinedSpans(ofOne).map((span) => ({ ...first, ...span }));
  });
}

/** What of a span lies between two times, the second left out; undefined when nothing does. */
export function spanWithin({ startMs, endMs }: Span, bounds: Span): Span | undefined {
  const from = Math.max(startMs, bounds.startMs);
  const until = Math.min(endMs, bounds.endMs);
  const isWithin = startMs === endMs ? startMs === from && startMs < bounds.endMs : from < until;
  return isWithin ? { startMs: from, endMs: until } : undefined;
}

/** From 0 to 1; a moment is whole. */
const fractionIn = (of: Span, { startMs, endMs }: Span): number =>
  of.startMs === of.endMs ? 1 : (endMs - startMs) / (of.endMs - of.startMs);

/** How much of it was measured in a span that lies within it. */
export const valueIn = (of: Spread, span: Span): number => of.value * fractionIn(of, span);

/** The same with what its source said of that. All of it is told as it was sent. */
export function shareIn(of: Spread, span: Span): { value: number; original: Original | undefined } {
  const { value, original } = of;
  const fraction = fractionIn(of, span);
  if (fraction === 1) return { value, original };
  return {
    value: withoutNoise(value * fraction),
    original: original && { value: withoutNoise(original.value * fraction), unit: original.unit },
  };
}
