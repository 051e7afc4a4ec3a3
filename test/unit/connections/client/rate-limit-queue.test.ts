import { expect, test } from 'vitest';
import { openRequestBudget } from '../../../../shared/connections/client/request-budget.ts';
import { syncConnection } from '../../../../shared/connections/sync/sync-connection.ts';
import { SyncPlan } from '../../../../shared/connections/sync-plan.ts';
import { syncRows } from '../../../../shared/connections/sync-rows.ts';
import { jobs } from '../../../../shared/system/jobs.ts';
import { wakeDue } from '../../../../shared/system/wake-pending.ts';
import { isDataCall } from '../../../harness/fake-provider.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';
import { hours, minutes, ouraNight, syncWorld } from '../../../harness/sync-world.ts';

test('connections that wait for a rate limit are woken when it is their turn, and each one gets a turn', async () => {
  const world = syncWorld({ provider: 'ultrahuman' });
  const connections: [string, string][] = [];
  for (let at = 0; at < 60; at++) {
    const user = await world.user();
    connections.push([user, await world.connect(user, `p${at}`)]);
  }
  world.queued.length = 0;
  world.fakeProvider.requests.length = 0;
  let runs = 0;
  const work = async () => {
    const messages = world.queued.splice(0).filter(({ queue }) => queue === 'connection');
    // The queue is processed in reverse, so that an early connection does not win every time.
    for (const { body } of messages.reverse()) {
      const job = jobs.connection.parse(body);
      if (!('device_id' in job)) continue;
      runs += 1;
      await syncConnection(world.deps, job.user_id, job.device_id);
    }
  };
  for (let minute = 0; minute < 45; minute++) {
    world.clock.advance(minutes(1));
    await wakeDue(world.deps, 'sync');
    for (let more = 0; more < 4; more++) await work();
  }
  const requested = world.fakeProvider.requests.length;
  expect(runs / requested).toBeLessThan(0.5);
  // The limit of one minute leaves room for two windows.
  expect(requested).toBeGreaterThan(45 * 16);
  const rows = await Promise.all(connections.map(([user, device]) => world.readConnection(user, device)));
  const started = rows.map((row) => row?.history === null || (row?.history?.to ?? '9') < '2026-03-12');
  expect(started.filter((has) => !has)).toEqual([]);
});

test('a turn in the queue is valid once', async () => {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  const progress = { state: 'backfilling', from: '2026-03-12', to: '2026-03-12', doneDays: 0 } as const;
  const plan = SyncPlan.parse({ turn: 'come' });
  await world.table.write(syncRows(world.deps.store).buildCommit(user, device, { plan, progress: progress }));
  await world.processQueue();
  expect(await world.readConnection(user, device)).toMatchObject({ history: null, turn: 'none' });
});

test('a provider that answers no user is paused for all connections except a few probes', async () => {
  const world = syncWorld();
  const users: string[] = [];
  for (let at = 0; at < 12; at++) {
    users.push(await world.user());
    await world.connect(users.at(-1) ?? '', `p${at}`);
  }
  const nights = [ouraNight('n1', '2026-03-12')];
  for (const at of users.keys()) world.fakeProvider.fixtures.write('oura', `p${at}`, { sleep: nights });
  world.fakeProvider.requests.length = 0;
  const end = world.fakeProvider.fault(isDataCall, 'timeout');
  await world.processQueue();
  expect(world.fakeProvider.requests.filter(isDataCall)).toHaveLength(3);
  for (let minute = 0; minute < 30; minute++) await world.passTime(minutes(1));
  // On its own schedule, each connection would have tried five times by now.
  expect(world.fakeProvider.requests.filter(isDataCall).length).toBeLessThan(35);
  end();
  for (let minute = 0; minute < 90; minute++) await world.passTime(minutes(1));
  expect(await Promise.all(users.map(async (user) => (await world.nights(user)).length))).toEqual(users.map(() => 1));
});

test.each([
  ['answers one user', undefined],
  ['rate-limits one user', { status: 429, headers: { 'retry-after': '1' }, text: '' }],
])('a provider that %s between failures is not paused for everyone', async (_how, answer) => {
  const world = syncWorld();
  const connections: [string, string][] = [];
  for (const account of ['ann', 'bob', 'cid', 'dan', 'eve']) {
    const user = await world.user();
    connections.push([user, await world.connect(user, account)]);
  }
  await world.processQueue();
  world.clock.advance(hours(7));
  for (const [at, target] of connections.entries()) {
    world.clock.advance(2_000);
    const fault = at === 2 ? answer : at === 4 ? undefined : 'timeout';
    const end = fault && world.fakeProvider.fault(isDataCall, fault);
    world.fakeProvider.requests.length = 0;
    await syncConnection(world.deps, ...target);
    expect(world.fakeProvider.requests.filter(isDataCall).length).toBeGreaterThan(0);
    end?.();
  }
});

test.each([
  ['three users in a row is paused for everyone', ['ann', 'bob', 'cid'], true],
  ['one user repeatedly is not paused for everyone', ['ann', 'ann', 'ann', 'ann'], false],
  [
    'several users, with a success in between, is not paused for everyone',
    ['ann', 'bob', 'answer', 'cid', 'dan'],
    false,
  ],
])('a provider that fails for %s', async (_who, outcomes, isPaused) => {
  const { deps, clock } = memoryDeps();
  clock.freeze();
  const limits = [{ requests: 100, seconds: 60, per: 'deployment' as const }];
  const openBudget = (target: string) => openRequestBudget(deps, { limits, provider: 'oura', userKey: target });
  for (const each of outcomes) {
    if (each === 'answer') openBudget('eve').recordAnswer();
    else await openBudget(each).recordFailure();
  }
  const requested = openBudget('fay').spend();
  if (isPaused) await expect(requested).rejects.toMatchObject({ retryAtMs: deps.clock.now() + minutes(1) });
  else await expect(requested).resolves.toBeUndefined();
});
