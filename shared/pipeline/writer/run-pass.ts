// One pass: some commands of a person are worked on, their scores follow, and all of it ends in one transaction. It may stop anywhere: what it is
// about to change is noted before, and a repeated pass makes it again.

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
  /** There is more to do of a long command. */
  isContinued: boolean;
  /** Commands that cannot be worked on yet. */
  notReady: readonly Command[];
}

/** Without commands only scores are looked after whose time has come. Throws `PassConflict` when it has to begin anew. */
export async function runPass(
  deps: Deps,
  userContext: UserContext,
  commands: readonly Command[],
): Promise<PassOutcome> {
  const [first] = commands;
  const result = first ? await handlerFor(first).handle(deps, userContext, commands) : { writes: [] };
  if ('notReady' in result) return { isContinued: false, notReady: result.notReady };
  await commitPass(deps, userContext, result);
  return { isContinued: result.isContinued ?? false, notReady: [] };
}

async function commitPass(deps: Deps, userContext: UserContext, result: HandlerResult): Promise<void> {
  const { store } = deps;
  const currentUser = result.user ?? userContext.user;
  const { user, writes, ...scoreFields } = await scoreDays(deps, currentUser, result.scores ?? []);
  const finalWrites: Write[] = [
    userRows(store).buildFinishPass(user, {
      lastSyncMs: user.lastSyncMs,
      seen: user.seen,
      ...result.userFields,
      ...scoreFields,
    }),
    ...result.writes,
    ...writes,
  ];
  if (!(await commitConditionally(store, finalWrites))) throw new PassConflict();
}
