// After a change of formulas or of the merge rules, finds the users whose scores or days use the
// previous ones, a batch with every sweep, and requests a rescore or a rebuild for each.

import { accountRows } from '../../accounts/account-rows.ts';
import { mergeRule } from '../../catalog/merge-rule.ts';
import { scoringGeneration } from '../../catalog/score-table.ts';
import { EngineUnavailable } from '../../platform/ports.ts';
import { writeAllConditionally } from '../../platform/write-all-conditionally.ts';
import { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { commandPrefix, keys } from '../../system/keys.ts';
import { newId } from '../../system/new-id.ts';
import { pendingWorkRows } from '../../system/pending-work-rows.ts';
import { commitConditionally } from '../../system/store.ts';
import { type CoalescedCommandKind, commandRows } from '../../users/command-rows.ts';
import { type UserRow, userRows } from '../../users/user-rows.ts';
import { adjustPace, busyBacklog, firstPace, maxBacklogUsers, maxVisitsPerSweep } from './rescore-pace.ts';
import { type Rescoring, rescoringRows } from './rescoring-rows.ts';

/** A page is always requested as a whole, and only if all of its users are within the pace. */
const usersPerPage = 100;
/** The next sweep continues. */
const maxVisitMs = 15_000;

type Position = NonNullable<Rescoring['position']>;

const firstProgress = {
  position: null,
  pace: firstPace,
  requested: 0,
  visitedInRound: 0,
  requestedInRound: 0,
  isDone: false,
} satisfies Partial<Rescoring>;

/**
 * Done when all users were visited and none needed a rescore; from then on a sweep costs one read.
 */
export async function rescoreUsers(deps: Deps): Promise<void> {
  const read = await rescoringRows(deps.store).findProgress();
  const before = read && isCurrentRescoring(read) ? read : firstProgress;
  if (before.isDone) return;
  const backlog = await listBacklog(deps, deps.clock.now() - busyBacklog.forMs);
  const step: Step = { position: before.position, visited: 0, requested: 0, isRoundOver: false };
  let { pace } = before;
  if (backlog.users < maxBacklogUsers) {
    // With the first users there is no pace yet to be adjusted.
    if (before === read) pace = adjustPace(pace, backlog.requests >= busyBacklog.users);
    try {
      await visitUsers(deps, step, pace);
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error;
      pace = adjustPace(pace, true);
      deps.log('warn', 'rescoring_throttled', { pace, cause: error });
    }
  }
  const visitedInRound = before.visitedInRound + step.visited;
  const requestedInRound = before.requestedInRound + step.requested;
  const isDone = step.isRoundOver && requestedInRound === 0;
  await rescoringRows(deps.store).saveProgress(read, {
    generation: scoringGeneration,
    mergeRule,
    position: step.position,
    pace,
    requested: before.requested + step.requested,
    // The next round finds users whose rescore was requested but who were not migrated.
    ...(step.isRoundOver ? { visitedInRound: 0, requestedInRound: 0 } : { visitedInRound, requestedInRound }),
    isDone,
  });
  // Nothing is logged if no user ever had to be migrated.
  if (step.requested > 0 || read)
    deps.log('info', 'rescoring', {
      scoring_generation: scoringGeneration,
      pace,
      requested: step.requested,
      requested_in_round: requestedInRound,
      is_done: isDone,
    });
}

/** Whether it is about the formulas and the merge rules of this release. */
export const isCurrentRescoring = (progress: Rescoring): boolean =>
  progress.generation === scoringGeneration && progress.mergeRule === mergeRule;

/**
 * Users whose commands have waited since before that time, and those of them who wait for the new
 * scores or days. Scores that are due say nothing about the writers, because only a sweep wakes
 * them.
 */
export async function listBacklog({ store }: Deps, beforeMs: number): Promise<{ users: number; requests: number }> {
  const { pending } = await pendingWorkRows(store).listBefore('user', beforeMs, {
    limit: 2 * maxBacklogUsers,
    isListed: ({ sk }) => sk.startsWith(commandPrefix),
  });
  const requests = pending.filter(({ owner, key }) =>
    requestKinds.some((kind) => keys.coalescedCommand(owner, kind).sk === key.sk),
  );
  return { users: pending.length, requests: requests.length };
}
const requestKinds = ['rebuild', 'rescore'] as const satisfies CoalescedCommandKind[];

/** What a sweep has done so far. */
interface Step {
  position: Position | null;
  visited: number;
  requested: number;
  isRoundOver: boolean;
}

async function visitUsers(deps: Deps, step: Step, pace: number): Promise<void> {
  const from = step.position;
  let remaining: number = maxVisitsPerSweep;
  const environments = await listEnvironments(deps, from);
  const untilMs = deps.clock.now() + maxVisitMs;
  for (const { account, env } of environments) {
    let afterId = from?.account === account && from.env === env ? from.afterId : null;
    for (let more = true; more; ) {
      step.position = { account, env, afterId };
      if (remaining <= 0 || step.requested + usersPerPage > pace || deps.clock.now() >= untilMs) return;
      const page = await userRows(deps.store).readPage(account, env, usersPerPage, afterId ?? undefined);
      await requestRescoring(deps, page.users.filter(isOutdated), step);
      afterId = page.users.at(-1)?.id ?? afterId;
      step.visited += page.users.length;
      // An environment without users also counts as a step.
      remaining -= Math.max(1, page.users.length);
      ({ more } = page);
    }
  }
  step.position = null;
  step.isRoundOver = true;
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

/** Users who have a pending request are not counted. */
async function requestRescoring(deps: Deps, users: readonly UserRow[], step: Step): Promise<void> {
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
    if (!(await commitConditionally(store, [userRows(store).buildGenerationCheck(user), requestWrite]))) return true;
    step.requested++;
    jobs.push({ user_id: user.id });
    return true;
  });
  if (jobs.length > 0) await queue.sendAll('user', jobs);
}
