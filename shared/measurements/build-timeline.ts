// When a device measured within a day, short enough to stand beside its total: pieces no finer than five minutes.
import { roundTo, sumOf } from '../platform/arithmetic.ts';
import type { Piece, Timeline } from './timeline.ts';

const minuteMs = 60_000;
const cellMs = 5 * minuteMs;
/** Of the day's total: a share of some hundred pieces then still has nine. */
const digits = 12;
const maxDecimals = 15;

export interface SampleBundle<Member> {
  piece: Piece;
  members: Member[];
}

/**
 * What lies within one five-minute cell of the clock becomes one piece, from its first start to its
 * last end. Longer samples, and those over a cell's border, stay as they are: so what devices
 * measured apart stays apart exactly. Moments stay moments, so that of two devices that tell of one
 * instant only one counts there; those of a day that has too many of them are taken together by
 * cells, too.
 */
export function bundleSamples<Member extends Piece>(samples: readonly Member[]): SampleBundle<Member>[] {
  const bundles = groupByCell(samples, (sample) => (isInstant(sample) ? undefined : cellNumber(sample)));
  return bundles.length > maxPieces && samples.some(isInstant) ? groupByCell(samples, cellNumber) : bundles;
}

/** Samples of one cell together; those without a cell each alone. */
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

/** A device that measures one thing after the other has fewer: a bundle and a moment in each cell of 25 hours, and a sample over each border. What has more is cut at the borders, so that no day grows without bound. */
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

/** A sum of several is coarse in time already, and needs no more digits than the day's total can show. */
function roundPiece({ startMs, endMs, value }: Piece, total: number): Piece {
  const spare = total > 0 ? digits - 1 - Math.floor(Math.log10(total)) : 0;
  return { startMs, endMs, value: roundTo(Math.min(Math.max(spare, 0), maxDecimals), value) };
}

/** No moment is among them: those of a day of so many pieces are stretches by then. */
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

/** A number for the cell that holds all of it, another for moments; undefined when no cell does. */
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
  // The last moment lies within them, so they reach to the end of its minute: moments of every
  // minute then follow each other.
  return { startMs, endMs: (Math.floor(lastMs / minuteMs) + 1) * minuteMs, value };
}
