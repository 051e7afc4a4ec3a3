import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import { erasureRows } from '../../../shared/erasure/erasure-rows.ts';
import type { StoredSample } from '../../../shared/measurements/codec/sample-block.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import type { StoredSampleDay } from '../../../shared/measurements/rows/sample-day.ts';
import { sampleRows } from '../../../shared/measurements/rows/sample-rows.ts';
import { sessionRows, type WorkoutRow } from '../../../shared/measurements/rows/session-rows.ts';
import { isChunk, replaceLargeItem, splitItem } from '../../../shared/platform/large-items.ts';
import type { Item } from '../../../shared/platform/ports.ts';
import { userPartition } from '../../../shared/system/keys.ts';
import { openStore } from '../../../shared/system/store.ts';
import { randomFrom } from '../../harness/faults.ts';
import { dynamoItemLimitBytes, itemBytes } from '../../harness/measured-table.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { workoutRow } from '../../harness/stored-data.ts';
import { startTable } from '../system/engines.ts';
import { bytesOf, checkLargeItem, crashingTable, Killed, key, readItem, rows } from './large-item-model.ts';

const random = randomFrom(1);
/** From 0 to 1, with all the digits a number can have. */
const noise = (): number => (Math.floor(random() * 2 ** 20) + random()) / 2 ** 20;

async function collected<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

test('for any faults of writers and readers, an item reads as it was last written, and only crashed writers leave chunks', async () => {
  await checkLargeItem(8);
});

