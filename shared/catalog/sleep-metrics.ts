// The metrics that are computed from a night's sessions.
import { metricTable } from './metric-table.ts';
import type { MetricId, SampleId } from './metrics.ts';

export const sleepMetrics: ReadonlySet<MetricId> = new Set(
  metricTable.filter(({ group, id }) => group === 'sleep' && id !== 'sleep_latency').map(({ id }) => id),
);

const sleepMetricIds: ReadonlySet<string> = sleepMetrics;
export const isSleepMetric = (id: SampleId): boolean => sleepMetricIds.has(id);
