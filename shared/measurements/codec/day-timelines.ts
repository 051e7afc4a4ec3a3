// Binary format of the timelines of a normalized day. It follows the devices; nothing is written
// when no device has timelines.
// - Per device: the number of timelines; their span in whole minutes (duration plus one, or 0
// without pieces; the start as the difference from the previous device's start); for each timeline
// its metric (as the difference from the previous one), whether its total equals the metric's
// value, and the total if it does not; the byte length of its pieces.
// - Pieces: the plain length when compressed, 0 when not, then the pieces of all devices (see
// timeline-pieces.ts).

import { type ByteReader, ByteWriter, UnreadableData } from '../../platform/bytes.ts';
import { type Span, type Timeline, TimelineMap, type Timelines } from '../timeline.ts';
import { compress } from './compression.ts';
import { chooseNumberForm, numberFormCount, readNumber, writeNumber } from './decimals.ts';
import { DayPieces, PackedTimelines } from './packed-timelines.ts';
import { writePieces } from './timeline-pieces.ts';

const minuteMs = 60_000;

interface RowWithTimelines {
  values: Float64Array;
  timelines?: Timelines | undefined;
}

/** One device's timelines, ready to be encoded. */
interface DeviceTimelines {
  totals: ReadonlyMap<number, number>;
  span: Span | undefined;
  /** The source of the pieces is either another packed day or the timelines by metric. */
  packed: PackedTimelines | undefined;
  timelines: readonly Timeline[];
}

const body = new ByteWriter();

export function writeTimelines(writer: ByteWriter, rows: readonly RowWithTimelines[]): void {
  if (!rows.some(({ timelines }) => timelines !== undefined && timelines.size > 0)) return;
  const devices = rows.map(({ timelines }) => toDeviceTimelines(timelines));
  const stored = findUnchangedPieces(devices);
  const lengths = stored === undefined ? packBody(devices) : devices.map(({ packed }) => packed?.length ?? 0);
  let minute = 0;
  for (const [at, { totals, span }] of devices.entries()) {
    writer.varint(totals.size);
    if (totals.size === 0) continue;
    minute = writeSpan(writer, span, minute);
    writeTotals(writer, totals, rows[at]?.values);
    writer.wideVarint(lengths[at] ?? 0);
  }
  if (stored !== undefined) {
    writer.wideVarint(stored.plainLength);
    writer.raw(stored.stored);
    return;
  }
  const plain = body.peekWritten();
  const compressedBody = compress(plain);
  writer.wideVarint(compressedBody === undefined ? 0 : plain.length);
  writer.raw(compressedBody ?? plain);
}

function toDeviceTimelines(timelines: Timelines | undefined): DeviceTimelines {
  if (timelines instanceof PackedTimelines)
    return { totals: timelines.totals, span: timelines.span, packed: timelines, timelines: [] };
  const sorted = new TimelineMap([...(timelines ?? [])].sort(([a], [b]) => a - b));
  const totals = new Map<number, number>();
  for (const [index, { total }] of sorted) totals.set(index, total);
  return { totals, span: roundToMinutes(sorted.span), packed: undefined, timelines: [...sorted.values()] };
}

function roundToMinutes(span: Span | undefined): Span | undefined {
  if (span === undefined) return undefined;
  return {
    startMs: Math.floor(span.startMs / minuteMs) * minuteMs,
    endMs: Math.ceil(span.endMs / minuteMs) * minuteMs,
  };
}

/**
 * Returns the pieces of the day that all timelines were read from, if these are exactly the pieces
 * it held. Its bytes can then be reused.
 */
function findUnchangedPieces(devices: readonly DeviceTimelines[]): DayPieces | undefined {
  let day: DayPieces | undefined;
  let next = 0;
  for (const { totals, packed } of devices) {
    if (totals.size === 0) continue;
    if (packed === undefined || packed.from !== next) return undefined;
    day ??= packed.dayPieces;
    if (packed.dayPieces !== day) return undefined;
    next += packed.length;
  }
  return next === day?.length ? day : undefined;
}

/** Writes into `body` and returns the byte length of each device's pieces. */
function packBody(devices: readonly DeviceTimelines[]): number[] {
  body.clear();
  return devices.map(({ packed, timelines, span }) => {
    const from = body.length;
    if (packed === undefined) writePieces(body, timelines, span?.startMs ?? 0);
    else body.raw(packed.packedPieces());
    return body.length - from;
  });
}

function writeSpan(writer: ByteWriter, span: Span | undefined, previousMinute: number): number {
  if (span === undefined) {
    writer.varint(0);
    return previousMinute;
  }
  const minute = span.startMs / minuteMs;
  writer.wideVarint((span.endMs - span.startMs) / minuteMs + 1);
  writer.wideZigzag(minute - previousMinute);
  return minute;
}

function writeTotals(writer: ByteWriter, totals: ReadonlyMap<number, number>, values: Float64Array | undefined): void {
  let next = 0;
  for (const [index, total] of totals) {
    const value = values?.[index] ?? Number.NaN;
    if (Number.isNaN(value)) throw new RangeError(`metric index ${index} has a timeline but no value`);
    if (!Number.isFinite(total)) throw new RangeError(`${total} is not a valid timeline total`);
    const differs = !Object.is(total, value);
    writer.varint((index - next) * 2 + (differs ? 1 : 0));
    if (differs) {
      const form = chooseNumberForm(total);
      writer.byte(form);
      writeNumber(writer, form, total);
    }
    next = index + 1;
  }
}

/** Sets the timelines of each row; undefined for rows without any. */
export function readTimelines(reader: ByteReader, rows: readonly RowWithTimelines[]): void {
  if (reader.remaining === 0) {
    for (const row of rows) row.timelines = undefined;
    return;
  }
  const day = new DayPieces();
  let minute = 0;
  let from = 0;
  for (const row of rows) {
    row.timelines = undefined;
    const size = reader.varint();
    if (size === 0) continue;
    const span = readSpan(reader, minute);
    if (span !== undefined) minute = span.startMs / minuteMs;
    const totals = readTotals(reader, size, row.values);
    const length = reader.wideVarint();
    row.timelines = new PackedTimelines(totals, span, day, from, length);
    from += length;
  }
  const plainLength = reader.wideVarint();
  day.load(reader.readRemaining(), plainLength);
  if (from !== day.length) throw new UnreadableData('the timelines of a packed day do not have the length they state');
}

function readSpan(reader: ByteReader, previousMinute: number): Span | undefined {
  const minutes = reader.wideVarint() - 1;
  if (minutes < 0) return undefined;
  const startMs = (previousMinute + reader.wideZigzag()) * minuteMs;
  return { startMs, endMs: startMs + minutes * minuteMs };
}

function readTotals(reader: ByteReader, size: number, values: Float64Array): Map<number, number> {
  const totals = new Map<number, number>();
  let next = 0;
  for (let left = size; left > 0; left--) {
    const code = reader.varint();
    const index = next + (code >>> 1);
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) throw new UnreadableData('a packed day has a timeline for a metric without a value');
    totals.set(index, code & 1 ? readTotal(reader) : value);
    next = index + 1;
  }
  return totals;
}

function readTotal(reader: ByteReader): number {
  const form = reader.byte();
  if (form >= numberFormCount) throw new UnreadableData('a packed day has a total in an unknown form');
  const total = readNumber(reader, form);
  if (!Number.isFinite(total)) throw new UnreadableData('a packed day has a total that is not a number');
  return total;
}
