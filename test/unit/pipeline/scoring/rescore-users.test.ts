import { beforeEach, expect, test } from 'vitest';
import { sweepWorker } from '../../../../functions/workers/sweep.ts';
import { createAccount } from '../../../../shared/accounts/accounts.ts';
import { scoringGeneration } from '../../../../shared/catalog/score-table.ts';
import { busyBacklog, maxBacklogUsers, paceBounds } from '../../../../shared/pipeline/scoring/rescore-pace.ts';
import { rescoreUsers } from '../../../../shared/pipeline/scoring/rescore-users.ts';
import { rescoringRows } from '../../../../shared/pipeline/scoring/rescoring-rows.ts';
import { EngineUnavailable, type Table } from '../../../../shared/platform/ports.ts';
import type { Caller, Environment } from '../../../../shared/system/caller.ts';
import type { Deps } from '../../../../shared/system/deps.ts';
import { keys, userPartition } from '../../../../shared/system/keys.ts';
import { pendingIndexKeys } from '../../../../shared/system/pending-kinds.ts';
import { commandRows } from '../../../../shared/users/command-rows.ts';
import { userRows } from '../../../../shared/users/user-rows.ts';
import { createUser } from '../../../../shared/users/users.ts';
import { type MemoryDeps, memoryDeps } from '../../../harness/memory-deps.ts';
import { readEvents } from '../../../harness/outbox.ts';
import { pendingCommands } from '../../../harness/pending-commands.ts';
import { runWriter } from '../../../harness/run-writer.ts';
import { countShownScores, createScoredUser } from '../../measurements/rescored-user.ts';

const minute = 60_000;
let world: MemoryDeps;
let deps: Deps;
beforeEach(() => {
  world = memoryDeps();
  ({ deps } = world);
});

/** Accounts sort in the order of their creation. */
async function callerOf(env: Environment = 'live'): Promise<Caller> {
  world.clock.advance(1);
  const { account_id } = await createAccount(deps, { name: 'a test' });
  return { kind: 'api_key', account: account_id, env, form: 2 };
}
/**
 * Creates users with scores of the previous formulas, with data but without a day: the sweep looks
 * at nothing more.
 */
async function users(caller: Caller, count: number, more: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const { id } = await createUser(deps, caller, {});
    const item = await world.table.get(keys.user(id));
    const previous = { lastSyncMs: 1, scoreGeneration: scoringGeneration - 1, ...more };
    await world.table.write({ kind: 'put', item: { ...keys.user(id), ...item, ...previous } });
    ids.push(id);
  }
  return ids;
}
const requestedUsers = () =>
  world.table
    .rows()
    .filter(({ sk }) => sk === '!DO#rescore')
    .map(({ dueSk }) => String(dueSk).split('#')[1])
    .sort();
const woken = () => world.sentTo('user').map((body) => JSON.stringify(body));
const progress = () => rescoringRows(deps.store).findProgress();
/** Does what the workers do for each requested user. */
async function moveEveryone() {
  for (const user of requestedUsers()) if (user) await runWriter(deps, user);
}

test('every user with scores of other formulas is requested and woken once, in any account and environment', async () => {
  const behind = [
    ...(await users(await callerOf(), 3)),
    ...(await users(await callerOf('sandbox'), 2)),
    ...(await users(await callerOf(), 1, { scoreGeneration: scoringGeneration + 1 })),
  ];
  const left = await callerOf();
  await users(left, 1, { lastSyncMs: null });
  await users(left, 1, { scoreGeneration: scoringGeneration });
  await users(left, 1, { status: 'deleting' });
  await rescoreUsers(deps);
  expect(requestedUsers()).toEqual(behind.sort());
  expect(woken().sort()).toEqual(behind.map((user_id) => JSON.stringify({ user_id })).sort());
});

test('a user whose days were built by earlier merge rules is rebuilt, and only scored again otherwise', async () => {
  const caller = await callerOf();
  const [rebuilt = ''] = await users(caller, 1, { scoreGeneration: scoringGeneration, mergeRule: 1 });
  const [rescored = ''] = await users(caller, 1);
  await rescoreUsers(deps);
  const kinds = async (user: string) => (await pendingCommands(deps.store.table, user)).map(({ kind }) => kind);
  expect([await kinds(rebuilt), await kinds(rescored)]).toEqual([['rebuild'], ['rescore']]);
});

