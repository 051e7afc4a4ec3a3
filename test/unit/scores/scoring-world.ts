// A world of users with scores of previous formulas, and the steps that rescore them; created anew
// for every test.
import { expect } from 'vitest';
import { scoringGeneration } from '../../../shared/catalog/score-table.ts';
import { scoreRows, unpackScoreDay } from '../../../shared/measurements/rows/score-rows.ts';
import type { Item, Table, Write } from '../../../shared/platform/ports.ts';
import { addDays } from '../../../shared/platform/time/local-day.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { keys, userPartition } from '../../../shared/system/keys.ts';
import { commandRows } from '../../../shared/users/command-rows.ts';
import { findScoresDueMs } from '../../../shared/users/pending-scores.ts';
import { userRows } from '../../../shared/users/user-rows.ts';
import { type MemoryDeps, memoryDeps } from '../../harness/memory-deps.ts';
import { readEvents } from '../../harness/outbox.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { runWriter, runWriterUntilIdle } from '../../harness/run-writer.ts';
import { createScoredUser, firstDay } from '../measurements/rescored-user.ts';

export const minute = 60_000;
/** No pass of a run starts after this time. */
const runMs = 10_000;
export const caller: Caller = { kind: 'api_key', account: 'acc_1', env: 'live', form: 2 };
export let world: MemoryDeps;
export let deps: Deps;

export function resetWorld(): void {
  world = memoryDeps();
  ({ deps } = world);
}

export const day = (number: number) => addDays(firstDay, number);
/** Requests a rescore as the sweep does. */
export const rescore = (user: string) =>
  deps.store.commit([
    commandRows(deps.store).buildRequest(user, 'rescore', `cmd_${world.clock.now()}`, world.clock.now()),
  ]);
export const findScoreEvents = (user: string) =>
  readEvents(world.table.rows()).filter((event) => event.type === 'score.updated' && event.user === user);
export const scoreItems = (user: string): Item[] =>
  world.table.rows().filter(({ pk, sk }) => pk === userPartition(user) && String(sk).startsWith('S#'));
export const userRow = async (user: string) => {
  const row = await userRows(deps.store).findById(user);
  if (!row) throw new Error('the user does not exist');
  return row;
};
/** Whether the user's writer has anything to do, now or later. */
export const isDue = async (user: string) =>
  (await pendingCommands(world.table, user)).length > 0 || findScoresDueMs((await userRow(user)).scores) !== undefined;
export const generationOf = async (user: string) => (await userRows(deps.store).findById(user))?.scoreGeneration;

/** The scores stored under the current formulas. */
export async function current(user: string): Promise<string[]> {
  const found: string[] = [];
  for await (const row of scoreRows(deps.store).iterateBetween(user, '0000', '9999')) {
    const { date, scores, without } = unpackScoreDay(row, scoringGeneration) ?? {};
    if (date) found.push(JSON.stringify([date, [...(scores ?? [])], [...(without ?? [])]]));
  }
  return found;
}

/** The scores of the same history for a user who never had other formulas. */
export async function scoredOnce(
  days: number,
  change: (user: string) => Promise<void> = async () => {},
): Promise<string[]> {
  const user = await createScoredUser(deps, caller, days);
  for (const { sk } of scoreItems(user))
    await world.table.write({ kind: 'delete', key: { pk: userPartition(user), sk: String(sk) } });
  await change(user);
  await rescore(user);
  await runWriterUntilIdle(deps, user);
  return current(user);
}

const isUser = (write: Write, user: string): boolean =>
  write.kind === 'update' && write.key.pk === userPartition(user) && write.key.sk === keys.user(user).sk;

/** Runs the writer with time for one pass. */
export async function onePass(user: string, over: Table = world.table): Promise<void> {
  const slow: Table = {
    ...over,
    async transact(all) {
      await over.transact(all);
      if (all.some((write) => isUser(write, user))) world.clock.advance(runMs);
    },
  };
  await runWriter(world.withTable(slow), user);
}

/** Runs passes until nothing is left to do now, and returns their number. */
export async function passes(user: string): Promise<number> {
  for (let count = 0; ; count++) {
    const dueMs = findScoresDueMs((await userRow(user)).scores);
    const isWaiting = (await pendingCommands(world.table, user)).length > 0;
    if (!isWaiting && (dueMs === undefined || dueMs > world.clock.now())) return count;
    expect(count).toBeLessThan(100);
    await onePass(user);
  }
}
