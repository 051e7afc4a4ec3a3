// Where the service may look at five minutes as a whole: the pieces it may make of short samples, and the time they cover beyond them.
import { isMoment, type Sample } from './records.ts';
import { union } from './spans.ts';
import type { Span } from './zone-clock.ts';

export const cellMs = 5 * 60_000;
export const cellOf = (ms: number): number => Math.floor(ms / cellMs);

/** What does not leave its cell; one that ends on its border has not left it. */
const isShort = ({ from, to }: Span): boolean => to <= (cellOf(from) + 1) * cellMs;

/** What one device's samples of one metric cover, exactly and at the most. */
export interface Cover {
  exact: Span[];
  coarse: Span[];
  /** By cell: the span from the first start to the last end of its short samples, and how many there are. */
  pieces: Map<number, Span & { count: number }>;
  moments: Set<number>;
}

/** Samples are split where their days end, and a part may be short although its sample is not. */
export function coverOf(samples: readonly Sample[], partsOf: (sample: Sample) => readonly Span[]): Cover {
  const pieces = new Map<number, Span & { count: number }>();
  const moments = new Set<number>();
  const exact: Span[] = [];
  for (const sample of samples) {
    if (isMoment(sample)) {
      moments.add(sample.start);
      continue;
    }
    exact.push({ from: sample.start, to: sample.end });
    for (const { from, to } of partsOf(sample).filter(isShort)) {
      const piece = pieces.get(cellOf(from));
      pieces.set(cellOf(from), {
        from: Math.min(from, piece?.from ?? from),
        to: Math.max(to, piece?.to ?? to),
        count: (piece?.count ?? 0) + 1,
      });
    }
  }
  return { exact: union(exact), coarse: union([...exact, ...pieces.values()]), pieces, moments };
}

/** The piece that a part of a sample may be taken together with others in; undefined when it stands for itself. */
export function pieceOf(part: Span, { pieces }: Cover): Span | undefined {
  if (!isShort(part)) return undefined;
  const piece = pieces.get(cellOf(part.from));
  return piece && piece.count > 1 ? piece : undefined;
}
