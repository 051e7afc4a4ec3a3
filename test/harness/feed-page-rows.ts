// Changes what the pages of a feed store, as damage or another release would.
import { type FeedName, feedRows } from '../../shared/events/feed-rows.ts';
import { keys } from '../../shared/system/keys.ts';
import type { Store } from '../../shared/system/store.ts';

/** The first numbers of the feed's pages, oldest first. */
export const listPageNumbers = async (store: Store, feed: FeedName): Promise<number[]> =>
  (await feedRows(store).readHeadersFrom(feed, 1, 10_000)).pages.map(({ first }) => first);

export async function damagePages(store: Store, feed: FeedName, pages: readonly number[]): Promise<void> {
  for (const first of pages) await setEvents(store, feed, first, 'none');
}

/** The layout of a release that does not exist yet. Call it again to make the pages readable. */
export async function toggleLayout(store: Store, feed: FeedName, pages: readonly number[]): Promise<void> {
  for (const first of pages) {
    const item = await store.table.get(keys.feedPage(feed.account, feed.env, first));
    if (!(item?.['events'] instanceof Uint8Array)) throw new Error(`there is no page ${first}`);
    const [layout = 0, ...packed] = item['events'];
    await setEvents(store, feed, first, Uint8Array.of(layout ^ 0x80, ...packed));
  }
}

async function setEvents({ table }: Store, feed: FeedName, first: number, events: Uint8Array | string) {
  const key = keys.feedPage(feed.account, feed.env, first);
  await table.write({ kind: 'update', key, update: 'SET #events = :events', values: { events } });
}
