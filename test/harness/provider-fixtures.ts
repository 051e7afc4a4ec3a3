// What a test has written down of each account at a vendor, resource by resource, in the vendor's own shape.
import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import type { ItemSource } from '../../shared/sandbox/simulated-providers/simulator.ts';

export interface FixtureItem {
  item: unknown;
  /** The local days it touches; without them it is offered whatever days are asked for. */
  dates?: { from: string; to: string };
}

export interface Fixtures {
  /** The list itself: push to it, splice it, replace its elements. */
  of(provider: CloudProviderId, account: string, resource: string): FixtureItem[];
  /** Instead of all that the account had of these resources. */
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
