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
const randomHash = () => randomBytes(32).toString('base64url');
const newAccount = (): AccountRow => ({
  id: freshId('account'),
  name: 'Ada',
  status: 'active',
  form: 2,
  perSecond: rateLimit.perSecond,
  createdMs: now,
  endedMakers: [],
  endedMakersRevision: 0,
});
const newKey = (account: string, env: Environment, more: Partial<ApiKeyRow> = {}): ApiKeyRow => ({
  id: freshId('key'),
  hash: randomHash(),
  account,
  env,
  form: 2,
  status: 'active',
  suspended: false,
  maskedKey: 'sk_live_…abcd',
  createdMs: now,
  expiresMs: now + 1_000_000,
  endsMs: now + 1_000_000,
  perSecond: rateLimit.perSecond,
  fullAtMs: 0,
  endedMakers: [],
  madeBy: null,
  ...more,
});

onEveryEngine('the store', (kind) => {
  let localTable: LocalTable;
  let table: Table;
  let accounts: ReturnType<typeof accountRows>;
  let apiKeys: ReturnType<typeof apiKeyRows>;
  let signingKeys: ReturnType<typeof signingKeyRows>;
  beforeAll(async () => {
    localTable = await startTable(kind);
    table = localTable.table;
    accounts = accountRows(storeOn(table));
    apiKeys = apiKeyRows(storeOn(table, clock));
    signingKeys = signingKeyRows(storeOn(table));
  });
  afterAll(() => localTable.stop());

  const tryTransact = (...writes: Write[]): Promise<boolean> =>
    table.transact(writes).then(
      () => true,
      (error: unknown) => {
        if (error instanceof TransactionCanceled) return false;
        throw error;
      },
    );

  describe('accounts', () => {
    test('are listed in creation order and read back as written', async () => {
      const created = [newAccount(), newAccount(), newAccount()];
      for (const account of created) await table.transact([accounts.buildInsert(account)]);
      const ids = new Set(created.map(({ id }) => id));
      expect((await accounts.listAll()).filter(({ id }) => ids.has(id))).toEqual(created);
      for (const account of created) expect(await accounts.findById(account.id)).toEqual(account);
      expect(await accounts.findById(freshId('account'))).toBeUndefined();
      expect(
        await tryTransact(accounts.buildInsert(newAccount()), accounts.buildInsert(created[0] ?? newAccount())),
      ).toBe(false);
    });

    test('change status and limit only if unchanged since they were read', async () => {
      const account = newAccount();
      await table.transact([accounts.buildInsert(account)]);
      const suspended: AccountRow = { ...account, status: 'suspended' };
      const fast: AccountRow = { ...account, perSecond: 700 };
      expect(await tryTransact(accounts.buildUpdate(suspended, account))).toBe(false);
      expect(await tryTransact(accounts.buildUpdate(fast, account))).toBe(false);
      expect(
        await tryTransact(accounts.buildStatusCheck(account.id, 'active'), accounts.buildUnchangedCheck(newAccount())),
      ).toBe(false);
      expect(await tryTransact(accounts.buildUnchangedCheck(account))).toBe(true);
      expect(await tryTransact(accounts.buildUpdate(account, suspended))).toBe(true);
      expect(await tryTransact(accounts.buildStatusCheck(account.id, 'active'))).toBe(false);
      expect(await tryTransact(accounts.buildUnchangedCheck(account))).toBe(false);
      expect(await tryTransact(accounts.buildUpdate(suspended, fast))).toBe(true);
      expect(await tryTransact(accounts.buildUnchangedCheck({ ...account, status: 'active' }))).toBe(false);
      expect(await accounts.findById(account.id)).toEqual(fast);
    });

    test('set, clear and replace the key of an environment only if it is unchanged since it was read', async () => {
      const { id } = newAccount();
      const set = (previous: string | null | undefined, next: string | null) =>
        tryTransact(
          accounts.buildSetKeys(
            { account: id, env: 'live', keyHash: next, previousKeyHash: previous ?? null },
            previous,
          ),
        );
      expect(await set(null, 'k1')).toBe(false);
      expect(await set(undefined, 'k1')).toBe(true);
      expect(await set(undefined, 'k2')).toBe(false);
      expect(await set('k0', 'k2')).toBe(false);
      expect(await set('k1', null)).toBe(true);
      expect(await tryTransact(accounts.buildKeyCheck(id, 'live', null))).toBe(true);
      expect(await tryTransact(accounts.buildKeyCheck(id, 'live', 'k1'))).toBe(false);
      expect(await set('k1', 'k2')).toBe(false);
      expect(await set(null, 'k2')).toBe(true);
      expect(await tryTransact(accounts.buildKeyCheck(id, 'live', null))).toBe(false);
      expect(await accounts.findEnvironment(id, 'live')).toEqual({
        account: id,
        env: 'live',
        keyHash: 'k2',
        previousKeyHash: null,
      });
      expect(await accounts.findEnvironment(id, 'sandbox')).toBeUndefined();
    });
  });

  describe('API keys', () => {
    const admitOutcome = async (hash: string) => (await apiKeys.admit(hash)).outcome;

    test('are admitted unless unknown, revoked or expired, whether or not they were seen before', async () => {
      const [good, late] = [newKey('a', 'live'), newKey('a', 'live', { expiresMs: now, endsMs: now })];
      await table.transact([good, late].flatMap((key) => apiKeys.buildInsert(key, key.expiresMs)));
      expect(await admitOutcome(randomHash())).toBe('unknown');
      expect(await admitOutcome(late.hash)).toBe('expired');
      expect(await apiKeys.findUnrevoked(late.hash)).toEqual(late);
      expect(await admitOutcome(good.hash)).toBe('admitted');
      expect(apiKeys.lastSeen(good.hash)?.id).toBe(good.id);
      await table.transact(apiKeys.buildRevoke(good, now));
      expect(await admitOutcome(good.hash)).toBe('revoked');
      expect(await apiKeys.findUnrevoked(good.hash)).toBeUndefined();
      expect(apiKeys.lastSeen(good.hash)).toBeUndefined();
    });

    test('that end later are admitted until then, and are revoked from then on', async () => {
      const key = newKey('a', 'live', { perSecond: 700 });
      await table.transact(apiKeys.buildInsert(key, key.expiresMs));
      await table.transact(apiKeys.buildEndLater(key, now + 10));
      expect(await admitOutcome(key.hash)).toBe('admitted');
      expect(await apiKeys.findUnrevoked(key.hash)).toMatchObject({ status: 'ending', endsMs: now + 10 });
      now += 10;
      expect(await admitOutcome(key.hash)).toBe('revoked');
      expect(await apiKeys.findUnrevoked(key.hash)).toBeUndefined();
      expect(await tryTransact(...apiKeys.buildEndLater(key, now + 10))).toBe(false);
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
      const admissions = await Promise.all(Array.from({ length: 30 }, (_, n) => functions[n % 3]?.admit(key.hash)));
      expect(admissions.filter((each) => each?.outcome === 'admitted')).toHaveLength(left);
      expect(admissions.filter((each) => each?.outcome === 'limited')).toHaveLength(30 - left);
    });

    test('are listed by account, newest first', async () => {
      const account = freshId('account');
      const created = [newKey(account, 'live'), newKey(account, 'sandbox'), newKey(account, 'live')];
      await table.transact(created.flatMap((key) => apiKeys.buildInsert(key, key.expiresMs)));
      expect(await apiKeys.listByAccount(account)).toEqual(created.toReversed());
      expect(await apiKeys.listByAccount(freshId('account'))).toEqual([]);
    });
  });

  describe('signing keys', () => {
    test('are listed newest first, found by key id and marked for removal once', async () => {
      const created: SigningKeyRow[] = Array.from({ length: 3 }, () => ({
        kid: `${freshId('key').slice(4)}.proof`,
        publicJwk: '{}',
        sealedPrivateKey: 'sealed',
        createdMs: now,
      }));
      for (const row of created) await table.transact([signingKeys.buildInsert(row)]);
      const [oldest] = created;
      if (!oldest) throw new Error('No signing key was created.');
      expect(await signingKeys.listNewestFirst()).toEqual(created.toReversed());
      expect(await signingKeys.findByKid(oldest.kid)).toEqual(oldest);
      expect(await signingKeys.findByKid('nobody')).toBeUndefined();
      expect(await tryTransact(signingKeys.buildInsert(oldest))).toBe(false);
      expect(await tryTransact(signingKeys.buildExpire(oldest.kid, 123))).toBe(true);
      expect(await tryTransact(signingKeys.buildExpire(oldest.kid, 456))).toBe(false);
      expect(await tryTransact(signingKeys.buildExpire('nobody', 456))).toBe(false);
      expect(await table.get(keys.signingKey(oldest.kid))).toMatchObject({ ttl: 123 });
    });
  });
});
