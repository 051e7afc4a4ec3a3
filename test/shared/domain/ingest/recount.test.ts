import { expect, test } from 'vitest';
import { updateUser } from '../../../../shared/domain/users/users.ts';
import { sessionRows } from '../../../../shared/store/sessions.ts';
import { memoryTable } from '../../../harness/memory-table.ts';
import { raceUser } from '../../../harness/raced-user.ts';
import { inTurn, nap, tokyo, watch } from '../../../harness/races/scenarios/cast.ts';
import { write } from '../../../harness/write-person.ts';

test('a session that stands on two days stands on its own alone after a move', async () => {
  const user = await raceUser(memoryTable(), null);
  const { sleep } = sessionRows(user.deps.store);
  const [date, other] = ['2026-03-10', '2026-03-11'];
  await inTurn(user, [watch, nap]);
  const own = (await sleep.on(user.id, [date])).get(date);
  if (!own) throw new Error('nobody slept');
  expect(await sleep.replace(user.id, { ...own, date: other, revision: 0 })).toBe(true);
  await updateUser(user.deps, user.caller, user.id, { timezone: tokyo });
  await write(user.deps, user.id);
  const days = await sleep.on(user.id, [date, other]);
  expect(days.get(other)?.sessions).toEqual([]);
  expect(days.get(date)?.sessions).toEqual(own.sessions);
});
