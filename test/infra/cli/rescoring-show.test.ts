import { expect, test } from 'vitest';
import { commands } from '../../../infra/cli/commands.ts';
import { createAccount } from '../../../shared/accounts/accounts.ts';
import { scoringGeneration } from '../../../shared/catalog/score-table.ts';
import { busyBacklog, maxBacklogUsers } from '../../../shared/pipeline/scoring/rescore-pace.ts';
import { rescoreUsers } from '../../../shared/pipeline/scoring/rescore-users.ts';
import { keys } from '../../../shared/system/keys.ts';
import { pendingIndexKeys } from '../../../shared/system/pending-kinds.ts';
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
    is_paused: false,
  });
  // 600 users at 400 a minute, and a short last round.
  const minutes = (Date.parse(expected_end_at) - world.clock.now()) / 60_000;
  expect(minutes).toBeGreaterThan(1);
  expect(minutes).toBeLessThanOrEqual(2);
  expect(text).toContain('150 users were scored again, and 250 wait for it. 400 of 1000 users were visited');
  expect(text).toContain(`At the present pace of 400 users per minute it ends at ${expected_end_at}.`);

  const sweep = async () => {
    await rescoreUsers(world.deps);
    for (const id of ids) await runWriter(world.deps, id);
  };
  await sweep();
  await sweep();
  // The first round has just ended, and the last one takes a minute.
  const { users_requested, users_visited_in_round, expected_end_at: end } = Object((await show(world)).json);
  expect([users_requested, users_visited_in_round]).toEqual([1_000, 0]);
  expect(Date.parse(end) - world.clock.now()).toBeLessThanOrEqual(60_000);
  await sweep();
  expect((await show(world)).json).toEqual({ state: 'done', users_requested: 1_000, users_rescored: 1_000 });
});

test('the progress says when commands of others stop it', async () => {
  const world = memoryDeps();
  const { account_id: account } = await createAccount(world.deps, { name: 'a' });
  const { id } = await createUser(world.deps, { kind: 'api_key', account, env: 'live', form: 2 }, {});
  const item = await world.table.get(keys.user(id));
  const previous = { lastSyncMs: 1, scoreGeneration: scoringGeneration - 1 };
  await world.table.write({ kind: 'put', item: { ...keys.user(id), ...item, ...previous } });
  await rescoreUsers(world.deps);
  const waitingMs = world.clock.now() - busyBacklog.forMs;
  for (let index = 0; index < maxBacklogUsers; index++) {
    if (index === maxBacklogUsers - 1) expect((await show(world)).json).toMatchObject({ is_paused: false });
    const owner = `usr_${index}`;
    const due = pendingIndexKeys('user', owner, waitingMs);
    await world.table.write({ kind: 'put', item: { ...keys.uploadCommand(owner, waitingMs, 'b'), ...due } });
  }
  const { json, text } = await show(world);
  expect(json).toMatchObject({ state: 'running', is_paused: true });
  expect(text).toContain('It requests no users at present, because too many commands wait.');
});
