// Callers change the user while a pass runs: no change makes its commit fail, and no change is
// lost.
import { expect, test } from 'vitest';
import { patchConfiguration } from '../../../../shared/consolidation/configuration.ts';
import { type Table, TransactionCanceled } from '../../../../shared/platform/ports.ts';
import { userRows } from '../../../../shared/users/user-rows.ts';
import { updateUser } from '../../../../shared/users/users.ts';
import { acceptStepsUpload, createMemoryUser, type MemoryUser } from '../../../harness/memory-user.ts';
import { pendingCommands } from '../../../harness/pending-commands.ts';
import { runWriter } from '../../../harness/run-writer.ts';

const date = '2026-03-01';

/** Changes the user before each write of the pass. */
function changedMeanwhile(
  { table }: MemoryUser,
  change: (count: number) => Promise<unknown>,
): { table: Table; refused(): number; changes(): number } {
  let [changes, refused] = [0, 0];
  const after = async <T>(call: () => Promise<T>): Promise<T> => {
    await change(++changes);
    return call().catch((error: unknown) => {
      if (error instanceof TransactionCanceled) refused++;
      throw error;
    });
  };
  return {
    changes: () => changes,
    refused: () => refused,
    table: {
      ...table,
      write: (each) => after(() => table.write(each)),
      transact: (writes) => after(() => table.transact(writes)),
    },
  };
}

test.each([
  [
    'profile and reference',
    ({ world, caller, id }: MemoryUser, count: number) =>
      updateUser(world.deps, caller, id, { external_ref: `ref ${count}`, profile: { weight_kg: 50 + count } }),
  ],
  [
    'time zone',
    ({ world, caller, id }: MemoryUser, count: number) =>
      updateUser(world.deps, caller, id, { timezone: `Etc/GMT-${1 + (count % 5)}` }),
  ],
  [
    'settings',
    ({ world, caller, id }: MemoryUser, count: number) =>
      patchConfiguration(world.deps, caller, id, { metrics: { steps: { method: count % 2 === 0 ? 'max' : 'avg' } } }),
  ],
])('a new %s with each write of a pass does not starve the pass', async (_what, change) => {
  const user = await createMemoryUser();
  await acceptStepsUpload(user, date, 7);
  // Only the first pass is disturbed: the next one works on what a change requests, and would be
  // disturbed again.
  const uploads = async () => (await pendingCommands(user.table, user.id)).filter(({ kind }) => kind === 'upload');
  const met = changedMeanwhile(user, async (count) => {
    if ((await uploads()).length > 0) await change(user, count);
  });
  await runWriter(user.world.withTable(met.table), user.id);
  expect(met.changes()).toBeGreaterThan(3);
  expect(met.refused()).toBe(0);
  await runWriter(user.world.deps, user.id);
  expect(await user.stepsOn(date)).toBe(7);
  expect(await pendingCommands(user.table, user.id)).toEqual([]);
  expect(user.events().filter((event) => 'type' in event && event.type === 'data.updated')).toHaveLength(1);
});

test('a change between the read and the commit is kept on the row, and so is what the pass writes', async () => {
  const user = await createMemoryUser();
  await acceptStepsUpload(user, date, 7);
  const met = changedMeanwhile(user, async (count) => {
    if (count === 1)
      await updateUser(user.world.deps, user.caller, user.id, { profile: { weight_kg: 61 }, external_ref: 'x' });
  });
  await runWriter(user.world.withTable(met.table), user.id);
  const row = await userRows(user.world.deps.store).findById(user.id);
  expect(row).toMatchObject({ reference: 'x', profile: { weight_kg: 61 } });
  expect(row?.lastSyncMs).toBeGreaterThan(0);
});
