// The events of one page of the feed, as Brotli over JSON: many events say nearly the same, so a page packs to a third.
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import * as z from 'zod';
import { EventRow } from '../event-row.ts';

const quality = 5;
const maxPlainBytes = 2 ** 22;

export const packEvents = (events: readonly EventRow[]): Uint8Array => {
  const plain = Buffer.from(JSON.stringify(events));
  return brotliCompressSync(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  });
};

export const unpackEvents = (packed: Uint8Array): EventRow[] =>
  z.array(EventRow).parse(JSON.parse(brotliDecompressSync(packed, { maxOutputLength: maxPlainBytes }).toString()));
