// Splits a day between devices: at each instant only the highest-ranked device that measured then
// counts, so that nothing is counted twice.

import type { Piece, Span, Timeline } from '../measurements/timeline.ts';
import { sumOf } from '../platform/arithmetic.ts';

/**
 * The time that higher-ranked devices measured: disjoint intervals that do not touch each other,
 * and single instants.
 */
export class Coverage {
  #stretches: Span[] = [];
  readonly #moments = new Set<number>();

  /** An instant covers only itself. */
  add(pieces: readonly Span[]): void {
    const all = [...this.#stretches];
    for (const { startMs, endMs } of pieces) {
      if (startMs === endMs) this.#moments.add(startMs);
      else all.push({ startMs, endMs });
    }
    this.#stretches = mergeSpans(all);
  }

  /**
   * Returns the parts of a span that no higher-ranked device measured. An instant is returned whole
   * or not at all.
   */
  findGaps({ startMs, endMs }: Span): Span[] {
    if (startMs === endMs) return this.#moments.has(startMs) || this.#holds(startMs) ? [] : [{ startMs, endMs }];
    const gaps: Span[] = [];
    let from = startMs;
    for (let at = this.#firstEndingAfter(startMs); at < this.#stretches.length; at++) {
      const interval = this.#stretches[at];
      if (interval === undefined || interval.startMs >= endMs) break;
      if (interval.startMs > from) gaps.push({ startMs: from, endMs: interval.startMs });
      from = interval.endMs;
    }
    if (from < endMs) gaps.push({ startMs: from, endMs });
    return gaps;
  }

  /** Returns the uncovered fraction of a span, from 0 to 1. */
  uncoveredFraction(piece: Span): number {
    const gaps = this.findGaps(piece);
    if (piece.startMs === piece.endMs) return gaps.length;
    return gaps.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / (piece.endMs - piece.startMs);
  }

  #holds(ms: number): boolean {
    const interval = this.#stretches[this.#firstEndingAfter(ms)];
    return interval !== undefined && interval.startMs <= ms;
  }

  #firstEndingAfter(ms: number): number {
    let [low, high] = [0, this.#stretches.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#stretches[middle]?.endMs ?? 0) <= ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Sorts the spans and joins those that touch or overlap. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const { startMs, endMs } of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = joined.at(-1);
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else joined.push({ startMs, endMs });
  }
  return joined;
}

export interface Competitor {
  /** The device's measurements that count on the day; undefined when there are none. */
  timeline: Timeline | undefined;
  /**
   * The device's measurements around the same time that count on other days. They cover that time
   * too, because coverage depends on the time and not on the date a device assigns to it.
   */
  adjacentPieces: readonly Piece[];
}

/** Receives the fraction of each piece that counts, from 0 to 1, with the competitor's position. */
export type RecordFraction = (at: number, piece: Piece, fraction: number) => void;

/**
 * Returns each competitor's share of its day. Competitors are in rank order, highest first; the
 * share is undefined for those without measurements on the day.
 */
export function computeShares(competitors: readonly Competitor[], record?: RecordFraction): (number | undefined)[] {
  const coverage = new Coverage();
  return competitors.map(({ timeline, adjacentPieces }, at) => {
    const share = timeline && computeShare(timeline, coverage, at, record);
    if (timeline) coverage.add(timeline.pieces);
    if (adjacentPieces.length > 0) coverage.add(adjacentPieces);
    return share;
  });
}

/**
 * Pieces are rounded and the total is not, so a day that is fully uncovered returns its exact
 * total.
 */
function computeShare({ total, pieces }: Timeline, coverage: Coverage, at: number, record?: RecordFraction): number {
  let isComplete = true;
  const uncoveredValues: number[] = [];
  for (const piece of pieces) {
    const fraction = coverage.uncoveredFraction(piece);
    record?.(at, piece, fraction);
    if (fraction < 1) isComplete = false;
    if (fraction > 0) uncoveredValues.push(fraction === 1 ? piece.value : piece.value * fraction);
  }
  if (isComplete) return total;
  return uncoveredValues.length === 0 ? 0 : sumOf(uncoveredValues);
}
