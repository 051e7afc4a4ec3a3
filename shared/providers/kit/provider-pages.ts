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
  /** The request parameter that the body does not repeat: the day, the time zone or the id. */
  parameter?: string;
}

/** Local calendar days, both inclusive. */
export interface DayWindow {
  from: string;
  to: string;
}

export interface ProviderPages {
  /** Null for data that the provider pushed. */
  requested: DayWindow | null;
  pages: readonly ProviderPage[];
}

const StoredPages = z.object({
  requested: z.object({ from: z.string(), to: z.string() }).nullable(),
  pages: z.array(z.object({ resource: z.string(), text: z.string(), parameter: z.string().optional() })),
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
    via: pages.requested === null ? 'push' : 'poll',
    content,
    chunks: () => [
      {
        content,
        records: estimateRecordCount(content),
        from: pages.requested?.from ?? receivedDay,
        to: pages.requested?.to ?? receivedDay,
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
  const { requested, pages } = StoredPages.parse(JSON.parse(Buffer.from(raw).toString()));
  return {
    requested,
    pages: pages.map(({ parameter, ...page }) => (parameter === undefined ? page : { ...page, parameter })),
  };
}
