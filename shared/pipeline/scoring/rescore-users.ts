// After a change of formulas: finds the users whose scores are of those before, a part with every sweep, and asks for each to be looked at.

import { accountRows } from '../../accounts/account-rows.ts';
import { scoringGeneration } from '../../catalog/score-table.ts';
import { allHeld } from '../../platform/all-held.ts';
import { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { newId } from '../../system/new-id.ts';
import { owedRows } from '../../system/owed-rows.ts';
import { conditionalCommit } from '../../system/store.ts';
import { commandRows } from '../../users/command-rows.ts';
import { type UserRow, userRows } from '../../users/user-rows.ts';
import { type Rescoring, rescoringRows } from './rescoring-rows.ts';

/** A year of days is about 1,100 write units to score again: so this many take a tenth of what a table is given by default. */
const usersASweep = 250;
/** While so many have waited so long nobody is added to them; the few who cannot be scored at all hold up nobody else. */
const behind = { users: 100, forMs: 2 * 60_000 } as const;
const usersAPage = 100;

type Place = NonNullable<Rescoring['place']>;

/** Done when everybody was seen and nobody had to be asked for; from then on it costs one read. */
export async function rescoreUsers(deps: Deps): Promise<void> {
  const read = await rescoringRows(deps.store).progress();
  const before = read?.generation === scoringGeneration ? read : { place: null, asked: 0, isDone: false };
  if (before.isDone) return;
  if (await isQueueBehind(deps)) return;
  const { place, asked } = await onePart(deps, before.place);
  const sum = before.asked + asked;
  await rescoringRows(deps.store).goOn(read, {
    generation: scoringGeneration,
    place,
    // The next round finds those who were asked for and not moved.
    asked: place ? sum : 0,
    isDone: place === null && sum === 0,
  });
  // Where nobody was ever to be moved there is nothing to tell.
  if (asked > 0 || read)
    deps.log('info', 'rescoring', {
      generation: scoringGeneration,
      asked,
      round: sum,
      done: place === null && sum === 0,
    });
}

async function isQueueBehind({ store, clock }: Deps): Promise<boolean> {
  const { owed } = await owedRows(store).before('person', clock.now() - behind.forMs, { atMost: behind.users });
  return owed.length >= behind.users;
}

async function onePart(deps: Deps, from: Place | null): Promise<{ place: Place | null; asked: number }> {
  let left = usersASweep;
  let asked = 0;
  for (const { account, env } of await environments(deps, from)) {
    let afterId = from?.account === account && from.env === env ? from.afterId : null;
    for (let more = true; more; ) {
      if (left <= 0) return { place: { account, env, afterId }, asked };
      const page = await userRows(deps.store).page(account, env, Math.min(left, usersAPage), afterId ?? undefined);
      asked += await ask(deps, page.users.filter(isBehind));
      afterId = page.users.at(-1)?.id ?? afterId;
      // An environment without users is a step, too.
      left -= Math.max(1, page.users.length);
      ({ more } = page);
    }
  }
  return { place: null, asked };
}

/** In an order of their own, from that place on: accounts may come meanwhile. */
async function environments({ store }: Deps, from: Place | null): Promise<Omit<Place, 'afterId'>[]> {
  const text = ({ account, env }: Omit<Place, 'afterId'>) => `${account}#${env}`;
  return (await accountRows(store).all())
    .flatMap(({ id }) => Environment.options.map((env) => ({ account: id, env })))
    .sort((a, b) => (text(a) < text(b) ? -1 : 1))
    .filter((each) => from === null || text(each) >= text(from));
}

/** Who has no data has no scores: the first data finds the new formulas. */
const isBehind = ({ lastSyncMs, scoreGeneration }: UserRow): boolean =>
  lastSyncMs !== null && scoreGeneration !== scoringGeneration;

/** How many were not asked for already. */
async function ask(deps: Deps, users: readonly UserRow[]): Promise<number> {
  const { store, clock, queue } = deps;
  const fresh: { user_id: string }[] = [];
  await allHeld(users, async (user) => {
    const asking = commandRows(store).askingOnce(user.id, 'rescore', newId(deps, 'ask'), clock.now());
    if (await conditionalCommit(store, [userRows(store).stillShown(user), asking])) fresh.push({ user_id: user.id });
    return true;
  });
  if (fresh.length > 0) await queue.sendAll('person', fresh);
  return fresh.length;
}
