// A key of the same account for the other form of the contract: no account has two, but a test reads one user in both.

import { apiKeyHash } from '../../shared/domain/access/accounts.ts';
import { apiKeyLifeMs, makeApiKey, shownApiKey } from '../../shared/domain/access/api-key.ts';
import type { Deps } from '../../shared/domain/deps.ts';
import { newId } from '../../shared/domain/new-id.ts';
import type { ApiForm, Environment } from '../../shared/model/account.ts';
import { rateLimit } from '../../shared/model/rate-limit.ts';
import { apiKeyRows } from '../../shared/store/api-keys.ts';

export async function keyInForm(
  deps: Deps,
  account: string,
  form: ApiForm,
  env: Environment = 'live',
): Promise<string> {
  const now = deps.clock.now();
  const key = makeApiKey(deps.keyring, env, deps.random.bytes(32));
  const row = {
    id: newId(deps, 'key'),
    hash: apiKeyHash(deps, key),
    account,
    env,
    form,
    status: 'active',
    suspended: false,
    shown: shownApiKey(key),
    createdMs: now,
    expiresMs: now + apiKeyLifeMs,
    perSecond: rateLimit.perSecond,
    fullAtMs: 0,
  } as const;
  await deps.store.commit(apiKeyRows(deps.store).inserting(row, row.expiresMs));
  return key;
}
