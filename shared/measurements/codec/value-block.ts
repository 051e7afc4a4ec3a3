// Binary format of one set of metric values, used by both day layouts.
// - Head: bits 0-4 hold the length of the bitmap in bytes; bit 5: exceptions follow; bit 6:
// originals follow; bit 7 belongs to the layout.
// - Bitmap: the metric indexes that are present, lowest first, without trailing zero bytes.
// - Values: one zigzag varint each, the value in the metric's fixed point minus the metric's
// origin.
// - Exceptions: see value-exceptions.ts.
// - Originals: see originals.ts.
import { metricTable } from '../../catalog/metric-table.ts';
import { type ByteReader, type ByteWriter, UnreadableData } from '../../platform/bytes.ts';
import { OriginalRow, type Originals } from './original-row.ts';
import { readOriginals, writeOriginals } from './originals.ts';
import {
  createValueException,
  needsStep,
  readExceptions,
  type ValueException,
  writeExceptions,
} from './value-exceptions.ts';

/** One more than the highest metric index, which is the length of a dense row of values. */
export const metricSlots = Math.max(...metricTable.map((row) => row.index)) + 1;

const powers = new Float64Array(metricSlots);
const origins = new Float64Array(metricSlots);
const scales = new Uint8Array(metricSlots);
for (const row of metricTable) {
  scales[row.index] = row.scale;
  powers[row.index] = 10 ** row.scale;
  origins[row.index] = Math.round(row.origin * 10 ** row.scale);
}

const maxBitmapBytes = 31;
const exceptionsFollow = 0x20;
const originalsFollow = 0x40;
const layoutFlag = 0x80;
const maxInteger = 2 ** 31 - 1;

/** A dense row: `values[index]` is the metric's value, or NaN if there is none. */
export interface ValueRow {
  values: Float64Array;
  originals?: Originals | undefined;
}

export function emptyValues(): Float64Array {
  return new Float64Array(metricSlots).fill(Number.NaN);
}

/**
 * The metric indexes present in the block that was read or written last; only the first `count`
 * entries are valid.
 */
export interface Presence {
  indexes: Uint8Array;
  count: number;
}
export function createPresence(): Presence {
  return { indexes: new Uint8Array(maxBitmapBytes * 8), count: 0 };
}

const bitmap = new Uint8Array(maxBitmapBytes);
const integers = new Int32Array(metricSlots);

function hasOriginals(row: ValueRow, presence: Presence): boolean {
  const originals = row.originals;
  if (originals === undefined || originals.size === 0) return false;
  return presence.indexes.subarray(0, presence.count).some((index) => originals.has(index));
}

/** Fills `presence`, which the calling layout needs before and after the block. */
export function fillPresence(row: ValueRow, presence: Presence): void {
  let count = 0;
  for (let index = 0; index < metricSlots; index++) {
    const value = row.values[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
      throw new RangeError(`${value} is not a valid day value (metric index ${index})`);
    }
    presence.indexes[count++] = index;
  }
  presence.count = count;
}

export function writeBlock(writer: ByteWriter, row: ValueRow, presence: Presence, flag: boolean): void {
  const { indexes, count } = presence;
  let exceptions: ValueException[] | undefined;
  bitmap.fill(0);
  for (let at = 0; at < count; at++) {
    const index = indexes[at] ?? 0;
    const value = row.values[index] ?? 0;
    const power = powers[index] ?? 1;
    const origin = origins[index] ?? 0;
    const fixed = Math.round(value * power);
    const integer = fixed - origin;
    const fits = integer <= maxInteger && integer >= -maxInteger;
    // Adding zero turns -0 into 0, so that -0 is an exception.
    const step = (fixed + 0) / power;
    integers[at] = fits ? integer : 0;
    if (!(fits && Object.is(step, value))) {
      const exception = createValueException(at, value, fits ? step : Number.NaN, scales[index] ?? 0);
      exceptions ??= [];
      exceptions.push(exception);
      if (!needsStep(exception)) integers[at] = 0;
    }
    bitmap[index >>> 3] = (bitmap[index >>> 3] ?? 0) | (1 << (index & 7));
  }
  const bitmapBytes = count === 0 ? 0 : ((indexes[count - 1] ?? 0) >>> 3) + 1;
  const keepsOriginals = hasOriginals(row, presence);
  writer.byte(
    bitmapBytes |
      (exceptions === undefined ? 0 : exceptionsFollow) |
      (keepsOriginals ? originalsFollow : 0) |
      (flag ? layoutFlag : 0),
  );
  for (let at = 0; at < bitmapBytes; at++) writer.byte(bitmap[at] ?? 0);
  for (let at = 0; at < count; at++) writer.zigzag(integers[at] ?? 0);
  if (exceptions !== undefined) writeExceptions(writer, exceptions);
  if (keepsOriginals && row.originals !== undefined) writeOriginals(writer, indexes, count, row.originals);
}

/**
 * Reads a block into `row`, overwriting its contents, and returns the layout's flag. Values of
 * metrics that only a newer release knows are an error.
 */
export function readBlock(reader: ByteReader, row: ValueRow, presence: Presence): boolean {
  const { values } = row;
  values.fill(Number.NaN);
  const head = reader.byte();
  const { indexes } = presence;
  const count = reader.bitmap(indexes, head & maxBitmapBytes);
  const highest = count === 0 ? 0 : (indexes[count - 1] ?? 0);
  if (highest >= metricSlots) {
    throw new UnreadableData(
      `a packed day holds metric index ${highest}, which a newer release wrote: deploy that release`,
    );
  }
  presence.count = count;
  reader.fixedPoints(values, indexes, count, origins, powers);
  if (head & exceptionsFollow) readExceptions(reader, values, indexes, count, scales);
  const originals = row.originals instanceof OriginalRow ? row.originals : undefined;
  originals?.clear();
  if (head & originalsFollow) {
    const into = originals ?? new OriginalRow();
    readOriginals(reader, indexes, count, into);
    row.originals = into;
  } else {
    row.originals = originals;
  }
  return (head & layoutFlag) !== 0;
}
