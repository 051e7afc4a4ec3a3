import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cloudProviderIds } from '../../../../shared/catalog/provider.ts';
import { toProviderRate } from '../../../../shared/connections/client/provider-rate.ts';
import { openRequestBudget } from '../../../../shared/connections/client/request-budget.ts';
import { OutOfBudget } from '../../../../shared/connections/client/sync-errors.ts';
import { providerDescriptors } from '../../../../shared/providers/catalog.ts';
import type { ProviderRateLimit } from '../../../../shared/providers/kit/descriptor.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';

const limitOf = (
  requests: number,
  seconds: number,
  per: ProviderRateLimit['per'] = 'deployment',
): ProviderRateLimit => ({
  requests,
  seconds,
  per,
});

/** The largest number of requests in any window of the given length. */
function maxWithinWindow(times: readonly number[], seconds: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  let maxCount = 0;
  for (let first = 0, last = 0; last < sorted.length; last++) {
    while ((sorted[last] ?? 0) - (sorted[first] ?? 0) >= seconds * 1000) first++;
    maxCount = Math.max(maxCount, last - first + 1);
  }
  return maxCount;
}

/** Ten workers spend as much as they can, at arbitrary times and in any order. */
async function spendGreedily(
  limits: ProviderRateLimit[],
  steps: readonly { worker: number; waitMs: number; reserve: number }[],
) {
  const { deps, clock } = memoryDeps();
  const facts = { limits, provider: 'oura', userKey: 'somebody' };
  const workers = Array.from({ length: 10 }, () => openRequestBudget(deps, facts));
  const times: number[] = [];
  for (const { worker, waitMs, reserve } of steps) {
    clock.advance(waitMs);
    const allowance = workers[worker];
    try {
      if (reserve > 0) await allowance?.reserve(reserve);
      for (;;) {
        await allowance?.spend();
        times.push(clock.now());
        if (reserve > 0) break;
      }
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
    }
  }
  return times;
}

test('ten workers never exceed a limit in any time window', async () => {
  const step = fc.record({
    worker: fc.nat(9),
    waitMs: fc.oneof(fc.constant(0), fc.nat(500), fc.nat(40_000)),
    reserve: fc.nat(30),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 120 }),
      fc.constantFrom(1, 10, 60, 900),
      fc.array(step, { minLength: 20, maxLength: 120 }),
      async (requests, seconds, steps) => {
        const times = await spendGreedily([limitOf(requests, seconds)], steps);
        expect(times.length).toBeGreaterThan(0);
        expect(maxWithinWindow(times, seconds)).toBeLessThanOrEqual(requests);
      },
    ),
    { numRuns: 60 },
  );
});

test('requests that are reserved and sent as late as possible stay within the limit while other workers draw', async () => {
  const { deps, clock } = memoryDeps();
  const openBudget = () =>
    openRequestBudget(deps, { limits: [limitOf(10, 10)], provider: 'oura', userKey: 'somebody' });
  const [late, others] = [openBudget(), openBudget()];
  const times: number[] = [];
  const spend = async (by: ReturnType<typeof openBudget>) => {
    await by.spend();
    times.push(clock.now());
  };
  await late.reserve(4);
  clock.advance(29_900);
  for (let count = 0; count < 4; count++) await spend(late);
  for (let step = 0; step < 100; step++) {
    await spend(others).catch((error: unknown) => expect(error).toBeInstanceOf(OutOfBudget));
    if (step > 10) clock.advance(200);
  }
  expect(times.length).toBeGreaterThan(8);
  expect(maxWithinWindow(times, 10)).toBeLessThanOrEqual(10);
});

test('several limits are all respected, and a rejection by one draws nothing from the others', async () => {
  const steps = Array.from({ length: 400 }, (_, at) => ({ worker: at % 10, waitMs: 1_000, reserve: 1 }));
  const limits = [limitOf(20, 60), limitOf(100, 900)];
  const times = await spendGreedily(limits, steps);
  expect(maxWithinWindow(times, 60)).toBeLessThanOrEqual(20);
  expect(maxWithinWindow(times, 900)).toBeLessThanOrEqual(100);
  expect(times.length).toBeGreaterThan(40);
});

