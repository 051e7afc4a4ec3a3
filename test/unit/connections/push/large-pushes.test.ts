import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { acceptPush } from '../../../../shared/connections/push/accept-push.ts';
import { splitPush } from '../../../../shared/connections/push/split-push.ts';
import { deleteUser } from '../../../../shared/erasure/delete-user.ts';
import { sessionRows } from '../../../../shared/measurements/rows/session-rows.ts';
import { EngineUnavailable, type Item, type Table } from '../../../../shared/platform/ports.ts';
import { measuredTable } from '../../../harness/measured-table.ts';
import { minutes, type SyncWorld, startMs, syncWorld } from '../../../harness/sync-world.ts';

const makeRun = (account: string, more: object = {}) => ({
  openId: account,
  labelId: `run of ${account}`,
  mode: 8,
  subMode: 1,
  distance: 1000,
  duration: 600,
  startTime: (startMs - minutes(60)) / 1000,
  endTime: (startMs - minutes(50)) / 1000,
  startTimezone: 0,
  endTimezone: 0,
  ...more,
});
const unknownAccounts = (count: number) => Array.from({ length: count }, (_none, at) => `stranger ${at}`);

const pushRuns = (world: SyncWorld, runs: readonly object[], targetTable: Table = world.table) => {
  const { clientId: client, clientSecret: secret } = world.fakeProvider.credentials;
  return acceptPush(world.withTable(targetTable), 'coros', {
    ...{ method: 'POST', headers: { client, secret }, query: {}, pathSecret: undefined },
    body: Buffer.from(JSON.stringify({ sportDataList: runs })),
    receivedMs: world.clock.now(),
  });
};
const makeRuns = (accounts: readonly string[]) => accounts.map((account) => makeRun(account));

async function linkAccounts(...accounts: string[]) {
  const world = syncWorld({ provider: 'coros' });
  const users: string[] = [];
  for (const account of accounts) {
    users.push(await world.user());
    await world.connect(users.at(-1) ?? '', account);
  }
  await world.processQueue();
  return { world, users };
}

async function listWorkoutIds({ deps }: SyncWorld, user: string): Promise<string[]> {
  const sourceIds: string[] = [];
  for await (const { sessions } of sessionRows(deps.store).workouts.iterateAll(user))
    for (const { sourceId } of sessions) sourceIds.push(String(sourceId));
  return sourceIds;
}

const listChunkRows = ({ table }: SyncWorld): Item[] => table.rows().filter(({ sk }) => sk === 'CHUNK');

