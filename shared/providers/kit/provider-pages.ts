// What was fetched from a vendor, or pushed by it, for one person's device: stored as it came, and read by the vendor's normalizer.
import * as z from 'zod';
import type { CloudProviderId } from '../../catalog/provider.ts';
import type { RawBatch } from './normalizer.ts';

export interface ProviderPage {
  /** What was asked for, in the adapter's own words: `sleep`, `daily_activity`, `push`. */
  resource: string;
  /** The body as it came. */
  text: string;
  /** What the body itself does not say: the day that was asked for, or the id. */
  of?: string;
}

/** Local calendar days, both included. */
export interface DayWindow {
  from: string;
  to: string;
}

export interface ProviderPages {
  /** Null for what a vendor sent by itself. */
  asked: DayWindow | null;
  pages: readonly ProviderPage[];
}

const StoredPages = z.object({
  asked: z.object({ from: z.string(), to: z.string() }).nullable(),
  pages: z.array(z.object({ resource: z.string(), text: z.string(), of: z.string().optional() })),
});

/** The days a push speaks of are only known when it is read: it counts as of the day it came. */
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

/** Nobody has looked inside yet: about one record in sixty bytes of a vendor's JSON. */
const estimateRecordCount = (content: string): number => Math.ceil(content.length / 60);

export function parsePages(raw: Uint8Array): ProviderPages {
  const { asked: requested, pages } = StoredPages.parse(JSON.parse(Buffer.from(raw).toString()));
  return { asked: requested, pages: pages.map(({ of, ...page }) => (of === undefined ? page : { ...page, of })) };
}
