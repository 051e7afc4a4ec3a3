// Reads the pages of a gap, as many as one worker sends in one go.
import { type EventPage, type FeedRow, feedRows } from '../events/feed-rows.ts';
import type { Deps } from '../system/deps.ts';
import { keys } from '../system/keys.ts';
import { isSubscribed } from './event-routing.ts';
import type { FeedGap } from './feed-gaps.ts';
import type { WebhookRow } from './webhook-rows.ts';

/** As many requests at the same time as one worker makes. */
export const eventsPerChunk = 16;
/** About ten seconds of a receiver that takes half a second. */
const eventsPerClaim = 20 * eventsPerChunk;
const pagesPerRead = 10;
const maxReads = 10;
/**
 * A page that has been missing for longer has expired; within this time, it may only not be visible
 * yet.
 */
const visibleAfterMs = 60_000;

export const findSubscribed = (hook: WebhookRow, pages: readonly EventPage[]): FeedRow[] =>
  pages.flatMap((page) => page.events.filter((event) => isSubscribed(hook, event)));

/**
 * Leaves out damaged pages, and reports them. Like expired pages, they are skipped after a while.
 * Pages of a newer release are reported too, and no reader may go past one: its events would be
 * lost, although they can be read when that release is deployed again.
 */
export async function readReadablePages({ store, log }: Deps, hook: WebhookRow, first: number, maxPages: number) {
  const { account, env } = hook;
  const { pages, end, damaged, next } = await feedRows(store).readReadableFrom(hook, first, maxPages);
  if (damaged.length > 0) log('error', 'feed_page_unreadable', { account_id: account, env, row_keys: damaged });
  const newer = pages.filter(({ events }) => !events).map((page) => keys.feedPage(account, env, page.first));
  if (newer.length > 0)
    log('error', 'feed_page_unreadable', { account_id: account, env, row_keys: newer, is_newer: true });
  return { pages, end, next };
}

/**
 * The first pages of a closed gap, which reach up to page `to`. Undefined if the first one is not
 * visible yet. If a newer release wrote the first one, there are no pages, and `to` is `from`.
 */
export async function readGapPages(
  deps: Deps,
  hook: WebhookRow,
  { from, to = Number.POSITIVE_INFINITY }: FeedGap,
): Promise<{ pages: EventPage[]; to: number } | undefined> {
  const isRecent = (publishedMs: number): boolean => deps.clock.now() - publishedMs < visibleAfterMs;
  const found: EventPage[] = [];
  // Where the next page must start. Damaged pages are read and missing.
  let next = from;
  let position = from;
  for (let reads = 0; reads < maxReads; reads += 1) {
    const { pages, end, next: afterRead } = await readReadablePages(deps, hook, position, pagesPerRead);
    for (const page of pages) {
      const isMissingOne = page.first !== next && next < to && isRecent(page.publishedMs);
      if (isMissingOne) return found.length > 0 ? { pages: found, to: next } : undefined;
      if (page.first >= to) return { pages: found, to };
      if (!page.events) return { pages: found, to: page.first };
      found.push(page);
      next = page.next;
      if (next >= to || findSubscribed(hook, found).length >= eventsPerClaim)
        return { pages: found, to: Math.min(next, to) };
    }
    position = Math.max(next, afterRead);
    if (!end) continue;
    const isMissingLast = next < Math.min(to, end.next) && isRecent(end.publishedMs);
    if (isMissingLast) return found.length > 0 ? { pages: found, to: next } : undefined;
    return { pages: found, to: Number.isFinite(to) ? to : end.next };
  }
  return { pages: found, to: Math.min(found.length > 0 ? next : position, to) };
}
