// Explains what a score was computed from. The score is computed again from the current days, and
// explained only if the result equals the stored score: after new data arrives the two may differ,
// and a wrong explanation is worse than none.

import { isMetricId, type MetricId, metricRow } from '../../catalog/metrics.ts';
import type { ScoreId } from '../../catalog/score-ids.ts';
import { unpackCanonicalRow } from '../../measurements/codec/canonical-day.ts';
import { dayRows } from '../../measurements/rows/day-rows.ts';
import { noBaseline, seededBaselineRows } from '../../measurements/rows/seeded-baseline-rows.ts';
import type { Score, ScoreFactor } from '../../measurements/score.ts';
import { addDays } from '../../platform/time/local-day.ts';
import { baselineDays } from '../../scores/baseline.ts';
import { type CanonicalDays, createScorer, reachDays, withSeededBaseline } from '../../scores/day-scores.ts';
import { isScored, type JudgedFactor, type JudgedScore } from '../../scores/scoring.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import { devicesWithData, type UserContext } from '../../users/user-context.ts';
import type { Range } from '../kit/range.ts';

export interface ExplainableFactor extends ScoreFactor {
  explanation?: Omit<JudgedFactor, keyof ScoreFactor | 'source' | 'days'> & {
    device: DeviceRow | undefined;
    /** Some of the baseline days were seeded with the sandbox user. */
    isSeeded?: true;
  };
}

/** The days from which the scores of a range are computed. */
export interface ScoringDays {
  days: CanonicalDays;
  /** Days before the first day of a sandbox user. */
  seeded?: CanonicalDays;
}
export const noScoringDays: ScoringDays = { days: new Map() };

export async function readScoringDays(deps: Deps, { env }: Caller, userId: string, range: Range): Promise<ScoringDays> {
  const [days, seeded] = await Promise.all([
    readMeasuredDays(deps, userId, range),
    env === 'sandbox' ? seededBaselineRows(deps.store).get(userId) : noBaseline,
  ]);
  return { days, seeded };
}

async function readMeasuredDays({ store }: Deps, userId: string, { from, to }: Range): Promise<CanonicalDays> {
  const days = new Map<string, ReturnType<typeof unpackCanonicalRow>>();
  const canonicalItems = dayRows(store).iterateCanonical(userId, addDays(from, -reachDays), to);
  for await (const { date, packed } of canonicalItems) days.set(date, unpackCanonicalRow(packed));
  return days;
}

export function createExplainer(
  { days, seeded = noBaseline }: ScoringDays,
  { user, devices }: UserContext,
): (id: ScoreId, date: string, score: Score) => ExplainableFactor[] {
  // Only the writer reads whether a short sleep was a night or a nap, so both are tried.
  const scorers = [true, false].map((hasMainSleep) =>
    createScorer(withSeededBaseline(days, seeded), user.profile, () => hasMainSleep),
  );
  const byOrdinal = new Map(devicesWithData(devices).map((device) => [device.ordinal, device]));
  const isSeeded = ({ input, usual, source }: JudgedFactor, date: string): boolean =>
    usual !== undefined && isMetricId(input) && findSeededBefore(date).some((row) => isFromSource(row, input, source));
  /** Returns the seeded days within the baseline of a date. */
  const findSeededBefore = (date: string): CanonicalRow[] =>
    [...seeded].flatMap(([before, row]) =>
      before < date && before >= addDays(date, -baselineDays) && !days.has(before) ? [row] : [],
    );
  return (id, date, score) => {
    const recomputed = scorers
      .map(({ scoreOne }) => scoreOne(id, date))
      .filter(isScored)
      .find((outcome) => isSameScore(outcome, score));
    if (!recomputed) return score.factors;
    return recomputed.factors.map((factor) => {
      const { name, contribution, direction, source, days: _, ...explanation } = factor;
      const device = source === null ? undefined : byOrdinal.get(source);
      return {
        name,
        contribution,
        direction,
        explanation: { ...explanation, device, ...(isSeeded(factor, date) ? { isSeeded: true as const } : {}) },
      };
    });
  };
}

type CanonicalRow = CanonicalDays extends ReadonlyMap<string, infer Each> ? Each : never;

/** Whether the day has a value from that device. */
const isFromSource = ({ values, sources }: CanonicalRow, metric: MetricId, source: number | null): boolean => {
  const { index } = metricRow(metric);
  return !Number.isNaN(values[index] ?? Number.NaN) && sources[index] === source;
};

const isSameScore = (recomputed: JudgedScore, { value, version, factors }: Score): boolean =>
  recomputed.value === value &&
  recomputed.version === version &&
  recomputed.factors.length === factors.length &&
  recomputed.factors.every(
    ({ name, contribution, direction }, at) =>
      factors[at]?.name === name && factors[at].contribution === contribution && factors[at].direction === direction,
  );
