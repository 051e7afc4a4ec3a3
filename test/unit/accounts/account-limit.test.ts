import { beforeEach, describe, expect, test } from 'vitest';
import { accountRows } from '../../../shared/accounts/account-rows.ts';
import {
  apiKeyHash,
  createAccount,
  createKey,
  type NewAccount,
  replaceKey,
  revokeKey,
  setAccountLimit,
  setAccountStatus,
} from '../../../shared/accounts/accounts.ts';
import { admitApiKey } from '../../../shared/accounts/admit-api-key.ts';
import { buildRateLimitHeaders } from '../../../shared/http/response-headers.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { type MemoryDeps, memoryDeps } from '../../harness/memory-deps.ts';

let world: MemoryDeps;
let account: NewAccount;
beforeEach(async () => {
  world = memoryDeps();
  account = await createAccount(world.deps, { name: 'a team' });
});

const hashOf = (key: string) => apiKeyHash(world.deps, key);
const admit = (key: string) => admitApiKey(world.deps, hashOf(key));
const rowsOf = (key: string) =>
  world.table.rows().filter(({ pk }) => pk === `K#${hashOf(key)}` || String(pk).startsWith(`K#${hashOf(key)}#`));
const policyOf = async (key: string) => buildRateLimitHeaders((await admit(key)).bucket)['RateLimit-Policy'];
/** Repeats the call 200 times, so that every row is drawn from. */
const manyTimes = async <T>(work: () => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  for (let time = 0; time < 200; time++) results.push(await work());
  return results;
};

/** Delays each call by a random number of turns, so that concurrent calls interleave. */
function withRandomDelays(table: Table): Table {
  const wait = async () => {
    for (let turns = Math.floor(Math.random() * 8); turns > 0; turns--) await new Promise(setImmediate);
  };
  return {
    ...table,
    get: (...args) => wait().then(() => table.get(...args)),
    transact: (writes) => wait().then(() => table.transact(writes)),
  };
}

describe('an account limit', () => {
  test('is 100 requests a second by default, applies to both keys and takes effect on the next response', async () => {
    expect(await policyOf(account.live_key)).toBe('"default";q=200;w=2');
    await setAccountLimit(world.deps, account.account_id, 300);
    expect(await policyOf(account.live_key)).toBe('"default";q=600;w=2');
    expect(rowsOf(account.live_key)).toHaveLength(1);
    await setAccountLimit(world.deps, account.account_id, 5_000);
    for (const key of [account.live_key, account.sandbox_key]) {
      expect(new Set(await manyTimes(() => policyOf(key)))).toEqual(new Set(['"default";q=10000;w=2']));
      expect(rowsOf(key)).toHaveLength(10);
    }
    expect((await accountRows(world.deps.store).findById(account.account_id))?.perSecond).toBe(5_000);
    await setAccountLimit(world.deps, account.account_id, 700);
    expect(new Set(await manyTimes(() => policyOf(account.live_key)))).toEqual(new Set(['"default";q=1400;w=2']));
    expect(rowsOf(account.live_key)).toHaveLength(2);
    await setAccountLimit(world.deps, account.account_id, 100);
    expect(rowsOf(account.live_key)).toHaveLength(1);
    expect(await policyOf(account.live_key)).toBe('"default";q=200;w=2');
  });

  test('that is lowered also applies in function instances that have not read it yet', async () => {
    world.clock.freeze();
    const functions = Array.from({ length: 10 }, () => world.withTable(world.table));
    const countAdmitted = async () => {
      let count = 0;
      for (const deps of functions) {
        world.clock.advance(20);
        const admitted = await admitApiKey(deps, hashOf(account.live_key)).catch(() => undefined);
        if (admitted) count++;
      }
      return count;
    };
    expect(await countAdmitted()).toBe(10);
    await setAccountLimit(world.deps, account.account_id, 1);
    world.clock.advance(60_000);
    expect(await countAdmitted()).toBe(2);
  });

  test('does not affect other accounts', async () => {
    const other = await createAccount(world.deps, { name: 'others' });
    await setAccountLimit(world.deps, account.account_id, 5_000);
    expect(await policyOf(other.live_key)).toBe('"default";q=200;w=2');
    expect(rowsOf(other.live_key)).toHaveLength(1);
  });

  test.each([0, -1, 1.5, 10_001, Number.NaN])('of %d is rejected', async (perSecond) => {
    await expect(setAccountLimit(world.deps, account.account_id, perSecond)).rejects.toThrow(RangeError);
  });

  test('for an unknown account is rejected', async () => {
    await expect(setAccountLimit(world.deps, 'acc_0', 5)).rejects.toThrow('Account acc_0 not found.');
  });

  test('does not refill the bucket when it changes', async () => {
    world.clock.freeze();
    await setAccountLimit(world.deps, account.account_id, 10);
    const countRejected = async () => {
      const answers = await Promise.allSettled(Array.from({ length: 30 }, () => admit(account.live_key)));
      return answers.filter(({ status }) => status === 'rejected').length;
    };
    expect(await countRejected()).toBe(10);
    await setAccountLimit(world.deps, account.account_id, 5_000);
    expect(await countRejected()).toBe(30);
    world.clock.advance(1_000);
    expect(await countRejected()).toBe(0);
  });
});

