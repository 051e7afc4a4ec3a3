// The single writer of a feed gives each event one number, without gaps, despite duplicates,
// overtaking runs and crashes.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { feedWorker } from '../../../functions/workers/feed.ts';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import { feedRows, maxFeedPageBytes } from '../../../shared/events/feed-rows.ts';
import { mergeFeedJobs } from '../../../shared/events/number-events.ts';
import { outboxRows } from '../../../shared/events/outbox-rows.ts';
import { EngineUnavailable, type Key, type Table, TransactionCanceled } from '../../../shared/platform/ports.ts';
import { keys } from '../../../shared/system/keys.ts';
import { openStore } from '../../../shared/system/store.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import {
  feedMessages,
  listPendingEvents,
  newEvent,
  newFeedName,
  type Outbox,
  oneTo,
  openOutbox,
  readAllFeedRows,
  readEvents,
  writeAndNumberEvents,
  writeEvents,
} from '../../harness/outbox.ts';
import { startTable } from '../system/engines.ts';

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

/** Events of one feed with their rows, not numbered yet. */
async function writeFeed(outbox: Outbox, count: number) {
  const feed = newFeedName();
  const events = oneTo(count).map(() => newEvent(feed));
  const rows = await writeEvents(outbox.store, events);
  const number = (some: readonly Key[], deps: Pick<Outbox, 'store' | 'queue' | 'bus' | 'clock' | 'log'> = outbox) =>
    Promise.all(feedMessages(feed, some).map((message) => feedWorker(deps)(message)));
  return { feed, ids: idsOf(events), rows, number };
}

