// Runs that crash because of what a provider answers, as a process does that runs out of memory.
import { describe, expect, test } from 'vitest';
import { syncWorker } from '../../../../functions/workers/sync.ts';
import type { SyncPlan } from '../../../../shared/connections/sync-plan.ts';
import { syncRows } from '../../../../shared/connections/sync-rows.ts';
import { EngineUnavailable, type Table } from '../../../../shared/platform/ports.ts';
import type { ProviderCall } from '../../../../shared/sandbox/provider-server/provider-call.ts';
import { isDataCall } from '../../../harness/fake-provider.ts';
import { type PlannedConnection, plannedConnection } from '../../../harness/planned-connection.ts';
import { hours, ouraNight, startMs } from '../../../harness/sync-world.ts';
import { sleepNotification } from './pushed-nights.ts';

const visibilityMs = 120_000;
const maxReceives = 40;

/** A process that makes no more calls once it was killed. */
function mortalTable(inner: Table, isDead: () => boolean): Table {
  const whileAlive = async <T>(call: () => Promise<T>): Promise<T> => {
    if (isDead()) throw new Error('this process was killed');
    const result = await call();
    if (isDead()) throw new Error('this process was killed');
    return result;
  };
  return {
    get: (...args) => whileAlive(() => inner.get(...args)),
    batchGet: (...args) => whileAlive(() => inner.batchGet(...args)),
    query: (...args) => whileAlive(() => inner.query(...args)),
    async *queryAll(args) {
      await whileAlive(async () => {});
      yield* inner.queryAll(args);
    },
    write: (write) => whileAlive(() => inner.write(write)),
    transact: (writes) => whileAlive(() => inner.transact(writes)),
    batchWrite: (writes) => whileAlive(() => inner.batchWrite(writes)),
  };
}

/** Delivers one message until its run ends, and counts its crashes. */
async function deliver(change: Partial<SyncPlan>, kills: (query: Readonly<Record<string, string>>) => boolean) {
  const connected = await plannedConnection(change);
  connected.world.fakeProvider.fixtures.write('oura', 'ann', {
    sleep: ['2026-01-10', '2026-01-12', '2026-01-15'].map((date) => ouraNight(`n${date}`, date)),
  });
  return deliverTo(connected, (request) => isDataCall(request) && kills(request.query));
}

async function deliverTo({ world, user, device }: PlannedConnection, kills: (request: ProviderCall) => boolean) {
  let isDead = false;
  world.fakeProvider.fault((request) => {
    if (kills(request)) isDead = true;
    return isDead;
  }, 'timeout');
  const deps = world.withTable(mortalTable(world.table, () => isDead));
  let crashes = 0;
  for (let receives = 1; receives <= maxReceives; receives++) {
    isDead = false;
    const outcome = await syncWorker(deps)({ user_id: user, device_id: device }, { receives }).then(
      () => 'ended' as const,
      (error: unknown) => error,
    );
    if (outcome === 'ended') return { world, user, device, crashes, plan: await world.readConnection(user, device) };
    if (!isDead) throw outcome;
    crashes++;
    world.clock.advance(visibilityMs);
  }
  throw new Error('the message was never handled');
}

const history = { from: '2026-01-10', to: '2026-01-15' };
test('a day whose answer kills the process is quarantined, and the other days are read', async () => {
  // Each window asks for two more days on either side.
  const { world, user, crashes, plan } = await deliver(
    { history },
    ({ start_date: from = '9999-12-31', end_date: to = '' }) => from <= '2026-01-11' && to >= '2026-01-15',
  );
  expect(plan).toMatchObject({ history: null, quarantined: [{ from: '2026-01-13', to: '2026-01-13' }] });
  expect(plan?.attempt).toBeUndefined();
  expect(crashes).toBeGreaterThanOrEqual(3);
  expect(crashes).toBeLessThanOrEqual(10);
  await world.processQueue();
  expect((await world.nights(user)).map(({ date }) => date)).toEqual(['2026-01-10', '2026-01-12', '2026-01-15']);
  const lines = world.log.filter(({ message }) => message === 'sync_crashing');
  expect(lines).toMatchObject([{ level: 'error', fields: { provider: 'oura', user_id: user, day: '2026-01-13' } }]);
});

test.each([
  ['of one message', (delivery: number) => delivery],
  ['of fresh messages', () => 1],
])('runs %s that fail by themselves are no crashes, however often they are delivered', async (_label, receivesOf) => {
  const { world, user, device } = await plannedConnection({
    history: { from: '2026-01-15', to: '2026-01-15' },
    attempt: { startedMs: null, crashes: 1 },
  });
  let isBroken = true;
  const deps = world.withTable({
    ...world.table,
    transact: (writes) =>
      isBroken ? Promise.reject(new EngineUnavailable('the table is down')) : world.table.transact(writes),
  });
  for (let delivery = 1; delivery <= 10; delivery++) {
    const run = syncWorker(deps)({ user_id: user, device_id: device }, { receives: receivesOf(delivery) });
    await expect(run).rejects.toThrow('the table is down');
    world.clock.advance(visibilityMs);
  }
  isBroken = false;
  await syncWorker(deps)({ user_id: user, device_id: device }, { receives: 11 });
  expect(await world.readConnection(user, device)).toMatchObject({ history: null, quarantined: [] });
});

