// A key of the same account for the other form of the contract. A real account has only one form,
// but tests read one user in both.

import { apiKeyHash } from '../../shared/accounts/accounts.ts';
import { apiKeyLifetimeMs, makeApiKey, maskApiKey } from '../../shared/accounts/api-key.ts';
import { apiKeyRows } from '../../shared/accounts/api-key-rows.ts';
import type { ApiKeyRow } from '../../shared/accounts/api-key-writes.ts';
import { rateLimit } from '../../shared/platform/rate-limit.ts';
import type { ApiForm, Environment } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { newId } from '../../shared/system/new-id.ts';

export async function createKeyInForm(
  deps: Deps,
  account: string,
  form: ApiForm,
  env: Environment = 'live',
): Promise<string> {
  const now = deps.clock.now();
  const key = makeApiKey(deps.keyring, env, deps.random.bytes(32));
  const row: ApiKeyRow = {
    id: newId(deps, 'key'),
    hash: apiKeyHash(deps, key),
    account,
    env,
    form,
    status: 'active',
    suspended: false,
    maskedKey: maskApiKey(key),
    createdMs: now,
    expiresMs: now + apiKeyLifetimeMs,
    endsMs: now + apiKeyLifetimeMs,
    perSecond: rateLimit.perSecond,
    fullAtMs: 0,
    endedMakers: [],
    madeBy: null,
  };
  await deps.store.commit(apiKeyRows(deps.store).buildInsert(row, row.expiresMs));
  return key;
}
