import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TablePlace } from '../../../infra/local/local-table.ts';
import type { Item, Table } from '../../../shared/engine/ports.ts';
import type { KeptSample } from '../../../shared/store/codec/sample-block.ts';
import { dayRows } from '../../../shared/store/days.ts';
import { erasureRows } from '../../../shared/store/erasure.ts';
import { userPartition } from '../../../shared/store/keys.ts';
import { cut, isPart, replaceLarge, whole } from '../../../shared/store/large-items.ts';
import { type KeptSampleDay, sampleRows } from '../../../shared/store/samples.ts';
import { sessionRows, type WorkoutRow } from '../../../shared/store/sessions.ts';
import { openStore } from '../../../shared/store/store.ts';
import { randomFrom } from '../../harness/faults.ts';
import { measuredTable, mostItemBytes, sizeOf } from '../../harness/measured-table.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { workout } from '../../harness/recorded.ts';
import { startTable } from './engines.ts';

const key = { pk: 'U#a', sk: 'N#2026-03-10' };
const mostBytes = 3_000_000;

/** No two of them are alike, and none is like itself moved by a part. */
const bytesOf = (size: number, seed: number): Buffer =>
  Buffer.alloc(
    size,
    Uint8Array.from({ length: 251 }, (_none, at) => (at * 7 + seed) % 256),
  );

const random = randomFrom(1);
/** From 0 to 1, with as many digits as a number has. */
const noise = (): number => (Math.floor(random() * 2 ** 20) + random()) / 2 ** 20;

const isSame = ({ v }: Item, bytes: Buffer): boolean => v instanceof Uint8Array && bytes.equals(v);

async function collected<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

class Killed extends Error {}

/** Whoever writes over it dies before its nth write, or lives. */
function dying(table: Table, nth: number): Table {
  let left = nth;
  const unlessDead = <T>(write: () => Promise<T>): Promise<T> => {
    left--;
    return left < 0 ? Promise.reject(new Killed()) : write();
  };
  return {
    ...table,
    write: (write) => unlessDead(() => table.write(write)),
    async batchWrite(writes) {
      for (const write of writes) await unlessDead(() => table.batchWrite([write]));
    },
  };
}

/** The first answer to a write is lost, and the client sends it again. */
const losingAnswers = (table: Table): Table => ({
  ...table,
  async write(write) {
    await table.write(write);
    return table.write(write);
  },
});

/** Once a reader has the item, and before it reads its parts, something happens. */
function inTheMidst(table: Table, happens: () => Promise<void>): Table {
  let done = false;
  return {
    ...table,
    async batchGet(wanted, options) {
      if (!done) {
        done = true;
        await happens();
      }
      return table.batchGet(wanted, options);
    },
  };
}

interface Step {
  kind: 'replaced' | 'refused' | 'died' | 'answer lost' | 'replaced while it is read';
  size: number;
  /** Before which write whoever dies does. */
  nth: number;
}
const size = fc.oneof(
  fc.integer({ min: 0, max: mostBytes }),
  fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 2 })).map(([n, more]) => n * 350_000 + more),
);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind'][]>('replaced', 'refused', 'died', 'answer lost', 'replaced while it is read'),
    size,
    nth: fc.integer({ min: 0, max: 9 }),
  }),
  { minLength: 1, maxLength: 6 },
);

async function rows(table: Table): Promise<Item[]> {
  return (await table.query({ where: '#pk = :pk', values: { pk: key.pk } })).items;
}
const found = async (table: Table): Promise<Item | undefined> => {
  const item = await table.get(key);
  return item && whole(table, item);
};