test('a message that is delivered once records no attempt', async () => {
  const { world, plan, crashes } = await deliver({ history }, () => false);
  expect([crashes, plan?.attempt, plan?.history]).toEqual([0, undefined, null]);
  expect(world.log.filter(({ message }) => message === 'sync_crashing')).toEqual([]);
});

test.each([
  ['is a third crash, whichever message comes next', hours(5), 2, [{ from: '2026-01-15', to: '2026-01-15' }]],
  ['is a second crash, which quarantines no day', hours(5), 1, []],
  ['is no crash while it may still be running', hours(7) - 60_000, 2, []],
])('a run that left its attempt %s', async (_label, startedAfterMs, crashes, quarantined) => {
  const { world, user, device } = await plannedConnection({
    history: { from: '2026-01-15', to: '2026-01-15' },
    attempt: { startedMs: startMs + startedAfterMs, crashes },
  });
  await syncWorker(world.deps)({ user_id: user, device_id: device }, { receives: 1 });
  const plan = await world.readConnection(user, device);
  expect(plan).toMatchObject({ history: null, quarantined });
  // The next day that kills a process has three attempts of its own.
  expect(plan?.attempt).toBeUndefined();
});

test('while its runs crash, a device says that its sync fails', async () => {
  const { world, user, device } = await plannedConnection({
    history: { from: '2026-01-15', to: '2026-01-15' },
    attempt: { startedMs: startMs + hours(5), crashes: 0 },
  });
  let isDead = false;
  world.fakeProvider.fault((request) => (isDead ||= isDataCall(request)), 'timeout');
  const deps = world.withTable(mortalTable(world.table, () => isDead));
  await expect(syncWorker(deps)({ user_id: user, device_id: device }, { receives: 2 })).rejects.toThrow('killed');
  expect((await syncRows(world.deps.store).read(user, device))?.device?.sync?.state).toBe('failed');
});

test('a further day that is quarantined does not delay the retry of the first', async () => {
  const [first, second] = [
    { from: '2026-01-10', to: '2026-01-10' },
    { from: '2026-01-15', to: '2026-01-15' },
  ];
  const quarantineMs = startMs + hours(9);
  const { world, user, device } = await plannedConnection({
    history: second,
    attempt: { startedMs: startMs + hours(5), crashes: 2 },
    ...{ quarantined: [first], quarantineMs },
  });
  await syncWorker(world.deps)({ user_id: user, device_id: device }, { receives: 2 });
  expect(await world.readConnection(user, device)).toMatchObject({ quarantined: [second, first], quarantineMs });
});

describe('a push whose answer kills the process', () => {
  const object = { what: 'object', resource: 'sleep', id: 'n1' } as const;
  const isObjectCall = ({ path }: ProviderCall): boolean => path.endsWith('/n1');

  test.each<[string, Partial<SyncPlan>, boolean]>([
    ['at its first attempt', {}, true],
    ['after it was deferred', { deferred: [{ notification: object, attempts: 1, untilMs: 0 }] }, false],
  ])('%s is given up after three crashes, and the newest days are read instead', async (_when, change, isPushed) => {
    const connected = await plannedConnection(change);
    const { fakeProvider, push, log } = connected.world;
    if (isPushed) await push(sleepNotification('ann', 'n1'));
    const { crashes, plan } = await deliverTo(connected, isObjectCall);
    // The first one is known when the message comes again.
    expect(crashes).toBe(4);
    expect(plan).toMatchObject({ inbox: [], deferred: [], rereadDays: [] });
    const later = fakeProvider.requests.slice(fakeProvider.requests.findLastIndex(isObjectCall) + 1);
    expect(later.some(isDataCall)).toBe(true);
    expect(log.filter(({ message }) => message === 'sync_crashing')).toMatchObject([{ level: 'error' }]);
  });
});

test('a day that kills the process that polls is quarantined, and the other days are read', async () => {
  const { crashes, plan } = await deliver(
    { pollMs: 1, pollTurn: 'late' },
    ({ start_date: from = '9999-12-31', end_date: to = '' }) => from <= '2026-03-09' && to >= '2026-03-13',
  );
  expect(plan).toMatchObject({ rereadDays: [], quarantined: [{ from: '2026-03-11', to: '2026-03-11' }] });
  expect(plan).toMatchObject({ pollTurn: 'none' });
  expect(crashes).toBeGreaterThanOrEqual(3);
  expect(crashes).toBeLessThanOrEqual(10);
});
