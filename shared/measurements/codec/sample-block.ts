// Binary format of the samples of one metric, UTC day and device, stored column by column so that
// similar numbers are adjacent.
// - Block: layout byte, body, checksum; or, where that is shorter: layout byte, length of the body,
// body compressed with Brotli, checksum.
// - Body: metric index, day, count, time unit, starts (each since the previous one, the first since
// midnight), durations, runs of offsets, numbers.
import { type SampleId, sampleRow } from '../../catalog/metrics.ts';
import { ByteReader, ByteWriter, UnreadableData } from '../../platform/bytes.ts';
import { compress, decompress } from './compression.ts';
import { readSampleNumbers, writeSampleNumbers } from './sample-numbers.ts';
import { readOffsets, writeOffsets } from './sample-offsets.ts';
import type { StoredSample } from './stored-sample.ts';

export type { StoredSample } from './stored-sample.ts';

const plainVersion1 = 0x31;
const compressedVersion1 = 0x41;
const dayMs = 86_400_000;
/** A block uses the largest unit that divides every start and duration. */
const units = [1, 1_000, 60_000] as const;

const toDayNumber = (utcDay: string): number => {
  const number = Date.parse(`${utcDay}T00:00:00Z`) / dayMs;
  if (!Number.isInteger(number)) throw new RangeError(`${utcDay} is not a calendar date`);
  return number;
};

const body = new ByteWriter();
const writer = new ByteWriter();

/**
 * The samples must be sorted by start and end, must all start on that UTC day, and no two may share
 * both start and end.
 */
export function packSamples(metric: SampleId, utcDay: string, samples: readonly StoredSample[]): Uint8Array {
  body.clear();
  writeBody(metric, toDayNumber(utcDay), samples);
  const plain = body.peekWritten();
  const compressedBody = compress(plain);
  if (compressedBody === undefined) {
    writer.start(plainVersion1);
    writer.raw(plain);
  } else {
    writer.start(compressedVersion1);
    writer.varint(plain.length);
    writer.raw(compressedBody);
  }
  return writer.finish();
}

export function unpackSamples(metric: SampleId, utcDay: string, bytes: Uint8Array): StoredSample[] {
  const reader = new ByteReader();
  const layout = reader.start(bytes);
  const day = toDayNumber(utcDay);
  switch (layout) {
    case plainVersion1:
      return readBody(reader, metric, day);
    case compressedVersion1:
      return readBody(reader.startUnchecked(decompress(reader.varint(), reader.readRemaining())), metric, day);
    default:
      throw new UnreadableData(
        `a sample block has layout ${layout}, which this release does not know: deploy the release that wrote it`,
      );
  }
}

function assertValidSamples(samples: readonly StoredSample[], midnight: number): void {
  let previousStartMs = midnight;
  let previousEndMs = Number.NEGATIVE_INFINITY;
  for (const { startMs, endMs, value } of samples) {
    if (!Number.isSafeInteger(startMs) || !Number.isSafeInteger(endMs) || endMs < startMs)
      throw new RangeError(`a sample from ${startMs} to ${endMs} has an invalid start or end`);
    if (startMs < midnight || startMs >= midnight + dayMs)
      throw new RangeError(`a sample that starts at ${startMs} belongs to another UTC day`);
    if (startMs < previousStartMs || (startMs === previousStartMs && endMs <= previousEndMs))
      throw new RangeError(`the sample at ${startMs} is out of order or duplicated: merge the samples first`);
    if (!Number.isFinite(value)) throw new RangeError(`${value} is not a valid sample value`);
    previousStartMs = startMs;
    previousEndMs = endMs;
  }
}

function findTimeUnit(samples: readonly StoredSample[]): number {
  let unit = units.length - 1;
  for (const { startMs, endMs } of samples) {
    while (unit > 0 && (startMs % (units[unit] ?? 1) !== 0 || endMs % (units[unit] ?? 1) !== 0)) unit--;
    if (unit === 0) break;
  }
  return unit;
}

function writeBody(metric: SampleId, day: number, samples: readonly StoredSample[]): void {
  assertValidSamples(samples, day * dayMs);
  const unit = findTimeUnit(samples);
  const unitMs = units[unit] ?? 1;
  body.varint(sampleRow(metric).index);
  body.zigzag(day);
  body.varint(samples.length);
  body.byte(unit);
  let previousStartMs = day * dayMs;
  for (const { startMs } of samples) {
    body.varint((startMs - previousStartMs) / unitMs);
    previousStartMs = startMs;
  }
  for (const { startMs, endMs } of samples) body.wideVarint((endMs - startMs) / unitMs);
  writeOffsets(body, samples);
  writeSampleNumbers(body, metric, samples);
}

function readBody(reader: ByteReader, metric: SampleId, day: number): StoredSample[] {
  if (reader.varint() !== sampleRow(metric).index || reader.zigzag() !== day)
    throw new UnreadableData('a sample block does not match the metric and day of its key');
  const count = reader.varint();
  if (count > reader.remaining) throw new UnreadableData('a sample block states an invalid number of samples');
  const unitMs = units[reader.byte()];
  if (unitMs === undefined) throw new UnreadableData('a sample block measures time in an unknown unit');
  const samples: StoredSample[] = [];
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