test('whatever happens to writers and readers, an item is read as it was last written, and only the dead leave parts', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const memory = memoryTable();
      // An engine answers in any order.
      const reversed: Table = { ...memory, batchGet: async (wanted) => (await memory.batchGet(wanted)).reverse() };
      const { table } = measuredTable(reversed);
      let revision = 0;
      let bytes: Buffer | undefined;
      let deaths = 0;
      const replace = (over: Table, v: Buffer, from = revision): Promise<boolean> =>
        replaceLarge(
          over,
          { ...key, v, r: from + 1 },
          from === 0
            ? { condition: 'attribute_not_exists(#pk)' }
            : { condition: '#r = :revision', values: { revision: from } },
        );
      const holds = (v: Buffer): void => {
        revision++;
        bytes = v;
      };
      for (const [at, { kind, size: length, nth }] of all.entries()) {
        const v = bytesOf(length, at);
        if (kind === 'replaced') {
          expect(await replace(table, v)).toBe(true);
          holds(v);
        } else if (kind === 'refused') expect(await replace(table, v, revision + 7)).toBe(false);
        else if (kind === 'answer lost') {
          // Whoever hears that it was refused reads it again.
          await replace(losingAnswers(table), v);
          holds(v);
          deaths++;
        } else if (kind === 'died') {
          deaths++;
          const lived = await replace(dying(table, nth), v).catch((error) => {
            if (!(error instanceof Killed)) throw error;
          });
          const stands = (await memory.get(key))?.['r'] === revision + 1;
          if (lived) expect(stands).toBe(true);
          if (stands) holds(v);
        } else {
          const item = await table.get(key);
          const reader = inTheMidst(table, async () => {
            expect(await replace(table, v)).toBe(true);
            holds(v);
          });
          const read = item && (await whole(reader, item));
          if (read) expect(bytes && isSame(read, bytes)).toBe(true);
        }
        const read = await found(table);
        expect(read === undefined).toBe(bytes === undefined);
        if (read && bytes) expect(isSame(read, bytes)).toBe(true);
        const parts = (await rows(memory)).filter(({ sk }) => isPart(sk)).length;
        const named = Number((await memory.get(key))?.['parts'] ?? 0);
        if (deaths === 0) expect(parts).toBe(named);
        else expect(parts).toBeGreaterThanOrEqual(named);
      }
    }),
    { numRuns: 30 },
  );
});

