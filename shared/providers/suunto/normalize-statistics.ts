// Suunto's totals by day: of the days of the person's zone, which it is asked for from midnight to
// midnight. They repeat a day as nothing and as a value, and may add one that nobody asked for.

import type { MetricId } from '../../catalog/metrics.ts';
import { dayMs } from '../../platform/time/local-day.ts';
import { dayOf } from '../kit/day-of.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import type { Gathering } from '../kit/gathering.ts';
import { readItems } from '../kit/read-items.ts';
import { readInstant } from '../phone/read-time.ts';
import { SuuntoDayValue, SuuntoStatistic } from './items.ts';

interface Total {
  path: string;
  value: number;
  isOver: boolean;
}

const metrics: Readonly<Record<string, { metric: MetricId; unit?: string }>> = {
  stepcount: { metric: 'steps' },
  energyconsumption: { metric: 'active_calories', unit: 'J' },
};
export const suuntoTotals = ['steps', 'active_calories'] as const satisfies MetricId[];

interface Known {
  zone: string | null;
  days: DaysAsked;
  receivedMs: number;
  /** Days whose steps are told by samples too. */
  walked: ReadonlySet<string>;
}

/** While a day is under way its samples know more than a total that was asked for hours ago. */
export function gatherSuuntoStatistics(gathering: Gathering, at: string, list: unknown, known: Known): void {
  for (const { path, item } of readItems(gathering, at, list, SuuntoStatistic)) {
    const told = Object.hasOwn(metrics, item.Name) ? metrics[item.Name] : undefined;
    if (!told || item.Aggregation !== 'sum') continue;
    const { metric, unit } = told;
    for (const [date, total] of totalsOf(gathering, path, item.Sources ?? [], known))
      if (known.days.holds(date) && (metric !== 'steps' || total.isOver || !known.walked.has(date)))
        gathering.daily(total.path, metric, date, total.value, unit);
  }
}

/** Of several watches the one that counted most: both on one arm must not count twice. */
function totalsOf(
  gathering: Gathering,
  path: string,
  sources: readonly { Samples?: unknown[] | null | undefined }[],
  { zone, receivedMs }: Known,
): Map<string, Total> {
  const most = new Map<string, Total>();
  for (const [index, { Samples }] of sources.entries()) {
    const own = new Map<string, Total>();
    for (const each of readItems(gathering, `${path}.Sources.${index}.Samples`, Samples, SuuntoDayValue)) {
      const startMs = startOf(each.item.TimeISO8601);
      const value = amountOf(each.item.Value);
      if (startMs === undefined || value === undefined) continue;
      // By its middle: where clocks changed in between, a day begins an hour off midnight.
      const date = dayOf(startMs + dayMs / 2, zone);
      own.set(date, { path: each.path, value, isOver: startMs + dayMs <= receivedMs });
    }
    for (const [date, total] of own) if (total.value >= (most.get(date)?.value ?? 0)) most.set(date, total);
  }
  return most;
}

const startOf = (text: string): number | undefined =>
  readInstant(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)?.ms;

function amountOf(value: number | string | null | undefined): number | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const amount = Number(value);
  return Number.isFinite(amount) ? amount : undefined;
}
