// Binary format of the UTC offsets of many samples, as runs: the count, whether the records state
// an offset, and the offset.
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
        `an offset of ${offsetMinutes} minutes cannot be stored: it must be a whole number of minutes of at most one day`,
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
    if (end === at || end > samples.length) throw new UnreadableData('a sample block has a run with an invalid length');
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
