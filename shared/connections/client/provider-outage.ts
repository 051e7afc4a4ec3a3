// Tells a vendor that answers nobody from one that fails on somebody: this process remembers for whom it failed since it last answered.
import { repository, type Store } from '../../system/store.ts';

/** So many people in a row. */
const minFailingUsers = 3;

const outages = repository(() => ({ failedFor: new Map<string, Set<string>>() }));

export const recordProviderAnswer = (store: Store, provider: string): void =>
  void outages(store).failedFor.delete(provider);

/** True when it seems to be away for everybody. */
export function recordProviderFailure(store: Store, provider: string, userKey: string): boolean {
  const { failedFor } = outages(store);
  const users = failedFor.get(provider) ?? new Set();
  failedFor.set(provider, users);
  if (users.size < minFailingUsers) users.add(userKey);
  return users.size >= minFailingUsers;
}
