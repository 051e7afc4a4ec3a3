// Builds the timeline of when a device measured within a day. Pieces are no finer than five
// minutes, so the timeline is small enough to be stored next to the total.
import { roundTo, sumOf } from '../platform/arithmetic.ts';
import type { Piece, Timeline } from './timeline.ts';

const minuteMs = 60_000;
const cellMs = 5 * minuteMs;
/** Significant digits of the day's total; one of several hundred pieces then still has nine. */
const digits = 12;
const maxDecimals = 15;

export interface SampleBundle<Member> {
  piece: Piece;
  members: Member[];
}

/**
 * Samples within one five-minute cell of the clock become one piece, from the first start to the
 * last end. Longer samples, and samples that cross a cell boundary, stay unchanged, so measurements
 * of different devices that do not overlap stay exactly separate. Instants stay instants, so that
 * only one counts when two devices report the same instant. On a day with too many instants, they
 * are also bundled by cell.
 */
export function bundleSamples<Member extends Piece>(samples: readonly Member[]): SampleBundle<Member>[] {
  const bundles = groupByCell(samples, (sample) => (isInstant(sample) ? undefined : cellNumber(sample)));
  return bundles.length > maxPieces && samples.some(isInstant) ? groupByCell(samples, cellNumber) : bundles;
}

/** Groups the samples of each cell; a sample without a cell forms its own bundle. */
function groupByCell<Member extends Piece>(
  samples: readonly Member[],
  nameOf: (sample: Member) => number | undefined,
): SampleBundle<Member>[] {
  const bundles: SampleBundle<Member>[] = [];
  const cells = new Map<number, Member[]>();
  for (const sample of samples) {
    const name = nameOf(sample);
    if (name === undefined) bundles.push({ piece: sample, members: [sample] });
    else {
      const cellSamples = cells.get(name);
      if (cellSamples) cellSamples.push(sample);
      else cells.set(name, [sample]);
    }
  }
  for (const members of cells.values()) bundles.push({ piece: mergePieces(members), members });
  return bundles;
}

/**
 * A device that takes one measurement after another has fewer pieces: a bundle and an instant in
 * each cell of 25 hours, and one sample across each boundary. Beyond that, pieces are split at the
 * cell boundaries, so that no day grows without bound.
 */
const maxPieces = 3 * 25 * 12;

export function buildTimeline(samples: readonly Piece[]): Timeline {
  const total = sumOf(samples.map(({ value }) => value));
  const bundles = bundleSamples(samples);
  const pieces =
    bundles.length > maxPieces
      ? splitIntoCells(bundles.map(({ piece }) => piece)).map((piece) => roundPiece(piece, total))
      : bundles.map(({ piece, members }) => (members.length === 1 ? toPiece(piece) : roundPiece(piece, total)));
  return { total, pieces: pieces.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs || a.value - b.value) };
}

const toPiece = ({ startMs, endMs, value }: Piece): Piece => ({ startMs, endMs, value });

/**
 * A bundle of several samples is already coarse in time and needs no more digits than the day's
 * total can show.
 */
function roundPiece({ startMs, endMs, value }: Piece, total: number): Piece {
  const spare = total > 0 ? digits - 1 - Math.floor(Math.log10(total)) : 0;
  return { startMs, endMs, value: roundTo(Math.min(Math.max(spare, 0), maxDecimals), value) };
}

/** The pieces contain no instants: a day with this many pieces has already bundled them. */
function splitIntoCells(pieces: readonly Piece[]): Piece[] {
  const cells = new Map<number, Piece>();
  for (const { startMs, endMs, value } of pieces)
    for (let at = startMs; at < endMs; ) {
      const cell = Math.floor(at / cellMs);
      const until = Math.min(endMs, (cell + 1) * cellMs);
      const known = cells.get(cell) ?? { startMs: at, endMs: until, value: 0 };
      known.startMs = Math.min(known.startMs, at);
      known.endMs = Math.max(known.endMs, until);
      known.value += (value * (until - at)) / (endMs - startMs);
      cells.set(cell, known);
      at = until;
    }
  return [...cells.values()];
}

const isInstant = ({ startMs, endMs }: Piece): boolean => startMs === endMs;

/**
 * Returns the number of the cell that contains the whole piece, with separate numbers for instants;
 * undefined when no single cell contains it.
 */
function cellNumber({ startMs, endMs }: Piece): number | undefined {
  const cell = Math.floor(startMs / cellMs);
  if (endMs === startMs) return cell * 2 + 1;
  return Math.floor((endMs - 1) / cellMs) === cell ? cell * 2 : undefined;
}

function mergePieces(cellSamples: readonly Piece[]): Piece {
  const startMs = cellSamples.reduce((first, piece) => Math.min(first, piece.startMs), Number.POSITIVE_INFINITY);
  const lastMs = cellSamples.reduce((last, piece) => Math.max(last, piece.endMs), 0);
  const value = sumOf(cellSamples.map((piece) => piece.value));
  if (!cellSamples.every(isInstant)) return { startMs, endMs: lastMs, value };
  // Extend the piece to the end of the last instant's minute, so that one-minute instants form
  // contiguous pieces.
  return { startMs, endMs: (Math.floor(lastMs / minuteMs) + 1) * minuteMs, value };
}
