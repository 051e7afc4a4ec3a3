// A user with a long history whose scores are of the previous formula generation, for tests of how
// scores are migrated.

import { mergeRule } from '../../../shared/catalog/merge-rule.ts';
import { scoringGeneration } from '../../../shared/catalog/score-table.ts';
import { encodeCanonicalDay } from '../../../shared/measurements/codec/canonical-day.ts';
import { allDays } from '../../../shared/measurements/date-span.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { packScoreDay, scoreRows, unpackScoreDay } from '../../../shared/measurements/rows/score-rows.ts';
import type { Score } from '../../../shared/measurements/score.ts';
import { addDays } from '../../../shared/platform/time/local-day.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { keys } from '../../../shared/system/keys.ts';
import { userRows } from '../../../shared/users/user-rows.ts';
import { createUser } from '../../../shared/users/users.ts';

export const firstDay = '2020-01-01';
export const previousGeneration = scoringGeneration - 1;
/** No current formula gives this value for these steps. */
const previousValue = 1;

export const stepsOn = (day: number): number => 8000 + ((day * 37) % 11) * 200;

export async function setSteps({ store }: Deps, user: string, date: string, steps: number): Promise<void> {
  const before = (await dayRows(store).readCanonical(user, [date])).get(date);
  await dayRows(store).replaceCanonical(user, {
    date,
    packed: encodeCanonicalDay(new Map([['steps', { value: steps, source: 0 }]])),
    revisionSum: (before?.revisionSum ?? 0) + 1,
    generation: 0,
    mergeRule,
  });
}

/** Adds pending scores to the user row, as a pass does that had no room for them. */
export async function addPendingScores(
  { store }: Deps,
  userId: string,
  from: string,
  to: string,
  { atOnce = false }: { atOnce?: boolean } = {},
): Promise<void> {
  const user = await userRows(store).findById(userId);
  if (!user) throw new Error('The user is missing.');
  const days = [...user.scores.days, { from, to, dueMs: 0, atOnce }];
  await store.commit([userRows(store).buildFinishPass(user, { ...user, scores: { ...user.scores, days } })]);
}

/**
 * Creates a user with steps on the given number of days; every day but the first five has a score.
 */
export async function createScoredUser(deps: Deps, caller: Caller, days: number): Promise<string> {
  const { store, clock } = deps;
  const { id } = await createUser(deps, caller, {});
  for (let day = 0; day < days; day++) {
    const date = addDays(firstDay, day);
    await setSteps(deps, id, date, stepsOn(day));
    if (day >= 5) await storePreviousScore(deps, id, date);
  }
  await store.table.write({
    kind: 'update',
    key: keys.user(id),
    update: 'SET #lastSyncMs = :now, #lastScoreMs = :scored, #scoreGeneration = :generation',
    values: { now: clock.now(), generation: previousGeneration, scored: days > 5 ? clock.now() : null },
  });
  return id;
}

export async function storePreviousScore({ store, clock }: Deps, user: string, date: string): Promise<void> {
  const factors: Score['factors'] = [{ name: 'steps', contribution: previousValue, direction: 'neutral' }];
  const score: Score = { value: previousValue, factors, version: 1, confidence: 'low' };
  const day = { scores: new Map([['strain_score' as const, score]]), without: new Map(), computedMs: clock.now() };
  const current = packScoreDay(day, previousGeneration);
  await store.commit([scoreRows(store).buildStore(user, { date, current, previous: undefined })]);
}

/** Counts the days that a reader sees, and those with a score of the previous formulas. */
export async function countShownScores({ store }: Deps, userId: string): Promise<{ days: number; previous: number }> {
  const user = await userRows(store).findById(userId);
  let [days, previous] = [0, 0];
  for await (const row of scoreRows(store).iterateBetween(userId, allDays.from, allDays.to)) {
    const score = user && unpackScoreDay(row, user.scoreGeneration)?.scores.get('strain_score');
    if (score) days++;
    if (score?.value === previousValue) previous++;
  }
  return { days, previous };
}
