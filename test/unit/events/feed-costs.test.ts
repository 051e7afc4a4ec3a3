// What events and deliveries cost, as counted by the table engine itself.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { relayWorker } from '../../../functions/workers/relay.ts';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { type LocalTable, startLocalTable } from '../../../infra/local/local-table.ts';
import { feedRows } from '../../../shared/events/feed-rows.ts';
import { outboxRows } from '../../../shared/events/outbox-rows.ts';
import type { Table, Write } from '../../../shared/platform/ports.ts';
import { mergeOutboxWrites } from '../../../shared/system/merge-outbox-writes.ts';
import { testClock } from '../../harness/clock.ts';
import { type DeliveryWorld, openDeliveryWorld } from '../../harness/delivery-world.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { newEvent, oneTo } from '../../harness/outbox.ts';

let localTable: LocalTable;
let units = 0;
beforeAll(async () => {
  const env = { PATH: process.env['PATH'] };
  const meter = ({ writeUnits }: { writeUnits: number }) => {
    units += writeUnits;
  };
  localTable = await startLocalTable({ dataDir: 'memory', env, meter });
});
afterAll(() => localTable.stop());

/** The metrics of a day, as an hourly upload names them. */
const eventFields = {
  type: 'data.updated' as const,
  deviceId: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2',
  metrics: [
    ...['steps', 'heart_rate', 'active_calories', 'distance', 'floors_climbed'],
    ...['spo2', 'hrv', 'resting_heart_rate', 'respiratory_rate', 'weight'],
  ],
  more: { from_date: '2026-03-10', to_date: '2026-03-10', sleep: false, workouts: false },
};

async function worldWith(endpoints: number): Promise<DeliveryWorld> {
  const world = openDeliveryWorld(localTable.table, testClock());
  for (let each = 0; each < endpoints; each += 1) await world.register();
  await world.publishEvents(1);
  await world.run();
  await runRecheck(world);
  return world;
}
/** A page that was sent in several messages is rechecked once. */
async function runRecheck({ clock, run }: DeliveryWorld): Promise<void> {
  clock.advance(50_000);
  await run();
}
async function countUnits(work: () => Promise<unknown>): Promise<number> {
  units = 0;
  await work();
  return units;
}

/**
 * Write units per event, from the outbox row on, for a number of shards, commits per shard and
 * events per commit.
 */
async function perEvent(
  world: DeliveryWorld,
  { shards, rows, events }: { shards: number; rows: number; events: number },
) {
  const { store } = world.deps;
  for (let shard = 0; shard < shards; shard += 1) {
    const writes = oneTo(rows).flatMap(() => {
      const some = oneTo(events).map(() => newEvent(world.feed, eventFields));
      return mergeOutboxWrites(some.map((event) => outboxRows(store).buildAppend(event.userId, event)));
    });
    // Separate commits, in one call.
    await store.table.transact(writes);
    await relayWorker(world.deps)(writes.map((write) => (write.kind === 'put' ? write.item : {})));
  }
  const spent = await countUnits(() => world.run());
  return spent / (shards * rows * events);
}

describe('numbering an event, without endpoints', () => {
  test.each([
    { shards: 1, rows: 1, events: 1, atMost: 7 },
    { shards: 1, rows: 1, events: 2, atMost: 3.5 },
    { shards: 1, rows: 25, events: 1, atMost: 3.5 },
    { shards: 20, rows: 25, events: 1, atMost: 3.5 },
    { shards: 20, rows: 25, events: 2, atMost: 2 },
    { shards: 20, rows: 4, events: 2, atMost: 2.5 },
    { shards: 1, rows: 98, events: 3, atMost: 2 },
  ])(
    'takes at most $atMost units for $shards shards with $rows commits of $events events',
    async ({ atMost, ...load }) => {
      const world = await worldWith(0);
      const spent = await perEvent(world, load);
      expect(spent).toBeLessThanOrEqual(atMost);
    },
  );
});

describe('a successful delivery', () => {
  test.each([
    { endpoints: 1, events: 1, atMost: 5 },
    { endpoints: 1, events: 2, atMost: 3 },
    { endpoints: 1, events: 10, atMost: 1.5 },
    { endpoints: 2, events: 2, atMost: 2.5 },
    { endpoints: 4, events: 25, atMost: 1.2 },
  ])(
    'takes at most $atMost units with $events events in a page for $endpoints endpoints',
    async ({ endpoints, events, atMost }) => {
      const load = { shards: 1, rows: 1, events };
      const bare = (await perEvent(await worldWith(0), load)) * events;
      const world = await worldWith(endpoints);
      const spent = (await perEvent(world, load)) * events + (await countUnits(() => runRecheck(world))) - bare;
      expect(world.webhookRequests.length).toBe((events + 1) * endpoints);
      expect(spent / (endpoints * events)).toBeLessThanOrEqual(atMost);
    },
  );
});

test('a dead endpoint costs its probes, and nothing for the events it misses', async () => {
  const table = memoryTable();
  let writes = 0;
  const countingTable: Table = {
    ...table,
    write(write) {
      if (hasEndpoint(write)) writes += 1;
      return table.write(write);
    },
    transact(all) {
      writes += all.filter(hasEndpoint).length;
      return table.transact(all);
    },
  };
  const hasEndpoint = (write: Write): boolean =>
    /^H#|#HOOKS$/.test(write.kind === 'put' ? write.item.pk : write.key.pk);
  const world = openDeliveryWorld(countingTable);
  await world.register();
  world.respondWith(() => undefined);
  for (let failures = 0; failures < 5; failures += 1) {
    await world.publishEvents(1);
    await world.run();
  }
  // An event occurs every six minutes; what waits for more than a quarter of an hour is found by
  // the sweep.
  const passDay = async () => {
    writes = 0;
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      world.clock.advance(60_000);
      if (minute % 6 === 0) await world.publishEvents(1);
      await world.run();
      if (minute % 60 === 0) await sweepWorker(world.deps)();
    }
    return writes;
  };
  await passDay();
  const second = await passDay();
  expect((await feedRows(world.deps.store).readEnd(world.feed)).next).toBeGreaterThan(480);
  // One request every ten minutes, whose turn and failure are two writes, and five deliveries that
  // are checked every hour.
  expect(second).toBeGreaterThan(100);
  expect(second).toBeLessThanOrEqual(144 * 2 + 5 * 24);
});
