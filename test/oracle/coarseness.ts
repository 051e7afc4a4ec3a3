// Where the service may look at five minutes as a whole: the pieces it may make of short samples, and the time they cover beyond them.
import { isMoment, type Sample } from './records.ts';
import { union } from './spans.ts';
import type { Span } from './zone-clock.ts';

export const cellMs = 5 * 60_000;
export const cellOf = (ms: number): number => Math.floor(ms / cellMs);

/** Intervals that do not leave their cell; one that ends on its border has not left it. */
const isShort = (sample: Sample): boolean => !isMoment(sample) && sample.end <= (cellOf(sample.start) + 1) * cellMs;

/** What one device's samples of one metric cover, exactly and at the most. */
export interface Cover {
  exact: Span[];
  coarse: Span[];
  /** By cell: the span from the first start to the last end of its short samples, and how many there are. */
  pieces: Map<number, Span & { count: number }>;
  moments: Set<number>;
}

export function coverOf(samples: readonly Sample[]): Cover {
  const pieces = new Map<number, Span & { count: number }>();
  const moments = new Set<number>();
  const exact: Span[] = [];
  for (const sample of samples) {
    if (isMoment(sample)) {
      moments.add(sample.start);
      continue;
    }
    exact.push({ from: sample.start, to: sample.end });
    if (!isShort(sample)) continue;
    const cell = cellOf(sample.start);
    const piece = pieces.get(cell);
    pieces.set(cell, {
      from: Math.min(sample.start, piece?.from ?? sample.start),
      to: Math.max(sample.end, piece?.to ?? sample.end),
      count: (piece?.count ?? 0) + 1,
    });
  }
  return { exact: union(exact), coarse: union([...exact, ...pieces.values()]), pieces, moments };
}

/** The piece that a sample may be taken together with others in; undefined when it stands for itself. */
export function pieceOf(sample: Sample, { pieces }: Cover): Span | undefined {
  if (!isShort(sample)) return undefined;
  const piece = pieces.get(cellOf(sample.start));
  return piece && piece.count > 1 ? piece : undefined;
}
