// Samples of what accrues, always merged by period, whatever method the days follow: at each moment those of the most believed device that
// measured then. They come to the day's value under `merge`, where no device stated a total.
import { Coverage } from '../domain/consolidation/shares.ts';
import { type Part, partsOf } from '../domain/measurements/sample-parts.ts';
import { bundled, type SampleBundle } from '../domain/measurements/timeline.ts';
import type { Subject } from '../domain/users/subject.ts';
import { sumOf } from '../model/arithmetic.ts';
import type { MetricId } from '../model/metrics.ts';
import type { Piece, Span } from '../model/timeline.ts';
import type { KeptSample } from '../store/codec/sample-block.ts';
import type { DeviceRow } from '../store/devices.ts';
import type { KeptSampleDay } from '../store/samples.ts';
import { rankedAndEnabled } from './reader.ts';

type SamplePart = Part & { sample: KeptSample };

/** What is left of a sample, and when. */
export interface KeptPart {
  device: DeviceRow;
  sample: KeptSample;
  /** The part of the sample it is left of. */
  part: Span;
  isWhole: boolean;
  /** Stretches, each with what was measured in it, evenly. */
  pieces: Piece[];
  value: number;
}

/** Samples of which nothing is left are left out. */
export function mergedParts(subject: Subject, metric: MetricId, kept: readonly KeptSampleDay[]): KeptPart[] {
  const covered = new Coverage();
  return rankedAndEnabled(subject, metric).flatMap((device) => {
    const bundles = bundlesOf(subject, metric, kept, device);
    const parts = bundles.flatMap((bundle) => keptParts(bundle, covered, device));
    covered.add(bundles.map(({ piece }) => piece));
    return parts;
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

/** An uncovered bundle leaves its samples as they are. In a partly covered one each sample loses the same fraction, and what is left is spread over the gaps. */
function keptParts({ piece, members }: SampleBundle<SamplePart>, covered: Coverage, device: DeviceRow): KeptPart[] {
  const gaps = covered.gapsIn(piece);
  if (gaps.length === 0) return [];
  const [first] = gaps;
  const isWhole = first?.startMs === piece.startMs && first.endMs === piece.endMs;
  const lengthMs = piece.endMs - piece.startMs;
  return members.map((part) => {
    const pieces = isWhole
      ? [{ startMs: part.startMs, endMs: part.endMs, value: part.value }]
      : gaps.map(({ startMs, endMs }) => ({ startMs, endMs, value: (part.value * (endMs - startMs)) / lengthMs }));
    return {
      device,
      sample: part.sample,
      part,
      isWhole,
      pieces,
      value: isWhole ? part.value : sumOf(pieces.map(({ value }) => value)),
    };
  });
}

const sumOfParts = (parts: readonly KeptPart[]): number => sumOf(parts.map(({ value }) => value));

/** What nothing was taken from is told as it was sent, whatever its parts come to. */
const isUntouched = ({ startMs, endMs }: KeptSample, parts: readonly KeptPart[]): boolean =>
  parts.every((part) => part.isWhole) &&
  parts.reduce((sum, { part }) => sum + part.endMs - part.startMs, 0) === endMs - startMs;

/** Samples that were split where a day ended are one again. */
export function mergedSamples(parts: readonly KeptPart[]): KeptPart[] {
  return [...Map.groupBy(parts, ({ sample }) => sample).values()].flatMap((ofSample) => {
    const [first] = ofSample;
    if (!first) return [];
    const pieces = ofSample.flatMap((part) => part.pieces);
    return [
      { ...first, pieces, value: isUntouched(first.sample, ofSample) ? first.sample.value : sumOfParts(ofSample) },
    ];
  });
}
