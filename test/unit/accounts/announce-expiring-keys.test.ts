import { beforeEach, describe, expect, test } from 'vitest';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { createAccount, createKey, type NewAccount, revokeKey } from '../../../shared/accounts/accounts.ts';
import { apiKeyRows } from '../../../shared/accounts/api-key-rows.ts';
import { dayMs } from '../../../shared/platform/time/local-day.ts';
import { type MemoryDeps, memoryDeps } from '../../harness/memory-deps.ts';
import { listPendingEvents } from '../../harness/outbox.ts';

let world: MemoryDeps;
let account: NewAccount;
beforeEach(async () => {
  world = memoryDeps();
  account = await createAccount(world.deps, { name: 'a team' });
});

/** Returns the details of the pending `key.expiring` events of an environment. */
async function listNotices(env = 'live') {
  const events = await listPendingEvents(world.deps.store);
  return events.filter((event) => event.type === 'key.expiring' && event.env === env).map(({ more }) => more);
}

async function afterDays(days: number): Promise<void> {
  world.clock.advance(days * dayMs);
  await sweepWorker(world.deps)();
}

describe('a key that is not replaced', () => {
  test('is announced 14 days, 3 days and 1 day before it expires, once each, and never afterwards', async () => {
    // The clock is frozen before the key is created, so that the offsets are exact.
    world = memoryDeps();
    world.clock.freeze();
    account = await createAccount(world.deps, { name: 'a team' });
    const counts: number[] = [];
    await afterDays(75.9);
    counts.push((await listNotices()).length);
    for (const days of [0.2, 0, 5, 5.9, 0.1, 1.9, 0.2, 0, 0.9, 30]) {
      await afterDays(days);
      counts.push((await listNotices()).length);
    }
    expect(counts).toEqual([0, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3]);
    expect((await listNotices())[0]).toEqual({
      key_id: expect.stringMatching(/^key_/),
      expires_at: new Date(world.clock.now() - (75.9 + 44.2 - 90) * dayMs).toISOString(),
    });
    expect(await listNotices('sandbox')).toHaveLength(3);
  });

  test('is announced once when several notices are overdue', async () => {
    await afterDays(88);
    await afterDays(0);
    expect(await listNotices()).toHaveLength(1);
    await afterDays(1.5);
    expect(await listNotices()).toHaveLength(2);
  });

  test('is announced once when the next notice becomes due at the same moment', async () => {
    await afterDays(87);
    await afterDays(0.001);
    expect(await listNotices()).toHaveLength(1);
  });

  test('is announced once by two concurrent sweeps', async () => {
    world.clock.advance(77 * dayMs);
    await Promise.all([sweepWorker(world.deps)(), sweepWorker(world.deps)()]);
    expect(await listNotices()).toHaveLength(1);
  });

  test('is not announced once it has expired, and is not listed again', async () => {
    await afterDays(91);
    expect(await listNotices()).toEqual([]);
    expect(await apiKeyRows(world.deps.store).listDueForExpiryNotice(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  });
});

test('a key that was replaced or revoked is not announced', async () => {
  world.clock.advance(10 * dayMs);
  await createKey(world.deps, account.account_id, 'live');
  await revokeKey(world.deps, account.account_id, 'sandbox');
  await afterDays(67);
  expect([await listNotices(), await listNotices('sandbox')]).toEqual([[], []]);
  await afterDays(10);
  expect([(await listNotices()).length, (await listNotices('sandbox')).length]).toEqual([1, 0]);
});

test('a query for due keys returns at most the requested number', async () => {
  const found = await apiKeyRows(world.deps.store).listDueForExpiryNotice(Number.MAX_SAFE_INTEGER, 1);
  expect(found).toHaveLength(1);
});

test('a revoked key leaves the due index, so that it does not delay other keys', async () => {
  for (const env of ['live', 'sandbox'] as const) await revokeKey(world.deps, account.account_id, env);
  const { items } = await world.table.query({
    index: 'by-due',
    where: '#duePk = :due',
    values: { due: 'DUE#keys' },
  });
  expect(items).toEqual([]);
});
