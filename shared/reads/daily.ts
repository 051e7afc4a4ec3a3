// The daily read: a range of canonical days as one column a metric, and where each value came from.
import { daysAside } from '../domain/consolidation/beside.ts';
import type { Deps } from '../domain/deps.ts';
import type { Caller } from '../model/account.ts';
import { addDays } from '../model/local-day.ts';
import type { MetricId } from '../model/metrics.ts';
import { dayRows, type NormalizedItem } from '../store/days.ts';
import { byDate, type DailyColumns, dailyColumns } from './daily-columns.ts';
import { type ValueOrigin, valueOrigins } from './daily-sources.ts';
import { type AskedRange, type Range, rangeIn, widestRange } from './range.ts';
import { ownSubjectAnd } from './reader.ts';

export interface DailyAsked {
  range: AskedRange;
  metrics: readonly MetricId[];
  withSources: boolean;
}

export interface DailyRead extends DailyColumns {
  /** By metric, one a date; undefined when they were not asked for. */
  sources: (ValueOrigin | undefined)[][] | undefined;
}

export async function readDaily(
  deps: Deps,
  caller: Caller,
  userId: string,
  { range: asked, metrics, withSources }: DailyAsked,
): Promise<DailyRead> {
  const nowMs = deps.clock.now();
  const widest = widestRange(asked, nowMs);
  const [subject, [canonical, normalized]] = await ownSubjectAnd(deps, caller, userId, () =>
    Promise.all([
      byDate(dayRows(deps.store).canonicalBetween(userId, widest.from, widest.to)),
      withSources
        ? byDate(dayRows(deps.store).normalizedBetween(userId, ...withDaysBeside(widest), { consistent: false }))
        : noDays,
    ]),
  );
  const found = dailyColumns(rangeIn(subject.user.timezone, asked, nowMs), metrics, canonical);
  return { ...found, sources: withSources ? valueOrigins(subject, found, { canonical, normalized }) : undefined };
}

const withDaysBeside = ({ from, to }: Range): [from: string, to: string] => [
  addDays(from, -daysAside),
  addDays(to, daysAside),
];

const noDays: ReadonlyMap<string, NormalizedItem> = new Map();
