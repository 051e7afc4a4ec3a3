import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import { type AccountRow, accountRows } from '../../../shared/accounts/account-rows.ts';
import { apiKeyRows } from '../../../shared/accounts/api-key-rows.ts';
import type { ApiKeyRow } from '../../../shared/accounts/api-key-writes.ts';
import { type SigningKeyRow, signingKeyRows } from '../../../shared/accounts/signing-key-rows.ts';
import { type Table, TransactionCanceled, type Write } from '../../../shared/platform/ports.ts';
import { rateLimit } from '../../../shared/platform/rate-limit.ts';
import type { Environment } from '../../../shared/system/caller.ts';
import { makeId } from '../../../shared/system/ids.ts';
import { keys } from '../../../shared/system/keys.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { storeOn } from '../../harness/store-on.ts';
import { startTable } from '../system/engines.ts';

let now = Date.UTC(2026, 0, 1);
const clock = { now: () => now };
const freshId = (kind: 'account' | 'key') => {
  now += 1;
  return makeId(kind, now, randomBytes(10));
};
const hashed = () => randomBytes(32).toString('base64url');
const newAccount = (): AccountRow => ({
  id: freshId('account'),
  name: 'Ada',
  status: 'active',
  form: 2,
  perSecond: rateLimit.perSecond,
  createdMs: now,
});
const newKey = (account: string, env: Environment, more: Partial<ApiKeyRow> = {}): ApiKeyRow => ({
  id: freshId('key'),
  hash: hashed(),
  account,
  env,
  form: 2,
  status: 'active',
  suspended: false,
  shown: 'sk_live_…abcd',
  createdMs: now,
  expiresMs: now + 1_000_000,
  perSecond: rateLimit.perSecond,
  fullAtMs: 0,
  ...more,
});

