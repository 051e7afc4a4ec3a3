// A command that this release cannot read, for example after a rollback from a later one, does not
// block the user.
import { expect, test } from 'vitest';
import { deleteUser } from '../../../../shared/erasure/delete-user.ts';
import { userPartition } from '../../../../shared/system/keys.ts';
import { acceptStepsUpload, createMemoryUser } from '../../../harness/memory-user.ts';
import { runWriter } from '../../../harness/run-writer.ts';

const sk = '!DO#merge';

async function withUnreadable() {
  const user = await createMemoryUser();
  await user.table.write({ kind: 'put', item: { pk: userPartition(user.id), sk, kind: 'merge', id: 'cmd_1' } });
  return user;
}

test('uploads are accepted and processed, and the command is reported and stays', async () => {
  const user = await withUnreadable();
  await acceptStepsUpload(user, '2026-03-10', 7);
  await runWriter(user.world.deps, user.id);
  expect(await user.stepsOn('2026-03-10')).toBe(7);
  expect(await user.table.get({ pk: userPartition(user.id), sk })).toBeDefined();
  expect(user.world.log).toContainEqual({
    level: 'error',
    message: 'commands_unreadable',
    fields: { user_id: user.id, row_keys: [sk] },
  });
});

test('the user can be erased together with the command', async () => {
  const user = await withUnreadable();
  await deleteUser(user.world.deps, user.caller, user.id);
  await runWriter(user.world.deps, user.id);
  expect(user.table.rows().filter(({ pk }) => pk === userPartition(user.id))).toEqual([]);
});
