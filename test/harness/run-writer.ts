// Runs the user's writer as its queue does: one message at a time.

import { userWorker } from '../../functions/workers/write-user.ts';
import { PassFailed } from '../../shared/pipeline/writer/pass-failed.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { findScoresDueMs } from '../../shared/users/pending-scores.ts';
import { userRows } from '../../shared/users/user-rows.ts';
import { pendingCommands } from './pending-commands.ts';

/** Processes one message on its first delivery. Throws the error of a pass as the pass threw it. */
export const runWriter = (deps: Deps, userId: string): Promise<void> =>
  userWorker(deps)({ user_id: userId }, { receives: 1 }).catch(throwOriginal);

export function throwOriginal(error: unknown): never {
  throw error instanceof PassFailed ? error.getOriginal() : error;
}

const maxRuns = 100;

/** Processes messages until no command is pending and no score is due. */
export async function runWriterUntilIdle(deps: Deps, userId: string): Promise<void> {
  for (let runs = 0; runs < maxRuns; runs++) {
    const [first] = await pendingCommands(deps.store.table, userId);
    const user = await userRows(deps.store).findById(userId);
    const dueMs = user && findScoresDueMs(user.scores);
    if (!first && user?.status !== 'deleting' && (dueMs === undefined || dueMs > deps.clock.now())) return;
    await userWorker(deps)({ user_id: userId, ...(first ? { token: first.id } : {}) }, { receives: 1 });
  }
  throw new Error(`after ${maxRuns} runs work is still pending`);
}
