// What merging a user's days needs to know, worked out once from its devices and settings: which devices count for each key, best first.
import type { ConsolidationSettings } from '../../model/consolidation.ts';
import type { ConsolidationMethod } from '../../model/consolidation-catalogue.ts';
import { type GroupId, metricTable } from '../../model/metric-table.ts';
import { type MetricId, metricRow } from '../../model/metrics.ts';
import { byPriority, type RankedDevice } from '../priority.ts';
import { consolidationCatalogue, metricsUnder } from './catalogue.ts';
import { isEnabled, methodFor } from './settings.ts';

export interface MergeDevice extends RankedDevice {
  /** Names the device inside packed days. */
  ordinal: number;
  provider: string;
}

/** The member that says how much there is of what a group describes. */
const leadOf: Record<GroupId, MetricId> = { sleep: 'asleep', blood_pressure: 'blood_pressure_systolic' };

export interface KeyPlan {
  method: ConsolidationMethod;
  /** The metric indexes under the key; for a group the lead comes first. */
  members: Uint8Array;
  /** The enabled devices as places in the device list, the most believed first. */
  order: Uint16Array;
}
export interface MergePlan {
  metrics: KeyPlan[];
  groups: KeyPlan[];
  /** By place in the device list: a number for its provider. */
  providerOf: Uint16Array;
}

/** Metrics that share it believe devices in the same order. */
const orderClass = (metric: MetricId): string => (metric === 'blood_glucose' ? metric : metricRow(metric).category);

/** The places of the devices in the list, the most believed first, for every class of metrics. */
export function believedOrders(devices: readonly MergeDevice[]): Map<string, number[]> {
  const orders = new Map<string, number[]>();
  for (const { id } of metricTable) {
    if (orders.has(orderClass(id))) continue;
    const compare = byPriority(id);
    const sorted = devices.map((device, place) => ({ device, place })).sort((a, b) => compare(a.device, b.device));
    orders.set(
      orderClass(id),
      sorted.map(({ place }) => place),
    );
  }
  return orders;
}

export function planMerge(devices: readonly MergeDevice[], settings: ConsolidationSettings): MergePlan {
  const orders = believedOrders(devices);
  const providers = [...new Set(devices.map(({ provider }) => provider))];
  const plan: MergePlan = {
    metrics: [],
    groups: [],
    providerOf: Uint16Array.from(devices, ({ provider }) => providers.indexOf(provider)),
  };
  for (const entry of consolidationCatalogue.metrics) {
    const enabled = new Set(providers.filter((provider) => isEnabled(settings, entry.key, provider)));
    const members = metricsUnder(entry.key);
    const [first] = members;
    if (first === undefined) continue;
    const group = metricRow(first).group;
    const lead = group === undefined ? first : leadOf[group];
    const order = (orders.get(orderClass(lead)) ?? []).filter((place) => enabled.has(devices[place]?.provider ?? ''));
    const indexes = [lead, ...members.filter((id) => id !== lead)].map((id) => metricRow(id).index);
    const key: KeyPlan = {
      method: methodFor(settings, entry).method,
      members: Uint8Array.from(indexes),
      order: Uint16Array.from(order),
    };
    (group === undefined ? plan.metrics : plan.groups).push(key);
  }
  return plan;
}
