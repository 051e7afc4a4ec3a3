// Scores the days that are due: one worker at a time for a user and at most once a minute, only what changed is written, told once.
import { TransactionRefused } from '../../engine/ports.ts';
import type { ScoreId } from '../../model/score-ids.ts';
import { scoreIds } from '../../model/score-ids.ts';
import type { Score } from '../../model/scores.ts';
import { batchRows } from '../../store/batches.ts';
import { unpackCanonicalRow } from '../../store/codec/canonical-day.ts';
import { conditionalCommit } from '../../store/conditional-write.ts';
import { dayRows } from '../../store/days.ts';
import { type AnnouncedScores, type Ask, type ScoreDay, scoreRows } from '../../store/scores.ts';
import { type UserRow, userRows } from '../../store/users.ts';
import type { Deps } from '../deps.ts';
import { userEvent } from '../events/new-event.ts';
import { newId } from '../new-id.ts';
import { wakeScoring } from './ask.ts';
import { type DayScores, scorer } from './day-scores.ts';
import { type DateSpan, dueSpans, lookedAt } from './due-days.ts';

const onceInMs = 60_000;
const leaseMs = 90_000;
const settlesInMs = 30_000;
const laterSeconds = 2;
/** A finished run takes its asks away in one transaction, beside four other writes. */
const mostAsks = 90;

/** A message for a user whose scores are up to date costs one read and does nothing. */
export async function recomputeScores(deps: Deps, userId: string): Promise<void> {
  const { store, clock } = deps;
  if ((await scoreRows(store).asked(userId, 1)).length === 0) return;
  const before = await scoreRows(store).run(userId);
  const now = clock.now();
  const waitMs = (before?.lastRunMs ?? 0) + onceInMs - now;
  if (waitMs > 0) return wakeScoring(deps, userId, Math.ceil(Math.min(waitMs, onceInMs) / 1000));
  if (await moreIsComing(deps, userId, now)) return wakeScoring(deps, userId, laterSeconds);
  const lease = newId(deps, 'lease');
  if (!(await leased(deps, userId, lease, now))) return;
  try {
    await scoreAndTell(deps, userId, lease);
  } catch (error) {
    await scoreRows(store).release(userId, lease);
    throw error;
  }
  // What was asked for meanwhile found the lease taken and went away.
  if ((await scoreRows(store).asked(userId, 1)).length > 0) await wakeScoring(deps, userId, onceInMs / 1000);
}

/** Data that has just arrived is waited for: half of it would be scored now, and the rest only a minute later. */
async function moreIsComing({ store }: Deps, userId: string, now: number): Promise<boolean> {
  const [oldest] = await batchRows(store).waiting(userId, 1);
  return oldest !== undefined && now - oldest.receivedMs < settlesInMs;
}

/** False when the user is gone, or another worker is at it: that one looks again when it is done. */
const leased = ({ store }: Deps, userId: string, lease: string, now: number): Promise<boolean> =>
  conditionalCommit(store, [
    userRows(store).stillActive(userId),
    scoreRows(store).leasing(userId, lease, now, now + leaseMs),
  ]);

async function scoreAndTell(deps: Deps, userId: string, lease: string): Promise<void> {
  const { store, clock } = deps;
  const asks = await scoreRows(store).asked(userId, mostAsks);
  const user = await userRows(store).byId(userId);
  const run = await scoreRows(store).run(userId);
  if (!user || run?.claim !== lease) return;
  const changes: ScoreChange[] = [];
  for (const span of dueSpans(asks)) changes.push(...(await changesIn(deps, user, span)));
  const announced = changes.reduce(including, run.announced);
  if (announced && changes.length > 0) {
    await store.commit([scoreRows(store).announcing(userId, lease, announced, clock.now() + leaseMs)]);
    if (
      !(await scoreRows(store).write(
        userId,
        lease,
        changes.map(({ day }) => day),
      ))
    )
      return;
  }
  await finish(deps, user, lease, asks, announced);
}

interface ScoreChange {
  day: ScoreDay;
  ids: ScoreId[];
}

async function changesIn({ store, clock }: Deps, user: UserRow, span: DateSpan): Promise<ScoreChange[]> {
  const canonical = new Map<string, Float64Array>();
  const { from, to } = lookedAt(span);
  for await (const { date, packed } of dayRows(store).canonicalBetween(user.id, from, to, { consistent: true }))
    canonical.set(date, unpackCanonicalRow(packed).values);
  const stored = new Map<string, ScoreDay>();
  for await (const day of scoreRows(store).between(user.id, span.from, span.to, { consistent: true }))
    stored.set(day.date, day);
  const { on } = scorer(canonical, user.profile);
  const dates = [...new Set([...canonical.keys(), ...stored.keys()])].filter((date) => date >= span.from).sort();
  return dates.flatMap((date) => {
    const scores = on(date);
    const ids = differing(stored.get(date)?.scores ?? new Map(), scores);
    return ids.length === 0 ? [] : [{ day: { date, scores, computedMs: clock.now() }, ids }];
  });
}

function differing(before: DayScores, after: DayScores): ScoreId[] {
  const text = (score: Score | undefined) => JSON.stringify(score);
  return scoreIds.filter((id) => text(before.get(id)) !== text(after.get(id)));
}

function including(sum: AnnouncedScores | null, { day: { date }, ids }: ScoreChange): AnnouncedScores {
  if (sum === null) return { scores: ids, from: date, to: date };
  return {
    scores: scoreIds.filter((id) => ids.includes(id) || sum.scores.includes(id)),
    from: date < sum.from ? date : sum.from,
    to: date > sum.to ? date : sum.to,
  };
}

/** What was asked for again meanwhile stays due; the rest is done, noted and told together. */
async function finish(
  deps: Deps,
  user: UserRow,
  lease: string,
  asks: readonly Ask[],
  announced: AnnouncedScores | null,
): Promise<void> {
  const { store, clock } = deps;
  const scored = await scoreRows(store).exist(user.id);
  for (let answered = asks; ; ) {
    const now = clock.now();
    try {
      await store.commit([
        scoreRows(store).finishing(user.id, lease, now),
        userRows(store).scored(user.id, scored ? now : null),
        ...answered.map((ask) => scoreRows(store).answering(user.id, ask)),
        ...(announced
          ? [
              userEvent(deps, 'score.updated', user, {
                more: { scores: announced.scores, from_date: announced.from, to_date: announced.to },
              }),
            ]
          : []),
      ]);
      deps.log('info', 'scored', { user_id: user.id, from: announced?.from ?? null, to: announced?.to ?? null });
      return;
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
      const [leaseLost, userGone, ...askedAgain] = error.failed;
      if (leaseLost || userGone) return;
      answered = answered.filter((_ask, at) => askedAgain[at] === undefined);
    }
  }
}
