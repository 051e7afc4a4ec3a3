// Crafted damage: bytes that are wrong although their checksum is right.
import { ByteWriter } from '../../../shared/platform/bytes.ts';

const checksumBytes = 2;

export function resealed(bytes: Uint8Array, at: number, wrong: number): Uint8Array {
  const changed = Uint8Array.from(bytes.subarray(0, bytes.length - checksumBytes));
  changed[at] = wrong;
  const writer = new ByteWriter().clear();
  writer.raw(changed);
  return writer.finish();
}
