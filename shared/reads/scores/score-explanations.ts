// What a score was made from. It is worked out again from the days as they are now, and told only where that gives the very score that is stored:
// between new data and its scores the two may differ, and then no explanation is better than a wrong one.

import { isMetricId, type MetricId, metricRow } from '../../catalog/metrics.ts';
import type { ScoreId } from '../../catalog/score-ids.ts';
import { unpackCanonicalRow } from '../../measurements/codec/canonical-day.ts';
import { dayRows } from '../../measurements/rows/day-rows.ts';
import { noBaseline, seededBaselineRows } from '../../measurements/rows/seeded-baseline-rows.ts';
import type { Score, ScoreFactor } from '../../measurements/score.ts';
import { addDays } from '../../platform/time/local-day.ts';
import { baselineDays } from '../../scores/baseline.ts';
import { type CanonicalDays, reachDays, scorer, withBaseline } from '../../scores/day-scores.ts';
import { isScored, type JudgedFactor, type JudgedScore } from '../../scores/scoring.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import { devicesWithData, type Subject } from '../../users/subject.ts';
import type { Range } from '../kit/range.ts';

export interface Explained extends ScoreFactor {
  made?: Omit<JudgedFactor, keyof ScoreFactor | 'source' | 'days'> & {
    device: DeviceRow | undefined;
    /** Some of the days that it was held against were seeded with the sandbox user. */
    isSeeded?: true;
  };
}

/** What the scores of a range are made from. */
export interface JudgedDays {
  days: CanonicalDays;
  /** Days before the first one of a sandbox user. */
  seeded?: CanonicalDays;
}
export const nothingJudged: JudgedDays = { days: new Map() };

export async function judgedDays(deps: Deps, { env }: Caller, userId: string, range: Range): Promise<JudgedDays> {
  const [days, seeded] = await Promise.all([
    measuredDays(deps, userId, range),
    env === 'sandbox' ? seededBaselineRows(deps.store).of(userId) : noBaseline,
  ]);
  return { days, seeded };
}

async function measuredDays({ store }: Deps, userId: string, { from, to }: Range): Promise<CanonicalDays> {
  const days = new Map<string, ReturnType<typeof unpackCanonicalRow>>();
  const found = dayRows(store).canonicalBetween(userId, addDays(from, -reachDays), to);
  for await (const { date, packed } of found) days.set(date, unpackCanonicalRow(packed));
  return days;
}

export function explainer(
  { days, seeded = noBaseline }: JudgedDays,
  { user, devices }: Subject,
): (id: ScoreId, date: string, score: Score) => Explained[] {
  const { of } = scorer(withBaseline(days, seeded), user.profile);
  const byOrdinal = new Map(devicesWithData(devices).map((device) => [device.ordinal, device]));
  const isSeeded = ({ input, usual, source }: JudgedFactor, date: string): boolean =>
    usual !== undefined && isMetricId(input) && seededBefore(date).some((row) => isOf(row, input, source));
  /** Of the days that something on a date is held against. */
  const seededBefore = (date: string): Row[] =>
    [...seeded].flatMap(([before, row]) =>
      before < date && before >= addDays(date, -baselineDays) && !days.has(before) ? [row] : [],
    );
  return (id, date, score) => {
    const judged = of(id, date);
    if (!isScored(judged) || !isTheSame(judged, score)) return score.factors;
    return judged.factors.map((factor) => {
      const { name, contribution, direction, source, days: _, ...made } = factor;
      const device = source === null ? undefined : byOrdinal.get(source);
      return {
        name,
        contribution,
        direction,
        made: { ...made, device, ...(isSeeded(factor, date) ? { isSeeded: true as const } : {}) },
      };
    });
  };
}

type Row = CanonicalDays extends ReadonlyMap<string, infer Each> ? Each : never;

/** Whether the day has a value of that device. */
const isOf = ({ values, sources }: Row, metric: MetricId, source: number | null): boolean => {
  const { index } = metricRow(metric);
  return !Number.isNaN(values[index] ?? Number.NaN) && sources[index] === source;
};

const isTheSame = (judged: JudgedScore, { value, version, factors }: Score): boolean =>
  judged.value === value &&
  judged.version === version &&
  judged.factors.length === factors.length &&
  judged.factors.every(
    ({ name, contribution, direction }, at) =>
      factors[at]?.name === name && factors[at].contribution === contribution && factors[at].direction === direction,
  );