describe('on a real engine', () => {
  let localTable: LocalTable;
  let store: ReturnType<typeof openStore>;
  beforeAll(async () => {
    localTable = await startTable();
    store = openStore(localTable.table, { now: () => Date.now() });
  });
  afterAll(() => localTable.stop());

  test('these tests measure sizes as the engine does', async () => {
    const item = (length: number) => ({ pk: 'U#size', sk: 'N#2026-03-10', v: Buffer.alloc(length) });
    const maxLength = dynamoItemLimitBytes - itemBytes(item(0));
    await localTable.table.write({ kind: 'put', item: item(maxLength) });
    await expect(localTable.table.write({ kind: 'put', item: item(maxLength + 1) })).rejects.toThrow(/size/i);
  });

  const dates = ['2026-03-08', '2026-03-09', '2026-03-10', '2026-03-11'];
  const ranges = dates.flatMap((from, at) => dates.slice(at).map((to) => [from, to] as const));
  const within = <T extends { date: string }>(all: readonly T[], from: string, to: string): T[] =>
    all.filter(({ date }) => date >= from && date <= to);
  const partsOf = async (user: string, prefix: string): Promise<string[]> => {
    const query = { where: '#pk = :pk AND begins_with(#sk, :prefix)', values: { pk: userPartition(user), prefix } };
    const all = await collected(localTable.table.queryAll({ ...query, only: ['sk'] }));
    return all.map(({ sk }) => String(sk)).filter(isChunk);
  };

  test('days of any size are found by any range, each once and complete', async () => {
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
      same(await collected(dayRows(store).iterateNormalized(user, from, to)), within(days, from, to));
    const on = await dayRows(store).readNormalized(user, dates);
    same(
      dates.flatMap((date) => on.get(date) ?? []),
      days,
    );
    expect(await dayRows(store).findNormalizedRange(user)).toEqual({ from: dates[0], to: dates.at(-1) });
    expect(await dayRows(store).replaceNormalized(user, '2026-03-08', bytesOf(5, 1), 1)).toBe(true);
    expect((await partsOf(user, 'N#')).some((sk) => sk.includes('2026-03-08'))).toBe(false);
  });

  /** Returns samples that cannot be compressed. */
  const noisy = (utcDay: string, count: number): StoredSample[] =>
    Array.from({ length: count }, (_none, at) => {
      const startMs = Date.parse(utcDay) + at * 2_000 + Math.floor(2_000 * noise());
      const endMs = startMs + Math.floor(1_000_000 * noise());
      return { startMs, endMs, value: 100 * noise(), offsetMinutes: null };
    });

  test('any number of samples is found by any range, each day once and complete, and leaves nothing behind', async () => {
    const user = 'usr_samples';
    const all = ([1, 11, 2] as const).flatMap((device) =>
      dates.slice(0, 3).map((utcDay, at) => ({
        metric: 'heart_rate' as const,
        utcDay,
        device,
        samples: noisy(utcDay, device === 1 && at !== 1 ? 40_000 : 3),
        revision: 1,
      })),
    );
    for (const { samples, ...day } of all) expect(await sampleRows(store).replace(user, day, samples, 0)).toBe(true);
    expect(await partsOf(user, 'T#')).toHaveLength(2);
    const named = (days: readonly StoredSampleDay[]) => days.map(({ utcDay, device }) => `${utcDay} ${device}`).sort();
    const between = (utcDays: { from: string; to: string }, device?: number) =>
      sampleRows(store).readBetween(user, 'heart_rate', utcDays, device === undefined ? {} : { device });
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
    expect(await sampleRows(store).findRange(user, 'heart_rate')).toEqual({ from: dates[0], to: '2026-03-10' });
    expect(named(await collected(sampleRows(store).iterateAll(user)))).toEqual(named(all));
    await sampleRows(store).removeByDevice(user, 1);
    expect(named(await collected(sampleRows(store).iterateAll(user)))).toEqual(
      named(all.filter((day) => day.device !== 1)),
    );
    expect(await partsOf(user, 'T#')).toEqual([]);
  });

  const longName = Buffer.from(Uint8Array.from({ length: 200_000 }, () => 256 * random())).toString('base64');
  /** Returns workouts that cannot be compressed. */
  const manyWorkouts = (date: string, count: number): WorkoutRow[] =>
    Array.from({ length: count }, (_none, at) => {
      const name = longName.slice(at * 50_000) + longName.slice(0, at * 50_000);
      return workoutRow(0, `${date}T10:00:00Z`, 1, { id: `wrk_${at}`, name });
    });

  test('any number of workouts is found by any range, each day once and complete', async () => {
    const user = 'usr_workouts';
    const days = dates.map((date, at) => ({ date, sessions: at % 2 ? [] : manyWorkouts(date, 3), revision: 1 }));
    for (const day of days) expect(await sessionRows(store).workouts.replace(user, { ...day, revision: 0 })).toBe(true);
    expect(await partsOf(user, 'W#')).toHaveLength(2);
    const ofDays = (list: readonly { date: string; sessions: readonly unknown[] }[]) =>
      list.map(({ date, sessions }) => `${date} ${sessions.length}`);
    for (const [from, to] of ranges) {
      const wanted = ofDays(within(days, from, to));
      expect(ofDays(await sessionRows(store).workouts.readBetween(user, from, to))).toEqual(wanted);
      const newest = await collected(sessionRows(store).workouts.iterateNewestFirst(user, from, to, 1));
      expect(ofDays(newest)).toEqual(wanted.toReversed());
    }
    expect(await sessionRows(store).workouts.readBetween(user, '2026-03-10', '2026-03-10')).toEqual([days[2]]);
    expect(ofDays(await collected(sessionRows(store).workouts.iterateAll(user)))).toEqual(ofDays(days));
  });

  test('a day of workouts leaves no chunks of its previous version, with or without traces', async () => {
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
    expect((await workouts.readBetween(user, date, date))[0]?.sessions).toEqual(sessions.toReversed());
    expect(isDeepStrictEqual(await sessionRows(store).findTrace(user, 'wrk_0'), points)).toBe(true);
    await sessionRows(store).removeTraces(user, ['wrk_0']);
    expect(await partsOf(user, 'H#')).toEqual([]);
    expect(await sessionRows(store).findTrace(user, 'wrk_0')).toBeNull();
  });

  test('chunks that a crashed writer left are erased with the user', async () => {
    const user = 'usr_dead';
    const killed = openStore(crashingTable(localTable.table, 1), { now: () => Date.now() });
    await expect(dayRows(killed).replaceNormalized(user, '2026-03-10', bytesOf(600_000, 1), 0)).rejects.toThrow(Killed);
    const left = await partsOf(user, 'N#');
    expect(left).toHaveLength(1);
    expect((await erasureRows(store).listRemainingKeys(user, 9, 0)).map(({ sk }) => sk)).toEqual(left);
  });
});

test('an item with missing chunks is an error, without waiting for them', async () => {
  const table = memoryTable();
  await replaceLargeItem(table, { ...key, v: bytesOf(800_000, 1), r: 1 }, {});
  const [, part] = await rows(table);
  await table.write({ kind: 'delete', key: { pk: key.pk, sk: String(part?.['sk']) } });
  await expect(readItem(table)).rejects.toThrow('missing chunks');
});

test('the other attributes of an item count toward its size, so that it fits the table', () => {
  const [v, z] = [new Uint8Array(900_000), new Uint8Array(120_000)];
  const { item, chunks: parts } = splitItem({ ...key, v, z, r: 1 });
  const sizes = [item, ...parts.map((part) => part.item)].map(bytesIn);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(350_000);
  expect(sizes.reduce((sum, each) => sum + each, 0)).toBe(v.length + z.length);
});

const bytesIn = (item: Item): number =>
  Object.values(item).reduce<number>((sum, value) => sum + (value instanceof Uint8Array ? value.length : 0), 0);