test('a round requests as many users per sweep as its pace says, ends when no user was requested, and then costs one read', async () => {
  const many = await users(await callerOf(), 800);
  // Accounts are listed by id, which is in the order of their creation.
  world.clock.advance(1);
  const more = await users(await callerOf(), 1_275);
  const all = [...many, ...more].sort();
  // Pages of a hundred that are within paces of 400, 450, 500, 550 and 600.
  for (const count of [400, 800, 1_300, 1_800, 2_075]) {
    await rescoreUsers(deps);
    expect(requestedUsers()).toHaveLength(count);
    expect((await progress())?.isDone).toBe(false);
  }
  expect(requestedUsers()).toEqual(all);
  expect(woken()).toHaveLength(2_075);
  await moveEveryone();
  expect(requestedUsers()).toEqual([]);
  for (let sweeps = 0; sweeps < 4; sweeps++) await rescoreUsers(deps);
  expect(await progress()).toMatchObject({ generation: scoringGeneration, position: null, isDone: true });
  expect(woken()).toHaveLength(2_075);

  const done: string[] = [];
  const counting: Table = {
    ...world.table,
    get: async (key, options) => {
      done.push(`get ${key.sk}`);
      return world.table.get(key, options);
    },
    query: async () => Promise.reject(new Error('a query')),
    queryAll: () => {
      throw new Error('a query');
    },
    write: async () => Promise.reject(new Error('a write')),
  };
  await rescoreUsers(world.withTable(counting));
  expect(done).toEqual(['get @SCORES']);
});

/** Work that has waited for an hour: of others, or the requests of the sweep itself. */
async function waitForAnHour(count: number, sk: string): Promise<string[]> {
  const owners: string[] = [];
  for (let index = 0; index < count; index++) {
    const owner = `usr_${sk.length}_${index}`;
    const due = pendingIndexKeys('user', owner, deps.clock.now() - 60 * minute);
    await world.table.write({ kind: 'put', item: { pk: userPartition(owner), sk, ...due } });
    owners.push(owner);
  }
  return owners;
}
async function storePace(pace: number): Promise<void> {
  await rescoreUsers(deps);
  const row = await progress();
  if (!row) throw new Error('no progress is stored');
  await rescoringRows(deps.store).saveProgress(row, { ...row, pace, isDone: false });
}

test('the pace is stored, halved while requests wait, never below the minimum, and rises step by step afterwards', async () => {
  await storePace(paceBounds.max);
  const [first = ''] = await waitForAnHour(busyBacklog.users, '!DO#rescore');
  const paces: (number | undefined)[] = [];
  const sweep = async () => {
    await users(await callerOf(), 1);
    await rescoreUsers(deps);
    paces.push((await progress())?.pace);
  };
  for (let sweeps = 0; sweeps < 3; sweeps++) await sweep();
  expect(paces).toEqual([500, 400, 400]);
  await world.table.write({ kind: 'delete', key: keys.coalescedCommand(first, 'rescore') });
  for (let sweeps = 0; sweeps < 13; sweeps++) await sweep();
  expect(paces.slice(3)).toEqual([450, 500, 550, 600, 650, 700, 750, 800, 850, 900, 950, 1_000, 1_000]);
});

test('uploads and scores of others that wait do not slow the pace down', async () => {
  await storePace(paceBounds.max);
  await waitForAnHour(busyBacklog.users * 3, '!UPLOAD#0000000000001#b');
  await users(await callerOf(), 1);
  await rescoreUsers(deps);
  expect(await progress()).toMatchObject({ pace: paceBounds.max, requested: 1 });
});

test('no user is added while commands of very many users wait, and the pace stays what it was', async () => {
  await storePace(paceBounds.min + paceBounds.step);
  await waitForAnHour(maxBacklogUsers, '!UPLOAD#0000000000001#b');
  await users(await callerOf(), 1);
  for (let sweeps = 0; sweeps < 3; sweeps++) await rescoreUsers(deps);
  expect(requestedUsers()).toEqual([]);
  expect(await progress()).toMatchObject({ pace: paceBounds.min + paceBounds.step, isDone: false });
});

test('scores that are due stop nothing, and hide no commands behind them', async () => {
  await storePace(paceBounds.max);
  // More than one read of the backlog lists, and all due before the commands.
  await waitForAnHour(2 * maxBacklogUsers, '@USER');
  await users(await callerOf(), 1);
  await rescoreUsers(deps);
  expect(requestedUsers()).toHaveLength(1);
  world.clock.advance(5 * minute);
  await waitForAnHour(maxBacklogUsers, '!UPLOAD#0000000000001#b');
  await users(await callerOf(), 1);
  await rescoreUsers(deps);
  expect(requestedUsers()).toHaveLength(1);
});

