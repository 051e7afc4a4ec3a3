// Shows how far the history of all users follows the formulas and merge rules of this release.
import { accountRows } from '../../shared/accounts/account-rows.ts';
import { busyBacklog, estimateMinutesLeft, maxBacklogUsers } from '../../shared/pipeline/scoring/rescore-pace.ts';
import { isCurrentRescoring, listBacklog } from '../../shared/pipeline/scoring/rescore-users.ts';
import { rescoringRows } from '../../shared/pipeline/scoring/rescoring-rows.ts';
import { formatTimestamp } from '../../shared/platform/time/time.ts';
import { Environment } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { userCountRows } from '../../shared/users/user-count-rows.ts';
import type { CliCommand, CommandResult } from './command.ts';

export const rescoringCommands: Record<string, CliCommand> = {
  'rescoring show': {
    usage: '',
    summary: 'show how many users have been scored again after a change of formulas or merge rules, and when it ends',
    prepare: () => showRescoring,
  },
};

async function showRescoring(deps: Deps): Promise<CommandResult> {
  const progress = await rescoringRows(deps.store).findProgress();
  if (!progress || !isCurrentRescoring(progress))
    return { json: { state: 'not_started' }, text: 'Not started. It begins within a minute while the service runs.' };
  const now = deps.clock.now();
  const { requests: waiting } = await listBacklog(deps, now);
  const { requested, pace, visitedInRound } = progress;
  const counts = { users_requested: requested, users_rescored: Math.max(0, requested - waiting) };
  if (progress.isDone)
    return { json: { state: 'done', ...counts }, text: `Done: ${requested} users were scored again.` };
  const users = await countUsers(deps);
  const backlog = await listBacklog(deps, now - busyBacklog.forMs);
  const isPaused = backlog.users >= maxBacklogUsers;
  const endsAt = formatTimestamp(now + 60_000 * estimateMinutesLeft(progress, users));
  return {
    json: {
      state: 'running',
      ...counts,
      users_visited_in_round: visitedInRound,
      users,
      users_per_minute: pace,
      is_paused: isPaused,
      expected_end_at: endsAt,
    },
    text: [
      `${counts.users_rescored} users were scored again, and ${waiting} wait for it. ${visitedInRound} of ${users} users were visited in this round.`,
      `At the present pace of ${pace} users per minute it ends at ${endsAt}.`,
      ...(isPaused
        ? ['It requests no users at present, because too many commands wait. It ends later by as long as that lasts.']
        : []),
    ].join('\n'),
  };
}

async function countUsers({ store }: Deps): Promise<number> {
  const accounts = await accountRows(store).listAll();
  const totals = await Promise.all(
    accounts.flatMap(({ id }) => Environment.options.map((env) => userCountRows(store).getTotal(id, env))),
  );
  return totals.reduce((sum, total) => sum + total, 0);
}
