// Brotli for parts of packed items: on traces of heart rate, quality 4 packs smaller than 5 to 9 do, and as small as deflate at its best in a
// fifth of the time.
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { UnreadableDay } from '../../platform/bytes.ts';

/** Shorter parts gain nothing. */
const worthCompressing = 96;
const mostPlainBytes = 2 ** 27;
const quality = 4;
/** 64 KiB: the width that is told in one bit. */
const windowBits = 16;
const smallestChunk = 64;
/** Up to here the output is made in one go; damage that states more is given no room before it proves it. */
const largestChunk = 2 ** 20;
const chunkFor = (length: number): number => Math.min(Math.max(length, smallestChunk), largestChunk);

/** Undefined when it would not be shorter. */
export function compressed(plain: Uint8Array): Uint8Array | undefined {
  if (plain.length < worthCompressing) return undefined;
  if (plain.length > mostPlainBytes) throw new RangeError(`${plain.length} bytes are more than an item can hold`);
  const packed = brotliCompressSync(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: windowBits,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
    chunkSize: chunkFor(plain.length),
  });
  return packed.length < plain.length ? packed : undefined;
}

/** The length is the one stated beside the packed bytes. */
export function decompressed(length: number, packed: Uint8Array): Uint8Array {
  if (length === 0 || length > mostPlainBytes) throw new UnreadableDay('a packed item states an impossible length');
  let plain: Uint8Array;
  try {
    plain = brotliDecompressSync(packed, { maxOutputLength: length, chunkSize: chunkFor(length) });
  } catch (cause) {
    throw new UnreadableDay('a packed item does not decompress: restore it from a backup', { cause });
  }
  if (plain.length !== length) throw new UnreadableDay('a packed item does not decompress to the length it states');
  return plain;
}
