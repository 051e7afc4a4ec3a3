// Tells an outage of a provider from failures for individual users: this process remembers for
// which users requests have failed since the provider last answered.
import { repository, type Store } from '../../system/store.ts';

/** The provider counts as down after failures for this many users in a row. */
const minFailingUsers = 3;

const outages = repository(() => ({ failedFor: new Map<string, Set<string>>() }));

export const recordProviderAnswer = (store: Store, provider: string): void =>
  void outages(store).failedFor.delete(provider);

/** Returns true when the provider appears to be down for all users. */
export function recordProviderFailure(store: Store, provider: string, userKey: string): boolean {
  const { failedFor } = outages(store);
  const users = failedFor.get(provider) ?? new Set();
  failedFor.set(provider, users);
  if (users.size < minFailingUsers) users.add(userKey);
  return users.size >= minFailingUsers;
}