describe('a key with several rows', () => {
  beforeEach(() => setAccountLimit(world.deps, account.account_id, 5_000));

  test('is rejected on every row once it is revoked, and only one row remains', async () => {
    await manyTimes(() => admit(account.live_key));
    await revokeKey(world.deps, account.account_id, 'live');
    for (const answer of await manyTimes(() => admit(account.live_key).catch((error: Error) => error.message)))
      expect(answer).toBe('The token is malformed, unknown or revoked. Check it, or create a new key.');
    expect(rowsOf(account.live_key)).toHaveLength(1);
    expect(rowsOf(account.sandbox_key)).toHaveLength(10);
  });

  test('passes its limit on to the key that replaces it', async () => {
    const next = await createKey(world.deps, account.account_id, 'live');
    expect(rowsOf(account.live_key)).toHaveLength(1);
    expect(rowsOf(next)).toHaveLength(10);
    expect(new Set(await manyTimes(() => policyOf(next)))).toEqual(new Set(['"default";q=10000;w=2']));
    await expect(admit(account.live_key)).rejects.toThrow(
      'The token is malformed, unknown or revoked. Check it, or create a new key.',
    );
  });

  test('is suspended and resumed on every row', async () => {
    const suspended = async () => new Set(await manyTimes(async () => (await admit(account.live_key)).suspended));
    expect(await suspended()).toEqual(new Set([false]));
    await setAccountStatus(world.deps, account.account_id, 'suspended');
    expect(await suspended()).toEqual(new Set([true]));
    await setAccountStatus(world.deps, account.account_id, 'active');
    expect(await suspended()).toEqual(new Set([false]));
  });

  test('expires on every row', async () => {
    await manyTimes(() => admit(account.live_key));
    world.clock.advance(90 * 24 * 3_600_000);
    for (const answer of await manyTimes(() => admit(account.live_key).catch((error: Error) => error.message)))
      expect(answer).toContain('has expired');
  });

  test('stays consistent across its rows under concurrent operator commands', async () => {
    const { account_id } = account;
    const deps = world.withTable(withRandomDelays(world.table));
    for (let round = 0; round < 60; round++) {
      await Promise.allSettled([
        setAccountLimit(deps, account_id, 400 + (round % 9) * 250),
        setAccountStatus(deps, account_id, round % 2 ? 'active' : 'suspended'),
        replaceKey(deps, account_id, 'live', (round % 3) * 3_600_000),
        revokeKey(deps, account_id, 'sandbox'),
        createKey(deps, account_id, 'sandbox'),
      ]);
      const row = await accountRows(world.deps.store).findById(account_id);
      const working = world.table
        .rows()
        .filter(({ pk, status }) => String(pk).startsWith('K#') && status !== 'revoked');
      const environments = await Promise.all(
        (['live', 'sandbox'] as const).map((env) => accountRows(world.deps.store).findEnvironment(account_id, env)),
      );
      const named = environments.flatMap((each) => [each?.keyHash, each?.previousKeyHash].filter((hash) => hash));
      expect(working).toHaveLength(named.length * Math.ceil((row?.perSecond ?? 0) / 500));
      for (const { perSecond, suspended, hash } of working) {
        expect({ perSecond, suspended }).toEqual({
          perSecond: row?.perSecond,
          suspended: row?.status === 'suspended',
        });
        expect(named).toContain(hash);
      }
    }
  });
});
