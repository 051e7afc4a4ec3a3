// Binary format of a canonical day: one value per metric and its source.
//
// layout byte, value block, sources, checksum
//
// The sources are one varint when all values share a source, otherwise a dictionary and a narrow
// code per value.
import { metricTable } from '../../catalog/metric-table.ts';
import { type MetricId, metricRow } from '../../catalog/metrics.ts';
import { ByteReader, ByteWriter, chooseBitWidth, UnreadableData } from '../../platform/bytes.ts';
import type { Original } from '../records.ts';
import type { Originals } from './original-row.ts';
import { createPresence, emptyValues, fillPresence, metricSlots, readBlock, writeBlock } from './value-block.ts';

const version1 = 0x11;

export interface CanonicalValue {
  value: number;
  /** The ordinal of the source device in the user's device list. */
  source: number;
  /** The value as the provider reported it, if it differs. */
  original?: Original;
}
export type CanonicalDay = ReadonlyMap<MetricId, CanonicalValue>;

/**
 * The same day as dense arrays indexed by metric, for code that processes many days. `sources` is
 * meaningful only where a value exists.
 */
export interface CanonicalRow {
  values: Float64Array;
  sources: Uint16Array;
  originals?: Originals | undefined;
}

export function emptyCanonicalRow(): CanonicalRow {
  return { values: emptyValues(), sources: new Uint16Array(metricSlots) };
}

const writer = new ByteWriter();
const reader = new ByteReader();
const presence = createPresence();
const codes = new Uint8Array(metricSlots);
const dictionary = new Uint32Array(metricSlots);

export function packCanonicalRow(row: CanonicalRow): Uint8Array {
  fillPresence(row, presence);
  const listed: number[] = [];
  for (let at = 0; at < presence.count; at++) {
    const source = row.sources[presence.indexes[at] ?? 0] ?? 0;
    let code = listed.indexOf(source);
    if (code === -1) code = listed.push(source) - 1;
    codes[at] = code;
  }
  const hasSeveralSources = listed.length > 1;
  writer.start(version1);
  writeBlock(writer, row, presence, hasSeveralSources);
  if (hasSeveralSources) writer.varint(listed.length);
  for (const source of listed) writer.varint(source);
  writer.bits(codes, presence.count, chooseBitWidth(listed.length));
  return writer.finish();
}

/** Reads into `row` if it is passed, and overwrites its contents. */
export function unpackCanonicalRow(bytes: Uint8Array, row: CanonicalRow = emptyCanonicalRow()): CanonicalRow {
  const layout = reader.start(bytes);
  if (layout !== version1)
    throw new UnreadableData(
      `a canonical day has layout ${layout}, which this release does not know: deploy the release that wrote it`,
    );
  readRow(row);
  return row;
}

function readRow(row: CanonicalRow): void {
  const hasSeveralSources = readBlock(reader, row, presence);
  const { indexes, count } = presence;
  if (!hasSeveralSources) {
    if (count > 0) row.sources.fill(reader.varint());
    reader.finish();
    return;
  }
  const listed = reader.varint();
  if (listed > dictionary.length) throw new UnreadableData('a packed day lists more sources than it can have');
  for (let at = 0; at < listed; at++) dictionary[at] = reader.varint();
  reader.bits(codes, count, chooseBitWidth(listed));
  reader.finish();
  for (let at = 0; at < count; at++) {
    const code = codes[at] ?? 0;
    if (code >= listed) throw new UnreadableData('a packed day names a source it does not list');
    row.sources[indexes[at] ?? 0] = dictionary[code] ?? 0;
  }
}

export function encodeCanonicalDay(day: CanonicalDay): Uint8Array {
  const row = emptyCanonicalRow();
  const originals = new Map<number, Original>();
  for (const [id, { value, source, original }] of day) {
    const { index } = metricRow(id);
    if (Number.isNaN(value)) throw new RangeError(`${id} must be a number: omit the metric from the day instead`);
    if (!Number.isInteger(source) || source < 0 || source > 0xffff) {
      throw new RangeError(`${id} has source ${source}, which is not an ordinal between 0 and 65535`);
    }
    row.values[index] = value;
    row.sources[index] = source;
    if (original !== undefined) originals.set(index, original);
  }
  return packCanonicalRow({ ...row, originals });
}

export function decodeCanonicalDay(bytes: Uint8Array): Map<MetricId, CanonicalValue> {
  const row = unpackCanonicalRow(bytes);
  const day = new Map<MetricId, CanonicalValue>();
  for (const { id, index } of metricTable) {
    const value = row.values[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const original = row.originals?.get(index);
    const source = row.sources[index] ?? 0;
    day.set(id, original === undefined ? { value, source } : { value, source, original });
  }
  return day;
}
