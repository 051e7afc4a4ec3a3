// Accounts and the life of their keys. A new key and the end of the old one are one transaction: there is never a moment with two.

import { optimisticRetry, type RetryPolicy } from '../platform/optimistic-retry.ts';
import type { Write } from '../platform/ports.ts';
import { maxPerSecond, rateLimit } from '../platform/rate-limit.ts';
import { timestamp } from '../platform/time/time.ts';
import type { ApiForm, Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { newId } from '../system/new-id.ts';
import type { AccountStatus, ApiKeySummary } from './account.ts';
import { type AccountRow, accountRows } from './account-rows.ts';
import { firstAnnouncement } from './announce-expiring-keys.ts';
import { apiKeyLifeMs, makeApiKey, shownApiKey } from './api-key.ts';
import { apiKeyRows } from './api-key-rows.ts';
import type { ApiKeyRow } from './api-key-writes.ts';

const retrying: RetryPolicy = { what: 'an account', retries: 5 };

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
  const live = freshKey(deps, account, 'live');
  const sandbox = freshKey(deps, account, 'sandbox');
  await deps.store.commit([
    accountRows(deps.store).inserting(account),
    ...[live, sandbox].flatMap(({ row }) => [
      ...apiKeyRows(deps.store).inserting(row, firstAnnouncement(row)),
      accountRows(deps.store).settingKey(account.id, row.env, undefined, row.hash),
    ]),
  ]);
  return { account_id: account.id, live_key: live.key, sandbox_key: sandbox.key };
}

export async function listAccounts(deps: Deps): Promise<AccountRow[]> {
  return accountRows(deps.store).all();
}

/** Gives the environment a new key; the previous one stops working with the same write. */
export async function createKey(deps: Deps, accountId: string, env: Environment): Promise<string> {
  return optimisticRetry(retrying, async () => {
    const { account, keyHash } = await currentKey(deps, accountId, env);
    const fresh = freshKey(deps, account, env);
    await deps.store.commit([
      accountRows(deps.store).unchanged(account),
      accountRows(deps.store).settingKey(accountId, env, keyHash, fresh.row.hash),
      ...apiKeyRows(deps.store).inserting(fresh.row, firstAnnouncement(fresh.row)),
      ...revoking(deps, account, keyHash),
    ]);
    return fresh.key;
  });
}

/** Leaves the environment without a key: nothing gets in until a new one is made. */
export async function revokeKey(deps: Deps, accountId: string, env: Environment): Promise<void> {
  await optimisticRetry(retrying, async () => {
    const { account, keyHash } = await currentKey(deps, accountId, env);
    if (keyHash === null) return;
    await deps.store.commit([
      accountRows(deps.store).unchanged(account),
      accountRows(deps.store).settingKey(accountId, env, keyHash, null),
      ...revoking(deps, account, keyHash),
    ]);
  });
}

export async function listKeys(deps: Deps, accountId: string): Promise<ApiKeySummary[]> {
  await existingAccount(deps, accountId);
  const now = deps.clock.now();
  const rows = await apiKeyRows(deps.store).ofAccount(accountId);
  return rows.map((row) => ({
    id: row.id,
    env: row.env,
    status: row.status === 'active' && row.expiresMs <= now ? 'expired' : row.status,
    key: row.shown,
    created_at: timestamp(row.createdMs),
    expires_at: timestamp(row.expiresMs),
  }));
}

/** Suspends or resumes an account. */
export async function setAccountStatus(deps: Deps, accountId: string, status: AccountStatus): Promise<void> {
  await changeAccount(deps, accountId, { status }, (key) =>
    apiKeyRows(deps.store).suspending(key, status === 'suspended'),
  );
}

/** How many requests a second each of the account's keys may make. */
export async function setAccountLimit(deps: Deps, accountId: string, perSecond: number): Promise<void> {
  if (!Number.isInteger(perSecond) || perSecond < 1 || perSecond > maxPerSecond)
    throw new RangeError(`a limit of ${perSecond} requests a second`);
  await changeAccount(deps, accountId, { perSecond }, (key) => apiKeyRows(deps.store).limiting(key, perSecond));
}

/** Both keys change in the account's own transaction, so the next request is answered by it. */
async function changeAccount(
  deps: Deps,
  accountId: string,
  change: Partial<Pick<AccountRow, 'status' | 'perSecond'>>,
  changeKey: (key: ApiKeyRow) => Write[],
): Promise<void> {
  await optimisticRetry(retrying, async () => {
    const account = await existingAccount(deps, accountId);
    const changed = { ...account, ...change };
    if (changed.status === account.status && changed.perSecond === account.perSecond) return;
    const found = await Promise.all(
      (['live', 'sandbox'] as const).map((env) => accountRows(deps.store).environment(accountId, env)),
    );
    const environments = found.filter((row) => row !== undefined);
    const keys = await Promise.all(
      environments.map(({ keyHash }) => (keyHash === null ? undefined : apiKeyRows(deps.store).unrevoked(keyHash))),
    );
    await deps.store.commit([
      accountRows(deps.store).changing(account, changed),
      ...environments.map((row) => accountRows(deps.store).stillKeyed(accountId, row.env, row.keyHash)),
      ...keys.flatMap((key) => (key ? changeKey(key) : [])),
    ]);
  });
}

const revoking = (deps: Deps, { perSecond }: AccountRow, hash: string | null): Write[] =>
  hash === null ? [] : apiKeyRows(deps.store).revoking({ hash, perSecond });

function freshKey(deps: Deps, account: AccountRow, env: Environment): { key: string; row: ApiKeyRow } {
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
    shown: shownApiKey(key),
    createdMs: now,
    expiresMs: now + apiKeyLifeMs,
    perSecond: account.perSecond,
    fullAtMs: 0,
  };
  return { key, row };
}

async function existingAccount(deps: Deps, accountId: string): Promise<AccountRow> {
  const account = await accountRows(deps.store).byId(accountId);
  if (!account) throw new Failure('not_found', `Account ${accountId} not found.`);
  return account;
}

async function currentKey(deps: Deps, accountId: string, env: Environment) {
  const [account, environment] = await Promise.all([
    existingAccount(deps, accountId),
    accountRows(deps.store).environment(accountId, env),
  ]);
  return { account, keyHash: environment?.keyHash ?? null };
}
