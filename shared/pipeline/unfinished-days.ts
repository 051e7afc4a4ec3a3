// Days of a device that an interrupted pass began to change. The next pass derives them again, even
// if its records no longer count there.

import { isMetricId, type MetricId, sessionMetrics } from '../catalog/metrics.ts';
import { datesInRange } from '../platform/time/local-day.ts';
import type { RecordedChange } from '../users/command-rows.ts';

export interface UnfinishedDays {
  dates: ReadonlySet<string>;
  metrics: ReadonlySet<MetricId>;
  /** Whether nights are affected. */
  sleep: boolean;
}

export function collectUnfinishedDays(recordedChanges: readonly RecordedChange[]): UnfinishedDays {
  const dates = new Set<string>();
  const metrics = new Set<MetricId>();
  let sleep = false;
  for (const recordedChange of recordedChanges) {
    for (const { from, to } of recordedChange.ranges) for (const date of datesInRange(from, to)) dates.add(date);
    for (const metric of recordedChange.metrics) if (isMetricId(metric)) metrics.add(metric);
    sleep ||=
      recordedChange.sleep || recordedChange.metrics.some((metric) => isMetricId(metric) && sessionMetrics.has(metric));
  }
  return { dates, metrics, sleep };
}
