// At each moment the most believed device that measured then: what every device keeps of its own, and nobody twice.

import type { Piece, Span, Timeline } from '../measurements/timeline-span.ts';
import { sumOf } from '../platform/arithmetic.ts';

/** The time that better devices measured: stretches without gaps or overlaps between them, and single moments. */
export class Coverage {
  #stretches: Span[] = [];
  readonly #moments = new Set<number>();

  /** A moment covers nothing but itself. */
  add(pieces: readonly Span[]): void {
    const all = [...this.#stretches];
    for (const { startMs, endMs } of pieces) {
      if (startMs === endMs) this.#moments.add(startMs);
      else all.push({ startMs, endMs });
    }
    this.#stretches = joinedSpans(all);
  }

  /** The stretches of a piece that nobody better measured; a moment stays whole or not at all. */
  gapsIn({ startMs, endMs }: Span): Span[] {
    if (startMs === endMs) return this.#moments.has(startMs) || this.#holds(startMs) ? [] : [{ startMs, endMs }];
    const gaps: Span[] = [];
    let from = startMs;
    for (let at = this.#firstEndingAfter(startMs); at < this.#stretches.length; at++) {
      const stretch = this.#stretches[at];
      if (stretch === undefined || stretch.startMs >= endMs) break;
      if (stretch.startMs > from) gaps.push({ startMs: from, endMs: stretch.startMs });
      from = stretch.endMs;
    }
    if (from < endMs) gaps.push({ startMs: from, endMs });
    return gaps;
  }

  /** How much of a piece that is, from 0 to 1. */
  uncovered(piece: Span): number {
    const gaps = this.gapsIn(piece);
    if (piece.startMs === piece.endMs) return gaps.length;
    return gaps.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / (piece.endMs - piece.startMs);
  }

  #holds(ms: number): boolean {
    const stretch = this.#stretches[this.#firstEndingAfter(ms)];
    return stretch !== undefined && stretch.startMs <= ms;
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

/** In order, those that meet or overlap as one. */
export function joinedSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const { startMs, endMs } of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = joined.at(-1);
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else joined.push({ startMs, endMs });
  }
  return joined;
}

export interface Competitor {
  /** What it measured that counts on the day; undefined when nothing does. */
  timeline: Timeline | undefined;
  /** What it measured at about that time that counts on other days: time is time, whatever day somebody calls it. */
  beside: readonly Piece[];
}

/** What each keeps of its day, in the order given: the most believed first. Undefined for those that measured nothing of it. */
export function sharesOf(competitors: readonly Competitor[]): (number | undefined)[] {
  const covered = new Coverage();
  return competitors.map(({ timeline, beside }) => {
    const share = timeline && keptOf(timeline, covered);
    if (timeline) covered.add(timeline.pieces);
    if (beside.length > 0) covered.add(beside);
    return share;
  });
}

/** Pieces are rounded and the total is not: a day that keeps everything is its total to the last digit. */
function keptOf({ total, pieces }: Timeline, covered: Coverage): number {
  let whole = true;
  const kept: number[] = [];
  for (const piece of pieces) {
    const part = covered.uncovered(piece);
    if (part < 1) whole = false;
    if (part > 0) kept.push(part === 1 ? piece.value : piece.value * part);
  }
  if (whole) return total;
  return kept.length === 0 ? 0 : sumOf(kept);
}
