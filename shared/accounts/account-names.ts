// The names of accounts, for pages. A user who shares health data must see with whom.
import { BoundedCache } from '../platform/bounded-cache.ts';
import type { Deps } from '../system/deps.ts';
import { accountRows } from './account-rows.ts';

const maxCachedNames = 1_000;

/** The name of an account never changes, so each process reads it once. */
export function createAccountNameReader(deps: Deps): (account: string) => Promise<string | undefined> {
  const names = new BoundedCache<string, string>(maxCachedNames);
  return async (account) => {
    const known = names.get(account);
    if (known !== undefined) return known;
    const name = (await accountRows(deps.store).findById(account))?.name;
    if (name !== undefined) names.set(account, name);
    return name;
  };
}
