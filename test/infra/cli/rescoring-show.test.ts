import { expect, test } from 'vitest';
import { commands } from '../../../infra/cli/commands.ts';
import { createAccount } from '../../../shared/accounts/accounts.ts';
import { scoringGeneration } from '../../../shared/catalog/score-table.ts';
import { rescoreUsers } from '../../../shared/pipeline/scoring/rescore-users.ts';
import { keys } from '../../../shared/system/keys.ts';
import { createUser } from '../../../shared/users/users.ts';
import { type MemoryDeps, memoryDeps } from '../../harness/memory-deps.ts';
import { runWriter } from '../../harness/run-writer.ts';

const show = ({ deps }: MemoryDeps) => {
  const command = commands['rescoring show'];
  if (!command) throw new Error('there is no command "rescoring show"');
  return command.prepare({})(deps, { isServed: true });
};

test('the progress names who was scored again, the pace and the expected end', async () => {
  const world = memoryDeps();
  expect((await show(world)).json).toEqual({ state: 'not_started' });
  const { account_id: account } = await createAccount(world.deps, { name: 'a' });
  const ids: string[] = [];
  for (let index = 0; index < 1_000; index++) {
    const { id } = await createUser(world.deps, { kind: 'api_key', account, env: 'live', form: 2 }, {});
    const item = await world.table.get(keys.user(id));
    const previous = { lastSyncMs: 1, scoreGeneration: scoringGeneration - 1 };
    await world.table.write({ kind: 'put', item: { ...keys.user(id), ...item, ...previous } });
    ids.push(id);
  }
  await rescoreUsers(world.deps);
  // The newest users come first.
  for (const id of ids.slice(-150)) await runWriter(world.deps, id);
  const { json, text } = await show(world);
  const { expected_end_at, ...counts } = Object(json);
  expect(counts).toEqual({
    state: 'running',
    users_requested: 400,
    users_rescored: 150,
    users_visited_in_round: 400,
    users: 1_000,
    users_per_minute: 400,
  });
  // 600 users at 400 a minute, and a short last round.
  const minutes = (Date.parse(expected_end_at) - world.clock.now()) / 60_000;
  expect(minutes).toBeGreaterThan(1);
  expect(minutes).toBeLessThanOrEqual(2);
  expect(text).toContain('150 users were scored again, and 250 wait for it. 400 of 1000 users were visited');
  expect(text).toContain(`At the present pace of 400 users per minute it ends at ${expected_end_at}.`);

  for (let sweeps = 0; sweeps < 3; sweeps++) {
    await rescoreUsers(world.deps);
    for (const id of ids) await runWriter(world.deps, id);
  }
  expect((await show(world)).json).toEqual({ state: 'done', users_requested: 1_000, users_rescored: 1_000 });
});