onEveryEngine('the outbox and the feed', (kind) => {
  let localTable: LocalTable;
  let outbox: Outbox;
  beforeAll(async () => {
    localTable = await startTable(kind);
    outbox = openOutbox(localTable.table);
  });
  afterAll(() => localTable.stop());

  test('an event is written with its change or not at all', async () => {
    const { store } = outbox;
    const event = newEvent(newFeedName());
    const change = { kind: 'put' as const, item: { pk: `TEST#${event.id}`, sk: 'CHANGE' } };
    const refused = { ...change, condition: 'attribute_exists(#pk)' };
    const appendEvent = outboxRows(store).buildAppend(event.userId, event);
    await expect(store.commit([refused, appendEvent])).rejects.toThrow(TransactionCanceled);
    expect(await localTable.table.get(keys.outbox(event.id, event.userId))).toBeUndefined();
    await store.commit([change, appendEvent]);
    const again = { kind: 'put' as const, item: { pk: `TEST#${event.id}`, sk: 'AGAIN' } };
    await expect(store.commit([again, appendEvent])).rejects.toThrow(TransactionCanceled);
    expect(await localTable.table.get(again.item, { consistent: true })).toBeUndefined();
  });

  test('events are numbered in the order of their rows, and their rows are deleted', async () => {
    const { feed, ids, rows, number } = await writeFeed(outbox, 60);
    await number(rows);
    const feedNow = await readAllFeedRows(outbox.store, feed);
    expect(idsOf(feedNow)).toEqual(ids);
    expect(feedNow.map(({ seq }) => seq)).toEqual(oneTo(60));
    expect(await localTable.table.batchGet(rows, { consistent: true })).toEqual([]);
  });

  test('a message that is repeated, late or about rows of another feed changes nothing', async () => {
    const { feed, ids, rows, number } = await writeFeed(outbox, 3);
    const other = await writeFeed(outbox, 1);
    await number([...rows, ...other.rows]);
    await number([...rows].reverse());
    expect(idsOf(await readAllFeedRows(outbox.store, feed))).toEqual(ids);
    expect(await readAllFeedRows(outbox.store, other.feed)).toEqual([]);
    await other.number(other.rows);
    expect(idsOf(await readAllFeedRows(outbox.store, other.feed))).toEqual(other.ids);
  });

  test('messages of many shards make few pages, one per hundred rows, regardless of which shard named the rows', async () => {
    const { feed, ids, rows } = await writeFeed(outbox, 150);
    // Two shards name each row, one right after the other.
    const messages = rows.flatMap((key) => [key, { ...key }].flatMap((each) => feedMessages(feed, [each])));
    await feedWorker(outbox)(mergeFeedJobs(messages));
    expect(idsOf(await readAllFeedRows(outbox.store, feed))).toEqual(ids);
    const { pages } = await feedRows(outbox.store).readFrom(feed, 1, 100);
    expect(pages.map(({ first }) => first)).toEqual([1, 99]);
  });

  test('messages that are handled with the one that has the turn have it', () => {
    const feed = newFeedName();
    const job = { account_id: feed.account, env: feed.env, rows: [] };
    expect(mergeFeedJobs([job, { ...job, turn: 5 }, { ...job, turn: 7 }, job])).toEqual({ ...job, turn: 7 });
    expect(mergeFeedJobs([job, job])).toEqual(job);
  });

  test('events that do not fit one page make several, and none exceeds the maximum size', async () => {
    const feed = newFeedName();
    const erased = () => Object.fromEntries(oneTo(60).map((n) => [`${n}${Math.random()}`, n]));
    const events = oneTo(60).map(() => newEvent(feed, { type: 'user.deleted', more: { erased: erased() } }));
    const ids = await writeAndNumberEvents(outbox, feed, events);
    expect(idsOf(await readAllFeedRows(outbox.store, feed))).toEqual(ids);
    const { pages } = await feedRows(outbox.store).readFrom(feed, 1, 100);
    expect(pages.length).toBeGreaterThan(1);
    for (const { first } of pages) {
      const item = await localTable.table.get(keys.feedPage(feed.account, feed.env, first));
      const packed = item?.['events'];
      expect(packed instanceof Uint8Array && packed.length <= maxFeedPageBytes).toBe(true);
    }
  });

  test('the next number outlives every page: pages expire and it does not', async () => {
    const { feed, rows, number } = await writeFeed(outbox, 2);
    await number(rows);
    const end = await localTable.table.get(keys.feedEnd(feed.account, feed.env));
    expect([end?.['next'], end?.['ttl']]).toEqual([3, undefined]);
    const page = await localTable.table.get(keys.feedPage(feed.account, feed.env, 1));
    const days = (Number(page?.['ttl']) * 1000 - Number(page?.['publishedMs'])) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(91);
  });

  test('numbers have no gaps and every event has one, however messages repeat, overlap, race and fail', async () => {
    const messages = fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), messages, async (count, picked) => {
        const { feed, ids, rows, number } = await writeFeed(outbox, count);
        const some = picked.map((which) => which.flatMap((n) => rows[n % rows.length] ?? []));
        // A FIFO queue never runs several at once, except next to a stalled run.
        await Promise.allSettled(some.map((each) => number([...new Set(each)])));
        await number(rows);
        const feedNow = await readAllFeedRows(outbox.store, feed);
        expect(feedNow.map(({ seq }) => seq)).toEqual(oneTo(count));
        expect(idsOf(feedNow).toSorted()).toEqual(ids.toSorted());
      }),
      { numRuns: 8 },
    );
  });
});

