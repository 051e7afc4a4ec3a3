// Samples of what accrues, always merged by period, whatever method the days follow: at each moment those of the most believed device that
// measured then. They come to the day's value under `merge`, where no device stated a total.

import type { SampleId } from '../../catalog/metrics.ts';
import { Coverage, joinedSpans } from '../../consolidation/shares.ts';
import type { KeptSample } from '../../measurements/codec/sample-block.ts';
import type { Original } from '../../measurements/records.ts';
import type { KeptSampleDay } from '../../measurements/rows/sample-day.ts';
import { type Part, partsOf } from '../../measurements/rows/sample-parts.ts';
import { dayOriginal } from '../../measurements/rows/samples.ts';
import { bundled, type SampleBundle } from '../../measurements/timeline.ts';
import type { Piece, Span } from '../../measurements/timeline-span.ts';
import { withoutNoise } from '../../platform/arithmetic.ts';
import { Failure } from '../../system/failure.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import { dayRuleOf, type Subject } from '../../users/subject.ts';
import { rankedAndEnabled } from '../kit/reader.ts';

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

/** Several times what an answer shows. Long samples that lie over many short ones of a better device come to as many as both multiplied. */
const mostStretches = 400_000;

/** What nothing is left of is left out. */
export function mergedStretches(subject: Subject, metric: SampleId, kept: readonly KeptSampleDay[]): KeptStretch[] {
  const covered = new Coverage();
  const found: KeptStretch[] = [];
  for (const device of rankedAndEnabled(subject, metric)) {
    const bundles = bundlesOf(subject, metric, kept, device);
    const own: KeptStretch[] = [];
    for (const bundle of bundles) {
      for (const stretch of keptStretches(metric, bundle, covered, device)) own.push(stretch);
      if (found.length + own.length > mostStretches) throw tooManyPieces(metric);
    }
    covered.add(bundles.map(({ piece }) => piece));
    for (const stretch of withoutSeams(own)) found.push(stretch);
  }
  return found;
}

const tooManyPieces = (metric: SampleId): Failure =>
  new Failure(
    'invalid_request',
    `The samples of ${metric} on these days are in too many pieces to be merged at once: ask for fewer days, or read the daily values.`,
  );

function bundlesOf(
  { user }: Subject,
  metric: SampleId,
  kept: readonly KeptSampleDay[],
  device: DeviceRow,
): SampleBundle<SamplePart>[] {
  const rule = dayRuleOf(user);
  const own = kept.filter((day) => day.device === device.ordinal);
  const parts = own.flatMap(({ samples }) =>
    samples.flatMap((sample) => partsOf(metric, sample, rule).map((part): SamplePart => ({ ...part, sample }))),
  );
  return [...Map.groupBy(parts, ({ date }) => date).values()].flatMap((ofDay) => bundled(ofDay));
}

/** An uncovered bundle leaves its samples as they are. What is left of a partly covered one is no sample's own any more, and spread over the gaps. */
function keptStretches(
  metric: SampleId,
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
  // A moment of a day that has too many of them stands for a minute, and is spread over that.
  const isItself = members.length === 1 && alone?.endMs === piece.endMs;
  const of = isItself ? alone.sample : { ...piece, original: dayOriginal(metric, members) };
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
