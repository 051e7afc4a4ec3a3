// The offsets of many samples in runs: how many, whether the records stated one, and that one.
import { type ByteReader, type ByteWriter, UnreadableData } from '../../platform/bytes.ts';
import type { StoredSample } from './stored-sample.ts';

type Offsets = Pick<StoredSample, 'offsetMinutes'>;

const unstated = 0;
const stated = 1;

export function writeOffsets(writer: ByteWriter, samples: readonly Offsets[]): void {
  for (let at = 0; at < samples.length; ) {
    const { offsetMinutes = null } = samples[at] ?? {};
    if (offsetMinutes !== null && (!Number.isInteger(offsetMinutes) || Math.abs(offsetMinutes) > 1_440))
      throw new RangeError(
        `an offset of ${offsetMinutes} minutes cannot be stored: it must be a whole number of minutes within a day`,
      );
    let end = at + 1;
    while (end < samples.length && samples[end]?.offsetMinutes === offsetMinutes) end++;
    writer.varint(end - at);
    writer.byte(offsetMinutes === null ? unstated : stated);
    if (offsetMinutes !== null) writer.zigzag(offsetMinutes);
    at = end;
  }
}

export function readOffsets(reader: ByteReader, samples: readonly Offsets[]): void {
  for (let at = 0; at < samples.length; ) {
    const end = at + reader.varint();
    if (end === at || end > samples.length) throw new UnreadableData('a sample block has a run of impossible length');
    const marker = reader.byte();
    if (marker !== unstated && marker !== stated)
      throw new UnreadableData('a sample block has an unknown offset marker');
    const offsetMinutes = marker === stated ? reader.zigzag() : null;
    for (; at < end; at++) {
      const sample = samples[at];
      if (sample !== undefined) sample.offsetMinutes = offsetMinutes;
    }
  }
}