describe('a writer that stalls', () => {
  /** Stops before its commit until it is released, as a frozen process does. */
  function stallAtCommit(outbox: Outbox, table: Table) {
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let commits = 0;
    const refusals: unknown[] = [];
    const frozen: Table = {
      ...table,
      async transact(writes) {
        if (++commits === 1) {
          reached.resolve();
          await released.promise;
        }
        return table.transact(writes).catch((error) => {
          refusals.push(error);
          throw error;
        });
      },
    };
    return {
      deps: { ...outbox, store: openStore(frozen, outbox.clock) },
      reached: reached.promise,
      letGo: released.resolve,
      refusals,
    };
  }

  test('and is overtaken is rejected: nothing is lost, duplicated or out of order', async () => {
    const table = memoryTable();
    const outbox = openOutbox(table);
    const { feed, ids, rows, number } = await writeFeed(outbox, 10);
    const zombie = stallAtCommit(outbox, table);
    const stalling = number(rows.slice(0, 6), zombie.deps);
    await zombie.reached;
    // The visibility timeout has passed: another run gets the same message, and those after it.
    await number(rows.slice(0, 6));
    await number(rows.slice(6));
    zombie.letGo();
    await stalling;
    expect(zombie.refusals).toHaveLength(1);
    expect(zombie.refusals[0]).toBeInstanceOf(TransactionCanceled);
    expect(idsOf(await readAllFeedRows(outbox.store, feed))).toEqual(ids);
    expect(await listPendingEvents(outbox.store)).toEqual([]);
  });

  test('and is overtaken by another message numbers its own events afterwards', async () => {
    const table = memoryTable();
    const outbox = openOutbox(table);
    const { feed, ids, rows, number } = await writeFeed(outbox, 4);
    const zombie = stallAtCommit(outbox, table);
    const stalling = number(rows.slice(0, 2), zombie.deps);
    await zombie.reached;
    await number(rows.slice(2));
    zombie.letGo();
    await stalling;
    expect(zombie.refusals).toHaveLength(1);
    expect(idsOf(await readAllFeedRows(outbox.store, feed))).toEqual([...ids.slice(2), ...ids.slice(0, 2)]);
  });

  test('or crashes at any of its calls leaves the rest to the next run, which numbers it once', async () => {
    for (let crashAt = 1; crashAt <= 6; crashAt += 1) {
      const table = memoryTable();
      const outbox = openOutbox(table);
      const { feed, ids, rows, number } = await writeFeed(outbox, 3);
      let calls = 0;
      const crashingTable = new Proxy(table, {
        get: (target, name: keyof Table) => {
          const call = target[name];
          if (typeof call !== 'function') return call;
          return (...args: never[]) => {
            if (++calls === crashAt) throw new EngineUnavailable('the run crashed');
            return Reflect.apply(call, target, args);
          };
        },
      });
      await number(rows, { ...outbox, store: openStore(crashingTable, outbox.clock) }).catch(() => {});
      await number(rows);
      expect(idsOf(await readAllFeedRows(outbox.store, feed)), `died at call ${crashAt}`).toEqual(ids);
    }
  });
});

test('rows that only a consistent read returns are numbered', async () => {
  const table = memoryTable();
  const outbox = openOutbox(table);
  const { feed, ids, rows, number } = await writeFeed(outbox, 3);
  const staleTable: Table = {
    ...table,
    batchGet: async (wanted, options) => (options?.consistent ? table.batchGet(wanted, options) : []),
  };
  await number(rows, { ...outbox, store: openStore(staleTable, outbox.clock) });
  expect(idsOf(await readAllFeedRows(outbox.store, feed))).toEqual(ids);
});

test('an invalid outbox row is left where it is, and the others are numbered', async () => {
  const outbox = openOutbox(memoryTable());
  const log: unknown[] = [];
  const { feed, ids, rows, number } = await writeFeed(outbox, 3);
  const [bad] = rows;
  if (!bad) throw new Error('No row was written.');
  const corruption = { kind: 'update', key: bad, update: 'SET #events = :no', values: { no: 'events' } } as const;
  await outbox.table.write(corruption);
  await number(rows, { ...outbox, log: (...line) => void log.push(line) });
  expect(idsOf(await readAllFeedRows(outbox.store, feed))).toEqual(ids.slice(1));
  expect(await outbox.table.get(bad)).toBeDefined();
  expect(log).toMatchObject([['error', 'outbox_row_unreadable', { row_keys: [bad] }]]);
});

test('the events of one commit are stored in one row, in order, and stay together', async () => {
  const outbox = openOutbox(memoryTable());
  const feed = newFeedName();
  const user = newEvent(feed).userId ?? '';
  const events = oneTo(3).map(() => newEvent(feed, { userId: user }));
  const other = newEvent(newFeedName());
  const appending = [...events, other].map((event) => outboxRows(outbox.store).buildAppend(event.userId, event));
  const change = { kind: 'put', item: { pk: 'TEST#1', sk: 'CHANGE' } } as const;
  await outbox.store.commit(
    [appending, change]
      .flat()
      .toSorted(() => -1)
      .reverse(),
  );
  const items = await outbox.table.batchGet(
    [...events, other].map(({ id, userId }) => keys.outbox(id, userId)),
    { consistent: true },
  );
  expect(items).toHaveLength(2);
  expect(idsOf(readEvents(items)).toSorted()).toEqual(idsOf([...events, other]).toSorted());
});
