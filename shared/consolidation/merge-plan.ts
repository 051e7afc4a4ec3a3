// Computes once, from a user's devices and settings, which devices count for each key and in which
// order.

import type { ConsolidationMethod, ConsolidationSettings } from '../catalog/consolidation-catalog.ts';
import { lastSingleDeviceNightRule } from '../catalog/merge-rule.ts';
import { metricTable } from '../catalog/metric-table.ts';
import { type MetricId, metricRow } from '../catalog/metrics.ts';
import { consolidationCatalog, metricsForKey } from './catalog.ts';
import { compareByPriority, type RankedDevice } from './device-priority.ts';
import { isEnabled, methodFor } from './settings.ts';

export interface MergeDevice extends RankedDevice {
  /** Identifies the device inside packed days. */
  ordinal: number;
  provider: string;
}

export interface KeyPlan<Method extends ConsolidationMethod = ConsolidationMethod> {
  method: Method;
  /** The metric indexes of the key; for a group the lead comes first. */
  members: Uint8Array;
  /** The positions of the enabled devices in the device list, highest-ranked first. */
  order: Uint16Array;
}
export type CombinedPlan = KeyPlan<'max' | 'avg' | 'sum'>;
/** A group's values are neither added up nor split. */
export type GroupPlan = KeyPlan<'priority' | 'max' | 'avg'>;

export interface MergePlan {
  /**
   * Metrics that use the value of the highest-ranked device, grouped by device order. Metrics
   * merged by period also start from that value.
   */
  prioritized: KeyPlan[];
  /** Metrics that are merged by period, one plan each. */
  mergedByPeriod: KeyPlan[];
  /** Metrics with any other method, one plan each. */
  combined: CombinedPlan[];
  /** Groups whose members come from one device, except with `avg`. */
  boundGroups: GroupPlan[];
  /** The sleep group, whose members are merged one by one; empty for days of the first merge rules. */
  nightGroups: GroupPlan[];
  /** A provider number for each position in the device list. */
  providerOf: Uint16Array;
}

/** Metrics of one class rank devices in the same order. */
const orderClass = (metric: MetricId): string => (metric === 'blood_glucose' ? metric : metricRow(metric).category);

const classExamples: ReadonlyMap<string, MetricId> = new Map(metricTable.map(({ id }) => [orderClass(id), id]));

/** The catalog entries, expressed in the metric indexes of packed days. */
const keysToPlan = consolidationCatalog.metrics.map((entry) => {
  const ids = metricsForKey(entry.key);
  const [lead] = ids;
  if (lead === undefined) throw new Error(`${entry.key} has no metrics`);
  return {
    entry,
    isGroup: entry.kind === 'group',
    members: Uint8Array.from(ids, (id) => metricRow(id).index),
    orderClass: orderClass(lead),
  };
});

/**
 * Returns, for every class of metrics, the device positions with the highest-ranked device first.
 */
function rankDevicesByClass(devices: readonly MergeDevice[]): Map<string, number[]> {
  const positionedDevices = devices.map((device, position) => ({ device, position }));
  const orders = new Map<string, number[]>();
  for (const [name, example] of classExamples) {
    const compare = compareByPriority(example);
    const sorted = positionedDevices.toSorted((a, b) => compare(a.device, b.device));
    orders.set(
      name,
      sorted.map(({ position }) => position),
    );
  }
  return orders;
}

export function planMerge(devices: readonly MergeDevice[], settings: ConsolidationSettings, rule: number): MergePlan {
  const providers = [...new Set(devices.map(({ provider }) => provider))];
  const providerOf = Uint16Array.from(devices, ({ provider }) => providers.indexOf(provider));
  const plan: MergePlan = {
    prioritized: [],
    mergedByPeriod: [],
    combined: [],
    boundGroups: [],
    nightGroups: [],
    providerOf,
  };
  const prioritized = new Map<string, { order: Uint16Array; members: number[] }>();
  const orders = rankDevicesByClass(devices);
  for (const { entry, isGroup, members, orderClass } of keysToPlan) {
    const enabled = providers.map((provider) => isEnabled(settings, entry.key, provider));
    const ranked = (orders.get(orderClass) ?? []).filter((position) => enabled[providerOf[position] ?? 0]);
    const order = Uint16Array.from(ranked);
    const { method } = methodFor(settings, entry);
    if (isGroup) {
      if (method === 'merge' || method === 'sum') throw new Error(`a group cannot be consolidated by ${method}`);
      const isNight = entry.key === 'sleep' && rule > lastSingleDeviceNightRule;
      (isNight ? plan.nightGroups : plan.boundGroups).push({ method, order, members });
    } else if (method !== 'priority' && method !== 'merge') plan.combined.push({ method, order, members });
    else {
      if (method === 'merge') plan.mergedByPeriod.push({ method, order, members });
      const name = ranked.join();
      const sameOrder = prioritized.get(name) ?? { order, members: [] };
      sameOrder.members.push(...members);
      prioritized.set(name, sameOrder);
    }
  }
  for (const { order, members } of prioritized.values()) {
    plan.prioritized.push({ method: 'priority', order, members: Uint8Array.from(members) });
  }
  return plan;
}
