// Irregular feeds: pages that expired in any order, a clock that was behind, and rows in any order.
import { expect, test } from 'vitest';
import { feedWorker } from '../../../functions/workers/feed.ts';
import { feedRetentionMs, feedRows, maxFeedPageBytes, splitIntoPages } from '../../../shared/events/feed-rows.ts';
import { findFirstPageSince } from '../../../shared/events/find-first-page-since.ts';
import { FeedPositionExpired, findEarliestPosition, readFeed } from '../../../shared/events/read-feed.ts';
import { EngineUnavailable } from '../../../shared/platform/ports.ts';
import { keys } from '../../../shared/system/keys.ts';
import { openStore } from '../../../shared/system/store.ts';
import { registerWebhook } from '../../../shared/webhooks/endpoints.ts';
import { damagePages } from '../../harness/feed-page-rows.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';
import { feedMessages, newEvent, newFeedName, oneTo, readAllFeedRows, writeEvents } from '../../harness/outbox.ts';

const dayMs = 86_400_000;

/** A feed with one page of one event for each of these times. */
async function feedOf(timesMs: readonly number[]) {
  const { deps, table } = memoryDeps();
  const feed = newFeedName();
  for (const atMs of timesMs) {
    const rows = await writeEvents(deps.store, [newEvent(feed, { atMs })]);
    for (const message of feedMessages(feed, rows)) await feedWorker({ ...deps, clock: { now: () => atMs } })(message);
  }
  return { deps, table, feed, caller: { kind: 'api_key', ...feed, form: 2 } as const };
}

test('a cursor beyond the end of the feed is expired, because it would skip the next events', async () => {
  const { deps, caller } = await feedOf([Date.now()]);
  const read = (first: number) => readFeed(deps, caller, { after: { first, seen: 0 }, limit: 10 });
  expect((await read(2)).rows).toEqual([]);
  await expect(read(3)).rejects.toThrow(FeedPositionExpired);
});

test('missing old pages do not prevent the first page since a time from being found', async () => {
  const times = oneTo(40).map((day) => day * dayMs);
  const { deps, table, feed } = await feedOf(times);
  for (const missingPage of [2, 3, 4, 5, 19, 20, 21])
    await table.write({ kind: 'delete', key: keys.feedPage(feed.account, feed.env, missingPage) });
  for (const sinceMs of times) {
    const found = await findFirstPageSince(deps, feed, sinceMs, await feedRows(deps.store).readEnd(feed));
    const left = times.findIndex((atMs, at) => atMs >= sinceMs && ![2, 3, 4, 5, 19, 20, 21].includes(at + 1));
    expect([sinceMs / dayMs, found?.first]).toEqual([sinceMs / dayMs, left + 1]);
  }
});

test('the first page since a time is found among pages whose events cannot be parsed', async () => {
  const times = oneTo(20).map((day) => day * dayMs);
  const { deps, feed, caller } = await feedOf(times);
  await damagePages(deps.store, feed, [1, 2, 7, 10, 15]);
  const end = await feedRows(deps.store).readEnd(feed);
  for (const sinceMs of times)
    expect((await findFirstPageSince(deps, feed, sinceMs, end))?.first).toBe(sinceMs / dayMs);
  const clock = { now: () => 20 * dayMs };
  const query = { after: undefined, sinceMs: 16 * dayMs, limit: 10 };
  expect((await readFeed({ ...deps, clock }, caller, query)).rows.map(({ seq }) => seq)).toEqual([16, 17, 18, 19, 20]);
});

test.each([
  ['the first page of a feed', []],
  ['the first page after an expired one', [dayMs]],
  ['the first page after many expired ones', oneTo(9).map((day) => day * dayMs)],
])(
  '%s is read if it is appended between any two reads of a reader that looks for the start',
  async (_which, expired) => {
    for (let before = 1, reads = before; before <= reads; before += 1) {
      const { deps, table, feed, caller } = await feedOf(expired);
      const clock = { now: () => 200 * dayMs };
      reads = 0;
      const appendInTurn = async () => {
        reads += 1;
        if (reads !== before) return;
        const rows = await writeEvents(deps.store, [newEvent(feed, { atMs: clock.now() })]);
        for (const message of feedMessages(feed, rows)) await feedWorker({ ...deps, clock })(message);
      };
      const read =
        <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
        async (...args: Args): Promise<Result> => {
          await appendInTurn();
          return call(...args);
        };
      const store = openStore({ ...table, get: read(table.get), query: read(table.query) }, clock);
      const first = await readFeed({ ...deps, clock, store }, caller, { after: undefined, limit: 10 });
      const rest = await readFeed({ ...deps, clock }, caller, { after: first.position, limit: 10 });
      expect([before, ...[...first.rows, ...rest.rows].map(({ seq }) => seq)]).toEqual([before, expired.length + 1]);
    }
  },
);