describe('over a real engine', () => {
  let place: TablePlace;
  let store: ReturnType<typeof openStore>;
  beforeAll(async () => {
    place = await startTable();
    store = openStore(place.table, { now: () => Date.now() });
  });
  afterAll(() => place.stop());

  test('the measure of these tests is the engine’s own', async () => {
    const item = (length: number) => ({ pk: 'U#size', sk: 'N#2026-03-10', v: Buffer.alloc(length) });
    const most = mostItemBytes - sizeOf(item(0));
    await place.table.write({ kind: 'put', item: item(most) });
    await expect(place.table.write({ kind: 'put', item: item(most + 1) })).rejects.toThrow(/size/i);
  });

  const dates = ['2026-03-08', '2026-03-09', '2026-03-10', '2026-03-11'];
  const ranges = dates.flatMap((from, at) => dates.slice(at).map((to) => [from, to] as const));
  const within = <T extends { date: string }>(all: readonly T[], from: string, to: string): T[] =>
    all.filter(({ date }) => date >= from && date <= to);
  const partsOf = async (user: string, prefix: string): Promise<string[]> => {
    const asked = { where: '#pk = :pk AND begins_with(#sk, :prefix)', values: { pk: userPartition(user), prefix } };
    const all = await collected(place.table.queryAll({ ...asked, only: ['sk'] }));
    return all.map(({ sk }) => String(sk)).filter(isPart);
  };

  test('days of any size are found by any range, each once and whole', async () => {
    const user = 'usr_days';
    const sizes = [400_000, 10, 351_000, 720_000];
    const days = dates.map((date, at) => ({ date, packed: bytesOf(sizes[at] ?? 0, at), revision: 1 }));
    for (const { date, packed } of days)
      expect(await dayRows(store).replaceNormalized(user, date, packed, 0)).toBe(true);
    const same = (found: readonly { date: string; packed: Uint8Array }[], wanted: typeof days): void => {
      expect(found.map(({ date }) => date)).toEqual(wanted.map(({ date }) => date));
      expect(found.every(({ packed }, at) => wanted[at]?.packed.equals(packed))).toBe(true);
    };
    for (const [from, to] of ranges)
      same(await collected(dayRows(store).normalizedBetween(user, from, to)), within(days, from, to));
    const on = await dayRows(store).normalizedOn(user, dates);
    same(
      dates.flatMap((date) => on.get(date) ?? []),
      days,
    );
    expect(await dayRows(store).normalizedExtent(user)).toEqual({ from: dates[0], to: dates.at(-1) });
    expect(await dayRows(store).replaceNormalized(user, '2026-03-08', bytesOf(5, 1), 1)).toBe(true);
    expect((await partsOf(user, 'N#')).some((sk) => sk.includes('2026-03-08'))).toBe(false);
  });

  /** Nothing in it can be said shorter. */
  const noisy = (utcDay: string, count: number): KeptSample[] =>
    Array.from({ length: count }, (_none, at) => {
      const startMs = Date.parse(utcDay) + at * 1_000;
      return { startMs, endMs: startMs, value: 100 * noise(), offsetMinutes: null, fallbackOffsetMinutes: 0 };
    });

  test('samples of any number are found by any range, each day once and whole, and leave nothing behind', async () => {
    const user = 'usr_samples';
    const all = ([1, 11, 2] as const).flatMap((device) =>
      dates.slice(0, 3).map((utcDay, at) => ({
        metric: 'heart_rate' as const,
        utcDay,
        device,
        samples: noisy(utcDay, device === 1 && at !== 1 ? 60_000 : 3),
        revision: 1,
      })),
    );
    for (const { samples, ...day } of all) expect(await sampleRows(store).replace(user, day, samples, 0)).toBe(true);
    expect(await partsOf(user, 'T#')).toHaveLength(2);
    const named = (days: readonly KeptSampleDay[]) => days.map(({ utcDay, device }) => `${utcDay} ${device}`).sort();
    const between = (utcDays: { from: string; to: string }, device?: number) =>
      sampleRows(store).between(user, 'heart_rate', utcDays, device === undefined ? {} : { device });
    for (const [from, to] of ranges)
      for (const device of [undefined, 1, 11]) {
        const wanted = all.filter(
          (day) => day.utcDay >= from && day.utcDay <= to && (device === undefined || day.device === device),
        );
        expect(named(await between({ from, to }, device))).toEqual(named(wanted));
      }
    const [read] = await between({ from: '2026-03-10', to: '2026-03-10' }, 1);
    const sent = all.find(({ utcDay, device }) => utcDay === '2026-03-10' && device === 1);
    expect(JSON.stringify(read?.samples)).toBe(JSON.stringify(sent?.samples));
    expect(await sampleRows(store).extent(user, 'heart_rate')).toEqual({ from: dates[0], to: '2026-03-10' });
    expect(named(await collected(sampleRows(store).all(user)))).toEqual(named(all));
    await sampleRows(store).removeAll(user, 1);
    expect(named(await collected(sampleRows(store).all(user)))).toEqual(named(all.filter((day) => day.device !== 1)));
    expect(await partsOf(user, 'T#')).toEqual([]);
  });

  const longName = Buffer.from(Uint8Array.from({ length: 200_000 }, () => 256 * random())).toString('base64');
  /** Nothing in it can be said shorter. */
  const manyWorkouts = (date: string, count: number): WorkoutRow[] =>
    Array.from({ length: count }, (_none, at) => {
      const name = longName.slice(at * 50_000) + longName.slice(0, at * 50_000);
      return workout(0, `${date}T10:00:00Z`, 1, { id: `wrk_${at}`, name });
    });

  test('workouts of any number are found by any range, each day once and whole', async () => {
    const user = 'usr_workouts';
    const days = dates.map((date, at) => ({ date, sessions: at % 2 ? [] : manyWorkouts(date, 3), revision: 1 }));
    for (const day of days) expect(await sessionRows(store).workouts.replace(user, { ...day, revision: 0 })).toBe(true);
    expect(await partsOf(user, 'W#')).toHaveLength(2);
    const ofDays = (list: readonly { date: string; sessions: readonly unknown[] }[]) =>
      list.map(({ date, sessions }) => `${date} ${sessions.length}`);
    for (const [from, to] of ranges) {
      const wanted = ofDays(within(days, from, to));
      expect(ofDays(await sessionRows(store).workouts.between(user, from, to))).toEqual(wanted);
      const newest = await collected(sessionRows(store).workouts.newestFirst(user, from, to, 1));
      expect(ofDays(newest)).toEqual(wanted.toReversed());
    }
    expect(await sessionRows(store).workouts.between(user, '2026-03-10', '2026-03-10')).toEqual([days[2]]);
    expect(ofDays(await collected(sessionRows(store).workouts.all(user)))).toEqual(ofDays(days));
  });

  test('a day of workouts leaves no parts of what it was, whether traces come with it or not', async () => {
    const user = 'usr_traces';
    const { workouts } = sessionRows(store);
    const [date, sessions] = ['2026-03-10', manyWorkouts('2026-03-10', 3)];
    const points = Array.from({ length: 45_000 }, (_none, at) => ({ atMs: at, bpm: noise() }));
    const trace = { workout: 'wrk_0', name: 'one', points };
    expect(await workouts.replace(user, { date, sessions, revision: 0 }, [trace])).toBe(true);
    expect(await partsOf(user, 'W#')).toHaveLength(1);
    expect(await workouts.replace(user, { date, sessions: sessions.toReversed(), revision: 1 }, [trace])).toBe(true);
    expect(await partsOf(user, 'W#')).toHaveLength(1);
    expect(await workouts.replace(user, { date, sessions, revision: 1 }, [trace])).toBe(false);
    expect(await partsOf(user, 'W#')).toHaveLength(1);
    expect((await workouts.between(user, date, date))[0]?.sessions).toEqual(sessions.toReversed());
    expect(await sessionRows(store).trace(user, 'wrk_0')).toEqual(points);
    await sessionRows(store).removeTraces(user, ['wrk_0']);
    expect(await partsOf(user, 'H#')).toEqual([]);
    expect(await sessionRows(store).trace(user, 'wrk_0')).toBeNull();
  });

  test('what a dead writer left is erased with its user', async () => {
    const user = 'usr_dead';
    const killed = openStore(dying(place.table, 1), { now: () => Date.now() });
    await expect(dayRows(killed).replaceNormalized(user, '2026-03-10', bytesOf(600_000, 1), 0)).rejects.toThrow(Killed);
    const left = await partsOf(user, 'N#');
    expect(left).toHaveLength(1);
    expect((await erasureRows(store).leftovers(user, 9)).map(({ sk }) => sk)).toEqual(left);
  });
});

test('an item whose parts are gone is an error, and nobody waits for them', async () => {
  const table = memoryTable();
  await replaceLarge(table, { ...key, v: bytesOf(800_000, 1), r: 1 }, {});
  const [, part] = await rows(table);
  await table.write({ kind: 'delete', key: { pk: key.pk, sk: String(part?.['sk']) } });
  await expect(found(table)).rejects.toThrow('missing parts');
});

test('what an item has beside its bytes takes of their room, so that it stays within what the table takes', () => {
  const [v, z] = [new Uint8Array(900_000), new Uint8Array(120_000)];
  const { item, parts } = cut({ ...key, v, z, r: 1 });
  const sizes = [item, ...parts.map((part) => part.item)].map(bytesIn);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(350_000);
  expect(sizes.reduce((sum, each) => sum + each, 0)).toBe(v.length + z.length);
});

const bytesIn = (item: Item): number =>
  Object.values(item).reduce<number>((sum, value) => sum + (value instanceof Uint8Array ? value.length : 0), 0);
