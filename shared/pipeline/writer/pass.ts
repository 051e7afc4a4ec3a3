// One pass: some commands of a person are worked on, their scores follow, and all of it ends in one transaction. It may stop anywhere: what it is
// about to change is noted before, and a repeated pass makes it again.

import type { Write } from '../../platform/ports.ts';
import type { Deps } from '../../system/deps.ts';
import { conditionalCommit } from '../../system/store.ts';
import type { Command } from '../../users/command-rows.ts';
import type { Subject } from '../../users/subject.ts';
import { userRows } from '../../users/user-rows.ts';
import { scoreDays } from '../scoring/score-days.ts';
import { type Done, PassOvertaken } from '../work.ts';
import { workOf } from './commands.ts';

export interface PassOutcome {
  /** There is more to do of a long command. */
  isContinued: boolean;
  /** Commands that cannot be worked on yet. */
  notYet: readonly Command[];
}

/** Without commands only scores are looked after whose time has come. Throws `PassOvertaken` when it has to begin anew. */
export async function pass(deps: Deps, subject: Subject, commands: readonly Command[]): Promise<PassOutcome> {
  const [first] = commands;
  const done = first ? await workOf(first).work(deps, subject, commands) : { writes: [] };
  if ('notYet' in done) return { isContinued: false, notYet: done.notYet };
  await commit(deps, subject, done);
  return { isContinued: done.isContinued ?? false, notYet: [] };
}

async function commit(deps: Deps, subject: Subject, done: Done): Promise<void> {
  const { store } = deps;
  const worked = done.user ?? subject.user;
  const { user, writes, ...scored } = await scoreDays(deps, worked, done.scores ?? []);
  const ending: Write[] = [
    userRows(store).passing(user, {
      lastSyncMs: user.lastSyncMs,
      seen: user.seen,
      ...done.head,
      ...scored,
    }),
    ...done.writes,
    ...writes,
  ];
  if (!(await conditionalCommit(store, ending))) throw new PassOvertaken();
}
