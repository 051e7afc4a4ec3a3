// When a device measured within a day, short enough to stand beside its total: pieces no finer than five minutes.
import { roundTo, sumOf } from '../../model/arithmetic.ts';
import type { Piece, Profile } from '../../model/profile.ts';

const cellMs = 5 * 60_000;
/** The day's total then has at least nine. */
const digits = 9;
const mostDecimals = 15;

export interface Bundle<Member> {
  piece: Piece;
  members: Member[];
}

/**
 * What lies within one five-minute cell of the clock becomes one piece, from its first start to its last end; moments stay moments.
 * Longer samples, and those over a cell's border, stay as they are: so what devices measured apart stays apart exactly.
 */
export function bundled<Member extends Piece>(samples: readonly Member[]): Bundle<Member>[] {
  const bundles: Bundle<Member>[] = [];
  const cells = new Map<number, Member[]>();
  for (const sample of samples) {
    const name = cellOf(sample);
    if (name === undefined) bundles.push({ piece: sample, members: [sample] });
    else {
      const inside = cells.get(name);
      if (inside) inside.push(sample);
      else cells.set(name, [sample]);
    }
  }
  for (const members of cells.values()) bundles.push({ piece: asOne(members), members });
  return bundles;
}

export function profileOf(samples: readonly Piece[]): Profile {
  const total = sumOf(samples.map(({ value }) => value));
  const spare = total > 0 ? digits - 1 - Math.floor(Math.log10(total)) : 0;
  const decimals = Math.min(Math.max(spare, 0), mostDecimals);
  const pieces = bundled(samples).map(({ piece: { startMs, endMs, value } }) => ({
    startMs,
    endMs,
    value: roundTo(decimals, value),
  }));
  return { total, pieces: pieces.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs || a.value - b.value) };
}

/** A number for the cell that holds all of it, another for moments; undefined when no cell does. */
function cellOf({ startMs, endMs }: Piece): number | undefined {
  const cell = Math.floor(startMs / cellMs);
  if (endMs === startMs) return cell * 2 + 1;
  return Math.floor((endMs - 1) / cellMs) === cell ? cell * 2 : undefined;
}

function asOne(inside: readonly Piece[]): Piece {
  const startMs = inside.reduce((first, piece) => Math.min(first, piece.startMs), Number.POSITIVE_INFINITY);
  const lastMs = inside.reduce((last, piece) => Math.max(last, piece.endMs), 0);
  const isMoment = inside.every((piece) => piece.startMs === piece.endMs);
  return { startMs, endMs: isMoment ? startMs : lastMs, value: sumOf(inside.map(({ value }) => value)) };
}
