// Binary format of the pieces of one device's timelines, one timeline after another in metric
// order, each stored column by column: the number of pieces times four plus the time unit, starts
// (each since the previous end, the first since `baseMs`), durations, values.

import { type ByteReader, type ByteWriter, UnreadableData } from '../../platform/bytes.ts';
import type { Piece, Timeline } from '../timeline.ts';
import { readNumbers, writeNumbers } from './number-column.ts';

/** A timeline uses the largest unit that divides all its starts and ends. */
const units = [1, 1_000, 60_000, 300_000] as const;
const lastUnit = units.length - 1;
/** Far beyond any calendar date, and half of what a wide zigzag can hold. */
const maxMs = 2 ** 50;

function assertValidPieces(pieces: readonly Piece[]): void {
  let previousStartMs = Number.NEGATIVE_INFINITY;
  let previousEndMs = Number.NEGATIVE_INFINITY;
  for (const { startMs, endMs, value } of pieces) {
    if (!Number.isInteger(startMs) || !Number.isInteger(endMs) || endMs < startMs)
      throw new RangeError(`a piece from ${startMs} to ${endMs} has an invalid start or end`);
    if (startMs < -maxMs || endMs > maxMs)
      throw new RangeError(`a piece from ${startMs} to ${endMs} is outside the valid time range`);
    if (startMs < previousStartMs || (startMs === previousStartMs && endMs < previousEndMs))
      throw new RangeError(`the piece at ${startMs} is out of order: sort by start, then end`);
    if (!Number.isFinite(value)) throw new RangeError(`${value} is not a valid piece value`);
    previousStartMs = startMs;
    previousEndMs = endMs;
  }
}

function findTimeUnit(pieces: readonly Piece[]): number {
  let unit = lastUnit;
  for (const { startMs, endMs } of pieces) {
    while (unit > 0 && (startMs % (units[unit] ?? 1) !== 0 || endMs % (units[unit] ?? 1) !== 0)) unit--;
  }
  return unit;
}

/** `baseMs` is no later than any start and is stored separately from the pieces. */
export function writePieces(writer: ByteWriter, timelines: readonly Timeline[], baseMs: number): void {
  for (const { pieces } of timelines) {
    assertValidPieces(pieces);
    const unit = findTimeUnit(pieces);
    const unitMs = units[unit] ?? 1;
    writer.varint(pieces.length * units.length + unit);
    let previous = Math.floor(baseMs / unitMs);
    for (const { startMs, endMs } of pieces) {
      writer.wideZigzag(startMs / unitMs - previous);
      previous = endMs / unitMs;
    }
    for (const { startMs, endMs } of pieces) writer.wideVarint((endMs - startMs) / unitMs);
    writeNumbers(
      writer,
      Float64Array.from(pieces, ({ value }) => value),
    );
  }
}

export function readPieces(reader: ByteReader, baseMs: number): Piece[] {
  const head = reader.varint();
  const unitMs = units[head % units.length] ?? 1;
  const count = Math.floor(head / units.length);
  // A start, a duration and a value take at least one byte each, so damaged data cannot request
  // more memory than it has bytes.
  if (count * 3 > reader.remaining) throw new UnreadableData('a packed timeline states more pieces than it has bytes');
  const gaps = Float64Array.from({ length: count }, () => reader.wideZigzag());
  const durations = Float64Array.from({ length: count }, () => reader.wideVarint());
  const values = readNumbers(reader, count);
  const pieces: Piece[] = [];
  let previous = Math.floor(baseMs / unitMs);
  for (let at = 0; at < count; at++) {
    const start = previous + (gaps[at] ?? 0);
    previous = start + (durations[at] ?? 0);
    const startMs = start * unitMs;
    const endMs = previous * unitMs;
    if (startMs < -maxMs || endMs > maxMs)
      throw new UnreadableData('a packed timeline has a piece outside the valid time range');
    pieces.push({ startMs, endMs, value: values[at] ?? 0 });
  }
  return pieces;
}
