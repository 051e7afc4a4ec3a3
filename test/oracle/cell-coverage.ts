// Coarse merging: where the service may treat a five-minute cell as a whole. Computes the spans it
// may form from short samples, and the extra time they cover.
import { isMoment, type Sample } from './records.ts';
import { unionSpans } from './spans.ts';
import type { Span } from './zone-clock.ts';

export const cellMs = 5 * 60_000;
export const cellOf = (ms: number): number => Math.floor(ms / cellMs);

/** Whether a span stays within its cell. A span that ends on the cell's border does. */
const isShort = ({ from, to }: Span): boolean => to <= (cellOf(from) + 1) * cellMs;

/** What one device's samples of one metric cover, exactly and at most. */
export interface CellCoverage {
  exact: Span[];
  coarse: Span[];
  /**
   * By cell: the span from the first start to the last end of its short samples, and their number.
   */
  cellSpans: Map<number, Span & { count: number }>;
  moments: Set<number>;
}

/**
 * Samples are split at the end of their days, so a part may be short although its sample is not.
 */
export function computeCoverage(
  samples: readonly Sample[],
  partsOf: (sample: Sample) => readonly Span[],
): CellCoverage {
  const cellSpans = new Map<number, Span & { count: number }>();
  const moments = new Set<number>();
  const exact: Span[] = [];
  for (const sample of samples) {
    if (isMoment(sample)) {
      moments.add(sample.start);
      continue;
    }
    exact.push({ from: sample.start, to: sample.end });
    for (const { from, to } of partsOf(sample).filter(isShort)) {
      const cellSpan = cellSpans.get(cellOf(from));
      cellSpans.set(cellOf(from), {
        from: Math.min(from, cellSpan?.from ?? from),
        to: Math.max(to, cellSpan?.to ?? to),
        count: (cellSpan?.count ?? 0) + 1,
      });
    }
  }
  return { exact: unionSpans(exact), coarse: unionSpans([...exact, ...cellSpans.values()]), cellSpans, moments };
}

/**
 * The span in which a part of a sample may be merged with others. Undefined if the part stays
 * separate.
 */
export function findCellSpan(part: Span, { cellSpans }: CellCoverage): Span | undefined {
  if (!isShort(part)) return undefined;
  const cellSpan = cellSpans.get(cellOf(part.from));
  return cellSpan && cellSpan.count > 1 ? cellSpan : undefined;
}