onEveryEngine('the store', (kind) => {
  let place: LocalTable;
  let table: Table;
  let accounts: ReturnType<typeof accountRows>;
  let apiKeys: ReturnType<typeof apiKeyRows>;
  let signingKeys: ReturnType<typeof signingKeyRows>;
  beforeAll(async () => {
    place = await startTable(kind);
    table = place.table;
    accounts = accountRows(storeOn(table));
    apiKeys = apiKeyRows(storeOn(table, clock));
    signingKeys = signingKeyRows(storeOn(table));
  });
  afterAll(() => place.stop());

  const holds = (...writes: Write[]): Promise<boolean> =>
    table.transact(writes).then(
      () => true,
      (error: unknown) => {
        if (error instanceof TransactionCanceled) return false;
        throw error;
      },
    );

  describe('accounts', () => {
    test('are listed in creation order and read back as written', async () => {
      const made = [newAccount(), newAccount(), newAccount()];
      for (const account of made) await table.transact([accounts.buildInsert(account)]);
      const ids = new Set(made.map(({ id }) => id));
      expect((await accounts.listAll()).filter(({ id }) => ids.has(id))).toEqual(made);
      for (const account of made) expect(await accounts.findById(account.id)).toEqual(account);
      expect(await accounts.findById(freshId('account'))).toBeUndefined();
      expect(await holds(accounts.buildInsert(newAccount()), accounts.buildInsert(made[0] ?? newAccount()))).toBe(
        false,
      );
    });

    test('change status and limit only if unchanged since they were read', async () => {
      const account = newAccount();
      await table.transact([accounts.buildInsert(account)]);
      const suspended: AccountRow = { ...account, status: 'suspended' };
      const fast: AccountRow = { ...account, perSecond: 700 };
      expect(await holds(accounts.buildUpdate(suspended, account))).toBe(false);
      expect(await holds(accounts.buildUpdate(fast, account))).toBe(false);
      expect(
        await holds(accounts.buildStatusCheck(account.id, 'active'), accounts.buildUnchangedCheck(newAccount())),
      ).toBe(false);
      expect(await holds(accounts.buildUnchangedCheck(account))).toBe(true);
      expect(await holds(accounts.buildUpdate(account, suspended))).toBe(true);
      expect(await holds(accounts.buildStatusCheck(account.id, 'active'))).toBe(false);
      expect(await holds(accounts.buildUnchangedCheck(account))).toBe(false);
      expect(await holds(accounts.buildUpdate(suspended, fast))).toBe(true);
      expect(await holds(accounts.buildUnchangedCheck({ ...account, status: 'active' }))).toBe(false);
      expect(await accounts.findById(account.id)).toEqual(fast);
    });

    test('set, clear and replace the key of an environment only if it is unchanged since it was read', async () => {
      const { id } = newAccount();
      const set = (previous: string | null | undefined, next: string | null) =>
        holds(accounts.buildSetKey(id, 'live', previous, next));
      expect(await set(null, 'k1')).toBe(false);
      expect(await set(undefined, 'k1')).toBe(true);
      expect(await set(undefined, 'k2')).toBe(false);
      expect(await set('k0', 'k2')).toBe(false);
      expect(await set('k1', null)).toBe(true);
      expect(await holds(accounts.buildKeyCheck(id, 'live', null))).toBe(true);
      expect(await holds(accounts.buildKeyCheck(id, 'live', 'k1'))).toBe(false);
      expect(await set('k1', 'k2')).toBe(false);
      expect(await set(null, 'k2')).toBe(true);
      expect(await holds(accounts.buildKeyCheck(id, 'live', null))).toBe(false);
      expect(await accounts.findEnvironment(id, 'live')).toEqual({ account: id, env: 'live', keyHash: 'k2' });
      expect(await accounts.findEnvironment(id, 'sandbox')).toBeUndefined();
    });
  });

  describe('API keys', () => {
    const admitted = async (hash: string) => (await apiKeys.admit(hash)).outcome;

    test('are admitted unless unknown, revoked or expired, whether or not they were seen before', async () => {
      const [good, late] = [newKey('a', 'live'), newKey('a', 'live', { expiresMs: now })];
      await table.transact([good, late].flatMap((key) => apiKeys.buildInsert(key, key.expiresMs)));
      expect(await admitted(hashed())).toBe('unknown');
      expect(await admitted(late.hash)).toBe('expired');
      expect(await apiKeys.findUnrevoked(late.hash)).toEqual(late);
      expect(await admitted(good.hash)).toBe('admitted');
      expect(apiKeys.lastSeen(good.hash)?.id).toBe(good.id);
      await table.transact(apiKeys.buildRevoke(good));
      expect(await admitted(good.hash)).toBe('revoked');
      expect(await apiKeys.findUnrevoked(good.hash)).toBeUndefined();
      expect(apiKeys.lastSeen(good.hash)).toBeUndefined();
    });

    test('report a suspension on the next request', async () => {
      const key = newKey('a', 'live');
      await table.transact(apiKeys.buildInsert(key, key.expiresMs));
      expect(await apiKeys.admit(key.hash)).toMatchObject({ outcome: 'admitted', key: { suspended: false } });
      await table.transact(apiKeys.buildSuspend(key, true));
      expect(await apiKeys.admit(key.hash)).toMatchObject({ outcome: 'admitted', key: { suspended: true } });
    });

    test('are admitted exactly as often as the bucket allows under concurrent requests from several functions', async () => {
      const left = 7;
      const key = newKey('a', 'live', { fullAtMs: now + (rateLimit.burst - left) * rateLimit.intervalMs });
      await table.transact(apiKeys.buildInsert(key, key.expiresMs));
      const functions = Array.from({ length: 3 }, () => apiKeyRows(storeOn(table, clock)));
      const asked = await Promise.all(Array.from({ length: 30 }, (_, n) => functions[n % 3]?.admit(key.hash)));
      expect(asked.filter((each) => each?.outcome === 'admitted')).toHaveLength(left);
      expect(asked.filter((each) => each?.outcome === 'limited')).toHaveLength(30 - left);
    });

    test('are listed by account, newest first', async () => {
      const account = freshId('account');
      const made = [newKey(account, 'live'), newKey(account, 'sandbox'), newKey(account, 'live')];
      await table.transact(made.flatMap((key) => apiKeys.buildInsert(key, key.expiresMs)));
      expect(await apiKeys.listByAccount(account)).toEqual(made.toReversed());
      expect(await apiKeys.listByAccount(freshId('account'))).toEqual([]);
    });
  });

  describe('signing keys', () => {
    test('are listed newest first, found by key id and marked for removal once', async () => {
      const made: SigningKeyRow[] = Array.from({ length: 3 }, () => ({
        kid: `${freshId('key').slice(4)}.proof`,
        publicJwk: '{}',
        sealedPrivateKey: 'sealed',
        createdMs: now,
      }));
      for (const row of made) await table.transact([signingKeys.buildInsert(row)]);
      const [oldest] = made;
      if (!oldest) throw new Error('No signing key was created.');
      expect(await signingKeys.listNewestFirst()).toEqual(made.toReversed());
      expect(await signingKeys.findByKid(oldest.kid)).toEqual(oldest);
      expect(await signingKeys.findByKid('nobody')).toBeUndefined();
      expect(await holds(signingKeys.buildInsert(oldest))).toBe(false);
      expect(await holds(signingKeys.buildExpire(oldest.kid, 123))).toBe(true);
      expect(await holds(signingKeys.buildExpire(oldest.kid, 456))).toBe(false);
      expect(await holds(signingKeys.buildExpire('nobody', 456))).toBe(false);
      expect(await table.get(keys.signingKey(oldest.kid))).toMatchObject({ ttl: 123 });
    });
  });
});
