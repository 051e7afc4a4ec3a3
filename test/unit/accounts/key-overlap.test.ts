import { beforeEach, describe, expect, test } from 'vitest';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { accountRows } from '../../../shared/accounts/account-rows.ts';
import {
  apiKeyHash,
  createAccount,
  createKey,
  listKeys,
  maxKeyOverlapMs,
  type NewAccount,
  replaceKey,
  revokeKey,
  setAccountLimit,
  setAccountStatus,
} from '../../../shared/accounts/accounts.ts';
import { admitApiKey } from '../../../shared/accounts/admit-api-key.ts';
import { createUserTokenAdmission } from '../../../shared/accounts/admit-user-token.ts';
import { connectLinkRows } from '../../../shared/connections/connect/connect-link-rows.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { dayMs } from '../../../shared/platform/time/local-day.ts';
import { formatTimestamp } from '../../../shared/platform/time/time.ts';
import { Failure } from '../../../shared/system/failure.ts';
import { createUser } from '../../../shared/users/users.ts';
import { type MemoryDeps, memoryDeps } from '../../harness/memory-deps.ts';
import { listPendingEvents } from '../../harness/outbox.ts';

const hourMs = 3_600_000;

let world: MemoryDeps;
let account: NewAccount;
beforeEach(async () => {
  world = memoryDeps();
  world.clock.freeze();
  account = await createAccount(world.deps, { name: 'a team' });
});

const hashOf = (key: string) => apiKeyHash(world.deps, key);
const replace = (overlapMs: number) => replaceKey(world.deps, account.account_id, 'live', overlapMs);
const outcomeOf = (key: string) =>
  admitApiKey(world.deps, hashOf(key)).then(
    ({ suspended }) => (suspended ? 'suspended' : 'admitted'),
    (error: unknown) => (error instanceof Failure ? error.code : String(error)),
  );
const outcomesOf = (...keys: string[]) => Promise.all(keys.map(outcomeOf));
/** Keys of the same millisecond are listed in any order. */
const listLive = async () =>
  (await listKeys(world.deps, account.account_id))
    .filter(({ env }) => env === 'live')
    .map(({ status, ends_at }) => [status, ends_at])
    .sort();
const inHours = (hours: number) => formatTimestamp(world.clock.now() + hours * hourMs);

test('a key that is replaced without an overlap ends at once, and its end is not announced', async () => {
  const created = await replace(0);
  expect(created).not.toHaveProperty('previous_key_ends_at');
  expect(await outcomesOf(account.live_key, created.key)).toEqual(['invalid_token', 'admitted']);
});

describe('a key that is replaced with an overlap', () => {
  test('works until the overlap ends, to the millisecond, and is then an unknown token', async () => {
    const { key, expires_at, previous_key_ends_at } = await replace(24 * hourMs);
    expect([expires_at, previous_key_ends_at]).toEqual([inHours(90 * 24), inHours(24)]);
    expect(await outcomesOf(account.live_key, key)).toEqual(['admitted', 'admitted']);
    world.clock.advance(24 * hourMs - 1);
    expect(await outcomesOf(account.live_key, key)).toEqual(['admitted', 'admitted']);
    world.clock.advance(1);
    expect(await outcomesOf(account.live_key, key, account.sandbox_key)).toEqual([
      'invalid_token',
      'admitted',
      'admitted',
    ]);
    world.clock.advance(90 * dayMs);
    expect(await outcomesOf(account.live_key, key)).toEqual(['invalid_token', 'token_expired']);
  });

  test('still expires after its own 90 days if these end first', async () => {
    world.clock.advance(89 * dayMs);
    const { previous_key_ends_at } = await replace(maxKeyOverlapMs);
    expect(previous_key_ends_at).toBe(inHours(24));
    expect(await outcomeOf(account.live_key)).toBe('admitted');
    world.clock.advance(dayMs);
    expect(await outcomeOf(account.live_key)).toBe('token_expired');
  });

  test('is revoked, not kept, if it has already expired', async () => {
    world.clock.advance(90 * dayMs);
    const created = await replace(hourMs);
    expect(created).not.toHaveProperty('previous_key_ends_at');
    expect(await outcomesOf(account.live_key, created.key)).toEqual(['invalid_token', 'admitted']);
  });

  test('is listed as ending, with its end, and afterwards as revoked', async () => {
    const oldEnds = inHours(2);
    const newEnds = inHours(90 * 24);
    await replace(2 * hourMs);
    expect(await listLive()).toEqual([
      ['active', newEnds],
      ['ending', oldEnds],
    ]);
    world.clock.advance(2 * hourMs);
    expect(await listLive()).toEqual([
      ['active', newEnds],
      ['revoked', oldEnds],
    ]);
  });

  test('keeps the end that it had when it is revoked after that', async () => {
    const oldEnds = inHours(1);
    await replace(hourMs);
    world.clock.advance(2 * hourMs);
    await revokeKey(world.deps, account.account_id, 'live');
    expect(await listLive()).toEqual([
      ['revoked', oldEnds],
      ['revoked', inHours(0)],
    ]);
  });

  test('has its own rate limit, and follows a suspension and a changed limit on every row', async () => {
    await setAccountLimit(world.deps, account.account_id, 700);
    const { key } = await replace(hourMs);
    await setAccountStatus(world.deps, account.account_id, 'suspended');
    for (let time = 0; time < 20; time++)
      expect(await outcomesOf(account.live_key, key)).toEqual(['suspended', 'suspended']);
    await setAccountStatus(world.deps, account.account_id, 'active');
    await setAccountLimit(world.deps, account.account_id, 1);
    world.clock.advance(60_000);
    for (const each of [account.live_key, key]) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => outcomeOf(each)));
      expect(answers.filter((answer) => answer === 'admitted')).toHaveLength(2);
    }
  });

  test('is not announced as expiring; its successor is', async () => {
    world.clock.advance(75 * dayMs);
    await replace(maxKeyOverlapMs);
    world.clock.advance(2 * dayMs);
    await sweepWorker(world.deps)();
    const listNotices = async () =>
      (await listPendingEvents(world.deps.store)).filter(({ type, env }) => type === 'key.expiring' && env === 'live');
    expect(await listNotices()).toEqual([]);
    world.clock.advance(75 * dayMs);
    await sweepWorker(world.deps)();
    expect(await listNotices()).toHaveLength(1);
  });

  test('keeps the connect links that it created until it ends', async () => {
    const isEnded = async () => {
      const origin = { user: 'usr_0', link: null, keyHash: hashOf(account.live_key), maker: null };
      return (await connectLinkRows(world.deps.store).readStatus(origin, world.clock.now())).isMakerEnded;
    };
    await replace(hourMs);
    expect(await isEnded()).toBe(false);
    world.clock.advance(hourMs);
    expect(await isEnded()).toBe(true);
  });

  test('can be used for user tokens, which stay valid after it has ended', async () => {
    const { caller } = await admitApiKey(world.deps, hashOf(account.live_key));
    const { id } = await createUser(world.deps, caller, {});
    const admission = createUserTokenAdmission(world.deps);
    const admit = () => admission.admit({ sub: id, acc: account.account_id, env: 'live', epoch: 0 });
    await admit();
    await replace(hourMs);
    await admit();
    world.clock.advance(hourMs);
    await setAccountStatus(world.deps, account.account_id, 'suspended');
    expect((await admit()).suspended).toBe(true);
    await revokeKey(world.deps, account.account_id, 'live');
    await expect(admit()).rejects.toThrow(
      'The token is malformed, unknown or revoked. Check it, or request a new one from your backend.',
    );
  });
});

