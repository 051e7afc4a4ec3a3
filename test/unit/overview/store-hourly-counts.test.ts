import { expect, test } from 'vitest';
import { apiKeyHash, createAccount, createKey, setAccountLimit } from '../../../shared/accounts/accounts.ts';
import { apiKeyRows } from '../../../shared/accounts/api-key-rows.ts';
import { feedRows } from '../../../shared/events/feed-rows.ts';
import { type HourlyCountRow, hourlyCountRows } from '../../../shared/overview/hourly-count-rows.ts';
import { storeHourlyCounts } from '../../../shared/overview/store-hourly-counts.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { createUser } from '../../../shared/users/users.ts';
import { crashingTable, WorkerCrashed } from '../../harness/crashing-table.ts';
import { memoryDeps, memoryStartMs } from '../../harness/memory-deps.ts';

const minute = 60_000;
const hour = 60 * minute;

async function openWorld() {
  const world = memoryDeps();
  const { deps, clock } = world;
  const account = await createAccount(deps, { name: 'counted' });
  const caller = { kind: 'api_key', account: account.account_id, env: 'live', form: 2 } as const;
  const draw = async (count: number, key = account.live_key) => {
    for (let at = 0; at < count; at++) await apiKeyRows(deps.store).admit(apiKeyHash(deps, key));
  };
  /** Goes to a minute of an hour after the start. */
  const goTo = (hours: number, minutes = 0): void =>
    clock.advance(memoryStartMs + hours * hour + minutes * minute - clock.now());
  const rows = (): Promise<HourlyCountRow[]> =>
    hourlyCountRows(deps.store).listSince(account.account_id, 'live', memoryStartMs - 24 * hour);
  const requests = async () =>
    (await rows()).map(({ startMs, counts }) => [(startMs - memoryStartMs) / hour, counts?.requests ?? null]);
  return { ...world, account, caller, draw, goTo, rows, requests };
}

test('each hour has what happened in it, however often the sweep runs', async () => {
  const { deps, caller, account, draw, goTo, rows, requests } = await openWorld();
  await draw(3);
  await createUser(deps, caller, { external_ref: 'a' });
  goTo(0, 40);
  await storeHourlyCounts(deps);
  expect(await rows()).toEqual([]);
  goTo(1, 1);
  for (let run = 0; run < 3; run++) await storeHourlyCounts(deps);
  await draw(5);
  for (let minutes = 2; minutes < 60; minutes += 20) {
    goTo(1, minutes);
    await storeHourlyCounts(deps);
  }
  goTo(2, 1);
  await storeHourlyCounts(deps);
  goTo(3, 1);
  await storeHourlyCounts(deps);
  expect(await requests()).toEqual([
    [0, 3],
    [1, 5],
    [2, 0],
  ]);
  const [first, second] = await rows();
  expect([first?.readings.people, second?.readings.people, first?.perSecond]).toEqual([1, 1, 100]);
  expect(await hourlyCountRows(deps.store).listSince(account.account_id, 'sandbox', 0)).toHaveLength(3);
});

test('a run that has nothing to do makes one read, and an hour of an environment costs one write', async () => {
  const { deps, table, draw, goTo, withTable } = await openWorld();
  await draw(2);
  goTo(1, 1);
  const calls: string[] = [];
  const counted: Table = {
    ...table,
    get: (...call) => {
      calls.push('get');
      return table.get(...call);
    },
    write: (write) => {
      calls.push('write');
      return table.write(write);
    },
    query: (query) => {
      calls.push('query');
      return table.query(query);
    },
  };
  await storeHourlyCounts(withTable(counted));
  // One for each environment of the account, and one for the progress.
  expect(calls.filter((call) => call === 'write')).toHaveLength(3);
  calls.length = 0;
  await storeHourlyCounts(withTable(counted));
  expect(calls).toEqual(['get']);
  await storeHourlyCounts(deps);
});

test('two runs at once count an hour once', async () => {
  const { deps, table, withTable, draw, goTo, requests } = await openWorld();
  await draw(4);
  goTo(1, 1);
  await Promise.all([storeHourlyCounts(deps), storeHourlyCounts(withTable({ ...table }))]);
  await draw(2);
  goTo(2, 1);
  await Promise.all([storeHourlyCounts(deps), storeHourlyCounts(withTable({ ...table }))]);
  expect(await requests()).toEqual([
    [0, 4],
    [1, 2],
  ]);
});

test('a run that stalls until others have stored its hour and the next one changes nothing', async () => {
  const { deps, table, withTable, draw, goTo, requests } = await openWorld();
  await draw(4);
  goTo(1, 1);
  let isOvertaken = false;
  const stalled: Table = {
    ...table,
    async write(write) {
      if (!isOvertaken) {
        isOvertaken = true;
        await draw(10);
        await storeHourlyCounts(deps);
        await draw(3);
        goTo(2, 1);
        await storeHourlyCounts(deps);
      }
      return table.write(write);
    },
  };
  await storeHourlyCounts(withTable(stalled));
  goTo(2, 2);
  await storeHourlyCounts(deps);
  expect(await requests()).toEqual([
    [0, 14],
    [1, 3],
  ]);
});

