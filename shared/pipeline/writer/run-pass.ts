// Runs one pass: processes a batch of a user's commands, updates the scores that follow, and
// commits the result in one transaction. A pass may stop at any point: what it is about to change
// is recorded first, and a repeated pass does it again.

import type { Write } from '../../platform/ports.ts';
import type { Deps } from '../../system/deps.ts';
import { commitConditionally } from '../../system/store.ts';
import type { Command } from '../../users/command-rows.ts';
import type { UserContext } from '../../users/user-context.ts';
import { userRows } from '../../users/user-rows.ts';
import { type HandlerResult, PassConflict } from '../command-handler.ts';
import { scoreDays } from '../scoring/score-days.ts';
import { handlerFor } from './command-handlers.ts';

export interface PassOutcome {
  /** A long command has more steps to run. */
  isContinued: boolean;
  /** Commands that cannot be processed yet. */
  notReady: readonly Command[];
}

/**
 * Without commands, a pass only updates scores that are due. With `nextWake`, its commit raises the
 * user's wake number. Throws `PassConflict` when it must restart.
 */
export async function runPass(
  deps: Deps,
  userContext: UserContext,
  commands: readonly Command[],
  nextWake?: number,
): Promise<PassOutcome> {
  const [first] = commands;
  const result = first ? await handlerFor(first).handle(deps, userContext, commands) : { writes: [] };
  if ('notReady' in result) return { isContinued: false, notReady: result.notReady };
  await commitPass(deps, userContext, result, nextWake);
  return { isContinued: result.isContinued ?? false, notReady: [] };
}

async function commitPass(
  deps: Deps,
  userContext: UserContext,
  result: HandlerResult,
  nextWake: number | undefined,
): Promise<void> {
  const { store } = deps;
  const currentUser = result.user ?? userContext.user;
  const { user, writes, ...scoreFields } = await scoreDays(deps, currentUser, result.scores ?? []);
  const finalWrites: Write[] = [
    userRows(store).buildFinishPass(
      user,
      { lastSyncMs: user.lastSyncMs, lastUploads: user.lastUploads, ...result.userFields, ...scoreFields },
      nextWake,
    ),
    ...result.writes,
    ...writes,
  ];
  if (!(await commitConditionally(store, finalWrites))) throw new PassConflict();
}
