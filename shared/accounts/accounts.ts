// Accounts and the lifecycle of their keys. One transaction creates a new key and ends the old one:
// at once, or after an overlap. An environment has at most one current key and one that is ending.

import { optimisticRetry, type RetryPolicy } from '../platform/optimistic-retry.ts';
import type { Write } from '../platform/ports.ts';
import { maxPerSecond, rateLimit } from '../platform/rate-limit.ts';
import { dayMs } from '../platform/time/local-day.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { ApiForm, Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { buildMakerCheck, commitWithMakerCheck } from '../system/made-credential-rows.ts';
import type { Maker } from '../system/maker.ts';
import { newId } from '../system/new-id.ts';
import type { AccountStatus, ApiKeySummary } from './account.ts';
import { type AccountRow, accountRows } from './account-rows.ts';
import { firstAnnouncementMs } from './announce-expiring-keys.ts';
import { apiKeyLifetimeMs, makeApiKey, maskApiKey } from './api-key.ts';
import { apiKeyRows, getEffectiveStatus } from './api-key-rows.ts';
import type { ApiKeyRow } from './api-key-writes.ts';
import { addEndedMaker } from './ended-makers.ts';

const accountRetryPolicy: RetryPolicy = { what: 'an account', retries: 5 };

export const apiKeyHash = (deps: Pick<Deps, 'keyring'>, key: string): string => deps.keyring.hash('api-key', key);

export interface NewAccount {
  account_id: string;
  live_key: string;
  sandbox_key: string;
  keys_expire_at: string;
}

export interface NewKey {
  id: string;
  key: string;
  expires_at: string;
  /** When the previous key stops working, if it was given an overlap and still works. */
  previous_key_ends_at?: string;
}

export const maxKeyOverlapMs = 7 * dayMs;

/** `buildMore` returns writes that join the transaction. */
export async function createAccount(
  deps: Deps,
  input: { name: string; form?: ApiForm },
  buildMore: (accountId: string) => Write[] = () => [],
): Promise<NewAccount> {
  const now = deps.clock.now();
  const account: AccountRow = {
    id: newId(deps, 'account'),
    name: input.name,
    status: 'active',
    form: input.form ?? 2,
    perSecond: rateLimit.perSecond,
    createdMs: now,
    endedMakers: [],
    endedMakersRevision: 0,
  };
  const live = generateKey(deps, account, 'live');
  const sandbox = generateKey(deps, account, 'sandbox');
  await deps.store.commit([
    accountRows(deps.store).buildInsert(account),
    ...[live, sandbox].flatMap(({ row }) => [
      ...apiKeyRows(deps.store).buildInsert(row, firstAnnouncementMs(row)),
      accountRows(deps.store).buildSetKeys(
        { account: account.id, env: row.env, keyHash: row.hash, previousKeyHash: null },
        undefined,
      ),
    ]),
    ...buildMore(account.id),
  ]);
  return {
    account_id: account.id,
    live_key: live.key,
    sandbox_key: sandbox.key,
    keys_expire_at: formatTimestamp(Math.min(live.row.expiresMs, sandbox.row.expiresMs)),
  };
}

export async function listAccounts(deps: Deps): Promise<AccountRow[]> {
  return accountRows(deps.store).listAll();
}

/** Gives the environment a new key; the same write revokes the previous one. */
export const createKey = async (deps: Deps, accountId: string, env: Environment): Promise<string> =>
  (await replaceKey(deps, accountId, env, 0)).key;

/**
 * Gives the environment a new key. The same write ends the previous one: after the overlap, or at
 * its expiry if that is earlier. A key that was already ending is revoked at once, so that one
 * predecessor at most still works.
 */
export async function replaceKey(
  deps: Deps,
  accountId: string,
  env: Environment,
  overlapMs: number,
  maker?: Maker,
): Promise<NewKey> {
  if (!(overlapMs >= 0 && overlapMs <= maxKeyOverlapMs))
    throw new RangeError(`the overlap must be from 0 to ${maxKeyOverlapMs} milliseconds, not ${overlapMs}`);
  return optimisticRetry(accountRetryPolicy, async () => {
    const { account, current, previous } = await readKeys(deps, accountId, env);
    const fresh = generateKey(deps, account, env, maker);
    const nowMs = fresh.row.createdMs;
    const ending = current && overlapMs > 0 && current.endsMs > nowMs ? current : undefined;
    const endsMs = ending && Math.min(ending.endsMs, nowMs + overlapMs);
    const revoked = [previous, ending ? undefined : current].filter((row) => row !== undefined);
    const writes = [
      accountRows(deps.store).buildUnchangedCheck(account),
      accountRows(deps.store).buildSetKeys(
        { account: accountId, env, keyHash: fresh.row.hash, previousKeyHash: ending?.hash ?? null },
        current?.hash ?? null,
      ),
      ...apiKeyRows(deps.store).buildInsert(fresh.row, firstAnnouncementMs(fresh.row)),
      ...(ending && endsMs !== undefined ? apiKeyRows(deps.store).buildEndLater(ending, endsMs) : []),
      ...revoked.flatMap((row) => apiKeyRows(deps.store).buildRevoke(row, nowMs)),
    ];
    await commitWithMakerCheck(deps.store, writes, maker ? [buildMakerCheck(maker)] : []);
    return {
      id: fresh.row.id,
      key: fresh.key,
      expires_at: formatTimestamp(fresh.row.expiresMs),
      ...(endsMs === undefined ? {} : { previous_key_ends_at: formatTimestamp(endsMs) }),
    };
  });
}

/**
 * Leaves the environment without a key: every request is rejected until a new key is created. A
 * previous key that is still ending is revoked, too. Returns the ids of the revoked keys.
 */