test.each([
  { applied: true, name: 'after' },
  { applied: false, name: 'before' },
])('a run that dies $name any of its writes counts nothing twice and loses nothing', async ({ applied }) => {
  for (let at = 1; at <= 3; at++) {
    const { deps, table, withTable, draw, goTo, requests } = await openWorld();
    await draw(4);
    goTo(1, 1);
    const crashing = crashingTable(table, { at, applied });
    await expect(storeHourlyCounts(withTable(crashing.table))).rejects.toThrow(WorkerCrashed);
    await draw(1);
    goTo(1, 3);
    await storeHourlyCounts(deps);
    goTo(2, 1);
    await storeHourlyCounts(deps);
    const counted = (await requests()).map(([, count]) => count ?? 0);
    expect(counted).toHaveLength(2);
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(5);
  }
});

test('hours without a sweep are gaps, and so is an hour of which only a part is known', async () => {
  const { deps, draw, goTo, requests, rows } = await openWorld();
  await draw(1);
  goTo(1, 1);
  await storeHourlyCounts(deps);
  await draw(2);
  // The sweep is down for two and a half hours.
  goTo(3, 40);
  await storeHourlyCounts(deps);
  await draw(3);
  goTo(4, 1);
  await storeHourlyCounts(deps);
  await draw(4);
  goTo(5, 1);
  await storeHourlyCounts(deps);
  expect(await requests()).toEqual([
    [0, 1],
    [2, null],
    [3, null],
    [4, 4],
  ]);
  expect((await rows()).map(({ readings }) => readings.people)).toEqual([0, 0, 0, 0]);
});

test('a clock that went back repeats no hour', async () => {
  const { deps, draw, goTo, requests } = await openWorld();
  await draw(1);
  goTo(1, 1);
  await storeHourlyCounts(deps);
  goTo(2, 1);
  await storeHourlyCounts(deps);
  goTo(1, 30);
  await draw(2);
  await storeHourlyCounts(deps);
  goTo(2, 2);
  await storeHourlyCounts(deps);
  expect(await requests()).toEqual([
    [0, 1],
    [1, 0],
  ]);
});

test('a key that was replaced counts until its end, and all copies of a key count', async () => {
  const { deps, account, draw, goTo, requests } = await openWorld();
  await draw(2);
  goTo(1, 1);
  await storeHourlyCounts(deps);
  await draw(3);
  const key = await createKey(deps, account.account_id, 'live');
  await draw(4, key);
  await setAccountLimit(deps, account.account_id, 5_000);
  await draw(20, key);
  goTo(2, 1);
  await storeHourlyCounts(deps);
  expect(await requests()).toEqual([
    [0, 2],
    [1, 27],
  ]);
});

test('an account that is created just after an hour has no row for that hour', async () => {
  const { deps, clock, goTo } = await openWorld();
  goTo(1, 0);
  clock.advance(10_000);
  const late = await createAccount(deps, { name: 'late' });
  await apiKeyRows(deps.store).admit(apiKeyHash(deps, late.live_key));
  goTo(1, 1);
  await storeHourlyCounts(deps);
  goTo(2, 1);
  await storeHourlyCounts(deps);
  const rows = await hourlyCountRows(deps.store).listSince(late.account_id, 'live', 0);
  expect(rows.map(({ startMs, counts }) => [startMs, counts?.requests])).toEqual([[memoryStartMs + hour, 1]]);
});

test('more accounts than one page are all counted, and a run that is out of time continues', async () => {
  const { deps, clock, goTo, table, withTable } = await openWorld();
  const accounts = [];
  for (let at = 0; at < 60; at++) accounts.push((await createAccount(deps, { name: `account ${at}` })).account_id);
  goTo(1, 1);
  const slow: Table = {
    ...table,
    query(query) {
      if (query.index === 'by-list') clock.advance(20_000);
      return table.query(query);
    },
  };
  const slowDeps: Deps = withTable(slow);
  await storeHourlyCounts(slowDeps);
  expect(await hourlyCountRows(deps.store).findProgress()).toMatchObject({ after: expect.any(String) });
  for (let run = 0; run < 3; run++) await storeHourlyCounts(slowDeps);
  expect(await hourlyCountRows(deps.store).findProgress()).toMatchObject({ after: null });
  for (const account of accounts)
    expect(await hourlyCountRows(deps.store).listSince(account, 'live', 0)).toHaveLength(1);
});

test('the feed brings its own numbers', async () => {
  const { deps, account, goTo, rows } = await openWorld();
  const feed = { account: account.account_id, env: 'live' } as const;
  const append = async (count: number) => {
    const events = Array.from({ length: count }, (_none, at) => ({
      id: `evt_${at}`,
      type: 'user.created' as const,
      atMs: 0,
    }));
    const page = { events, packed: new Uint8Array([1]), isPending: false };
    const counts = { uploads: count, records: 10 * count, deliveries: 2 * count };
    const end = await feedRows(deps.store).readEnd(feed);
    await deps.store.commit(feedRows(deps.store).buildAppend(feed, end, { ...page, counts }, deps.clock.now()));
  };
  await append(2);
  goTo(1, 1);
  await storeHourlyCounts(deps);
  await append(3);
  await append(4);
  goTo(2, 1);
  await storeHourlyCounts(deps);
  expect((await rows()).map(({ counts }) => counts)).toMatchObject([
    { events: 2, uploads: 2, records: 20, deliveries: 4 },
    { events: 7, uploads: 7, records: 70, deliveries: 14 },
  ]);
});
