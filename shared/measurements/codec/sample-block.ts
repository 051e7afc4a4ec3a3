// The samples of one metric, UTC day and device in bytes, a column after the other so that like stands beside like:
//   layout byte, body, checksum; or layout byte, length of the body, body under Brotli, checksum, where that is shorter
//   body: metric index, day, count, time unit, starts (since the one before, the first since midnight), durations, runs of offsets, numbers
import { type SampleId, sampleRow } from '../../catalog/metrics.ts';
import { ByteReader, ByteWriter, UnreadableDay } from '../../platform/bytes.ts';
import { compressed, decompressed } from './compression.ts';
import type { KeptSample } from './kept-sample.ts';
import { readSampleNumbers, writeSampleNumbers } from './sample-numbers.ts';
import { readOffsets, writeOffsets } from './sample-offsets.ts';

export type { KeptSample } from './kept-sample.ts';

const plain1 = 0x31;
const compressed1 = 0x41;
const dayMs = 86_400_000;
/** The unit is the longest that measures every start and duration. */
const units = [1, 1_000, 60_000] as const;

const dayNumber = (utcDay: string): number => {
  const number = Date.parse(`${utcDay}T00:00:00Z`) / dayMs;
  if (!Number.isInteger(number)) throw new RangeError(`${utcDay} is not a calendar date`);
  return number;
};

const body = new ByteWriter();
const writer = new ByteWriter();

/** The samples must be sorted by start and end, all begin on that UTC day, and no two share both. */
export function packSamples(metric: SampleId, utcDay: string, samples: readonly KeptSample[]): Uint8Array {
  body.clear();
  writeBody(metric, dayNumber(utcDay), samples);
  const plain = body.written();
  const smaller = compressed(plain);
  if (smaller === undefined) {
    writer.start(plain1);
    writer.raw(plain);
  } else {
    writer.start(compressed1);
    writer.varint(plain.length);
    writer.raw(smaller);
  }
  return writer.finish();
}

export function unpackSamples(metric: SampleId, utcDay: string, bytes: Uint8Array): KeptSample[] {
  const reader = new ByteReader();
  const layout = reader.start(bytes);
  const day = dayNumber(utcDay);
  switch (layout) {
    case plain1:
      return readBody(reader, metric, day);
    case compressed1:
      return readBody(reader.over(decompressed(reader.varint(), reader.rest())), metric, day);
    default:
      throw new UnreadableDay(
        `a sample block has layout ${layout}, which this release does not know: deploy the one that wrote it`,
      );
  }
}

function check(samples: readonly KeptSample[], midnight: number): void {
  let startBefore = midnight;
  let endBefore = Number.NEGATIVE_INFINITY;
  for (const { startMs, endMs, value } of samples) {
    if (!Number.isSafeInteger(startMs) || !Number.isSafeInteger(endMs) || endMs < startMs)
      throw new RangeError(`a sample from ${startMs} to ${endMs} has an invalid start or end`);
    if (startMs < midnight || startMs >= midnight + dayMs)
      throw new RangeError(`a sample that begins at ${startMs} belongs to another UTC day`);
    if (startMs < startBefore || (startMs === startBefore && endMs <= endBefore))
      throw new RangeError(`the sample at ${startMs} is out of order or duplicated: merge the samples first`);
    if (!Number.isFinite(value)) throw new RangeError(`${value} is not a value a sample can hold`);
    startBefore = startMs;
    endBefore = endMs;
  }
}

function unitOf(samples: readonly KeptSample[]): number {
  let unit = units.length - 1;
  for (const { startMs, endMs } of samples) {
    while (unit > 0 && (startMs % (units[unit] ?? 1) !== 0 || endMs % (units[unit] ?? 1) !== 0)) unit--;
    if (unit === 0) break;
  }
  return unit;
}

function writeBody(metric: SampleId, day: number, samples: readonly KeptSample[]): void {
  check(samples, day * dayMs);
  const unit = unitOf(samples);
  const unitMs = units[unit] ?? 1;
  body.varint(sampleRow(metric).index);
  body.zigzag(day);
  body.varint(samples.length);
  body.byte(unit);
  let startBefore = day * dayMs;
  for (const { startMs } of samples) {
    body.varint((startMs - startBefore) / unitMs);
    startBefore = startMs;
  }
  for (const { startMs, endMs } of samples) body.wideVarint((endMs - startMs) / unitMs);
  writeOffsets(body, samples);
  writeSampleNumbers(body, metric, samples);
}

function readBody(reader: ByteReader, metric: SampleId, day: number): KeptSample[] {
  if (reader.varint() !== sampleRow(metric).index || reader.zigzag() !== day)
    throw new UnreadableDay('a sample block does not match the metric and day of its key');
  const count = reader.varint();
  if (count > reader.left) throw new UnreadableDay('a sample block states an impossible number of samples');
  const unitMs = units[reader.byte()];
  if (unitMs === undefined) throw new UnreadableDay('a sample block measures time in an unknown unit');
  const samples: KeptSample[] = [];
  let startMs = day * dayMs;
  for (let at = 0; at < count; at++) {
    startMs += reader.varint() * unitMs;
    samples.push({ startMs, endMs: startMs, value: 0, offsetMinutes: null });
  }
  for (const sample of samples) sample.endMs += reader.wideVarint() * unitMs;
  readOffsets(reader, samples);
  readSampleNumbers(reader, metric, samples);
  reader.finish();
  return samples;
}
