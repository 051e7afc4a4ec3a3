// Binary format of the values of many samples, grouped by kind: values measured in the metric's
// unit, and values converted from each other unit.
// - The number of kinds. Each kind is 0 (no original), or one more than twice its unit's code plus
// whether the value is stored explicitly.
// - If there are several kinds: runs of (count, kind).
// - Per kind: a column of the numbers the source reported, and a column of the values where they
// are stored explicitly.
//
// A value that its original converts to is not stored: it is converted again when read.
import { type SampleId, toCanonical } from '../../catalog/metrics.ts';
import { getUnitCode, getUnitName, unlistedUnit } from '../../catalog/unit-codes.ts';
import { type ByteReader, type ByteWriter, UnreadableData } from '../../platform/bytes.ts';
import { readNumbers, writeNumbers } from './number-column.ts';
import type { StoredSample } from './stored-sample.ts';

type MeasuredValue = Pick<StoredSample, 'value' | 'original'>;

interface Kind {
  /** Undefined for samples without an original. */
  unit: string | undefined;
  /** Whether the value is stored in addition to an original that does not convert to it. */
  isExplicit: boolean;
}
const kindWithoutOriginal: Kind = { unit: undefined, isExplicit: false };
const emptyColumn = new Float64Array(0);

/**
 * Caches the last conversion: adjacent samples are often equal, and conversion is the most
 * expensive step.
 */
function createConverter(metric: SampleId): (value: number, unit: string) => number | undefined {
  let lastValue = Number.NaN;
  let lastUnit = '';
  let last: number | undefined;
  return (value, unit) => {
    if (!Object.is(value, lastValue) || unit !== lastUnit) {
      last = toCanonical(metric, value, unit);
      lastValue = value;
      lastUnit = unit;
    }
    return last;
  };
}

export function writeSampleNumbers(writer: ByteWriter, metric: SampleId, samples: readonly MeasuredValue[]): void {
  const kinds: Kind[] = [];
  const kindIndexes = new Uint32Array(samples.length);
  const counts: number[] = [];
  const convert = createConverter(metric);
  let kindIndex = 0;
  for (let at = 0; at < samples.length; at++) {
    const { value = 0, original } = samples[at] ?? {};
    const unit = original?.unit;
    const explicit = original !== undefined && !Object.is(convert(original.value, original.unit), value);
    if (kinds.length === 0 || kinds[kindIndex]?.unit !== unit || kinds[kindIndex]?.isExplicit !== explicit) {
      kindIndex = kinds.findIndex((kind) => kind.unit === unit && kind.isExplicit === explicit);
      if (kindIndex === -1) kindIndex = kinds.push({ unit, isExplicit: explicit }) - 1;
    }
    kindIndexes[at] = kindIndex;
    counts[kindIndex] = (counts[kindIndex] ?? 0) + 1;
  }
  writeKinds(writer, kinds);
  if (kinds.length > 1) writeRuns(writer, kindIndexes);
  const numbers = counts.map((count) => new Float64Array(count));
  const values = counts.map((count, kind) => new Float64Array(kinds[kind]?.isExplicit ? count : 0));
  const next = new Uint32Array(kinds.length);
  for (let at = 0; at < samples.length; at++) {
    const kind = kindIndexes[at] ?? 0;
    const { value = 0, original } = samples[at] ?? {};
    const number = original?.value ?? value;
    if (!Number.isFinite(number)) throw new RangeError(`an original value must be finite, not ${number}`);
    const to = next[kind] ?? 0;
    const [column, explicit] = [numbers[kind], values[kind]];
    if (column !== undefined) column[to] = number;
    // Writing past the end of an empty column has no effect.
    if (explicit !== undefined) explicit[to] = value;
    next[kind] = to + 1;
  }
  for (const kind of kinds.keys()) {
    writeNumbers(writer, numbers[kind] ?? emptyColumn);
    writeNumbers(writer, values[kind] ?? emptyColumn);
  }
}