function withCallCount(table: Table): { table: Table; calls(): number } {
  let calls = 0;
  const countingTable = new Proxy(table, {
    get: (target, name, receiver) => {
      calls += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  return { table: countingTable, calls: () => calls };
}

test('a push about thousands of accounts is acknowledged without lookups, and linked users get their data', async () => {
  const { world, users } = await linkAccounts('ann', 'bob');
  const { table, calls } = withCallCount(world.table);
  expect(await pushRuns(world, makeRuns(['ann', ...unknownAccounts(10_000), 'bob']), table)).toMatchObject({
    status: 200,
  });
  expect(calls()).toBeLessThan(60);
  await world.processQueue();
  expect(await Promise.all(users.map((user) => listWorkoutIds(world, user)))).toEqual([['run of ann'], ['run of bob']]);
  expect(listChunkRows(world)).toEqual([]);
});

test('an account linked by many users does not delay the response more than one linked once', async () => {
  const { world, users } = await linkAccounts(...Array.from({ length: 20 }, () => 'ann'));
  const { table, calls } = withCallCount(world.table);
  await pushRuns(world, makeRuns(['ann']), table);
  expect(calls()).toBeLessThan(20);
  await world.processQueue();
  for (const user of users) expect(await listWorkoutIds(world, user)).toEqual(['run of ann']);
});

test('an acknowledged push is processed even if every message is lost', async () => {
  const { world, users } = await linkAccounts('ann');
  const resume = world.clock.freeze();
  await pushRuns(world, makeRuns([...unknownAccounts(1000), 'ann']));
  world.queued.length = 0;
  // A chunk that is never processed expires after a week.
  const week = 7 * 86_400;
  for (const { ttl } of listChunkRows(world)) expect(ttl).toBe(Math.ceil(world.clock.now() / 1000) + week);
  resume();
  await world.passTime(minutes(2));
  expect(await listWorkoutIds(world, users[0] ?? '')).toEqual(['run of ann']);
  expect(listChunkRows(world)).toEqual([]);
});

test('a failure for one user does not hold up others and is retried later', async () => {
  const { world, users } = await linkAccounts('ann', 'bob');
  await pushRuns(world, makeRuns(['ann', 'bob', ...unknownAccounts(100)]));
  const failing: Table = {
    ...world.table,
    async *queryAll(query) {
      if (String(query.values['pk']).endsWith('#ann')) throw new EngineUnavailable('for ann only');
      yield* world.table.queryAll(query);
    },
  };
  await expect(world.processQueue(world.withTable(failing))).rejects.toThrow('for ann only');
  await world.processQueue();
  expect(await listWorkoutIds(world, users[1] ?? '')).toEqual(['run of bob']);
  await world.passTime(minutes(4));
  expect(await listWorkoutIds(world, users[0] ?? '')).toEqual(['run of ann']);
});

test('a large push that arrives twice, or is processed twice, counts once', async () => {
  const { world, users } = await linkAccounts('ann');
  const pushedRuns = makeRuns([...unknownAccounts(30), 'ann']);
  await pushRuns(world, pushedRuns);
  await pushRuns(world, pushedRuns);
  const messages = world.queued.map((each) => structuredClone(each));
  await world.processQueue();
  world.queued.push(...messages);
  await world.processQueue();
  expect(await listWorkoutIds(world, users[0] ?? '')).toEqual(['run of ann']);
  expect(world.events('data.updated')).toHaveLength(1);
});

test('the stored chunks of a push fit the table, even with long non-ASCII text', async () => {
  const { world, users } = await linkAccounts('ann');
  const { table } = measuredTable(world.table);
  const longText = '跑'.repeat(50_000);
  const long = [...unknownAccounts(20), 'ann'].map((account) => makeRun(account, { deviceName: longText }));
  await pushRuns(world, [...long, makeRun('ann', { labelId: 'another', deviceName: longText.repeat(4) })], table);
  await world.processQueue(world.withTable(table));
  expect((await listWorkoutIds(world, users[0] ?? '')).sort()).toEqual(['another', 'run of ann']);
});

test('chunks that cannot be compressed fit the table as well', async () => {
  const { world, users } = await linkAccounts('ann');
  const { table } = measuredTable(world.table);
  const noise = (bytes: number) => randomBytes(bytes).toString('base64');
  const long = [...unknownAccounts(20), 'ann'].map((account) => makeRun(account, { deviceName: noise(45_000) }));
  await pushRuns(world, [...long, makeRun('bob', { deviceName: noise(600_000) })], table);
  await world.processQueue(world.withTable(table));
  expect(await listWorkoutIds(world, users[0] ?? '')).toEqual(['run of ann']);
});

test('a chunk never holds more users than a worker can process in time', async () => {
  const { world } = await linkAccounts();
  const accountNotes = unknownAccounts(2_500).map((account) => ({
    account,
    notifications: [{ account, what: 'ended' as const }],
  }));
  await splitPush(world.deps, 'coros', 'live', accountNotes);
  expect(listChunkRows(world)).toHaveLength(3);
});

test('no data of a deleted user is stored, even if the push arrived before the deletion', async () => {
  const { world, users } = await linkAccounts('ann');
  const [user = ''] = users;
  await pushRuns(world, makeRuns([...unknownAccounts(20), 'ann']));
  await deleteUser(world.deps, world.caller, user);
  await world.processQueue();
  expect(listChunkRows(world)).toEqual([]);
  expect(await listWorkoutIds(world, user)).toEqual([]);
});
