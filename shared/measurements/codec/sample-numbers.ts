// The values of many samples in bytes, by kind: those measured in the metric's unit, and those of each unit they were converted from.
//   how many kinds, each 0 (no original) or one more than twice its unit's code plus whether the value is kept beside; runs of (how many, kind)
//   when there are several; then per kind a column of the numbers the source wrote, and one of the values where they are kept beside
// A value that its original converts to is not kept: it is converted again.
import { type SampleId, toCanonical } from '../../catalog/metrics.ts';
import { spelledOut, unitCode, unitName } from '../../catalog/unit-codes.ts';
import { type ByteReader, type ByteWriter, UnreadableDay } from '../../platform/bytes.ts';
import type { KeptSample } from './kept-sample.ts';
import { readNumbers, writeNumbers } from './number-column.ts';

type Measured = Pick<KeptSample, 'value' | 'original'>;

interface Kind {
  /** Undefined for samples without an original. */
  unit: string | undefined;
  /** Whether the value is kept beside an original that does not convert to it. */
  beside: boolean;
}
const asMeasured: Kind = { unit: undefined, beside: false };
const none = new Float64Array(0);

/** Remembers the last one: neighbours are often equal, and a conversion costs more than all else. */
function converter(metric: SampleId): (value: number, unit: string) => number | undefined {
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

export function writeSampleNumbers(writer: ByteWriter, metric: SampleId, samples: readonly Measured[]): void {
  const kinds: Kind[] = [];
  const kindOf = new Uint32Array(samples.length);
  const counts: number[] = [];
  const convert = converter(metric);
  let place = 0;
  for (let at = 0; at < samples.length; at++) {
    const { value = 0, original } = samples[at] ?? {};
    const unit = original?.unit;
    const beside = original !== undefined && !Object.is(convert(original.value, original.unit), value);
    if (kinds.length === 0 || kinds[place]?.unit !== unit || kinds[place]?.beside !== beside) {
      place = kinds.findIndex((kind) => kind.unit === unit && kind.beside === beside);
      if (place === -1) place = kinds.push({ unit, beside }) - 1;
    }
    kindOf[at] = place;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  writeKinds(writer, kinds);
  if (kinds.length > 1) writeRuns(writer, kindOf);
  const numbers = counts.map((count) => new Float64Array(count));
  const values = counts.map((count, kind) => new Float64Array(kinds[kind]?.beside ? count : 0));
  const next = new Uint32Array(kinds.length);
  for (let at = 0; at < samples.length; at++) {
    const kind = kindOf[at] ?? 0;
    const { value = 0, original } = samples[at] ?? {};
    const number = original?.value ?? value;
    if (!Number.isFinite(number)) throw new RangeError(`an original value of ${number} cannot be stored`);
    const to = next[kind] ?? 0;
    const [column, beside] = [numbers[kind], values[kind]];
    if (column !== undefined) column[to] = number;
    // Past the end of a column of no values nothing is set.
    if (beside !== undefined) beside[to] = value;
    next[kind] = to + 1;
  }
  for (const kind of kinds.keys()) {
    writeNumbers(writer, numbers[kind] ?? none);
    writeNumbers(writer, values[kind] ?? none);
  }
}

function writeKinds(writer: ByteWriter, kinds: readonly Kind[]): void {
  writer.varint(kinds.length);
  for (const { unit, beside } of kinds) {
    const code = unit === undefined ? spelledOut : unitCode(unit);
    writer.varint(unit === undefined ? 0 : 1 + code * 2 + (beside ? 1 : 0));
    if (unit !== undefined && code === spelledOut) writer.text(unit);
  }
}

function readKinds(reader: ByteReader, samples: number): Kind[] {
  const count = reader.varint();
  if (count > samples || (count === 0 && samples > 0))
    throw new UnreadableDay('a sample block has more kinds of numbers than numbers, or none');
  const kinds: Kind[] = [];
  for (let left = count; left > 0; left--) kinds.push(readKind(reader));
  return kinds;
}

function readKind(reader: ByteReader): Kind {
  const head = reader.varint();
  if (head === 0) return asMeasured;
  const code = (head - 1) >>> 1;
  const unit = code === spelledOut ? reader.text() : unitName(code);
  if (unit === undefined) {
    throw new UnreadableDay(`a sample block uses unit code ${code}, which a newer release wrote: deploy that release`);
  }
  return { unit, beside: ((head - 1) & 1) === 1 };
}

function writeRuns(writer: ByteWriter, kindOf: Uint32Array): void {
  for (let at = 0; at < kindOf.length; ) {
    const kind = kindOf[at] ?? 0;
    let end = at + 1;
    while (end < kindOf.length && kindOf[end] === kind) end++;
    writer.varint(end - at);
    writer.varint(kind);
    at = end;
  }
}

function readRuns(reader: ByteReader, count: number, kinds: number): Uint32Array {
  const kindOf = new Uint32Array(count);
  if (kinds <= 1) return kindOf;
  for (let at = 0; at < count; ) {
    const end = at + reader.varint();
    const kind = reader.varint();
    if (end === at || end > count || kind >= kinds)
      throw new UnreadableDay('a sample block has a run of impossible length or unit');
    kindOf.fill(kind, at, end);
    at = end;
  }
  return kindOf;
}

/** Into samples without originals. */
export function readSampleNumbers(reader: ByteReader, metric: SampleId, samples: readonly Measured[]): void {
  const kinds = readKinds(reader, samples.length);
  const kindOf = readRuns(reader, samples.length, kinds.length);
  const counts = new Uint32Array(kinds.length);
  for (const kind of kindOf) counts[kind] = (counts[kind] ?? 0) + 1;
  const columns = kinds.map(({ beside }, kind) => {
    const numbers = readNumbers(reader, counts[kind] ?? 0);
    return { numbers, values: beside ? readNumbers(reader, numbers.length) : numbers };
  });
  const convert = converter(metric);
  const next = new Uint32Array(kinds.length);
  for (let at = 0; at < samples.length; at++) {
    const sample = samples[at];
    const kind = kindOf[at] ?? 0;
    const { unit, beside } = kinds[kind] ?? asMeasured;
    const from = next[kind] ?? 0;
    next[kind] = from + 1;
    if (sample === undefined) continue;
    sample.value = columns[kind]?.values[from] ?? 0;
    if (unit === undefined) continue;
    const number = columns[kind]?.numbers[from] ?? 0;
    sample.original = { value: number, unit };
    if (!beside) sample.value = convert(number, unit) ?? unconvertible(metric, unit);
  }
}

function unconvertible(metric: SampleId, unit: string): never {
  throw new UnreadableDay(
    `${metric} is kept in ${unit}, which this release cannot convert: deploy the one that wrote it`,
  );
}
