// Days of a device that a broken pass began to change. The next pass makes them anew, even if its records no longer count there.

import { isMetricId, type MetricId } from '../catalog/metrics.ts';
import { sleepMetrics } from '../catalog/sleep-metrics.ts';
import { datesInRange } from '../platform/time/local-day.ts';
import type { Noted } from '../users/command-rows.ts';

export interface BegunDays {
  dates: ReadonlySet<string>;
  metrics: ReadonlySet<MetricId>;
  /** Whether nights are among it. */
  sleep: boolean;
}

export function begunDays(notes: readonly Noted[]): BegunDays {
  const dates = new Set<string>();
  const metrics = new Set<MetricId>();
  let sleep = false;
  for (const noted of notes) {
    for (const { from, to } of noted.runs) for (const date of datesInRange(from, to)) dates.add(date);
    for (const metric of noted.metrics) if (isMetricId(metric)) metrics.add(metric);
    sleep ||= noted.sleep || noted.metrics.some((metric) => isMetricId(metric) && sleepMetrics.has(metric));
  }
  return { dates, metrics, sleep };
}
