// Corrupts one byte of a packed value and recomputes the checksum, so that the checksum matches.
import { ByteWriter } from '../../../shared/platform/bytes.ts';

const checksumBytes = 2;

export function corruptAndReseal(bytes: Uint8Array, at: number, wrong: number): Uint8Array {
  const changed = Uint8Array.from(bytes.subarray(0, bytes.length - checksumBytes));
  changed[at] = wrong;
  const writer = new ByteWriter().clear();
  writer.raw(changed);
  return writer.finish();
}
