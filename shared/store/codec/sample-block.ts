// The samples of one metric, UTC day and device in bytes, a column after the other so that like stands beside like:
//   layout byte, metric index, day, count, starts (since the one before, the first since midnight), durations, values (fixed point, since
//   the one before), doubles for values that fixed point cannot hold, runs of offsets, originals, checksum
// A block that compresses to less is kept as: layout byte, plain length, block under Brotli, checksum. On traces of heart rate, quality 4 packs
// as small as deflate at its best in a fifth of the time.
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { type MetricId, metricRow } from '../../model/metrics.ts';
import type { Original } from '../../model/records.ts';
import { ByteReader, ByteWriter, UnreadableDay } from './bytes.ts';
import { readOriginalRuns, writeOriginalRuns } from './original-runs.ts';

const plain1 = 0x31;
const compressed1 = 0x32;
/** Smaller blocks gain nothing. */
const worthCompressing = 96;
const mostPlainBytes = 2 ** 27;
const dayMs = 86_400_000;
/** Half the range of 32 bits, so that the difference of two values fits as well. */
const largestFixed = 2 ** 30 - 1;

/** One sample as it is kept, where and when it was made included. */
export interface KeptSample {
  startMs: number;
  endMs: number;
  /** In the metric's unit, quantized to its scale. */
  value: number;
  original?: Original;
  /** The offset the record itself stated; null when it stated none. */
  offsetMinutes: number | null;
  /** The offset of the zone the phone reported, at that instant; 0 when it reported none. */
  fallbackOffsetMinutes: number;
}

const dayNumber = (utcDay: string): number => {
  const number = Date.parse(`${utcDay}T00:00:00Z`) / dayMs;
  if (!Number.isInteger(number)) throw new RangeError(`${utcDay} is not a calendar date`);
  return number;
};

/** The samples must be sorted by start and end, all begin on that UTC day, and no two share both. */
export function packSamples(metric: MetricId, utcDay: string, samples: readonly KeptSample[]): Uint8Array {
  const plain = packPlain(metric, dayNumber(utcDay), samples);
  if (plain.length < worthCompressing) return plain;
  const compressed = brotliCompressSync(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  });
  const writer = new ByteWriter().start(compressed1);
  writer.varint(plain.length);
  writer.raw(compressed);
  const packed = writer.finish();
  return packed.length < plain.length ? packed : plain;
}

export function unpackSamples(metric: MetricId, utcDay: string, bytes: Uint8Array): KeptSample[] {
  const reader = new ByteReader();
  const layout = reader.start(bytes);
  if (layout === compressed1 && reader.start(decompressed(reader)) !== plain1) {
    throw new UnreadableDay(
      'a compressed sample block holds something else than samples: restore the item from a backup',
    );
  }
  if (layout !== plain1 && layout !== compressed1) {
    throw new UnreadableDay(
      `a sample block has layout ${layout}, which this release does not know: deploy the one that wrote it`,
    );
  }
  return readPlain(reader, metric, dayNumber(utcDay));
}

function decompressed(reader: ByteReader): Uint8Array {
  const length = reader.varint();
  if (length === 0 || length > mostPlainBytes) throw new UnreadableDay('a sample block states an impossible length');
  let plain: Uint8Array;
  try {
    plain = brotliDecompressSync(reader.rest(), { maxOutputLength: length });
  } catch (cause) {
    throw new UnreadableDay('a sample block does not decompress: restore the item from a backup', { cause });
  }
  if (plain.length !== length) throw new UnreadableDay('a sample block decompresses to another length than it states');
  return plain;
}

function check(samples: readonly KeptSample[], midnight: number): void {
  let startBefore = midnight;
  let endBefore = Number.NEGATIVE_INFINITY;
  for (const { startMs, endMs, value } of samples) {
    if (!Number.isSafeInteger(startMs) || !Number.isSafeInteger(endMs) || endMs < startMs)
      throw new RangeError(`a sample from ${startMs} to ${endMs} has no proper start and end`);
    if (startMs < midnight || startMs >= midnight + dayMs)
      throw new RangeError(`a sample that begins at ${startMs} belongs to another UTC day`);
    if (startMs < startBefore || (startMs === startBefore && endMs <= endBefore))
      throw new RangeError(`the sample at ${startMs} is out of order or there twice: merge the samples first`);
    if (!Number.isFinite(value)) throw new RangeError(`${value} is not a value a sample can hold`);
    startBefore = startMs;
    endBefore = endMs;
  }
}

