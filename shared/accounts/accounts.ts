// Accounts and the lifecycle of their keys. One transaction creates a new key and revokes the old
// one, so two keys are never valid at once.

import { optimisticRetry, type RetryPolicy } from '../platform/optimistic-retry.ts';
import type { Write } from '../platform/ports.ts';
import { maxPerSecond, rateLimit } from '../platform/rate-limit.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { ApiForm, Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { newId } from '../system/new-id.ts';
import type { AccountStatus, ApiKeySummary } from './account.ts';
import { type AccountRow, accountRows } from './account-rows.ts';
import { firstAnnouncementMs } from './announce-expiring-keys.ts';
import { apiKeyLifetimeMs, makeApiKey, maskApiKey } from './api-key.ts';
import { apiKeyRows } from './api-key-rows.ts';
import type { ApiKeyRow } from './api-key-writes.ts';

const accountRetryPolicy: RetryPolicy = { what: 'an account', retries: 5 };

export const apiKeyHash = (deps: Pick<Deps, 'keyring'>, key: string): string => deps.keyring.hash('api-key', key);

export interface NewAccount {
  account_id: string;
  live_key: string;
  sandbox_key: string;
}

export async function createAccount(deps: Deps, input: { name: string; form?: ApiForm }): Promise<NewAccount> {
  const now = deps.clock.now();
  const account: AccountRow = {
    id: newId(deps, 'account'),
    name: input.name,
    status: 'active',
    form: input.form ?? 2,
    perSecond: rateLimit.perSecond,
    createdMs: now,
  };
  const live = generateKey(deps, account, 'live');
  const sandbox = generateKey(deps, account, 'sandbox');
  await deps.store.commit([
    accountRows(deps.store).buildInsert(account),
    ...[live, sandbox].flatMap(({ row }) => [
      ...apiKeyRows(deps.store).buildInsert(row, firstAnnouncementMs(row)),
      accountRows(deps.store).buildSetKey(account.id, row.env, undefined, row.hash),
    ]),
  ]);
  return { account_id: account.id, live_key: live.key, sandbox_key: sandbox.key };
}

export async function listAccounts(deps: Deps): Promise<AccountRow[]> {
  return accountRows(deps.store).listAll();
}

/** Gives the environment a new key; the same write revokes the previous one. */
export async function createKey(deps: Deps, accountId: string, env: Environment): Promise<string> {
  return optimisticRetry(accountRetryPolicy, async () => {
    const { account, keyHash } = await getCurrentKey(deps, accountId, env);
    const fresh = generateKey(deps, account, env);
    await deps.store.commit([
      accountRows(deps.store).buildUnchangedCheck(account),
      accountRows(deps.store).buildSetKey(accountId, env, keyHash, fresh.row.hash),
      ...apiKeyRows(deps.store).buildInsert(fresh.row, firstAnnouncementMs(fresh.row)),
      ...buildRevokeKeyWrites(deps, account, keyHash),
    ]);
    return fresh.key;
  });
}

/** Leaves the environment without a key: every request is rejected until a new key is created. */
export async function revokeKey(deps: Deps, accountId: string, env: Environment): Promise<void> {
  await optimisticRetry(accountRetryPolicy, async () => {
    const { account, keyHash } = await getCurrentKey(deps, accountId, env);
    if (keyHash === null) return;
    await deps.store.commit([
      accountRows(deps.store).buildUnchangedCheck(account),
      accountRows(deps.store).buildSetKey(accountId, env, keyHash, null),
      ...buildRevokeKeyWrites(deps, account, keyHash),
    ]);
  });
}

export async function listKeys(deps: Deps, accountId: string): Promise<ApiKeySummary[]> {
  await getAccount(deps, accountId);
  const now = deps.clock.now();
  const rows = await apiKeyRows(deps.store).listByAccount(accountId);
  return rows.map((row) => ({
    id: row.id,
    env: row.env,
    status: row.status === 'active' && row.expiresMs <= now ? 'expired' : row.status,
    key: row.maskedKey,
    created_at: formatTimestamp(row.createdMs),
    expires_at: formatTimestamp(row.expiresMs),
  }));
}

export async function setAccountStatus(deps: Deps, accountId: string, status: AccountStatus): Promise<void> {
  await changeAccount(deps, accountId, { status }, (key) =>
    apiKeyRows(deps.store).buildSuspend(key, status === 'suspended'),
  );
}

/** Sets how many requests per second each of the account's keys may make. */
export async function setAccountLimit(deps: Deps, accountId: string, perSecond: number): Promise<void> {
  if (!Number.isInteger(perSecond) || perSecond < 1 || perSecond > maxPerSecond)
    throw new RangeError(
      `the limit must be a whole number of requests per second within the allowed range, not ${perSecond}`,
    );
  await changeAccount(deps, accountId, { perSecond }, (key) => apiKeyRows(deps.store).buildChangeLimit(key, perSecond));
}

/** Both keys change in the account's own transaction, so the change applies to the next request. */
async function changeAccount(
  deps: Deps,
  accountId: string,
  change: Partial<Pick<AccountRow, 'status' | 'perSecond'>>,
  changeKey: (key: ApiKeyRow) => Write[],
): Promise<void> {
  await optimisticRetry(accountRetryPolicy, async () => {
    const account = await getAccount(deps, accountId);
    const changed = { ...account, ...change };
    if (changed.status === account.status && changed.perSecond === account.perSecond) return;
    const environmentRows = await Promise.all(
      (['live', 'sandbox'] as const).map((env) => accountRows(deps.store).findEnvironment(accountId, env)),
    );
    const environments = environmentRows.filter((row) => row !== undefined);
    const keys = await Promise.all(
      environments.map(({ keyHash }) => (keyHash === null ? undefined : apiKeyRows(deps.store).findUnrevoked(keyHash))),
    );
    await deps.store.commit([
      accountRows(deps.store).buildUpdate(account, changed),
      ...environments.map((row) => accountRows(deps.store).buildKeyCheck(accountId, row.env, row.keyHash)),
      ...keys.flatMap((key) => (key ? changeKey(key) : [])),
    ]);
  });
}

const buildRevokeKeyWrites = (deps: Deps, { perSecond }: AccountRow, hash: string | null): Write[] =>
  hash === null ? [] : apiKeyRows(deps.store).buildRevoke({ hash, perSecond });

function generateKey(deps: Deps, account: AccountRow, env: Environment): { key: string; row: ApiKeyRow } {
  const now = deps.clock.now();
  const key = makeApiKey(deps.keyring, env, deps.random.bytes(32));
  const row: ApiKeyRow = {
    id: newId(deps, 'key'),
    hash: apiKeyHash(deps, key),
    account: account.id,
    env,
    form: account.form,
    status: 'active',
    suspended: account.status === 'suspended',
    maskedKey: maskApiKey(key),
    createdMs: now,
    expiresMs: now + apiKeyLifetimeMs,
    perSecond: account.perSecond,
    fullAtMs: 0,
  };
  return { key, row };
}

async function getAccount(deps: Deps, accountId: string): Promise<AccountRow> {
  const account = await accountRows(deps.store).findById(accountId);
  if (!account) throw new Failure('not_found', `Account ${accountId} not found.`);
  return account;
}

async function getCurrentKey(deps: Deps, accountId: string, env: Environment) {
  const [account, environment] = await Promise.all([
    getAccount(deps, accountId),
    accountRows(deps.store).findEnvironment(accountId, env),
  ]);
  return { account, keyHash: environment?.keyHash ?? null };
}
