// Suunto's totals by day: of the days of the person's zone, which it is asked for from midnight to
// midnight. They repeat a day as nothing and as a value, and may add one that nobody asked for.

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
  /** Days whose steps are told by samples too. */
  daysWithSteps: ReadonlySet<string>;
}

/** While a day is under way its samples know more than a total that was asked for hours ago. */
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

/** Of several watches the one that counted most: both on one arm must not count twice. */
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
      // By its middle: where clocks changed in between, a day begins an hour off midnight.
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
