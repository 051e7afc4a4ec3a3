// The order of parked rows is that in which they were parked.
import { expect, test } from 'vitest';
import { parkedRows } from '../../../shared/events/parked-rows.ts';
import { EngineUnavailable, type Key } from '../../../shared/platform/ports.ts';
import { openStore } from '../../../shared/system/store.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { newFeedName, oneTo } from '../../harness/outbox.ts';

const clock = { now: () => 0 };
const rowsFrom = (first: number, count: number): Key[] =>
  oneTo(count).map((n) => ({ pk: `U#${first + n - 1}`, sk: `OUT#${first + n - 1}` }));

test('rows that an instance with a slow clock parks come behind the earlier ones', async () => {
  const parked = parkedRows(openStore(memoryTable(), clock));
  const feed = newFeedName();
  await parked.park(feed, rowsFrom(1, 2), 10_000);
  await parked.park(feed, rowsFrom(3, 2), 5_000);
  await parked.park(feed, rowsFrom(5, 2), 10_001);
  expect((await parked.listFirst(feed, 10)).flatMap(({ rows }) => rows)).toEqual(rowsFrom(1, 6));
});

test.each([1, 2, 3])(
  'rows keep their order if chunk %i of a message is not stored and the message returns',
  async (failing) => {
    const table = memoryTable();
    let writes = 0;
    const fail = () => {
      if (++writes === failing) throw new EngineUnavailable('throttled');
    };
    const throttled = {
      ...table,
      write: async (write: Parameters<typeof table.write>[0]) => {
        fail();
        return table.write(write);
      },
      // What the engine does not accept of a batch is not stored; the rest is.
      batchWrite: async (all: Parameters<typeof table.batchWrite>[0]) => {
        await table.batchWrite(all.filter((_write, at) => at !== failing - 1));
        throw new EngineUnavailable('throttled');
      },
    };
    const feed = newFeedName();
    await expect(parkedRows(openStore(throttled, clock)).park(feed, rowsFrom(1, 250), 1)).rejects.toThrow('throttled');
    const parked = parkedRows(openStore(table, clock));
    await parked.park(feed, rowsFrom(1, 250), 2);
    const rows = (await parked.listFirst(feed, 10)).flatMap((chunk) => chunk.rows);
    const unique = [...new Map(rows.map((row) => [row.pk, row])).values()];
    expect(unique).toEqual(rowsFrom(1, 250));
  },
);

test('parked rows expire with the events of their time', async () => {
  const table = memoryTable();
  await parkedRows(openStore(table, clock)).park(newFeedName(), rowsFrom(1, 1), 0);
  expect(table.rows()).toMatchObject([{ ttl: 90 * 24 * 3600 }]);
});
