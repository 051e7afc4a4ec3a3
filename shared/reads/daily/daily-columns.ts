// Decodes packed days into one column per metric.

import { type MetricId, metricRow } from '../../catalog/metrics.ts';
import { decodeColumns } from '../../measurements/codec/columns.ts';
import type { CanonicalItem } from '../../measurements/rows/day-rows.ts';
import { datesInRange } from '../../platform/time/local-day.ts';
import type { Range } from '../kit/range.ts';

export interface DailyColumns {
  range: Range;
  dates: readonly string[];
  metrics: readonly MetricId[];
  /** One column per metric with one value per date; NaN where there is none. */
  columns: readonly Float64Array[];
}

export function decodeDailyColumns(
  range: Range,
  metrics: readonly MetricId[],
  days: ReadonlyMap<string, Pick<CanonicalItem, 'packed'>>,
): DailyColumns {
  const dates = datesInRange(range.from, range.to);
  const columns = decodeColumns(
    dates.map((date) => days.get(date)?.packed),
    metrics.map((metric) => metricRow(metric).index),
  );
  return { range, dates, metrics, columns };
}

export async function collectByDate<Day extends { date: string }>(
  days: AsyncIterable<Day>,
): Promise<ReadonlyMap<string, Day>> {
  const daysByDate = new Map<string, Day>();
  for await (const day of days) daysByDate.set(day.date, day);
  return daysByDate;
}
