// Adjacent days: when a user travels, two devices may assign the same hour to different dates.

import type { NormalizedRow } from '../measurements/codec/normalized-day.ts';
import type { Span } from '../measurements/timeline.ts';
import { addDays } from '../platform/time/local-day.ts';

/** UTC offsets differ by up to 26 hours, so the dates of one instant differ by up to two days. */
export const adjacencyDays = 2;

export const adjacentDates = (date: string): string[] => [-2, -1, 1, 2].map((days) => addDays(date, days));

/**
 * Returns the rows of adjacent days that were measured during the same hours as this day's rows.
 */
export function findOverlappingRows(
  rows: readonly NormalizedRow[],
  adjacentDays: readonly Uint8Array[],
  open: (bytes: Uint8Array) => readonly NormalizedRow[],
): NormalizedRow[] {
  if (adjacentDays.length === 0) return [];
  const ownSpan = spanOf(rows);
  if (ownSpan === undefined) return [];
  return adjacentDays.flatMap((bytes) =>
    open(bytes).filter(({ timelines }) => timelines?.span && overlaps(ownSpan, timelines.span)),
  );
}

export function spanOf(rows: readonly NormalizedRow[]): Span | undefined {
  let span: Span | undefined;
  for (const { timelines } of rows) {
    const each = timelines?.span;
    if (each === undefined) continue;
    span = span
      ? { startMs: Math.min(span.startMs, each.startMs), endMs: Math.max(span.endMs, each.endMs) }
      : { startMs: each.startMs, endMs: each.endMs };
  }
  return span;
}

/** Intervals that only touch do not overlap; an instant overlaps any interval that contains it. */
export function overlaps(a: Span, b: Span): boolean {
  const isTouching = a.endMs === b.startMs || b.endMs === a.startMs;
  if (isTouching && a.startMs < a.endMs && b.startMs < b.endMs) return false;
  return a.startMs <= b.endMs && b.startMs <= a.endMs;
}
