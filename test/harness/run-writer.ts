// Runs the person's writer as its queue does: one message at a time.

import { userWorker } from '../../functions/workers/write-user.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { findScoresDueMs } from '../../shared/users/pending-scores.ts';
import { userRows } from '../../shared/users/user-rows.ts';
import { pendingCommands } from './pending-commands.ts';

/** One message, handed out for the first time. */
export const runWriter = (deps: Deps, userId: string): Promise<void> =>
  userWorker(deps)({ user_id: userId }, { receives: 1 });

const maxRuns = 100;

/** Messages until nothing is left to do now: no command waits, and no score is due. */
export async function runWriterUntilIdle(deps: Deps, userId: string): Promise<void> {
  for (let runs = 0; runs < maxRuns; runs++) {
    const [first] = await pendingCommands(deps.store.table, userId);
    const user = await userRows(deps.store).findById(userId);
    const dueMs = user && findScoresDueMs(user.scores);
    if (!first && user?.status !== 'deleting' && (dueMs === undefined || dueMs > deps.clock.now())) return;
    await userWorker(deps)({ user_id: userId, ...(first ? { token: first.id } : {}) }, { receives: 1 });
  }
  throw new Error(`after ${maxRuns} runs there is still something to do`);
}
