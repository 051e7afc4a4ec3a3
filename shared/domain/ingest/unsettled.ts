// Days of a device that an attempt began to make anew and did not finish. The next attempt makes them too, even if its records no longer count there.

import { datesInRange } from '../../model/local-day.ts';
import { isMetricId, type MetricId } from '../../model/metrics.ts';
import { sleepMetrics } from '../../model/sleep-metrics.ts';
import type { BatchRow } from '../../store/batches.ts';

export interface Unsettled {
  dates: Set<string>;
  metrics: Set<MetricId>;
  /** Whether nights are among it. */
  sleep: boolean;
}

export const nothingUnsettled = (): Unsettled => ({ dates: new Set(), metrics: new Set(), sleep: false });

/** What earlier attempts at these uploads have noted. */
export function unsettledBy(batches: readonly BatchRow[], before: Unsettled): Unsettled {
  const all: Unsettled = { dates: new Set(before.dates), metrics: new Set(before.metrics), sleep: before.sleep };
  for (const { changed } of batches) {
    if (!changed) continue;
    for (const { from, to } of changed.runs) for (const date of datesInRange(from, to)) all.dates.add(date);
    for (const metric of changed.metrics) if (isMetricId(metric)) all.metrics.add(metric);
    if (changed.sleep || changed.metrics.some((metric) => isMetricId(metric) && sleepMetrics.has(metric)))
      all.sleep = true;
  }
  return all;
}
