// When a provider last answered, as it is stored with the requests that are drawn from its limit.
import { expect, test } from 'vitest';
import { readProviderQuotas } from '../../../../shared/connections/client/provider-quota.ts';
import { openRequestBudget } from '../../../../shared/connections/client/request-budget.ts';
import { syncConnection } from '../../../../shared/connections/sync/sync-connection.ts';
import { EngineUnavailable, type Update } from '../../../../shared/platform/ports.ts';
import { providerDescriptors } from '../../../../shared/providers/catalog.ts';
import type { ProviderRateLimit } from '../../../../shared/providers/kit/descriptor.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';
import { memoryTable } from '../../../harness/memory-table.ts';
import { hours, minutes, syncWorld } from '../../../harness/sync-world.ts';

const perMinute: ProviderRateLimit = { requests: 60, seconds: 60, per: 'deployment' };
const perUser: ProviderRateLimit = { requests: 60, seconds: 60, per: 'person' };

/** Two processes on one table. */
function openProcesses(limits: ProviderRateLimit[]) {
  const inner = memoryTable();
  const writes: Update[] = [];
  const table: typeof inner = {
    ...inner,
    async write(write) {
      if (write.kind === 'update') writes.push(write);
      return inner.write(write);
    },
    async transact(all) {
      writes.push(...all.flatMap((write) => (write.kind === 'update' ? [write] : [])));
      return inner.transact(all);
    },
  };
  const { withTable, clock } = memoryDeps();
  clock.freeze();
  const processes = [withTable(table), withTable(table)].map((deps) => ({
    budget: (isUrgent = false) => openRequestBudget(deps, { limits, provider: 'whoop', userKey: 'ann', isUrgent }),
    readAnswer: async () =>
      (await readProviderQuotas(deps, [{ provider: 'whoop', limits }])).get('whoop')?.lastAnswerMs,
  }));
  const [first, second] = processes;
  if (!first || !second) throw new Error('there are two processes');
  return { first, second, clock, takeWrites: () => writes.splice(0) };
}

test('the time of an answer is stored with the next draw, at no further write, and at most every five minutes', async () => {
  const { first, clock, takeWrites } = openProcesses([perMinute]);
  const carried: number[] = [];
  for (let minute = 0; minute < 21; minute++) {
    const budget = first.budget();
    await budget.spend();
    budget.recordSuccess();
    const writes = takeWrites();
    expect(writes).toHaveLength(1);
    if (writes.some(({ update }) => update.includes('answeredMs'))) carried.push(minute);
    clock.advance(minutes(1));
  }
  // Each stores the answer of the minute before.
  expect(carried).toEqual([1, 6, 11, 16]);
  expect(await first.readAnswer()).toBe(clock.now() - minutes(6));
});

test('a process that may never draw again stores its first answer at the end of the run, and only that one', async () => {
  const { first, clock, takeWrites } = openProcesses([perMinute]);
  for (const expected of [1, 0, 0]) {
    const budget = first.budget();
    await budget.spend();
    budget.recordSuccess();
    takeWrites();
    await budget.storeSuccess();
    expect(takeWrites()).toHaveLength(expected);
    clock.advance(minutes(10));
  }
  expect(await first.readAnswer()).toBe(clock.now() - minutes(20));
});

test('an answer that another process stored meanwhile is never replaced with an earlier one', async () => {
  const { first, second, clock } = openProcesses([perMinute]);
  const [early, late] = [first.budget(), second.budget()];
  await early.spend();
  early.recordSuccess();
  clock.advance(minutes(30));
  await late.spend();
  late.recordSuccess();
  const lateMs = clock.now();
  clock.advance(minutes(1));
  await late.spend();
  expect(await first.readAnswer()).toBe(lateMs);
  clock.advance(minutes(1));
  await early.spend();
  await early.storeSuccess();
  expect(await first.readAnswer()).toBe(lateMs);
});