function packPlain(metric: MetricId, day: number, samples: readonly KeptSample[]): Uint8Array {
  check(samples, day * dayMs);
  const { index, scale } = metricRow(metric);
  const writer = new ByteWriter().start(plain1);
  writer.varint(index);
  writer.zigzag(day);
  writer.varint(samples.length);
  let startBefore = day * dayMs;
  for (const { startMs } of samples) {
    writer.varint(startMs - startBefore);
    startBefore = startMs;
  }
  for (const { startMs, endMs } of samples) writer.wideVarint(endMs - startMs);
  writeValues(writer, samples, 10 ** scale);
  writeOffsets(writer, samples);
  writeOriginalRuns(writer, samples);
  return writer.finish();
}

function readPlain(reader: ByteReader, metric: MetricId, day: number): KeptSample[] {
  const { index, scale } = metricRow(metric);
  if (reader.varint() !== index || reader.zigzag() !== day)
    throw new UnreadableDay('a sample block belongs to another metric or day than its key says');
  const count = reader.varint();
  if (count > dayMs) throw new UnreadableDay('a sample block states an impossible number of samples');
  const samples: KeptSample[] = [];
  let startMs = day * dayMs;
  for (let at = 0; at < count; at++) {
    startMs += reader.varint();
    samples.push({ startMs, endMs: startMs, value: 0, offsetMinutes: null, fallbackOffsetMinutes: 0 });
  }
  for (const sample of samples) sample.endMs += reader.wideVarint();
  readValues(reader, samples, 10 ** scale);
  readOffsets(reader, samples);
  readOriginalRuns(reader, samples);
  reader.finish();
  return samples;
}

function writeValues(writer: ByteWriter, samples: readonly KeptSample[], power: number): void {
  const doubles: number[] = [];
  let before = 0;
  for (const [at, { value }] of samples.entries()) {
    const fixed = Math.round(value * power);
    // Adding zero turns -0 into 0, so that -0 is kept as a double.
    const exact = Object.is((fixed + 0) / power, value) && Math.abs(fixed) <= largestFixed;
    if (!exact) doubles.push(at);
    writer.zigzag(exact ? fixed - before : 0);
    if (exact) before = fixed;
  }
  writer.varint(doubles.length);
  for (const at of doubles) {
    writer.varint(at);
    writer.float64(samples[at]?.value ?? 0);
  }
}

function readValues(reader: ByteReader, samples: readonly KeptSample[], power: number): void {
  let fixed = 0;
  for (const sample of samples) {
    fixed += reader.zigzag();
    sample.value = fixed / power;
  }
  for (let left = reader.varint(); left > 0; left--) {
    const sample = samples[reader.varint()];
    if (sample === undefined) throw new UnreadableDay('a sample block holds a double for a sample that is not there');
    sample.value = reader.float64();
  }
}

const unstated = 0;
const stated = 1;

function writeOffsets(writer: ByteWriter, samples: readonly KeptSample[]): void {
  for (let at = 0; at < samples.length; ) {
    const { offsetMinutes = null, fallbackOffsetMinutes = 0 } = samples[at] ?? {};
    for (const minutes of [offsetMinutes ?? 0, fallbackOffsetMinutes]) {
      if (!Number.isInteger(minutes) || Math.abs(minutes) > 1_440)
        throw new RangeError(`an offset of ${minutes} minutes cannot be kept: whole minutes within a day can`);
    }
    let end = at + 1;
    while (
      end < samples.length &&
      samples[end]?.offsetMinutes === offsetMinutes &&
      samples[end]?.fallbackOffsetMinutes === fallbackOffsetMinutes
    )
      end++;
    writer.varint(end - at);
    writer.byte(offsetMinutes === null ? unstated : stated);
    if (offsetMinutes !== null) writer.zigzag(offsetMinutes);
    writer.zigzag(fallbackOffsetMinutes);
    at = end;
  }
}

function readOffsets(reader: ByteReader, samples: readonly KeptSample[]): void {
  for (let at = 0; at < samples.length; ) {
    const end = at + reader.varint();
    if (end === at || end > samples.length) throw new UnreadableDay('a sample block has a run of impossible length');
    const mark = reader.byte();
    if (mark !== unstated && mark !== stated) throw new UnreadableDay('a sample block marks an offset unknowably');
    const offsetMinutes = mark === stated ? reader.zigzag() : null;
    const fallbackOffsetMinutes = reader.zigzag();
    for (; at < end; at++) {
      const sample = samples[at];
      if (sample === undefined) continue;
      sample.offsetMinutes = offsetMinutes;
      sample.fallbackOffsetMinutes = fallbackOffsetMinutes;
    }
  }
}
