// What was fetched from a provider, or pushed by it, for one user's device. It is stored unchanged
// and read by the provider's normalizer.
import * as z from 'zod';
import type { CloudProviderId } from '../../catalog/provider.ts';
import type { RawBatch } from './normalizer.ts';

export interface ProviderPage {
  /** The adapter's own name for what was requested: `sleep`, `daily_activity`, `push`. */
  resource: string;
  /** The unchanged body. */
  text: string;
  /** What the body itself does not contain: the requested day, or the id. */
  of?: string;
}

/** Local calendar days, both inclusive. */
export interface DayWindow {
  from: string;
  to: string;
}

export interface ProviderPages {
  /** Null for data that the provider pushed. */
  asked: DayWindow | null;
  pages: readonly ProviderPage[];
}

const StoredPages = z.object({
  asked: z.object({ from: z.string(), to: z.string() }).nullable(),
  pages: z.array(z.object({ resource: z.string(), text: z.string(), of: z.string().optional() })),
});

/**
 * The days of a push are known only when it is normalized, so the push counts for the day it was
 * received.
 */
export function toRawPages(
  { source, format, timeZone }: { source: CloudProviderId; format: number; timeZone: string | null },
  pages: ProviderPages,
  receivedDay: string,
): RawBatch {
  const content = JSON.stringify(pages);
  return {
    source,
    format,
    timeZone,
    content,
    chunks: () => [
      {
        content,
        records: estimateRecordCount(content),
        from: pages.asked?.from ?? receivedDay,
        to: pages.asked?.to ?? receivedDay,
      },
    ],
  };
}

/**
 * The content is not parsed yet, so this is an estimate: about one record per 60 bytes of a
 * provider's JSON.
 */
const estimateRecordCount = (content: string): number => Math.ceil(content.length / 60);

export function parsePages(raw: Uint8Array): ProviderPages {
  const { asked: requested, pages } = StoredPages.parse(JSON.parse(Buffer.from(raw).toString()));
  return { asked: requested, pages: pages.map(({ of, ...page }) => (of === undefined ? page : { ...page, of })) };
}
