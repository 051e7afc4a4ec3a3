// Packs the events of one page of the feed: a layout byte, then JSON compressed with Brotli. Events
// are similar, so a page packs to a third of its size.
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import * as z from 'zod';
import { UnreadableData } from '../platform/bytes.ts';
import { EventRow } from './event-row.ts';

const version1 = 0x71;
const quality = 5;
const maxPlainBytes = 2 ** 22;

/** The page is not damaged: a newer release wrote it and can read it. */
export class UnknownLayout extends UnreadableData {}

export const packEvents = (events: readonly EventRow[]): Uint8Array => {
  const plain = Buffer.from(JSON.stringify(events));
  const packed = brotliCompressSync(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  });
  return Buffer.concat([Uint8Array.of(version1), packed]);
};

export function unpackEvents(packed: Uint8Array): EventRow[] {
  const [layout] = packed;
  if (layout === undefined) throw new UnreadableData('a page of events is empty');
  if (layout !== version1)
    throw new UnknownLayout(
      `a page of events has layout ${layout}, which this release does not know: deploy the one that wrote it`,
    );
  const plain = brotliDecompressSync(packed.subarray(1), { maxOutputLength: maxPlainBytes });
  return z.array(EventRow).parse(JSON.parse(plain.toString()));
}
