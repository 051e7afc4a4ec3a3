// Suunto's daily totals, requested from midnight to midnight in the user's zone. A day may appear
// twice, with and without a value, and a day that was not requested may be included.

import type { MetricId } from '../../catalog/metrics.ts';
import { dayMs } from '../../platform/time/local-day.ts';
import { localDayOfInstant } from '../kit/local-day-of-instant.ts';
import { readItems } from '../kit/read-items.ts';
import type { RecordBuilder } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import { readInstant } from '../phone/read-time.ts';
import { SuuntoDayValue, SuuntoStatistic } from './items.ts';

interface Total {
  path: string;
  value: number;
  isDayOver: boolean;
}

const statisticMetrics: Readonly<Record<string, { metric: MetricId; unit?: string }>> = {
  stepcount: { metric: 'steps' },
  energyconsumption: { metric: 'active_calories', unit: 'J' },
};
export const suuntoDailyMetrics = ['steps', 'active_calories'] as const satisfies MetricId[];

interface StatisticsContext {
  zone: string | null;
  days: RequestedDays;
  receivedMs: number;
  /** Days that also have steps in samples. */
  daysWithSteps: ReadonlySet<string>;
}

/**
 * During the current day, its samples are more up to date than a total that was requested hours
 * ago.
 */
export function addSuuntoStatistics(
  builder: RecordBuilder,
  at: string,
  list: unknown,
  context: StatisticsContext,
): void {
  for (const { path, item } of readItems(builder, at, list, SuuntoStatistic)) {
    const mapping = Object.hasOwn(statisticMetrics, item.Name) ? statisticMetrics[item.Name] : undefined;
    if (!mapping || item.Aggregation !== 'sum') continue;
    const { metric, unit } = mapping;
    for (const [date, total] of readTotals(builder, path, item.Sources ?? [], context))
      if (context.days.includes(date) && (metric !== 'steps' || total.isDayOver || !context.daysWithSteps.has(date)))
        builder.addDaily(total.path, metric, date, total.value, unit);
  }
}

/**
 * Of several watches, the one with the highest total counts, so that two on one arm are not added
 * up.
 */
function readTotals(
  builder: RecordBuilder,
  path: string,
  sources: readonly { Samples?: unknown[] | null | undefined }[],
  { zone, receivedMs }: StatisticsContext,
): Map<string, Total> {
  const maxTotals = new Map<string, Total>();
  for (const [index, { Samples }] of sources.entries()) {
    const sourceTotals = new Map<string, Total>();
    for (const each of readItems(builder, `${path}.Sources.${index}.Samples`, Samples, SuuntoDayValue)) {
      const startMs = parseStart(each.item.TimeISO8601);
      const value = parseAmount(each.item.Value);
      if (startMs === undefined || value === undefined) continue;
      // Uses the middle of the day, because a day starts an hour off midnight if the clocks changed
      // in between.
      const date = localDayOfInstant(startMs + dayMs / 2, zone);
      sourceTotals.set(date, { path: each.path, value, isDayOver: startMs + dayMs <= receivedMs });
    }
    for (const [date, total] of sourceTotals)
      if (total.value >= (maxTotals.get(date)?.value ?? 0)) maxTotals.set(date, total);
  }
  return maxTotals;
}

const parseStart = (text: string): number | undefined =>
  readInstant(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)?.ms;

function parseAmount(value: number | string | null | undefined): number | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const amount = Number(value);
  return Number.isFinite(amount) ? amount : undefined;
}
