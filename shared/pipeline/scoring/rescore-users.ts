// After a change of formulas: finds the users whose scores are of those before, a part with every sweep, and asks for each to be looked at.

import { accountRows } from '../../accounts/account-rows.ts';
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

/** A year of days is about 1,100 write units to score again: so this many take a tenth of what a table is given by default. */
const usersPerSweep = 250;
/** While so many have waited so long nobody is added to them; the few who cannot be scored at all hold up nobody else. */
const maxBacklog = { users: 100, forMs: 2 * 60_000 } as const;
const usersPerPage = 100;

type Position = NonNullable<Rescoring['place']>;

/** Done when everybody was seen and nobody had to be asked for; from then on it costs one read. */
export async function rescoreUsers(deps: Deps): Promise<void> {
  const read = await rescoringRows(deps.store).findProgress();
  const before = read?.generation === scoringGeneration ? read : { place: null, asked: 0, isDone: false };
  if (before.isDone) return;
  if (await isQueueBacklogged(deps)) return;
  const { place: position, asked: requested } = await rescoreNextUsers(deps, before.place);
  const sum = before.asked + requested;
  await rescoringRows(deps.store).saveProgress(read, {
    generation: scoringGeneration,
    place: position,
    // The next round finds those who were asked for and not moved.
    asked: position ? sum : 0,
    isDone: position === null && sum === 0,
  });
  // Where nobody was ever to be moved there is nothing to tell.
  if (requested > 0 || read)
    deps.log('info', 'rescoring', {
      generation: scoringGeneration,
      asked: requested,
      round: sum,
      done: position === null && sum === 0,
    });
}

async function isQueueBacklogged({ store, clock }: Deps): Promise<boolean> {
  const { pending } = await pendingWorkRows(store).listBefore('user', clock.now() - maxBacklog.forMs, {
    atMost: maxBacklog.users,
  });
  return pending.length >= maxBacklog.users;
}

async function rescoreNextUsers(deps: Deps, from: Position | null): Promise<{ place: Position | null; asked: number }> {
  let remaining = usersPerSweep;
  let requested = 0;
  for (const { account, env } of await listEnvironments(deps, from)) {
    let afterId = from?.account === account && from.env === env ? from.afterId : null;
    for (let more = true; more; ) {
      if (remaining <= 0) return { place: { account, env, afterId }, asked: requested };
      const page = await userRows(deps.store).readPage(
        account,
        env,
        Math.min(remaining, usersPerPage),
        afterId ?? undefined,
      );
      requested += await requestRescoring(deps, page.users.filter(isOutdated));
      afterId = page.users.at(-1)?.id ?? afterId;
      // An environment without users is a step, too.
      remaining -= Math.max(1, page.users.length);
      ({ more } = page);
    }
  }
  return { place: null, asked: requested };
}

/** In an order of their own, from that place on: accounts may come meanwhile. */
async function listEnvironments({ store }: Deps, from: Position | null): Promise<Omit<Position, 'afterId'>[]> {
  const keyOf = ({ account, env }: Omit<Position, 'afterId'>) => `${account}#${env}`;
  return (await accountRows(store).listAll())
    .flatMap(({ id }) => Environment.options.map((env) => ({ account: id, env })))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .filter((each) => from === null || keyOf(each) >= keyOf(from));
}

/** Who has no data has no scores: the first data finds the new formulas. */
const isOutdated = ({ lastSyncMs, scoreGeneration }: UserRow): boolean =>
  lastSyncMs !== null && scoreGeneration !== scoringGeneration;

/** How many were not asked for already. */
async function requestRescoring(deps: Deps, users: readonly UserRow[]): Promise<number> {
  const { store, clock, queue } = deps;
  const jobs: { user_id: string }[] = [];
  await writeAllConditionally(users, async (user) => {
    const requestWrite = commandRows(store).buildRequestIfAbsent(user.id, 'rescore', newId(deps, 'ask'), clock.now());
    if (await commitConditionally(store, [userRows(store).buildGenerationCheck(user), requestWrite]))
      jobs.push({ user_id: user.id });
    return true;
  });
  if (jobs.length > 0) await queue.sendAll('user', jobs);
  return jobs.length;
}