test('a sweep whose writes are throttled keeps what it has done, continues at half the pace, and pages nobody', async () => {
  await users(await callerOf(), 900);
  await storePace(paceBounds.max);
  const before = await progress();
  const transactions = { allowed: 250 };
  const throttled: Table = {
    ...world.table,
    async transact(writes) {
      if (transactions.allowed-- <= 0) throw new EngineUnavailable('throttled');
      return world.table.transact(writes);
    },
  };
  await sweepWorker(world.withTable(throttled))();
  expect(world.log.filter(({ level }) => level === 'error')).toEqual([]);
  expect(world.log).toContainEqual({
    level: 'warn',
    message: 'rescoring_throttled',
    fields: { pace: paceBounds.max / 2, cause: new EngineUnavailable('throttled') },
  });
  const after = await progress();
  expect(after).toMatchObject({ pace: paceBounds.max / 2, requested: (before?.requested ?? 0) + 250, isDone: false });
  // The pages that were finished are not visited again.
  expect(after?.visitedInRound).toBe((before?.visitedInRound ?? 0) + 200);
  await rescoreUsers(deps);
  expect(new Set(requestedUsers()).size).toBe(900);
});

test('an error that is no throttling fails the sweep', async () => {
  await users(await callerOf(), 1);
  const broken: Table = { ...world.table, transact: async () => Promise.reject(new Error('a bug')) };
  await expect(rescoreUsers(world.withTable(broken))).rejects.toThrow('a bug');
});

test('of ten thousand environments a sweep visits what it can in 15 seconds, and the next ones visit the rest', async () => {
  const callers: Caller[] = [];
  for (let accounts = 0; accounts < 5_000; accounts++) callers.push(await callerOf());
  const last = callers.at(-1);
  if (!last) throw new Error('there is no account');
  const behind = await users(last, 2);
  world.clock.freeze();
  const reads = { ms: 0 };
  const read = async <T>(go: () => Promise<T>): Promise<T> => {
    world.clock.advance(10);
    reads.ms += 10;
    return go();
  };
  const slow: Table = {
    ...world.table,
    query: (query) => read(() => world.table.query(query)),
    batchGet: (all, options) => read(() => world.table.batchGet(all, options)),
  };
  const durations: number[] = [];
  while (!(await progress())?.isDone) {
    const startMs = world.clock.now();
    await rescoreUsers(world.withTable(slow));
    durations.push(world.clock.now() - startMs);
    await moveEveryone();
  }
  // Two calls for each environment, twice.
  expect(reads.ms).toBeGreaterThanOrEqual(2 * 10_000 * 2 * 10);
  for (const ms of durations) expect(ms).toBeLessThanOrEqual(15_100);
  expect(durations).toHaveLength(2 * Math.ceil((10_000 * 2 * 10) / 15_000));
  expect(woken()).toHaveLength(behind.length);
});

test('an interrupted migration goes on at its pace', async () => {
  await users(await callerOf(), 1_400);
  await rescoreUsers(deps);
  await rescoreUsers(deps);
  await rescoreUsers(memoryDeps({ table: world.table }).deps);
  expect(requestedUsers()).toHaveLength(2 * paceBounds.min + paceBounds.min + 2 * paceBounds.step);
});

test('a sweep reads whole pages, however little of its pace is left', async () => {
  const caller = await callerOf();
  await users(caller, 2_000, { scoreGeneration: scoringGeneration });
  await users(caller, 399);
  const limits: unknown[] = [];
  const counting: Table = {
    ...world.table,
    query: (query) => {
      if (query.index === 'by-list') limits.push(query.limit);
      return world.table.query(query);
    },
  };
  await rescoreUsers(world.withTable(counting));
  await rescoreUsers(world.withTable(counting));
  expect(requestedUsers()).toHaveLength(399);
  expect(limits.filter((limit) => limit !== undefined && limit !== 101)).toEqual([]);
  // Of 2,399 users, and one of the sandbox, which has none.
  expect(limits.filter((limit) => limit === 101)).toHaveLength(25);
});

