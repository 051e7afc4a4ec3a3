// A normalized day in bytes: what every device of a user said about the day, each apart.
//   layout byte, number of devices, then per device: ordinal, value block, stated bits; timelines of all devices; checksum at the very end
// The stated bits are left out when every value of the device is a stated total.
import { metricTable } from '../../model/metric-table.ts';
import { type MetricId, metricRow } from '../../model/metrics.ts';
import type { Original } from '../../model/records.ts';
import type { Timelines } from '../../model/timeline.ts';
import { ByteReader, ByteWriter, UnreadableDay } from './bytes.ts';
import { readTimelines, writeTimelines } from './day-timelines.ts';
import type { Originals } from './original-row.ts';
import {
  type BlockVersion,
  emptyValues,
  metricSlots,
  newPresence,
  notePresence,
  readBlock,
  writeBlock,
} from './value-block.ts';

/** Read for ever, no longer written; it has no timelines. */
const version1 = 0x21;
const version2 = 0x22;

export interface NormalizedValue {
  value: number;
  /** A total the source itself stated for the day, as against one derived from its samples. */
  stated: boolean;
  /** As the provider reported it, where that differs. */
  original?: Original;
}
/** By the ordinal the user's device list gives to the device. */
export type NormalizedDay = ReadonlyMap<number, ReadonlyMap<MetricId, NormalizedValue>>;

/** One device's part as dense arrays by metric index; `stated` counts only where a value is. */
export interface NormalizedRow {
  device: number;
  values: Float64Array;
  stated: Uint8Array;
  originals?: Originals | undefined;
  /** Only of metrics that have a value. */
  timelines?: Timelines | undefined;
}

export function emptyNormalizedRow(device: number): NormalizedRow {
  return {
    device,
    values: emptyValues(),
    stated: new Uint8Array(metricSlots),
    originals: undefined,
    timelines: undefined,
  };
}

const writer = new ByteWriter();
const reader = new ByteReader();
const presence = newPresence();
const marks = new Uint8Array(metricSlots);

/** Devices are written in the order of their ordinals, so equal days have equal bytes. */
export function packNormalizedRows(rows: readonly NormalizedRow[]): Uint8Array {
  const sorted = [...rows].sort((a, b) => a.device - b.device);
  writer.start(version2);
  writer.varint(sorted.length);
  for (const row of sorted) {
    notePresence(row, presence);
    let allStated = true;
    for (let at = 0; at < presence.count; at++) {
      const mark = row.stated[presence.indexes[at] ?? 0] === 1 ? 1 : 0;
      marks[at] = mark;
      if (mark === 0) allStated = false;
    }
    writer.varint(row.device);
    writeBlock(writer, row, presence, !allStated);
    if (!allStated) writer.bits(marks, presence.count, 1);
  }
  writeTimelines(writer, sorted);
  return writer.finish();
}

/** `reuse` is a pool that saves the allocations when many days are read one after the other: it grows as needed, and rows taken from it are overwritten. */
export function unpackNormalizedRows(bytes: Uint8Array, reuse: NormalizedRow[] = []): NormalizedRow[] {
  const layout = reader.start(bytes);
  switch (layout) {
    case version1:
      return readRows(reuse, 1);
    case version2:
      return readRows(reuse, 2);
    default:
      throw new UnreadableDay(
        `a normalized day has layout ${layout}, which this release does not know: deploy the one that wrote it`,
      );
  }
}

function readRows(reuse: NormalizedRow[], version: BlockVersion): NormalizedRow[] {
  const rows: NormalizedRow[] = [];
  const devices = reader.varint();
  for (let at = 0; at < devices; at++) {
    const row = reuse[at] ?? emptyNormalizedRow(0);
    reuse[at] = row;
    row.device = reader.varint();
    const someDerived = readBlock(reader, row, presence, version);
    if (someDerived) reader.marks(row.stated, presence.indexes, presence.count);
    else row.stated.fill(1);
    rows.push(row);
  }
  // Version 1 ends here: that nothing is left also takes away what a reused row held.
  if (version === 1) reader.finish();
  readTimelines(reader, rows);
  reader.finish();
  return rows;
}

export function encodeNormalizedDay(day: NormalizedDay): Uint8Array {
  return packNormalizedRows(Array.from(day, ([device, values]) => deviceRow(device, values)));
}

function deviceRow(device: number, values: ReadonlyMap<MetricId, NormalizedValue>): NormalizedRow {
  if (!Number.isInteger(device) || device < 0 || device > 0xffff) {
    throw new RangeError(`device ordinal ${device} is not between 0 and 65535`);
  }
  const row = emptyNormalizedRow(device);
  const originals = new Map<number, Original>();
  for (const [id, { value, stated, original }] of values) {
    const { index } = metricRow(id);
    if (Number.isNaN(value)) throw new RangeError(`${id} is not a number: leave the metric out of the day instead`);
    row.values[index] = value;
    row.stated[index] = stated ? 1 : 0;
    if (original !== undefined) originals.set(index, original);
  }
  return { ...row, originals };
}

export function decodeNormalizedDay(bytes: Uint8Array): Map<number, Map<MetricId, NormalizedValue>> {
  return new Map(unpackNormalizedRows(bytes).map((row) => [row.device, valuesOf(row)]));
}

function valuesOf(row: NormalizedRow): Map<MetricId, NormalizedValue> {
  const values = new Map<MetricId, NormalizedValue>();
  for (const { id, index } of metricTable) {
    const value = row.values[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const original = row.originals?.get(index);
    const stated = row.stated[index] === 1;
    values.set(id, original === undefined ? { value, stated } : { value, stated, original });
  }
  return values;
}
