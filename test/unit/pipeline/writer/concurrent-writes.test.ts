// What a run reads and writes during concurrent writes: a query may return a command together with
// the user as it was before the change that appended the command.
import { expect, test } from 'vitest';
import { acceptUpload } from '../../../../shared/mobile/accept-upload.ts';
import { EngineUnavailable, type Table } from '../../../../shared/platform/ports.ts';
import { UploadBody } from '../../../../shared/providers/phone/upload.ts';
import { userPartition } from '../../../../shared/system/keys.ts';
import { updateUser } from '../../../../shared/users/users.ts';
import { acceptStepsUpload, createMemoryUser, watch } from '../../../harness/memory-user.ts';
import { pendingCommands } from '../../../harness/pending-commands.ts';
import { runWriter } from '../../../harness/run-writer.ts';
import { isCommit } from '../../../harness/stalled-table.ts';

test('days are rebuilt in the zone of the change that appended the command', async () => {
  const user = await createMemoryUser();
  const { id, table, world } = user;
  const samples = [{ metric: 'steps', start: '2026-03-09T20:00:00Z', value: 7, unit: 'count' }];
  await acceptUpload(world.deps, user.phone, UploadBody.parse({ time_zone: 'UTC', device: watch, samples }));
  await runWriter(world.deps, id);
  expect(await user.stepsOn('2026-03-09')).toBe(7);
  const head = table.rows().filter(({ pk, sk }) => pk === userPartition(id) && String(sk).startsWith('@'));
  const before = new Map(structuredClone(head).map((row) => [String(row['sk']), row]));
  await updateUser(world.deps, user.caller, id, { timezone: 'Asia/Tokyo' });
  const torn: Table = {
    ...table,
    async query(query) {
      const result = await table.query(query);
      const hasCommand = result.items.some(({ sk }) => String(sk).startsWith('!'));
      return hasCommand
        ? { ...result, items: result.items.map((row) => before.get(String(row['sk'])) ?? row) }
        : result;
    },
  };
  await runWriter(world.withTable(torn), id);
  expect(await pendingCommands(table, id)).toEqual([]);
  expect([await user.stepsOn('2026-03-09'), await user.stepsOn('2026-03-10')]).toEqual([undefined, 7]);
});

test('an upload whose raw data is still being written is left to a later run: this one ends and wakes no worker', async () => {
  const user = await createMemoryUser();
  const { id, table, world } = user;
  await acceptStepsUpload(user, '2026-03-10', 100);
  for (const sk of table.rows().map((row) => String(row['sk'])))
    if (sk.startsWith('R#')) await table.write({ kind: 'delete', key: { pk: userPartition(id), sk } });
  world.calls.length = 0;
  await runWriter(world.deps, id);
  expect(await pendingCommands(table, id)).toHaveLength(1);
  expect(world.sentTo('user')).toEqual([]);
});

test('a run that meets conflict after conflict ends, and its message is delivered again', async () => {
  const user = await createMemoryUser();
  const { id, table, world } = user;
  await acceptStepsUpload(user, '2026-03-10', 100);
  await runWriter(world.deps, id);
  await acceptStepsUpload(user, '2026-03-11', 200);
  let commits = 0;
  const overtaking: Table = {
    ...table,
    async transact(writes) {
      if (isCommit(writes) && ++commits <= 50) {
        const key = { pk: userPartition(id), sk: '@USER' };
        await table.write({ kind: 'update', key, update: 'SET #fence = #fence + :one', values: { one: 1 } });
      }
      return table.transact(writes);
    },
  };
  await expect(runWriter(world.withTable(overtaking), id)).rejects.toThrow(EngineUnavailable);
  expect(commits).toBe(11);
  await runWriter(world.deps, id);
  expect(await user.stepsOn('2026-03-11')).toBe(200);
});