test('a sweep that is killed at any call, or runs twice at once, leaves no user out and requests none twice', async () => {
  const all = (await users(await callerOf(), 130)).sort();
  let left = 0;
  for (; ; left += 7) {
    const twin = world.table.copy();
    let calls = 0;
    const guarded = async <T>(go: () => Promise<T>): Promise<T> => {
      if (calls++ >= left) throw new Error('killed');
      return go();
    };
    const dying: Table = {
      ...twin,
      batchGet: (all, options) => guarded(() => twin.batchGet(all, options)),
      write: (write) => guarded(() => twin.write(write)),
      transact: (writes) => guarded(() => twin.transact(writes)),
    };
    const own = memoryDeps({ table: twin });
    const died = await rescoreUsers(own.withTable(dying)).then(
      () => false,
      () => true,
    );
    await Promise.all([rescoreUsers(own.deps), rescoreUsers(own.deps)]);
    const rows = twin.rows().filter(({ sk }) => sk === '!DO#rescore');
    expect(rows.map(({ dueSk }) => String(dueSk).split('#')[1]).sort()).toEqual(all);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(all.length);
    if (!died) break;
  }
  expect(left).toBeGreaterThan(100);
});

test('a user who is rescored during a slow sweep is not requested again', async () => {
  const [user = ''] = await users(await callerOf(), 1);
  const slow: Table = {
    ...world.table,
    async transact(writes) {
      const row = await userRows(deps.store).findById(user);
      if (!row) throw new Error('the user does not exist');
      const moved = { ...row, scoreGeneration: scoringGeneration };
      await world.table.transact([userRows(deps.store).buildFinishPass(row, moved)]);
      return world.table.transact(writes);
    },
  };
  await rescoreUsers(world.withTable(slow));
  expect(requestedUsers()).toEqual([]);
});

test('a user who was requested and not rescored is found by the next round', async () => {
  const caller = await callerOf();
  const user = await createScoredUser(deps, caller, 30);
  await rescoreUsers(deps);
  const commands = await pendingCommands(world.table, user);
  expect(commands).toHaveLength(1);
  await deps.store.commit(commands.map((each) => commandRows(deps.store).buildFinish(user, each)));
  await rescoreUsers(deps);
  await moveEveryone();
  expect(await countShownScores(deps, user)).toEqual({ days: 25, previous: 0 });
});

test('a round that requested any user, in any of its parts, is not the last', async () => {
  const caller = await callerOf();
  await users(caller, 1, { scoreGeneration: scoringGeneration });
  world.clock.advance(minute);
  // The newest users come first.
  await users(caller, 400);
  await rescoreUsers(deps);
  expect(await progress()).toMatchObject({ requestedInRound: 400, isDone: false });
  await rescoreUsers(deps);
  expect(await progress()).toMatchObject({ position: null, requested: 400, requestedInRound: 0, isDone: false });
});

test('a user who cannot be scored is requested once, and delays neither others nor the end of a round', async () => {
  await users(await callerOf(), 300);
  await rescoreUsers(deps);
  const stuck = requestedUsers().slice(0, 50);
  for (const user of requestedUsers()) if (user && !stuck.includes(user)) await runWriter(deps, user);
  for (let sweeps = 0; sweeps < 5; sweeps++) {
    world.clock.advance(10 * minute);
    await rescoreUsers(deps);
    for (const user of requestedUsers()) if (user && !stuck.includes(user)) await runWriter(deps, user);
  }
  expect((await progress())?.isDone).toBe(true);
  expect(requestedUsers()).toEqual(stuck);
  expect(woken()).toHaveLength(300);
});

test('the next formulas start a new round', async () => {
  await users(await callerOf(), 1, { scoreGeneration: scoringGeneration });
  await rescoreUsers(deps);
  expect((await progress())?.isDone).toBe(true);
  const row = await progress();
  if (!row) throw new Error('no progress is stored');
  await rescoringRows(deps.store).saveProgress(row, { ...row, generation: scoringGeneration - 1 });
  const [user] = await users(await callerOf(), 1, { scoreGeneration: scoringGeneration - 1 });
  await rescoreUsers(deps);
  expect(requestedUsers()).toEqual([user]);
});

test('the sweep rescores a user whose messages were all lost, and publishes one event', async () => {
  const user = await createScoredUser(deps, await callerOf(), 60);
  world.unavailableQueues.add('user');
  await sweepWorker(deps)();
  world.unavailableQueues.delete('user');
  expect(woken()).toEqual([]);
  world.clock.advance(minute + 1_000);
  await sweepWorker(deps)();
  expect(woken()).toEqual([JSON.stringify({ user_id: user })]);
  await runWriter(deps, user);
  expect(await countShownScores(deps, user)).toEqual({ days: 55, previous: 0 });
  for (let sweeps = 0; sweeps < 4; sweeps++) {
    world.clock.advance(2 * minute);
    await sweepWorker(deps)();
    await runWriter(deps, user);
  }
  const events = readEvents(world.table.rows()).filter(({ type }) => type === 'score.updated');
  expect(events).toMatchObject([{ user }]);
  expect(requestedUsers()).toEqual([]);
});