export async function revokeKey(deps: Deps, accountId: string, env: Environment): Promise<string[]> {
  return optimisticRetry(accountRetryPolicy, async () => {
    const { account, current, previous } = await readKeys(deps, accountId, env);
    if (!current) return [];
    const revoked = [current, previous].filter((row) => row !== undefined);
    await deps.store.commit([
      accountRows(deps.store).buildUnchangedCheck(account),
      accountRows(deps.store).buildSetKeys(
        { account: accountId, env, keyHash: null, previousKeyHash: null },
        current.hash,
      ),
      ...revoked.flatMap((row) => apiKeyRows(deps.store).buildRevoke(row, deps.clock.now())),
    ]);
    return revoked.map(({ id }) => id);
  });
}

export async function listKeys(deps: Deps, accountId: string): Promise<ApiKeySummary[]> {
  await getAccount(deps, accountId);
  const now = deps.clock.now();
  const rows = await apiKeyRows(deps.store).listByAccount(accountId);
  return rows.map((row) => ({
    id: row.id,
    env: row.env,
    status: getEffectiveStatus(row, now),
    key: row.maskedKey,
    created_at: formatTimestamp(row.createdMs),
    expires_at: formatTimestamp(row.expiresMs),
    ends_at: formatTimestamp(row.endsMs),
    // The mark of the bucket is the last use, or some seconds later.
    last_used_at: row.fullAtMs === 0 ? null : formatTimestamp(Math.floor(Math.min(row.fullAtMs, now))),
  }));
}

export async function setAccountStatus(deps: Deps, accountId: string, status: AccountStatus): Promise<void> {
  await changeAccount(
    deps,
    accountId,
    () => ({ status }),
    (key) => apiKeyRows(deps.store).buildSuspend(key, status === 'suspended'),
  );
}

/** Sets how many requests per second each of the account's keys may make. */
export async function setAccountLimit(deps: Deps, accountId: string, perSecond: number): Promise<void> {
  if (!Number.isInteger(perSecond) || perSecond < 1 || perSecond > maxPerSecond)
    throw new RangeError(
      `the limit must be a whole number of requests per second within the allowed range, not ${perSecond}`,
    );
  await changeAccount(
    deps,
    accountId,
    () => ({ perSecond }),
    (key) => apiKeyRows(deps.store).buildChangeLimit(key, perSecond),
  );
}

/**
 * Ends the user tokens that a colleague issued up to this epoch, so that the next request with one of
 * them is refused.
 */
export async function endUserTokens(deps: Deps, maker: Maker): Promise<void> {
  await changeAccount(
    deps,
    maker.account,
    ({ endedMakers }) => ({ endedMakers: addEndedMaker(endedMakers, maker, deps.clock.now()) }),
    (key, { endedMakers }) => [apiKeyRows(deps.store).buildSetEndedMakers(key, endedMakers)],
  );
}

/** All keys change in the account's own transaction, so the change applies to the next request. */
async function changeAccount(
  deps: Deps,
  accountId: string,
  change: (account: AccountRow) => Partial<Pick<AccountRow, 'status' | 'perSecond' | 'endedMakers'>>,
  changeKey: (key: ApiKeyRow, changed: AccountRow) => Write[],
): Promise<void> {
  await optimisticRetry(accountRetryPolicy, async () => {
    const account = await getAccount(deps, accountId);
    const changed = { ...account, ...change(account) };
    const { status, perSecond, endedMakers } = changed;
    const isSame = status === account.status && perSecond === account.perSecond;
    if (isSame && endedMakers === account.endedMakers) return;
    const environmentRows = await Promise.all(
      (['live', 'sandbox'] as const).map((env) => accountRows(deps.store).findEnvironment(accountId, env)),
    );
    const environments = environmentRows.filter((row) => row !== undefined);
    const keys = await Promise.all(
      environments
        .flatMap(({ keyHash, previousKeyHash }) => [keyHash, previousKeyHash])
        .map((hash) => findKey(deps, hash)),
    );
    await deps.store.commit([
      accountRows(deps.store).buildUpdate(account, changed),
      ...environments.map((row) => accountRows(deps.store).buildKeyCheck(accountId, row.env, row.keyHash)),
      ...keys.flatMap((key) => (key ? changeKey(key, changed) : [])),
    ]);
  });
}

function generateKey(
  deps: Deps,
  account: AccountRow,
  env: Environment,
  maker?: Maker,
): { key: string; row: ApiKeyRow } {
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
    endsMs: now + apiKeyLifetimeMs,
    perSecond: account.perSecond,
    fullAtMs: 0,
    endedMakers: account.endedMakers,
    madeBy: maker?.colleague ?? null,
  };
  return { key, row };
}

async function getAccount(deps: Deps, accountId: string): Promise<AccountRow> {
  const account = await accountRows(deps.store).findById(accountId);
  if (!account) throw new Failure('not_found', `Account ${accountId} not found.`);
  return account;
}

/** The key that an environment row names; undefined if it names none. */
const findKey = async (deps: Deps, hash: string | null): Promise<ApiKeyRow | undefined> =>
  hash === null ? undefined : apiKeyRows(deps.store).find(hash);

/** Returns the environment's keys, of which the previous one may have ended. */
async function readKeys(deps: Deps, accountId: string, env: Environment) {
  const [account, environment] = await Promise.all([
    getAccount(deps, accountId),
    accountRows(deps.store).findEnvironment(accountId, env),
  ]);
  const [current, previous] = await Promise.all([
    findKey(deps, environment?.keyHash ?? null),
    findKey(deps, environment?.previousKeyHash ?? null),
  ]);
  return { account, current, previous };
}
