// The test's data for each provider account, by resource, in the provider's own format.
import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import type { ItemSource } from '../../shared/sandbox/simulated-providers/simulator.ts';

export interface FixtureItem {
  item: unknown;
  /**
   * The local days that the item overlaps. Items without dates are returned for any requested days.
   */
  dates?: { from: string; to: string };
}

export interface Fixtures {
  /** The mutable list itself: tests push to it, splice it or replace its elements. */
  of(provider: CloudProviderId, account: string, resource: string): FixtureItem[];
  /** Replaces all items of these resources. */
  write(provider: CloudProviderId, account: string, resources: Readonly<Record<string, readonly unknown[]>>): void;
  itemsOf(provider: CloudProviderId, account: string): ItemSource;
}

export function makeFixtures(): Fixtures {
  const lists = new Map<string, FixtureItem[]>();
  const of = (...names: [CloudProviderId, string, string]): FixtureItem[] => {
    const name = names.join('\n');
    const list = lists.get(name) ?? [];
    lists.set(name, list);
    return list;
  };
  return {
    of,
    write(provider, account, resources) {
      for (const [resource, items] of Object.entries(resources)) {
        const list = of(provider, account, resource);
        list.splice(0, list.length, ...items.map((item) => ({ item })));
      }
    },
    itemsOf: (provider, account) => (resource, range) =>
      of(provider, account, resource)
        .filter(({ dates }) => !dates || !range || (dates.from <= range.to && dates.to >= range.from))
        .map(({ item }) => item),
  };
}
