// Counts, by key and hour by hour, the sample rows that a phone's syncs write and the queries that
// reads make.
import { expect, test } from 'vitest';
import type { Table } from '../../../shared/platform/ports.ts';
import { readTimeseries } from '../../../shared/reads/timeseries/read-timeseries.ts';
import { makeSamples, wakingMetrics } from '../../bench/costs/phone-day.ts';
import { type DomainWorld, openDomainWorld } from '../../harness/domain-world.ts';
import { itemBytes } from '../../harness/measured-table.ts';
import { runWriter } from '../../harness/run-writer.ts';

const midnight = Date.UTC(2026, 2, 10);
const [hourMs, dayMs] = [3_600_000, 86_400_000];

interface Counted {
  /** Write units of open slots and of rows. */
  slots: number;
  rows: number;
  queries: number;
  /** The number of queries that are for sample rows. */
  sampleQueries: number;
}

interface CountedPhone {
  world: DomainWorld;
  id: string;
  /** Uploads everything measured in the range at once, and counts the pass that processes it. */
  sync(fromMs: number, toMs: number, atMs?: number): Promise<Counted>;
  count(work: (deps: DomainWorld['deps']) => Promise<unknown>): Promise<Counted>;
}

async function countedPhone(timezone = 'UTC'): Promise<CountedPhone> {
  const world = await openDomainWorld();
  const moveTo = (ms: number) => world.clock.advance(ms - world.clock.now());
  moveTo(midnight);
  const id = await world.user({ timezone });
  const count: CountedPhone['count'] = async (work) => {
    const counted: Counted = { slots: 0, rows: 0, queries: 0, sampleQueries: 0 };
    await work(world.withTable(countingTable(world.localTable.table, counted)));
    return counted;
  };
  return {
    world,
    id,
    count,
    async sync(fromMs, toMs, atMs = toMs + 60_000) {
      moveTo(atMs);
      const samples: object[] = [];
      for (let from = fromMs; from < toMs; from += hourMs)
        samples.push(...makeSamples(from, Math.min(from + hourMs, toMs)));
      const device = { name: 'Watch', model: 'W1', type: 'wrist' };
      await world.upload(id, 'apple_health', { time_zone: 'UTC', device, samples });
      return count((deps) => runWriter(deps, id));
    },
  };
}

function countingTable(table: Table, counted: Counted): Table {
  return {
    ...table,
    query: (queried) => {
      counted.queries++;
      return table.query(queried);
    },
    queryAll: (queried) => {
      counted.queries++;
      if (String(queried.values['from']).startsWith('T#')) counted.sampleQueries++;
      return table.queryAll(queried);
    },
    write: (each) => {
      const sk = each.kind === 'put' ? each.item.sk : '';
      const units = each.kind === 'put' ? Math.ceil(itemBytes(each.item) / 1024) : 0;
      if (sk.startsWith('A#')) counted.slots += units;
      if (sk.startsWith('T#')) counted.rows += units;
      return table.write(each);
    },
  };
}

test('an hour of ten metrics writes one slot, or two where a slot ends, and no row', async () => {
  const { sync } = await countedPhone();
  expect(wakingMetrics).toBe(10);
  await sync(midnight + 8 * hourMs, midnight + 9 * hourMs);
  for (const hour of [9, 10, 11]) {
    const counted = await sync(midnight + hour * hourMs, midnight + (hour + 1) * hourMs);
    expect(counted).toMatchObject({ slots: 1, rows: 0 });
  }
  const over = await sync(midnight + 15.5 * hourMs, midnight + 16.5 * hourMs);
  expect(over).toMatchObject({ slots: 2, rows: 0 });
});

test('a day of hourly syncs writes about forty units of samples, including its rows', async () => {
  const { sync } = await countedPhone();
  const sum = { slots: 0, rows: 0 };
  // Each sync ends 20 minutes before the hour, so that each day one sync spans two days and six
  // span two slots.
  for (let hour = 0; hour < 48; hour++) {
    const toMs = midnight + (hour + 1) * hourMs - 20 * 60_000;
    const { slots, rows } = await sync(toMs - hourMs, toMs, toMs + 30 * 60_000);
    if (hour < 24) continue;
    sum.slots += slots;
    sum.rows += rows;
  }
  expect(sum).toEqual({ slots: 31, rows: 11 });
});

test.each(['UTC', 'Europe/Berlin', 'America/Los_Angeles'])(
  'in %s no hourly sync queries rows, unless samples of an already closed day arrive',
  async (zone) => {
    const { sync } = await countedPhone(zone);
    const queried: number[] = [];
    for (let hour = 0; hour < 96; hour++) {
      const toMs = midnight + (hour + 1) * hourMs - 20 * 60_000;
      queried.push((await sync(toMs - hourMs, toMs, toMs + 30 * 60_000)).sampleQueries);
    }
    expect(queried.slice(36)).toEqual(Array.from({ length: 60 }, () => 0));
    const late = await sync(midnight + 50 * hourMs + 1, midnight + 51 * hourMs + 1, midnight + 96 * hourMs);
    expect(late.sampleQueries).toBeGreaterThan(0);
  },
);

test('a sync that changes nothing writes no samples', async () => {
  const { sync } = await countedPhone();
  await sync(midnight + 8 * hourMs, midnight + 10 * hourMs);
  const again = await sync(midnight + 9 * hourMs, midnight + 10 * hourMs, midnight + 11 * hourMs);
  expect(again).toMatchObject({ slots: 0, rows: 0 });
});

test('a first sync of many days writes one row per metric and ended day, and slots for the last day only', async () => {
  const { sync, world, id } = await countedPhone();
  await sync(midnight - 15 * dayMs, midnight + 12 * hourMs);
  const keys: string[] = [];
  for await (const { sk } of world.localTable.table.queryAll({
    where: '#pk = :pk',
    values: { pk: `U#${id.slice('usr_'.length)}` },
  }))
    keys.push(String(sk));
  expect(keys.filter((sk) => sk.startsWith('A#'))).toEqual(['A#0#0#0', 'A#0#0#1', 'A#0#0#2', 'A#0#rows']);
  expect(keys.filter((sk) => sk.startsWith('T#'))).toHaveLength(15 * wakingMetrics);
});

test('samples of an open day are read with the user, without a further query', async () => {
  const { sync, world, id, count } = await countedPhone();
  await sync(midnight - 2 * hourMs, midnight + 12 * hourMs);
  const range = { from: '2026-03-08', to: '2026-03-10', names: { from: 'from_date', to: 'to_date' }, maxDays: 31 };
  const one = await count((deps) =>
    readTimeseries(deps, world.caller, id, { shape: 'samples', metrics: ['heart_rate'], range }),
  );
  expect(one.queries).toBe(2);
  const column = { shape: 'steps', metric: 'steps', date: '2026-03-10', resolution: '1h' } as const;
  expect((await count((deps) => readTimeseries(deps, world.caller, id, column))).queries).toBe(2);
  const read = await readTimeseries(world.deps, world.caller, id, { shape: 'samples', metrics: ['heart_rate'], range });
  expect(read.shape === 'samples' && read.byMetric[0]?.samples).toHaveLength(14 * 60);
});
