// The consolidation catalog, derived from the metric table. A grouped metric is configured only
// through its group.
import {
  type ConsolidationCategory,
  categoryOrder,
  consolidationMethods as methods,
} from '../catalog/consolidation-catalog.ts';
import {
  type ConsolidationCatalog,
  type ConsolidationEntry,
  type ConsolidationKey,
  toConsolidationKey,
} from '../catalog/consolidation-entry.ts';
import { categoryNames, type GroupId, groupNames, type MetricRow, metricTable } from '../catalog/metric-table.ts';
import type { MetricId, SampleId } from '../catalog/metrics.ts';

const membersByKey = Map.groupBy<ConsolidationKey, MetricRow>(metricTable, toConsolidationKey);

function buildEntry(
  key: ConsolidationKey,
  rows: readonly MetricRow[],
  category: ConsolidationCategory,
): ConsolidationEntry {
  const [first] = rows;
  const group = first?.group;
  const adds = rows.every((row) => row.adds);
  const accrues = rows.every((row) => row.accrues);
  return {
    key,
    display_name: group === undefined ? (first?.displayName ?? key) : groupNames[group],
    category,
    kind: group === undefined ? 'metric' : 'group',
    default_method: accrues ? 'merge' : 'priority',
    allowed_methods: methods.filter((method) => (method !== 'merge' || accrues) && (method !== 'sum' || adds)),
  };
}

export const consolidationCatalog: ConsolidationCatalog = {
  category_order: [...categoryOrder],
  metrics: categoryOrder.flatMap((category) =>
    [...membersByKey]
      .filter(([, rows]) => rows.some((row) => categoryNames[row.category] === category))
      .map(([key, rows]) => buildEntry(key, rows, category)),
  ),
};

const entriesByKey: ReadonlyMap<string, ConsolidationEntry> = new Map(
  consolidationCatalog.metrics.map((item) => [item.key, item]),
);
const rowsByKey: ReadonlyMap<string, readonly MetricRow[]> = membersByKey;
const keysByMetric: ReadonlyMap<string, string> = new Map(metricTable.map((row) => [row.id, toConsolidationKey(row)]));

/**
 * Returns undefined for a key that is not in the catalog, including the own id of a grouped metric.
 */
export function consolidationEntry(key: string): ConsolidationEntry | undefined {
  return entriesByKey.get(key);
}

/** The member that measures the amount of what a group describes. */
const leadMetrics: Record<GroupId, MetricId> = { sleep: 'asleep', blood_pressure: 'blood_pressure_systolic' };

const isLead = ({ id, group }: MetricRow): boolean => group !== undefined && leadMetrics[group] === id;

/** Returns the metrics that a key's settings apply to; for a group the lead comes first. */
export function metricsForKey(key: string): MetricId[] {
  const rows = rowsByKey.get(key) ?? [];
  return [...rows.filter(isLead), ...rows.filter((row) => !isLead(row))].map((row) => row.id);
}

/**
 * Returns the key through which a metric is configured. A sampled score has no key of its own: only
 * the settings for all metrics apply to it.
 */
export function consolidationKey(metric: SampleId): string {
  return keysByMetric.get(metric) ?? metric;
}

/**
 * Returns the metrics that decide which device this one comes from, itself included: all members of
 * a group that comes from one device as a whole, or the lead of a night. The lead comes first.
 */
export function listDecidingMetrics(metric: SampleId): readonly SampleId[] {
  const members = metricsForKey(consolidationKey(metric));
  if (members.length === 0) return [metric];
  return consolidationKey(metric) === 'sleep' ? [...new Set([leadMetrics.sleep, metric])] : members;
}
