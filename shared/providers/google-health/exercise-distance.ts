// How far a workout went that does not say so itself: from the distances that were measured while
// it lasted.
import * as z from 'zod';
import type { Gathering, Maybe } from '../kit/gathering.ts';
import type { VendorPage } from '../kit/pages.ts';
import { coursePage } from './data-types.ts';
import { GoogleInterval, GoogleNumber, googleValues } from './points.ts';

const Moved = z.looseObject({ interval: GoogleInterval, millimeters: GoogleNumber });

/**
 * Of the time that the person was active: what was measured of less is not how far the workout
 * went.
 */
const minCoverage = 0.9;

interface During {
  id: string | undefined;
  startMs: number;
  endMs: number;
  /** Without pauses. */
  activeSeconds: Maybe;
}

interface Piece {
  startMs: number;
  endMs: number;
  millimetres: number;
}

/** In millimetres; null where the points do not cover the workout, or it went nowhere. */
export function distancesDuring(
  gathering: Gathering,
  pages: readonly VendorPage[],
): (workout: During) => number | null {
  const byWorkout = new Map<string, Map<number, Piece>>();
  for (const { of, value } of googleValues(gathering, pages, {
    resource: coursePage,
    type: 'distance',
    schema: Moved,
  })) {
    if (of === undefined) continue;
    const { startTime: startMs, endTime: endMs } = value.interval;
    const pieces = byWorkout.get(of) ?? new Map<number, Piece>();
    // A zero is left out.
    pieces.set(startMs, { startMs, endMs, millimetres: value.millimeters ?? 0 });
    byWorkout.set(of, pieces);
  }
  return ({ id, startMs, endMs, activeSeconds }) => {
    const pieces = byWorkout.get(id ?? '')?.values() ?? [];
    const { coveredMs, millimetres } = within(startMs, endMs, [...pieces]);
    const activeMs = Math.min(activeSeconds ? activeSeconds * 1000 : Number.POSITIVE_INFINITY, endMs - startMs);
    return coveredMs >= minCoverage * activeMs && millimetres > 0 ? millimetres : null;
  };
}

/**
 * A piece that reaches over an end of the workout counts by its share of time; none counts twice.
 */
function within(startMs: number, endMs: number, pieces: readonly Piece[]): { coveredMs: number; millimetres: number } {
  let [fromMs, coveredMs, millimetres] = [startMs, 0, 0];
  for (const piece of pieces.toSorted((a, b) => a.startMs - b.startMs)) {
    const ownMs = Math.min(piece.endMs, endMs) - Math.max(piece.startMs, fromMs);
    if (ownMs <= 0) continue;
    coveredMs += ownMs;
    millimetres += piece.millimetres * (ownMs / (piece.endMs - piece.startMs));
    fromMs = Math.min(piece.endMs, endMs);
  }
  return { coveredMs, millimetres };
}
