// Reads a range of canonical days as one column per metric, optionally with the source of each
// value and with scores.

import type { MetricId } from '../../catalog/metrics.ts';
import type { ScoreId } from '../../catalog/score-ids.ts';
import { adjacencyDays } from '../../consolidation/adjacent-days.ts';
import { dayRows } from '../../measurements/rows/day-rows.ts';
import { addDays } from '../../platform/time/local-day.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { type Range, type RequestedRange, resolveRange, resolveWidestRange } from '../kit/range.ts';
import { readWithAuthorizedUser } from '../kit/reader.ts';
import { buildScoreColumns, readStoredScores } from '../scores/read-scores.ts';
import { collectByDate, type DailyColumns, decodeDailyColumns } from './daily-columns.ts';
import { findValueOrigins, type ValueOrigin } from './daily-sources.ts';

export interface DailyRequest {
  range: RequestedRange;
  metrics: readonly MetricId[];
  withSources: boolean;
  /** None by default. */
  scores?: readonly ScoreId[];
}

export interface DailyResult extends DailyColumns {
  /** One origin per metric and date; undefined when sources were not requested. */
  sources: (ValueOrigin | undefined)[][] | undefined;
  /** The requested scores, with one value per date; NaN where there is none. */
  scores?: ReadonlyMap<ScoreId, Float64Array>;
}

export async function readDaily(
  deps: Deps,
  caller: Caller,
  userId: string,
  { range: requested, metrics, withSources, scores = [] }: DailyRequest,
): Promise<DailyResult> {
  const nowMs = deps.clock.now();
  const widest = resolveWidestRange(requested, nowMs);
  const [userContext, [canonical, normalized, storedScores]] = await readWithAuthorizedUser(deps, caller, userId, () =>
    Promise.all([
      metrics.length > 0 ? collectByDate(dayRows(deps.store).iterateCanonical(userId, widest.from, widest.to)) : noDays,
      withSources && metrics.length > 0
        ? collectByDate(
            dayRows(deps.store).iterateNormalized(userId, ...includeAdjacentDays(widest), { consistent: false }),
          )
        : noDays,
      scores.length > 0 ? readStoredScores(deps, userId, widest) : [],
    ]),
  );
  const daily = decodeDailyColumns(resolveRange(userContext.user.timezone, requested, nowMs), metrics, canonical);
  const sources = withSources ? findValueOrigins(userContext, daily, { canonical, normalized }) : undefined;
  if (scores.length === 0) return { ...daily, sources };
  const { dates } = daily;
  return {
    ...daily,
    sources,
    scores: await buildScoreColumns(deps, userContext, { scores, dates, widest }, storedScores),
  };
}

const includeAdjacentDays = ({ from, to }: Range): [from: string, to: string] => [
  addDays(from, -adjacencyDays),
  addDays(to, adjacencyDays),
];

const noDays: ReadonlyMap<string, never> = new Map<string, never>();
