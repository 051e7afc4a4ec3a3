// Finds the first page of a feed that was published at or after a time, by binary search:
// publication times never decrease along the feed. Events are not read, so that a page that cannot
// be parsed is found too.

import type { Deps } from '../system/deps.ts';
import { type FeedEnd, type FeedName, feedRows, type PageHeader } from './feed-rows.ts';

/** Searches the pages up to this end. Undefined if none of them has been published since. */
export async function findFirstPageSince(
  { store }: Deps,
  feed: FeedName,
  sinceMs: number,
  end: FeedEnd,
): Promise<PageHeader | undefined> {
  const { pages } = await feedRows(store).readHeadersFrom(feed, 1, 1);
  const [oldest] = pages;
  if (!oldest || oldest.publishedMs >= sinceMs) return oldest;
  // Every page before `low` is too old; `candidate`, which starts at `high`, is not.
  let low = oldest.next;
  let high = end.next;
  let candidate: PageHeader | undefined;
  while (low < high) {
    const middle = await feedRows(store).findHeaderUpTo(feed, Math.floor((low + high - 1) / 2));
    if (!middle || middle.next <= low) {
      // Old pages expire in any order, so continue with the first page after the gap.
      const [page] = (await feedRows(store).readHeadersFrom(feed, low, 1)).pages;
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
