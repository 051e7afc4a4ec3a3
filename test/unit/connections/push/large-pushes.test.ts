import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { acceptPush } from '../../../../shared/connections/push/accept-push.ts';
import { splitPush } from '../../../../shared/connections/push/split-push.ts';
import { deleteUser } from '../../../../shared/erasure/delete-user.ts';
import { sessionRows } from '../../../../shared/measurements/rows/session-rows.ts';
import { EngineUnavailable, type Item, type Table } from '../../../../shared/platform/ports.ts';
import { measuredTable } from '../../../harness/measured-table.ts';
import { minutes, type SyncWorld, startMs, syncWorld } from '../../../harness/sync-world.ts';

const runOf = (account: string, more: object = {}) => ({
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
const strangers = (count: number) => Array.from({ length: count }, (_none, at) => `stranger ${at}`);

const pushOf = (world: SyncWorld, runs: readonly object[], over: Table = world.table) => {
  const { clientId: client, clientSecret: secret } = world.fakeProvider.credentials;
  return acceptPush(world.withTable(over), 'coros', {
    ...{ method: 'POST', headers: { client, secret }, query: {}, pathSecret: undefined },
    body: Buffer.from(JSON.stringify({ sportDataList: runs })),
    receivedMs: world.clock.now(),
  });
};
const toldOf = (accounts: readonly string[]) => accounts.map((account) => runOf(account));

async function linked(...accounts: string[]) {
  const world = syncWorld({ provider: 'coros' });
  const users: string[] = [];
  for (const account of accounts) {
    users.push(await world.user());
    await world.connect(users.at(-1) ?? '', account);
  }
  await world.processQueue();
  return { world, users };
}

async function workouts({ deps }: SyncWorld, user: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { sessions } of sessionRows(deps.store).workouts.iterateAll(user))
    for (const { sourceId } of sessions) found.push(String(sourceId));
  return found;
}

const pieces = ({ table }: SyncWorld): Item[] => table.rows().filter(({ sk }) => sk === 'PIECE');

function counting(table: Table): { table: Table; calls(): number } {
  let calls = 0;
  const counted = new Proxy(table, {
    get: (target, name, receiver) => {
      calls += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  return { table: counted, calls: () => calls };
}

test('a push about thousands of accounts is acknowledged without lookups, and linked users get their data', async () => {
  const { world, users } = await linked('ann', 'bob');
  const { table, calls } = counting(world.table);
  expect(await pushOf(world, toldOf(['ann', ...strangers(10_000), 'bob']), table)).toMatchObject({ status: 200 });
  expect(calls()).toBeLessThan(60);
  await world.processQueue();
  expect(await Promise.all(users.map((user) => workouts(world, user)))).toEqual([['run of ann'], ['run of bob']]);
  expect(pieces(world)).toEqual([]);
});

test('an account linked by many users does not delay the response more than one linked once', async () => {
  const { world, users } = await linked(...Array.from({ length: 20 }, () => 'ann'));
  const { table, calls } = counting(world.table);
  await pushOf(world, toldOf(['ann']), table);
  expect(calls()).toBeLessThan(20);
  await world.processQueue();
  for (const user of users) expect(await workouts(world, user)).toEqual(['run of ann']);
});

test('an acknowledged push is processed even if every message is lost', async () => {
  const { world, users } = await linked('ann');
  const goOn = world.clock.freeze();
  await pushOf(world, toldOf([...strangers(1000), 'ann']));
  world.queued.length = 0;
  // A chunk that is never processed expires after a week.
  const week = 7 * 86_400;
  for (const { ttl } of pieces(world)) expect(ttl).toBe(Math.ceil(world.clock.now() / 1000) + week);
  goOn();
  await world.passTime(minutes(2));
  expect(await workouts(world, users[0] ?? '')).toEqual(['run of ann']);
  expect(pieces(world)).toEqual([]);
});

test('a failure for one user does not hold up others and is retried later', async () => {
  const { world, users } = await linked('ann', 'bob');
  await pushOf(world, toldOf(['ann', 'bob', ...strangers(100)]));
  const failing: Table = {
    ...world.table,
    async *queryAll(query) {
      if (String(query.values['pk']).endsWith('#ann')) throw new EngineUnavailable('for ann only');
      yield* world.table.queryAll(query);
    },
  };
  await expect(world.processQueue(world.withTable(failing))).rejects.toThrow('for ann only');
  await world.processQueue();
  expect(await workouts(world, users[1] ?? '')).toEqual(['run of bob']);
  await world.passTime(minutes(4));
  expect(await workouts(world, users[0] ?? '')).toEqual(['run of ann']);
});

test('a large push that arrives twice, or is processed twice, counts once', async () => {
  const { world, users } = await linked('ann');
  const told = toldOf([...strangers(30), 'ann']);
  await pushOf(world, told);
  await pushOf(world, told);
  const messages = world.queued.map((each) => structuredClone(each));
  await world.processQueue();
  world.queued.push(...messages);
  await world.processQueue();
  expect(await workouts(world, users[0] ?? '')).toEqual(['run of ann']);
  expect(world.events('data.updated')).toHaveLength(1);
});

test('the stored chunks of a push fit the table, even with long non-ASCII text', async () => {
  const { world, users } = await linked('ann');
  const { table } = measuredTable(world.table);
  const words = '跑'.repeat(50_000);
  const long = [...strangers(20), 'ann'].map((account) => runOf(account, { deviceName: words }));
  await pushOf(world, [...long, runOf('ann', { labelId: 'another', deviceName: words.repeat(4) })], table);
  await world.processQueue(world.withTable(table));
  expect((await workouts(world, users[0] ?? '')).sort()).toEqual(['another', 'run of ann']);
});

test('chunks that cannot be compressed fit the table as well', async () => {
  const { world, users } = await linked('ann');
  const { table } = measuredTable(world.table);
  const noise = (bytes: number) => randomBytes(bytes).toString('base64');
  const long = [...strangers(20), 'ann'].map((account) => runOf(account, { deviceName: noise(45_000) }));
  await pushOf(world, [...long, runOf('bob', { deviceName: noise(600_000) })], table);
  await world.processQueue(world.withTable(table));
  expect(await workouts(world, users[0] ?? '')).toEqual(['run of ann']);
});

test('a chunk never holds more users than a worker can process in time', async () => {
  const { world } = await linked();
  const people = strangers(2_500).map((account) => ({ account, notes: [{ account, what: 'ended' as const }] }));
  await splitPush(world.deps, 'coros', 'live', people);
  expect(pieces(world)).toHaveLength(3);
});

test('no data of a deleted user is stored, even if the push arrived before the deletion', async () => {
  const { world, users } = await linked('ann');
  const [user = ''] = users;
  await pushOf(world, toldOf([...strangers(20), 'ann']));
  await deleteUser(world.deps, world.caller, user);
  await world.processQueue();
  expect(pieces(world)).toEqual([]);
  expect(await workouts(world, user)).toEqual([]);
});
