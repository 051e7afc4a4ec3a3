// Finds the first page of a feed that was published at or after a time, by binary search:
// publication times never decrease along the feed.

import type { Deps } from '../system/deps.ts';
import { type EventPage, type FeedName, feedRows } from './feed-rows.ts';

/** Undefined if nothing has been published since. */
export async function findFirstPageSince(
  { store }: Deps,
  feed: FeedName,
  sinceMs: number,
): Promise<EventPage | undefined> {
  const { pages, end } = await feedRows(store).readFrom(feed, 1, 1);
  const [oldest] = pages;
  if (!oldest || oldest.publishedMs >= sinceMs) return oldest;
  // Every page before `low` is too old; `candidate`, which starts at `high`, is not.
  let low = oldest.next;
  let high = (end ?? (await feedRows(store).readEnd(feed))).next;
  let candidate: EventPage | undefined;
  while (low < high) {
    const middle = await feedRows(store).findPageUpTo(feed, Math.floor((low + high - 1) / 2));
    if (!middle || middle.next <= low) {
      // Old pages expire in any order, so continue with the first page after the gap.
      const [page] = (await feedRows(store).readFrom(feed, low, 1)).pages;
      if (!page || page.publishedMs >= sinceMs) return page;
      low = page.next;
      continue;
    }
    if (middle.publishedMs >= sinceMs) {
      candidate = middle;
      high = middle.first;
    } else low = middle.next;
  }
  return candidate;
}