test('a page within retention that is missing is waited for, up to the last moment', async () => {
  const { deps, table, feed } = await feedOf([200 * dayMs]);
  await table.write({ kind: 'delete', key: keys.feedPage(feed.account, feed.env, 1) });
  const findAt = (nowMs: number) => findEarliestPosition({ ...deps, clock: { now: () => nowMs } }, feed);
  for (const nowMs of [201 * dayMs, 200 * dayMs + feedRetentionMs])
    await expect(findAt(nowMs)).rejects.toThrow(EngineUnavailable);
  expect(await findAt(200 * dayMs + feedRetentionMs + 1)).toEqual({ first: 2, seen: 0 });
});

test('a page whose events cannot be parsed is found directly after pages that expired', async () => {
  const { deps, table, feed } = await feedOf(oneTo(10).map((day) => day * dayMs));
  for (const expired of [2, 3, 4, 5])
    await table.write({ kind: 'delete', key: keys.feedPage(feed.account, feed.env, expired) });
  await damagePages(deps.store, feed, [6]);
  const days = [2, 6, 7];
  const end = await feedRows(deps.store).readEnd(feed);
  const found = await Promise.all(days.map((day) => findFirstPageSince(deps, feed, day * dayMs, end)));
  expect(found.map((page) => page?.first)).toEqual([6, 6, 7]);
});

test('a clock that is behind gives no page an earlier time than the previous page', async () => {
  const { deps, feed } = await feedOf([5_000, 3_000, 6_000]);
  const { pages } = await feedRows(deps.store).readFrom(feed, 1, 10);
  expect(pages.map(({ publishedMs }) => publishedMs)).toEqual([5_000, 5_000, 6_000]);
});

test('events are numbered in the order of their rows, regardless of the order in which the engine returns them', async () => {
  const { deps, table } = memoryDeps();
  const feed = newFeedName();
  const events = oneTo(20).map(() => newEvent(feed));
  const rows = await writeEvents(deps.store, events);
  const reversingStore = openStore(
    { ...table, batchGet: async (...args) => (await table.batchGet(...args)).toReversed() },
    deps.clock,
  );
  for (const message of feedMessages(feed, rows)) await feedWorker({ ...deps, store: reversingStore })(message);
  expect((await readAllFeedRows(deps.store, feed)).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
});

test('a page that is gone or no longer due is neither cleared nor postponed, and nothing is written', async () => {
  const { deps, table, feed } = await feedOf([1_000]);
  const before = structuredClone(table.rows());
  for (const first of [1, 2]) {
    await feedRows(deps.store).clearPending(feed, first);
    await feedRows(deps.store).postpone(feed, first, 2_000);
  }
  expect(table.rows()).toEqual(before);
});

test('the events of one commit form one page, however large it is', () => {
  const more = { erased: Object.fromEntries(oneTo(3_000).map((n) => [`${n}${Math.random()}`, n])) };
  const large = { events: [{ id: 'evt_1', type: 'user.deleted' as const, atMs: 1, more }] };
  const small = { events: [{ id: 'evt_2', type: 'user.created' as const, atMs: 2 }] };
  const pages = splitIntoPages([small, large, small]);
  expect(pages.map(({ groups }) => groups)).toEqual([[small], [large], [small]]);
  expect(pages.map(({ packed }) => packed.length > maxFeedPageBytes)).toEqual([false, true, false]);
});

test('an unavailable bus only delays a page, and any other error of the bus is reported', async () => {
  for (const error of [new EngineUnavailable('the bus is unavailable'), new TypeError('the entry is invalid')]) {
    const failingBus = { publish: () => Promise.reject(error) };
    const { deps, log } = memoryDeps({ bus: failingBus });
    const feed = newFeedName();
    const url = 'https://day.example/hook';
    await registerWebhook(deps, { kind: 'api_key', ...feed, form: 2 }, { url, events: ['*'] });
    const atMs = deps.clock.now();
    const [message] = feedMessages(feed, await writeEvents(deps.store, [newEvent(feed, { atMs })]));
    if (!message) throw new Error('No message was built.');
    await feedWorker(deps)(message);
    expect(await feedRows(deps.store).findPage(feed, 1)).toMatchObject({ isPending: true });
    expect(log).toMatchObject([{ fields: { cause: error } }]);
  }
});
