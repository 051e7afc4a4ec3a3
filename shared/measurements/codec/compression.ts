// Brotli for parts of packed items: on traces of heart rate, quality 4 packs smaller than 5 to 9 do, and as small as deflate at its best in a
// fifth of the time.
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { UnreadableData } from '../../platform/bytes.ts';

/** Shorter parts gain nothing. */
const minCompressBytes = 96;
const maxPlainBytes = 2 ** 27;
const quality = 4;
/** 64 KiB: the width that is told in one bit. */
const windowBits = 16;
const minChunkBytes = 64;
/** Up to here the output is made in one go; damage that states more is given no room before it proves it. */
const maxChunkBytes = 2 ** 20;
const chooseChunkBytes = (length: number): number => Math.min(Math.max(length, minChunkBytes), maxChunkBytes);

/** Undefined when it would not be shorter. */
export function compress(plain: Uint8Array): Uint8Array | undefined {
  if (plain.length < minCompressBytes) return undefined;
  if (plain.length > maxPlainBytes) throw new RangeError(`${plain.length} bytes are more than an item can hold`);
  const packed = brotliCompressSync(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: windowBits,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
    chunkSize: chooseChunkBytes(plain.length),
  });
  return packed.length < plain.length ? packed : undefined;
}

/** The length is the one stated beside the packed bytes. */
export function decompress(length: number, packed: Uint8Array): Uint8Array {
  if (length === 0 || length > maxPlainBytes) throw new UnreadableData('a packed item states an impossible length');
  let plain: Uint8Array;
  try {
    plain = brotliDecompressSync(packed, { maxOutputLength: length, chunkSize: chooseChunkBytes(length) });
  } catch (cause) {
    throw new UnreadableData('a packed item does not decompress: restore it from a backup', { cause });
  }
  if (plain.length !== length) throw new UnreadableData('a packed item does not decompress to the length it states');
  return plain;
}
