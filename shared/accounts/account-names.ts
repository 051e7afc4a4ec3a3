// The name of the account that a connect page belongs to. Invitations show the same name, and a
// user who shares health data must see with whom.
import { accountRows } from '../../../shared/accounts/account-rows.ts';
import { BoundedCache } from '../../../shared/platform/bounded-cache.ts';
import type { Deps } from '../../../shared/system/deps.ts';

const maxCachedNames = 1_000;

/** The name of an account never changes, so each process reads it once. */
export function createAppNameReader(deps: Deps): (account: string) => Promise<string | undefined> {
  const names = new BoundedCache<string, string>(maxCachedNames);
  return async (account) => {
    const known = names.get(account);
    if (known !== undefined) return known;
    const name = (await accountRows(deps.store).findById(account))?.name;
    if (name !== undefined) names.set(account, name);
    return name;
  };
}
