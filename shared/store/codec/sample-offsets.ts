// The offsets of many samples in runs: how many, whether the record stated one, that one, the phone's.
import { type ByteReader, type ByteWriter, UnreadableDay } from './bytes.ts';
import type { KeptSample } from './kept-sample.ts';

type Offsets = Pick<KeptSample, 'offsetMinutes' | 'fallbackOffsetMinutes'>;

const unstated = 0;
const stated = 1;

export function writeOffsets(writer: ByteWriter, samples: readonly Offsets[]): void {
  for (let at = 0; at < samples.length; ) {
    const { offsetMinutes = null, fallbackOffsetMinutes = 0 } = samples[at] ?? {};
    for (const minutes of [offsetMinutes ?? 0, fallbackOffsetMinutes]) {
      if (!Number.isInteger(minutes) || Math.abs(minutes) > 1_440)
        throw new RangeError(
          `an offset of ${minutes} minutes cannot be stored: it must be a whole number of minutes within a day`,
        );
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

export function readOffsets(reader: ByteReader, samples: readonly Offsets[]): void {
  for (let at = 0; at < samples.length; ) {
    const end = at + reader.varint();
    if (end === at || end > samples.length) throw new UnreadableDay('a sample block has a run of impossible length');
    const mark = reader.byte();
    if (mark !== unstated && mark !== stated) throw new UnreadableDay('a sample block has an unknown offset marker');
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
