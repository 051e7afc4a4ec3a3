// The first page of a feed that was published at a time or later. Pages carry growing times, so it is found by halving.
import { type FeedName, feedRows } from '../../store/feed.ts';
import type { Deps } from '../deps.ts';

/** Its first number; undefined when nothing was published since. */
export async function firstPageSince({ store }: Deps, feed: FeedName, sinceMs: number): Promise<number | undefined> {
  const { pages, end } = await feedRows(store).from(feed, 1, 1);
  const [oldest] = pages;
  if (!oldest) return undefined;
  if (oldest.publishedMs >= sinceMs) return oldest.first;
  const { next } = end ?? (await feedRows(store).end(feed));
  // All before `low` are older; `high` is young enough, or the end.
  let [low, high] = [oldest.next, next];
  while (low < high) {
    const middle = await feedRows(store).upTo(feed, Math.floor((low + high - 1) / 2));
    // A page that holds `low` begins there or later: all of the ones before it were passed.
    if (!middle || middle.first < low) break;
    if (middle.publishedMs >= sinceMs) high = middle.first;
    else low = middle.next;
  }
  return low < next ? low : undefined;
}
