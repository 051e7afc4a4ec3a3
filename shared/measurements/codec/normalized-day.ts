// Binary format of a normalized day: the values of each of a user's devices, stored separately.
//
// layout byte, number of devices, then per device: ordinal, value block, marks; timelines of all
// devices; checksum at the very end
//
// The marks, two bits each, state the origin of a value. They are omitted when every value of the
// device is a stated total.
import { metricTable } from '../../catalog/metric-table.ts';
import { type MetricId, metricRow } from '../../catalog/metrics.ts';
import { ByteReader, ByteWriter, markBits, UnreadableData } from '../../platform/bytes.ts';
import type { Original } from '../records.ts';
import type { Timelines } from '../timeline.ts';
import { readTimelines, writeTimelines } from './day-timelines.ts';
import type { Originals } from './original-row.ts';
import { createPresence, emptyValues, fillPresence, metricSlots, readBlock, writeBlock } from './value-block.ts';

const version1 = 0x21;

/**
 * The origin of a device's value: derived from samples and sessions, a total stated by the device,
 * or part of a night's summary.
 */
export const marks = { derived: 0, stated: 1, night: 2 } as const;
export type Mark = (typeof marks)[keyof typeof marks];

export interface NormalizedValue {
  value: number;
  /**
   * Whether the source itself stated the total for the day, as opposed to one derived from its
   * samples.
   */
  stated: boolean;
  /** The value comes from the summary of a night that counts on the day. */
  ofNight?: true;
  /** The value as the provider reported it, if it differs. */
  original?: Original;
}
/** Keyed by the ordinal of the device in the user's device list. */
export type NormalizedDay = ReadonlyMap<number, ReadonlyMap<MetricId, NormalizedValue>>;

/**
 * One device's values as dense arrays indexed by metric. `marks` is meaningful only where a value
 * exists.
 */
export interface NormalizedRow {
  device: number;
  values: Float64Array;
  marks: Uint8Array;
  originals?: Originals | undefined;
  /** Only metrics that have a value have a timeline. */
  timelines?: Timelines | undefined;
}

export function emptyNormalizedRow(device: number): NormalizedRow {
  return {
    device,
    values: emptyValues(),
    marks: new Uint8Array(metricSlots),
    originals: undefined,
    timelines: undefined,
  };
}

const writer = new ByteWriter();
const reader = new ByteReader();
const presence = createPresence();
const markBuffer = new Uint8Array(metricSlots);

/** Devices are written in the order of their ordinals, so that equal days have equal bytes. */
export function packNormalizedRows(rows: readonly NormalizedRow[]): Uint8Array {
  const sorted = [...rows].sort((a, b) => a.device - b.device);
  writer.start(version1);
  writer.varint(sorted.length);
  for (const row of sorted) {
    fillPresence(row, presence);
    let allStated = true;
    for (let at = 0; at < presence.count; at++) {
      const mark = row.marks[presence.indexes[at] ?? 0] ?? marks.derived;
      markBuffer[at] = mark;
      if (mark !== marks.stated) allStated = false;
    }
    writer.varint(row.device);
    writeBlock(writer, row, presence, !allStated);
    if (!allStated) writer.bits(markBuffer, presence.count, markBits);
  }
  writeTimelines(writer, sorted);
  return writer.finish();
}

/**
 * `reuse` is a pool of rows that avoids allocations when many days are read in sequence. It grows
 * as needed, and its rows are overwritten.
 */
export function unpackNormalizedRows(bytes: Uint8Array, reuse: NormalizedRow[] = []): NormalizedRow[] {
  const layout = reader.start(bytes);
  if (layout !== version1)
    throw new UnreadableData(
      `a normalized day has layout ${layout}, which this release does not know: deploy the release that wrote it`,
    );
  return readRows(reuse);
}

function readRows(reuse: NormalizedRow[]): NormalizedRow[] {
  const rows: NormalizedRow[] = [];
  const devices = reader.varint();
  for (let at = 0; at < devices; at++) {
    const row = reuse[at] ?? emptyNormalizedRow(0);
    reuse[at] = row;
    row.device = reader.varint();
    const someDerived = readBlock(reader, row, presence);
    if (!someDerived) row.marks.fill(marks.stated);
    else reader.marks(row.marks, presence.indexes, presence.count);
    rows.push(row);
  }
  readTimelines(reader, rows);
  reader.finish();
  return rows;
}

export function encodeNormalizedDay(day: NormalizedDay): Uint8Array {
  return packNormalizedRows(Array.from(day, ([device, values]) => toNormalizedRow(device, values)));
}

function toNormalizedRow(device: number, values: ReadonlyMap<MetricId, NormalizedValue>): NormalizedRow {
  if (!Number.isInteger(device) || device < 0 || device > 0xffff) {
    throw new RangeError(`device ordinal ${device} is not between 0 and 65535`);
  }
  const row = emptyNormalizedRow(device);
  const originals = new Map<number, Original>();
  for (const [id, { value, stated, ofNight, original }] of values) {
    const { index } = metricRow(id);
    if (Number.isNaN(value)) throw new RangeError(`${id} must be a number: omit the metric from the day instead`);
    row.values[index] = value;
    row.marks[index] = ofNight ? marks.night : stated ? marks.stated : marks.derived;
    if (original !== undefined) originals.set(index, original);
  }
  return { ...row, originals };
}

export function decodeNormalizedDay(bytes: Uint8Array): Map<number, Map<MetricId, NormalizedValue>> {
  return new Map(unpackNormalizedRows(bytes).map((row) => [row.device, toValueMap(row)]));
}

function toValueMap(row: NormalizedRow): Map<MetricId, NormalizedValue> {
  const values = new Map<MetricId, NormalizedValue>();
  for (const { id, index } of metricTable) {
    const value = row.values[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const original = row.originals?.get(index);
    const mark = row.marks[index];
    values.set(id, {
      value,
      stated: mark === marks.stated,
      ...(mark === marks.night ? { ofNight: true } : {}),
      ...(original === undefined ? {} : { original }),
    });
  }
  return values;
}
