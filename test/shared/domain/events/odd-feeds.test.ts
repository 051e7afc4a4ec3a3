// Feeds as time, clocks and an engine leave them: pages that expired in any order, a clock that was behind, rows in any order.
import { expect, test } from 'vitest';
import { firstPageSince } from '../../../../shared/domain/events/first-page.ts';
import { numberEvents } from '../../../../shared/domain/events/number-events.ts';
import { PlaceExpired, readFeed } from '../../../../shared/domain/events/read-feed.ts';
import { feedRows } from '../../../../shared/store/feed.ts';
import { keys } from '../../../../shared/store/keys.ts';
import { openStore } from '../../../../shared/store/store.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';
import { freshFeed, messagesAbout, newEvent, oneTo, wholeFeed, writeEvents } from '../../../harness/outbox.ts';

const dayMs = 86_400_000;

/** A feed with a page for each of these times, one event each. */
async function feedOf(timesMs: readonly number[]) {
  const { deps, table } = memoryDeps();
  const feed = freshFeed();
  for (const atMs of timesMs) {
    const rows = await writeEvents(deps.store, [newEvent(feed, { atMs })]);
    for (const message of messagesAbout(feed, rows))
      await numberEvents({ ...deps, clock: { now: () => atMs } }, message);
  }
  return { deps, table, feed, caller: { kind: 'api_key', ...feed, form: 2 } as const };
}

test('a cursor behind the end of the feed is expired: what comes next would be skipped', async () => {
  const { deps, caller } = await feedOf([Date.now()]);
  const read = (first: number) => readFeed(deps, caller, { after: { first, seen: 0 }, limit: 10 });
  expect((await read(2)).rows).toEqual([]);
  await expect(read(3)).rejects.toThrow(PlaceExpired);
});

test('a hole in old pages does not keep the first page of a time from being found', async () => {
  const times = oneTo(40).map((day) => day * dayMs);
  const { deps, table, feed } = await feedOf(times);
  for (const hole of [2, 3, 4, 5, 19, 20, 21])
    await table.write({ kind: 'delete', key: keys.feedPage(feed.account, feed.env, hole) });
  for (const sinceMs of times) {
    const found = await firstPageSince(deps, feed, sinceMs);
    const left = times.findIndex((atMs, at) => atMs >= sinceMs && ![2, 3, 4, 5, 19, 20, 21].includes(at + 1));
    expect([sinceMs / dayMs, found?.first]).toEqual([sinceMs / dayMs, left + 1]);
  }
});

test('a clock that is behind gives no page an earlier time than the one before it has', async () => {
  const { deps, feed } = await feedOf([5_000, 3_000, 6_000]);
  const { pages } = await feedRows(deps.store).from(feed, 1, 10);
  expect(pages.map(({ publishedMs }) => publishedMs)).toEqual([5_000, 5_000, 6_000]);
});

test('events are numbered in the order of their rows, however the engine answers', async () => {
  const { deps, table } = memoryDeps();
  const feed = freshFeed();
  const events = oneTo(20).map(() => newEvent(feed));
  const rows = await writeEvents(deps.store, events);
  const reversing = openStore(
    { ...table, batchGet: async (...asked) => (await table.batchGet(...asked)).toReversed() },
    deps.clock,
  );
  for (const message of messagesAbout(feed, rows)) await numberEvents({ ...deps, store: reversing }, message);
  expect((await wholeFeed(deps.store, feed)).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
});