describe('during an overlap', () => {
  test('a further key without an overlap ends both older keys at once', async () => {
    const { key: second } = await replace(hourMs);
    const third = await createKey(world.deps, account.account_id, 'live');
    expect(await outcomesOf(account.live_key, second, third)).toEqual(['invalid_token', 'invalid_token', 'admitted']);
    expect((await listLive()).map(([status]) => status)).toEqual(['active', 'revoked', 'revoked']);
  });

  test('a further key with an overlap keeps the newest old key only', async () => {
    const { key: second } = await replace(24 * hourMs);
    const third = await replace(hourMs);
    expect(third.previous_key_ends_at).toBe(inHours(1));
    expect(await outcomesOf(account.live_key, second, third.key)).toEqual(['invalid_token', 'admitted', 'admitted']);
  });

  test('a revocation ends the key and its predecessor at once, with all their rows', async () => {
    await setAccountLimit(world.deps, account.account_id, 5_000);
    const { key } = await replace(hourMs);
    await revokeKey(world.deps, account.account_id, 'live');
    expect(await outcomesOf(account.live_key, key)).toEqual(['invalid_token', 'invalid_token']);
    const copies = world.table
      .rows()
      .filter(({ pk, env }) => String(pk).startsWith('K#') && String(pk).includes('#', 2) && env === 'live');
    expect(copies).toEqual([]);
    const { key: next } = await replace(hourMs);
    expect(await outcomesOf(account.live_key, key, next)).toEqual(['invalid_token', 'invalid_token', 'admitted']);
  });

  test('all keys of an account with the highest limit still change in one transaction', async () => {
    await setAccountLimit(world.deps, account.account_id, 10_000);
    for (const env of ['live', 'sandbox'] as const)
      for (let time = 0; time < 2; time++) await replaceKey(world.deps, account.account_id, env, hourMs);
    const sizes: number[] = [];
    const counted: Table = {
      ...world.table,
      transact: (writes) => {
        sizes.push(writes.length);
        return world.table.transact(writes);
      },
    };
    await setAccountLimit(world.withTable(counted), account.account_id, 100);
    await setAccountLimit(world.withTable(counted), account.account_id, 10_000);
    await replaceKey(world.withTable(counted), account.account_id, 'live', hourMs);
    expect(sizes).toHaveLength(3);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
  });
});

test('concurrent rotations with an overlap leave one current key and one that is ending', async () => {
  const rotations = await Promise.allSettled(Array.from({ length: 5 }, () => replace(hourMs)));
  const created = rotations.flatMap((each) => (each.status === 'fulfilled' ? [each.value.key] : []));
  expect(created.length).toBeGreaterThanOrEqual(2);
  const outcomes = await outcomesOf(account.live_key, ...created);
  expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(2);
  expect((await listLive()).map(([status]) => status).filter((status) => status !== 'revoked')).toEqual([
    'active',
    'ending',
  ]);
  const environment = await accountRows(world.deps.store).findEnvironment(account.account_id, 'live');
  expect(environment?.previousKeyHash).not.toBeNull();
});

test.each([-1, maxKeyOverlapMs + 1, Number.NaN])('an overlap of %d milliseconds is rejected', async (overlapMs) => {
  await expect(replace(overlapMs)).rejects.toThrow(RangeError);
  expect(await outcomeOf(account.live_key)).toBe('admitted');
});
