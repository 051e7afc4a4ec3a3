// The daily read: a range of canonical days, turned into one column a metric and straight into JSON text.
import { daysAside } from '../domain/consolidation/beside.ts';
import type { Deps } from '../domain/deps.ts';
import { addDays, datesInRange } from '../domain/time/local-day.ts';
import type { Caller } from '../model/account.ts';
import type { Daily } from '../model/daily.ts';
import { JsonText } from '../model/json-text.ts';
import { type MetricId, metricRow } from '../model/metrics.ts';
import type { UnitSystem } from '../model/read-parameters.ts';
import { decodeColumns } from '../store/codec/columns.ts';
import { type CanonicalItem, dayRows, type NormalizedItem } from '../store/days.ts';
import { columnText } from './column-text.ts';
import { valueSources } from './daily-sources.ts';
import { presentUnit } from './present-value.ts';
import { type AskedRange, type Range, rangeIn, widestRange } from './range.ts';
import { ownSubjectAnd } from './reader.ts';
import { requestedMetrics } from './requested-metrics.ts';

export interface DailyQuery extends AskedRange {
  types?: string | undefined;
  unit_system?: UnitSystem | undefined;
  include_sources: boolean;
}

export async function readDaily(
  deps: Deps,
  caller: Caller,
  userId: string,
  query: DailyQuery,
): Promise<JsonText<Daily>> {
  const metrics = requestedMetrics(query.types);
  const nowMs = deps.clock.now();
  const widest = widestRange(query, nowMs);
  const [subject, [canonical, normalized]] = await ownSubjectAnd(deps, caller, userId, () =>
    Promise.all([
      byDate(dayRows(deps.store).canonicalBetween(userId, widest.from, widest.to)),
      query.include_sources
        ? byDate(dayRows(deps.store).normalizedBetween(userId, ...withDaysBeside(widest), { consistent: false }))
        : noDays,
    ]),
  );
  const range = rangeIn(subject.user.timezone, query, nowMs);
  const parts = [seriesText(range, metrics, canonical, query.unit_system ?? 'metric')];
  if (query.unit_system) parts.push(`"units":${JSON.stringify(unitsOf(metrics, query.unit_system))}`);
  if (query.include_sources) {
    const dates = datesInRange(range.from, range.to);
    const sources = valueSources(subject, metrics, dates, { canonical, normalized }, query.unit_system ?? 'metric');
    parts.push(`"sources":${JSON.stringify(sources)}`);
  }
  return new JsonText(`{${parts.join(',')}}`);
}

const withDaysBeside = ({ from, to }: Range): [from: string, to: string] => [
  addDays(from, -daysAside),
  addDays(to, daysAside),
];

const noDays: ReadonlyMap<string, NormalizedItem> = new Map();

async function byDate<Day extends { date: string }>(days: AsyncIterable<Day>): Promise<ReadonlyMap<string, Day>> {
  const found = new Map<string, Day>();
  for await (const day of days) found.set(day.date, day);
  return found;
}

/** The inside of the body without options; nothing in it needs escaping. */
export function seriesText(
  { from, to }: Range,
  metrics: readonly MetricId[],
  days: ReadonlyMap<string, Pick<CanonicalItem, 'packed'>>,
  unitSystem: UnitSystem,
): string {
  const dates = datesInRange(from, to);
  const columns = decodeColumns(
    dates.map((date) => days.get(date)?.packed),
    metrics.map((metric) => metricRow(metric).index),
  );
  const series = columns.map((column, at) => {
    const metric = metrics[at];
    return metric === undefined ? '' : `"${metric}":${columnText(metric, column, unitSystem)}`;
  });
  return `"from_date":"${from}","to_date":"${to}","dates":["${dates.join('","')}"],"series":{${series.join(',')}}`;
}

const unitsOf = (metrics: readonly MetricId[], unitSystem: UnitSystem): Partial<Record<MetricId, string>> =>
  Object.fromEntries(metrics.map((metric) => [metric, presentUnit(metric, unitSystem)]));
