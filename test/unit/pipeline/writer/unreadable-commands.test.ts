// A command that this release cannot read, for example after a rollback from a later one, does not
// block the user.
import { expect, test } from 'vitest';
import { deleteUser } from '../../../../shared/erasure/delete-user.ts';
import { userPartition } from '../../../../shared/system/keys.ts';
import { acceptStepsUpload, createMemoryUser } from '../../../harness/memory-user.ts';
import { runWriter } from '../../../harness/run-writer.ts';

const sk = '!DO#merge';

async function withUnreadable() {
  const person = await createMemoryUser();
  await person.table.write({ kind: 'put', item: { pk: userPartition(person.id), sk, kind: 'merge', id: 'ask_1' } });
  return person;
}

test('uploads are accepted and processed, and the command is reported and stays', async () => {
  const person = await withUnreadable();
  await acceptStepsUpload(person, '2026-03-10', 7);
  await runWriter(person.world.deps, person.id);
  expect(await person.stepsOn('2026-03-10')).toBe(7);
  expect(await person.table.get({ pk: userPartition(person.id), sk })).toBeDefined();
  expect(person.world.log).toContainEqual({
    level: 'error',
    message: 'commands_unreadable',
    fields: { user_id: person.id, unreadable: [sk] },
  });
});

test('the user can be erased together with the command', async () => {
  const person = await withUnreadable();
  await deleteUser(person.world.deps, person.caller, person.id);
  await runWriter(person.world.deps, person.id);
  expect(person.table.rows().filter(({ pk }) => pk === userPartition(person.id))).toEqual([]);
});
