// The summary values that sources report for a whole night. They are stored with the night and
// count on the night's day.
import { isMetricId, type MetricId, metricRow } from '../catalog/metrics.ts';
import type { NightSummary, SummaryValue } from '../measurements/records.ts';
import type { SleepRow, SummaryRow } from '../measurements/rows/session-rows.ts';

/** Metrics that an earlier version of a night may have reported and that this version removes. */
export interface RemovedMetrics {
  removed?: readonly string[] | undefined;
}

export function toSummaryRow(summary: NightSummary): { summary: SummaryRow } & RemovedMetrics {
  const row: SummaryRow = {};
  const removed: string[] = [];
  for (const [metric, each] of Object.entries(summary).sort(compareNames)) {
    if (each === null) removed.push(metric);
    else row[metric] = each.original ? [each.value, each.original.value, each.original.unit] : each.value;
  }
  return { summary: row, removed };
}

/**
 * Returns the version to store: summary metrics it does not mention stay as in the previous
 * version.
 */
export function mergeSummary<Row extends RemovedMetrics & { summary?: SummaryRow | undefined }>(
  version: Row,
  before: Row | undefined,
): Row {
  const { summary, removed = [], ...rest } = version;
  const all = Object.entries({ ...before?.summary, ...summary }).filter(([metric]) => !removed.includes(metric));
  const merged = all.length === 0 ? {} : { summary: Object.fromEntries(all.sort(compareNames)) };
  return { ...rest, ...merged } as Row;
}

/**
 * Returns one value per metric, from the longest night that reports it (of equally long nights, the
 * earliest). Accruing metrics are summed over the nights; metrics aggregated by minimum or maximum
 * use the lowest or highest value.
 */
export function summarizeNights(nights: readonly SleepRow[]): Map<MetricId, SummaryValue> {
  const lengthOf = ({ startMs, endMs }: SleepRow): number => endMs - startMs;
  const summary = new Map<MetricId, SummaryValue[]>();
  for (const night of nights.toSorted((a, b) => lengthOf(b) - lengthOf(a) || a.startMs - b.startMs))
    for (const [metric, each] of Object.entries(night.summary ?? {}))
      if (isMetricId(metric)) summary.set(metric, [...(summary.get(metric) ?? []), parseSummaryValue(each)]);
  return new Map(Array.from(summary, ([metric, each]) => [metric, combineValues(metric, each)]));
}

function combineValues(metric: MetricId, [longest, ...others]: readonly SummaryValue[]): SummaryValue {
  if (!longest) throw new RangeError(`no night reports ${metric}`);
  const { aggregation, accrues } = metricRow(metric);
  return others.reduce((all, each) => {
    if (accrues) return { value: all.value + each.value };
    if (aggregation === 'max') return each.value > all.value ? each : all;
    if (aggregation === 'min') return each.value < all.value ? each : all;
    return all;
  }, longest);
}

function parseSummaryValue(each: SummaryRow[string]): SummaryValue {
  if (typeof each === 'number') return { value: each };
  const [value, original, unit] = each;
  return { value, original: { value: original, unit } };
}

const compareNames = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);
