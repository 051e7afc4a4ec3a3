// The daily read: a range of canonical days as one column a metric, and where each value came from; and scores beside them.

import type { MetricId } from '../../catalog/metrics.ts';
import type { ScoreId } from '../../catalog/score-ids.ts';
import { daysAside } from '../../consolidation/beside.ts';
import { dayRows } from '../../measurements/rows/day-rows.ts';
import { addDays } from '../../platform/time/local-day.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { type AskedRange, type Range, rangeIn, widestRange } from '../kit/range.ts';
import { ownSubjectAnd } from '../kit/reader.ts';
import { scoreColumns, scoresStored } from '../scores/read-scores.ts';
import { byDate, type DailyColumns, dailyColumns } from './daily-columns.ts';
import { type ValueOrigin, valueOrigins } from './daily-sources.ts';

export interface DailyAsked {
  range: AskedRange;
  metrics: readonly MetricId[];
  withSources: boolean;
  /** None unless told. */
  scores?: readonly ScoreId[];
}

export interface DailyRead extends DailyColumns {
  /** By metric, one a date; undefined when they were not asked for. */
  sources: (ValueOrigin | undefined)[][] | undefined;
  /** Those asked for, one value a date; NaN where there is none. */
  scores?: ReadonlyMap<ScoreId, Float64Array>;
}

export async function readDaily(
  deps: Deps,
  caller: Caller,
  userId: string,
  { range: asked, metrics, withSources, scores = [] }: DailyAsked,
): Promise<DailyRead> {
  const nowMs = deps.clock.now();
  const widest = widestRange(asked, nowMs);
  const [subject, [canonical, normalized, scored]] = await ownSubjectAnd(deps, caller, userId, () =>
    Promise.all([
      metrics.length > 0 ? byDate(dayRows(deps.store).canonicalBetween(userId, widest.from, widest.to)) : noDays,
      withSources && metrics.length > 0
        ? byDate(dayRows(deps.store).normalizedBetween(userId, ...withDaysBeside(widest), { consistent: false }))
        : noDays,
      scores.length > 0 ? scoresStored(deps, userId, widest) : [],
    ]),
  );
  const found = dailyColumns(rangeIn(subject.user.timezone, asked, nowMs), metrics, canonical);
  const sources = withSources ? valueOrigins(subject, found, { canonical, normalized }) : undefined;
  if (scores.length === 0) return { ...found, sources };
  const { dates } = found;
  return { ...found, sources, scores: await scoreColumns(deps, subject, { scores, dates, widest }, scored) };
}

const withDaysBeside = ({ from, to }: Range): [from: string, to: string] => [
  addDays(from, -daysAside),
  addDays(to, daysAside),
];

const noDays: ReadonlyMap<string, never> = new Map<string, never>();
