// An environment with many people, and what a search in it costs.

import type { Meter, Write } from '../../../shared/platform/ports.ts';
import { makeId } from '../../../shared/system/ids.ts';
import { buildReserveReference } from '../../../shared/users/reference-rows.ts';
import { searchUsers, type UserSearch } from '../../../shared/users/search-users.ts';
import { syncWorld } from '../../harness/sync-world.ts';
import { startTable } from '../system/engines.ts';

export async function startSearchedPeople() {
  const calls: Parameters<Meter>[0][] = [];
  const localTable = await startTable(undefined, (call) => calls.push(call));
  const world = syncWorld({ engine: localTable.table });
  const { account, env } = world.caller;
  const search = (text: string, userOfEmail: UserSearch['userOfEmail'] = async () => undefined) =>
    searchUsers(world.deps, world.caller, { text, userOfEmail });
  return {
    world,
    calls,
    search,
    stop: () => localTable.stop(),
    /** Adds only what the index has of them. */
    async addOthers(count: number): Promise<void> {
      const random = crypto.getRandomValues(new Uint8Array(10));
      const writes = Array.from({ length: count }, (_none, at) => {
        const write: Write = buildReserveReference({ id: makeId('user', at, random), account, env }, `other-${at}`);
        if (write.kind !== 'put') throw new Error('a reservation is not put');
        return { kind: 'put', item: write.item } as const;
      });
      for (let at = 0; at < count; at += 500) await localTable.table.batchWrite(writes.slice(at, at + 500));
    },
    async measure(text: string) {
      calls.length = 0;
      const found = await search(text);
      return {
        found: found.length,
        operations: calls.map(({ operation }) => operation),
        readUnits: calls.reduce((sum, { readUnits }) => sum + readUnits, 0),
      };
    },
  };
}

/** Returns the cost of searches among few people, and among `count`. */
export async function compareSearchCosts(count: number) {
  const people = await startSearchedPeople();
  try {
    for (let at = 0; at < 25; at++) await people.world.user({ external_ref: `Member-${at}` });
    const one = await people.world.user({ external_ref: 'Zoë' });
    const searches = ['member-', 'MEMBER-1', 'zoë', one, 'nobody'];
    const measureAll = async () => {
      const costs = [];
      for (const text of searches) costs.push(await people.measure(text));
      return costs;
    };
    const few = await measureAll();
    await people.addOthers(count);
    return { few, many: await measureAll() };
  } finally {
    await people.stop();
  }
}
