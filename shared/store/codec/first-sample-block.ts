// Sample blocks as version 1 wrote them, which stay readable for ever, a column after the other:
//   metric index, day, count, starts (since the one before, the first since midnight), durations, values (in the metric's fixed point, since the
//   one before), doubles for values that fixed point cannot hold, runs of offsets, originals
// Values had been rounded and originals had not, so a value is converted again from its original.
import { type SampleId, sampleRow, toCanonical } from '../../model/metrics.ts';
import { type ByteReader, UnreadableDay } from './bytes.ts';
import type { KeptSample } from './kept-sample.ts';
import { readOriginalRuns } from './original-runs.ts';
import { readOffsets } from './sample-offsets.ts';

const dayMs = 86_400_000;

export function readFirstBlock(reader: ByteReader, metric: SampleId, day: number): KeptSample[] {
  const { index, scale } = sampleRow(metric);
  if (reader.varint() !== index || reader.zigzag() !== day)
    throw new UnreadableDay('a sample block does not match the metric and day of its key');
  const count = reader.varint();
  if (count > reader.left) throw new UnreadableDay('a sample block states an impossible number of samples');
  const samples: KeptSample[] = [];
  let startMs = day * dayMs;
  for (let at = 0; at < count; at++) {
    startMs += reader.varint();
    samples.push({ startMs, endMs: startMs, value: 0, offsetMinutes: null });
  }
  for (const sample of samples) sample.endMs += reader.wideVarint();
  readValues(reader, samples, 10 ** scale);
  readOffsets(reader, samples);
  readOriginalRuns(reader, samples);
  reader.finish();
  for (const sample of samples) {
    const { original } = sample;
    if (original !== undefined) sample.value = toCanonical(metric, original.value, original.unit) ?? sample.value;
  }
  return samples;
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