test('without a limit for the whole deployment the time has a row of its own, written at most every five minutes', async () => {
  const { first, clock, takeWrites } = openProcesses([perUser]);
  const stored: number[] = [];
  for (let minute = 0; minute < 12; minute++) {
    const budget = first.budget();
    await budget.spend();
    budget.recordSuccess();
    takeWrites();
    await budget.storeSuccess();
    if (takeWrites().length > 0) stored.push(minute);
    clock.advance(minutes(1));
  }
  expect(stored).toEqual([0, 5, 10]);
  expect(await first.readAnswer()).toBe(clock.now() - minutes(2));
});

test('the simulated provider, which has no limits, stores nothing', async () => {
  const { first, takeWrites } = openProcesses([]);
  const budget = first.budget();
  await budget.spend();
  budget.recordSuccess();
  await budget.storeSuccess();
  expect(takeWrites()).toEqual([]);
});

test('an urgent request carries the time too, and is sent even if its time is not the latest', async () => {
  const { first, second, clock } = openProcesses([perMinute]);
  const [early, late] = [first.budget(true), second.budget(true)];
  for (const each of [early, late]) {
    await each.spend();
    each.recordSuccess();
    clock.advance(minutes(10));
  }
  await late.spend();
  const latest = await first.readAnswer();
  expect(latest).toBe(clock.now() - minutes(10));
  clock.advance(minutes(1));
  await early.spend();
  expect(await first.readAnswer()).toBe(latest);
});

test('the only run of a process leaves the time', async () => {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  await world.processQueue();
  world.clock.advance(minutes(50));
  const startedMs = world.clock.now();
  const deps = world.withTable(world.table);
  await syncConnection(deps, user, device);
  const quotas = await readProviderQuotas(deps, [{ provider: 'oura', limits: providerDescriptors.oura.rateLimits }]);
  expect(quotas.get('oura')?.lastAnswerMs).toBeGreaterThan(startedMs);
});

test('a run whose only failure is that the time could not be stored has succeeded, and the next one stores it', async () => {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  await world.processQueue();
  const outage = { isOver: false };
  const deps = world.withTable({
    ...world.table,
    async write(write) {
      const isAnswer = write.kind === 'update' && write.update === 'SET #answeredMs = :answered';
      if (isAnswer && !outage.isOver) throw new EngineUnavailable('throttled');
      return world.table.write(write);
    },
  });
  const warnings = () => world.log.filter(({ message }) => message === 'provider_answer_not_stored');
  const startedMs = world.clock.now();
  for (const isOver of [false, true]) {
    outage.isOver = isOver;
    world.clock.advance(minutes(50));
    await syncConnection(deps, user, device);
    expect(warnings()).toMatchObject([{ level: 'warn', fields: { provider: 'oura', detail: 'throttled' } }]);
  }
  const quotas = await readProviderQuotas(deps, [{ provider: 'oura', limits: providerDescriptors.oura.rateLimits }]);
  expect(quotas.get('oura')?.lastAnswerMs).toBeGreaterThan(startedMs);
});

const respond = (status: number) => ({ status, headers: {}, text: '{}' });

test.each([
  ['an error', respond(500)],
  ['a refusal', respond(401)],
  ['a rate limit', respond(429)],
  ['no answer', 'timeout'],
] as const)('while a provider answers with %s, the time of the last successful answer stays', async (_title, fault) => {
  const world = syncWorld();
  const user = await world.user();
  await world.connect(user, 'ann');
  await world.processQueue();
  await world.passTime(hours(7));
  const limits: ProviderRateLimit[] = [{ requests: 5000, seconds: 300, per: 'deployment' }];
  const read = async () =>
    (await readProviderQuotas(world.deps, [{ provider: 'oura', limits }])).get('oura')?.lastAnswerMs;
  await world.passTime(hours(7));
  const before = (await read()) ?? 0;
  expect(world.clock.now() - before).toBeLessThan(hours(7.1));
  world.fakeProvider.fault(() => true, fault);
  world.fakeProvider.requests.length = 0;
  for (let polls = 0; polls < 3; polls++) await world.passTime(hours(7));
  expect(world.fakeProvider.requests.length).toBeGreaterThan(0);
  // The last answer before the fault was still to be stored.
  expect(world.clock.now() - ((await read()) ?? 0)).toBeGreaterThan(hours(20.9));
});
