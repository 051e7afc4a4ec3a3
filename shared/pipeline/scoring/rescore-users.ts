// After a change of formulas or of the merge rules, finds the users whose scores or days use the
// previous ones, a batch with every sweep, and requests a rescore or a rebuild for each.

import { accountRows } from '../../accounts/account-rows.ts';
import { mergeRule } from '../../catalog/merge-rule.ts';
import { scoringGeneration } from '../../catalog/score-table.ts';
import { writeAllConditionally } from '../../platform/write-all-conditionally.ts';
import { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { newId } from '../../system/new-id.ts';
import { pendingWorkRows } from '../../system/pending-work-rows.ts';
import { commitConditionally } from '../../system/store.ts';
import { commandRows } from '../../users/command-rows.ts';
import { type UserRow, userRows } from '../../users/user-rows.ts';
import { type Rescoring, rescoringRows } from './rescoring-rows.ts';

/**
 * A million users are requested in 1,000 sweeps, and visited once more in 200: 20 hours. A year of
 * days takes about 1,100 write units, so 1,000 users a minute take 18,300 units per second, 46% of
 * a table's default quota. A backlog slows the sweep down.
 */
export const sweepPace = { requests: 1_000, visits: 5_000 } as const;
/**
 * While this many users have been pending for this long, no more are added. The few users who
 * cannot be scored at all do not block the rest.
 */
const maxBacklog = { users: 100, forMs: 2 * 60_000 } as const;
const usersPerPage = 100;

type Position = NonNullable<Rescoring['position']>;

/**
 * Done when all users were visited and none needed a rescore; from then on a sweep costs one read.
 */
export async function rescoreUsers(deps: Deps): Promise<void> {
  const read = await rescoringRows(deps.store).findProgress();
  const before =
    read?.generation === scoringGeneration && read.mergeRule === mergeRule
      ? read
      : { position: null, requested: 0, isDone: false };
  if (before.isDone) return;
  if (await isQueueBacklogged(deps)) return;
  const { position, requested } = await rescoreNextUsers(deps, before.position);
  const sum = before.requested + requested;
  await rescoringRows(deps.store).saveProgress(read, {
    generation: scoringGeneration,
    mergeRule,
    position,
    // The next round finds users whose rescore was requested but who were not migrated.
    requested: position ? sum : 0,
    isDone: position === null && sum === 0,
  });
  // Nothing is logged if no user ever had to be migrated.
  if (requested > 0 || read)
    deps.log('info', 'rescoring', {
      scoring_generation: scoringGeneration,
      requested,
      requested_in_round: sum,
      is_done: position === null && sum === 0,
    });
}

async function isQueueBacklogged({ store, clock }: Deps): Promise<boolean> {
  const { pending } = await pendingWorkRows(store).listBefore('user', clock.now() - maxBacklog.forMs, {
    limit: maxBacklog.users,
  });
  return pending.length >= maxBacklog.users;
}

async function rescoreNextUsers(
  deps: Deps,
  from: Position | null,
): Promise<{ position: Position | null; requested: number }> {
  let remaining: number = sweepPace.visits;
  let requested = 0;
  for (const { account, env } of await listEnvironments(deps, from)) {
    let afterId = from?.account === account && from.env === env ? from.afterId : null;
    for (let more = true; more; ) {
      if (remaining <= 0 || requested >= sweepPace.requests) return { position: { account, env, afterId }, requested };
      const page = await userRows(deps.store).readPage(
        account,
        env,
        Math.min(remaining, sweepPace.requests - requested, usersPerPage),
        afterId ?? undefined,
      );
      requested += await requestRescoring(deps, page.users.filter(isOutdated));
      afterId = page.users.at(-1)?.id ?? afterId;
      // An environment without users also counts as a step.
      remaining -= Math.max(1, page.users.length);
      ({ more } = page);
    }
  }
  return { position: null, requested };
}

/**
 * Returns the environments from that position on, in a fixed order, because accounts may be added
 * in the meantime.
 */
async function listEnvironments({ store }: Deps, from: Position | null): Promise<Omit<Position, 'afterId'>[]> {
  const keyOf = ({ account, env }: Omit<Position, 'afterId'>) => `${account}#${env}`;
  return (await accountRows(store).listAll())
    .flatMap(({ id }) => Environment.options.map((env) => ({ account: id, env })))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .filter((each) => from === null || keyOf(each) >= keyOf(from));
}

/** A user without data has no scores: the first data is scored with the new formulas. */
const isOutdated = ({ lastSyncMs, ...user }: UserRow): boolean =>
  lastSyncMs !== null && (user.scoreGeneration !== scoringGeneration || user.mergeRule < mergeRule);

/** Returns the number of users that had no pending request. */
async function requestRescoring(deps: Deps, users: readonly UserRow[]): Promise<number> {
  const { store, clock, queue } = deps;
  const jobs: { user_id: string }[] = [];
  await writeAllConditionally(users, async (user) => {
    const requestWrite = commandRows(store).buildRequestIfAbsent(
      user.id,
      // A rebuild also scores what the next formulas have not scored yet.
      user.mergeRule < mergeRule ? 'rebuild' : 'rescore',
      newId(deps, 'command'),
      clock.now(),
    );
    if (await commitConditionally(store, [userRows(store).buildGenerationCheck(user), requestWrite]))
      jobs.push({ user_id: user.id });
    return true;
  });
  if (jobs.length > 0) await queue.sendAll('user', jobs);
  return jobs.length;
}
