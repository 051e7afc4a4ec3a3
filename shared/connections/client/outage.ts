// Tells a vendor that answers nobody from one that fails on somebody: this process remembers for whom it failed since it last answered.
import { repository, type Store } from '../../system/store.ts';

/** So many people in a row. */
const mostPeople = 3;

const outages = repository(() => ({ failedFor: new Map<string, Set<string>>() }));

export const vendorAnswered = (store: Store, provider: string): void => void outages(store).failedFor.delete(provider);

/** True when it seems to be away for everybody. */
export function vendorFailed(store: Store, provider: string, person: string): boolean {
  const { failedFor } = outages(store);
  const people = failedFor.get(provider) ?? new Set();
  failedFor.set(provider, people);
  if (people.size < mostPeople) people.add(person);
  return people.size >= mostPeople;
}