test('a limit per user does not affect other users', async () => {
  const { deps } = memoryDeps();
  const limits = [limitOf(10, 60, 'person')];
  const spent = async (userKey: string) => {
    const allowance = openRequestBudget(deps, { limits, provider: 'oura', userKey });
    for (let count = 0; ; count++)
      try {
        await allowance.spend();
      } catch {
        return count;
      }
  };
  expect([await spent('ann'), await spent('ann'), await spent('bob')]).toEqual([4, 0, 4]);
});

test('reserved requests can be spent, and expire after a while', async () => {
  const { deps, clock } = memoryDeps();
  const facts = { limits: [limitOf(50, 3600)], provider: 'oura', userKey: 'somebody' };
  const [first, second] = [openRequestBudget(deps, facts), openRequestBudget(deps, facts)];
  await first.reserve(20);
  await expect(second.spend()).rejects.toBeInstanceOf(OutOfBudget);
  for (let count = 0; count < 10; count++) await first.spend();
  clock.advance(31_000);
  await expect(first.spend()).rejects.toBeInstanceOf(OutOfBudget);
});

test('a later reservation does not extend an earlier one', async () => {
  const { deps, clock } = memoryDeps();
  const allowance = openRequestBudget(deps, { limits: [limitOf(50, 3600)], provider: 'oura', userKey: 'somebody' });
  await allowance.reserve(5);
  clock.advance(29_000);
  await allowance.reserve(20);
  clock.advance(2_000);
  await expect(allowance.spend()).rejects.toBeInstanceOf(OutOfBudget);
});

test('no reserved request is sent to a paused provider', async () => {
  const { deps, clock } = memoryDeps();
  const allowance = openRequestBudget(deps, { limits: [limitOf(50, 3600)], provider: 'oura', userKey: 'somebody' });
  await allowance.reserve(10);
  await allowance.spend();
  await allowance.pauseUntil(clock.now() + 5_000);
  await expect(allowance.spend()).rejects.toBeInstanceOf(OutOfBudget);
});

test('a worker that has begun spends before workers that wait in the queue', async () => {
  const { deps } = memoryDeps();
  const openBudget = () =>
    openRequestBudget(deps, { limits: [limitOf(10, 60)], provider: 'oura', userKey: 'any', turn: 'none' });
  const [first, second] = [openBudget(), openBudget()];
  await first.reserve(2);
  await expect(second.reserve(3)).rejects.toMatchObject({ turn: 'come' });
  for (let count = 0; count < 3; count++) await first.spend();
  await expect(openBudget().spend()).rejects.toBeInstanceOf(OutOfBudget);
});

test('reserved requests are void once the provider answers no user', async () => {
  const { deps } = memoryDeps();
  const [ann, bob, cid] = ['ann', 'bob', 'cid'].map((userKey) =>
    openRequestBudget(deps, { limits: [limitOf(100, 60)], provider: 'oura', userKey }),
  );
  await cid?.reserve(5);
  for (const each of [ann, bob, cid]) await each?.recordFailure();
  await expect(cid?.spend()).rejects.toBeInstanceOf(OutOfBudget);
});

test('with a limit per user, a pause for one user does not hold up others', async () => {
  const { deps, clock } = memoryDeps();
  const limits = [limitOf(100, 60), limitOf(10, 60, 'person')];
  const [ann, bob] = ['ann', 'bob'].map((userKey) => openRequestBudget(deps, { limits, provider: 'oura', userKey }));
  await ann?.pauseUntil(clock.now() + 600_000);
  await expect(ann?.spend()).rejects.toBeInstanceOf(OutOfBudget);
  await expect(bob?.spend()).resolves.toBeUndefined();
});

test.each(cloudProviderIds.flatMap((id) => providerDescriptors[id].rateLimits.map((limit) => [id, limit] as const)))(
  'the pace of %s stays within %o',
  (_id, limit) => {
    const { rows, burst, intervalMs } = toProviderRate(limit);
    const maxInAnyWindow = rows * (burst + Math.floor((limit.seconds * 1000) / intervalMs));
    expect(maxInAnyWindow).toBeLessThanOrEqual(limit.requests);
    expect(burst).toBeGreaterThan(0);
    expect((rows * 1000) / intervalMs / (limit.requests / limit.seconds)).toBeGreaterThan(0.3);
  },
);
