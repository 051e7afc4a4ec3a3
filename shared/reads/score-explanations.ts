// What a score was made from. It is worked out again from the days as they are now, and told only where that gives the very score that is stored:
// between new data and its scores the two may differ, and then no explanation is better than a wrong one.
import type { Deps } from '../domain/deps.ts';
import { type CanonicalDays, reachDays, scorer } from '../domain/scores/day-scores.ts';
import { isScored, type JudgedFactor, type JudgedScore } from '../domain/scores/scoring.ts';
import { devicesWithData, type Subject } from '../domain/users/subject.ts';
import { addDays } from '../model/local-day.ts';
import type { Score, ScoreFactor } from '../model/score.ts';
import type { ScoreId } from '../model/score-ids.ts';
import { unpackCanonicalRow } from '../store/codec/canonical-day.ts';
import { dayRows } from '../store/days.ts';
import type { DeviceRow } from '../store/devices.ts';
import type { Range } from './range.ts';

export interface Explained extends ScoreFactor {
  made?: Omit<JudgedFactor, keyof ScoreFactor | 'source' | 'days'> & { device: DeviceRow | undefined };
}

/** The days that the scores of a range are made from. */
export async function judgedDays({ store }: Deps, userId: string, { from, to }: Range): Promise<CanonicalDays> {
  const days = new Map<string, ReturnType<typeof unpackCanonicalRow>>();
  const found = dayRows(store).canonicalBetween(userId, addDays(from, -reachDays), to);
  for await (const { date, packed } of found) days.set(date, unpackCanonicalRow(packed));
  return days;
}

export function explainer(
  days: CanonicalDays,
  { user, devices }: Subject,
): (id: ScoreId, date: string, score: Score) => Explained[] {
  const { of } = scorer(days, user.profile);
  const byOrdinal = new Map(devicesWithData(devices).map((device) => [device.ordinal, device]));
  return (id, date, score) => {
    const judged = of(id, date);
    if (!isScored(judged) || !isTheSame(judged, score)) return score.factors;
    return judged.factors.map(({ name, contribution, direction, source, days: _, ...made }) => ({
      name,
      contribution,
      direction,
      made: { ...made, device: source === null ? undefined : byOrdinal.get(source) },
    }));
  };
}

const isTheSame = (judged: JudgedScore, { value, version, factors }: Score): boolean =>
  judged.value === value &&
  judged.version === version &&
  judged.factors.length === factors.length &&
  judged.factors.every(
    ({ name, contribution, direction }, at) =>
      factors[at]?.name === name && factors[at].contribution === contribution && factors[at].direction === direction,
  );
