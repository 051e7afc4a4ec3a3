// A user and its event are written together: after any failure, there are both or neither.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Table } from '../../../shared/platform/ports.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import { userRows } from '../../../shared/users/user-rows.ts';
import { createUser } from '../../../shared/users/users.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';

let world: EngineDomainWorld;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

const usersOf = async ({ account, env }: Caller) =>
  (await userRows(world.deps.store).readPage(account, env, 100, undefined)).users.map(({ id }) => id).sort();
const createdUsersIn = async ({ env }: Caller) =>
  (await world.events())
    .filter((event) => event['type'] === 'user.created' && event['env'] === env)
    .map((event) => String(event['user']))
    .sort();

/** Returns a table that throws at the n-th write, before or after it. */
function failing(at: number, when: 'before' | 'after'): { table: Table; failed: () => boolean } {
  let writes = 0;
  let failed = false;
  const passing = async <T>(write: () => Promise<T>): Promise<T> => {
    const hit = ++writes === at;
    failed ||= hit;
    if (hit && when === 'before') throw new Error('killed');
    const written = await write();
    if (hit) throw new Error('killed');
    return written;
  };
  const { table } = world.localTable;
  return {
    failed: () => failed,
    table: {
      ...table,
      write: (write) => passing(() => table.write(write)),
      transact: (writes) => passing(() => table.transact(writes)),
      batchWrite: (writes) => passing(() => table.batchWrite(writes)),
    },
  };
}

describe.each(['live', 'sandbox'] as const)('creating a user (%s)', (env) => {
  const caller = (): Caller => ({ ...world.caller, env });

  test.each(['before', 'after'] as const)('has its event, if the worker dies %s any of its writes', async (when) => {
    let died = 0;
    for (let at = 1; ; at++) {
      const { table, failed } = failing(at, when);
      const creation = createUser(world.withTable(table), caller(), { external_ref: `${when} ${at}` });
      const outcome = await creation.then(
        () => 'made',
        () => 'died',
      );
      expect(await createdUsersIn(caller())).toEqual(await usersOf(caller()));
      if (!failed()) {
        expect(outcome).toBe('made');
        break;
      }
      died += 1;
    }
    expect(died).toBeGreaterThan(0);
    expect((await usersOf(caller())).length).toBeGreaterThan(0);
  });

  test('leaves no user when its event cannot be written', async () => {
    const before = await usersOf(caller());
    const refusing = world.withTable({
      ...world.localTable.table,
      transact: (writes) =>
        world.localTable.table.transact(
          writes.map((write) =>
            write.kind === 'put' && 'feed' in write.item ? { ...write, condition: 'attribute_exists(#pk)' } : write,
          ),
        ),
    });
    await expect(createUser(refusing, caller(), {})).rejects.toThrow();
    expect(await usersOf(caller())).toEqual(before);
    expect(await createdUsersIn(caller())).toEqual(await usersOf(caller()));
  });

  test('leaves no event when the user cannot be written', async () => {
    await createUser(world.deps, caller(), { external_ref: 'taken' });
    const before = await createdUsersIn(caller());
    await expect(createUser(world.deps, caller(), { external_ref: 'taken' })).rejects.toThrow();
    expect(await createdUsersIn(caller())).toEqual(before);
  });
});