function writeKinds(writer: ByteWriter, kinds: readonly Kind[]): void {
  writer.varint(kinds.length);
  for (const { unit, isExplicit: explicit } of kinds) {
    const code = unit === undefined ? unlistedUnit : getUnitCode(unit);
    writer.varint(unit === undefined ? 0 : 1 + code * 2 + (explicit ? 1 : 0));
    if (unit !== undefined && code === unlistedUnit) writer.text(unit);
  }
}

function readKinds(reader: ByteReader, samples: number): Kind[] {
  const count = reader.varint();
  if (count > samples || (count === 0 && samples > 0))
    throw new UnreadableData('a sample block has more kinds of numbers than numbers, or no kinds');
  const kinds: Kind[] = [];
  for (let left = count; left > 0; left--) kinds.push(readKind(reader));
  return kinds;
}

function readKind(reader: ByteReader): Kind {
  const head = reader.varint();
  if (head === 0) return kindWithoutOriginal;
  const code = (head - 1) >>> 1;
  const unit = code === unlistedUnit ? reader.text() : getUnitName(code);
  if (unit === undefined) {
    throw new UnreadableData(`a sample block uses unit code ${code}, which a newer release wrote: deploy that release`);
  }
  return { unit, isExplicit: ((head - 1) & 1) === 1 };
}

function writeRuns(writer: ByteWriter, kindIndexes: Uint32Array): void {
  for (let at = 0; at < kindIndexes.length; ) {
    const kind = kindIndexes[at] ?? 0;
    let end = at + 1;
    while (end < kindIndexes.length && kindIndexes[end] === kind) end++;
    writer.varint(end - at);
    writer.varint(kind);
    at = end;
  }
}

function readRuns(reader: ByteReader, count: number, kinds: number): Uint32Array {
  const kindIndexes = new Uint32Array(count);
  if (kinds <= 1) return kindIndexes;
  for (let at = 0; at < count; ) {
    const end = at + reader.varint();
    const kind = reader.varint();
    if (end === at || end > count || kind >= kinds)
      throw new UnreadableData('a sample block has a run with an invalid length or unit');
    kindIndexes.fill(kind, at, end);
    at = end;
  }
  return kindIndexes;
}

/** The samples must not have originals yet. */
export function readSampleNumbers(reader: ByteReader, metric: SampleId, samples: readonly MeasuredValue[]): void {
  const kinds = readKinds(reader, samples.length);
  const kindIndexes = readRuns(reader, samples.length, kinds.length);
  const counts = new Uint32Array(kinds.length);
  for (const kind of kindIndexes) counts[kind] = (counts[kind] ?? 0) + 1;
  const columns = kinds.map(({ isExplicit: explicit }, kind) => {
    const numbers = readNumbers(reader, counts[kind] ?? 0);
    return { numbers, values: explicit ? readNumbers(reader, numbers.length) : numbers };
  });
  const convert = createConverter(metric);
  const next = new Uint32Array(kinds.length);
  for (let at = 0; at < samples.length; at++) {
    const sample = samples[at];
    const kind = kindIndexes[at] ?? 0;
    const { unit, isExplicit: explicit } = kinds[kind] ?? kindWithoutOriginal;
    const from = next[kind] ?? 0;
    next[kind] = from + 1;
    if (sample === undefined) continue;
    sample.value = columns[kind]?.values[from] ?? 0;
    if (unit === undefined) continue;
    const number = columns[kind]?.numbers[from] ?? 0;
    sample.original = { value: number, unit };
    if (!explicit) sample.value = convert(number, unit) ?? throwUnconvertible(metric, unit);
  }
}

function throwUnconvertible(metric: SampleId, unit: string): never {
  throw new UnreadableData(
    `${metric} is stored in ${unit}, which this release cannot convert: deploy the release that wrote it`,
  );
}
