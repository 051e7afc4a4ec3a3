// The first page of a feed that was published at a time or later. Pages carry growing times, so it is found by halving.

import type { Deps } from '../system/deps.ts';
import { type EventPage, type FeedName, feedRows } from './feed-rows.ts';

/** Undefined when nothing was published since. */
export async function firstPageSince({ store }: Deps, feed: FeedName, sinceMs: number): Promise<EventPage | undefined> {
  const { pages, end } = await feedRows(store).from(feed, 1, 1);
  const [oldest] = pages;
  if (!oldest || oldest.publishedMs >= sinceMs) return oldest;
  // Every page before `low` is too old, and `found`, which begins at `high`, is not.
  let low = oldest.next;
  let high = (end ?? (await feedRows(store).end(feed))).next;
  let found: EventPage | undefined;
  while (low < high) {
    const middle = await feedRows(store).upTo(feed, Math.floor((low + high - 1) / 2));
    if (!middle || middle.next <= low) {
      // Old pages expire in any order: what comes behind the hole is next.
      const [page] = (await feedRows(store).from(feed, low, 1)).pages;
      if (!page || page.publishedMs >= sinceMs) return page;
      low = page.next;
      continue;
    }
    if (middle.publishedMs >= sinceMs) {
      found = middle;
      high = middle.first;
    } else low = middle.next;
  }
  return found;
}
