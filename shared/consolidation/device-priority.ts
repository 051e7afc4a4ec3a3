// Ranks devices for each metric.
import { type CategoryId, type SampleId, sampleRow } from '../catalog/metrics.ts';
import type { ConnectionKind, DeviceType } from '../catalog/provider.ts';

const wearablesFirst: readonly DeviceType[] = ['wrist', 'ring', 'phone', 'app'];
const preferredTypes: Record<CategoryId, readonly DeviceType[]> = {
  sleep: ['ring', 'wrist', 'scale', 'phone', 'app'],
  vitals: wearablesFirst,
  body_composition: ['scale', 'phone', 'app'],
  activity: wearablesFirst,
  energy: wearablesFirst,
  nutrition: ['app', 'phone'],
  scores: wearablesFirst,
};
const preferredGlucoseTypes: readonly DeviceType[] = ['cgm', ...preferredTypes.vitals];

/**
 * Greater than the number of device types, so that no cloud device outranks a Mobile SDK device.
 */
const cloudPenalty = 100;

export interface DeviceSource {
  connection: ConnectionKind;
  deviceType: DeviceType;
}
export interface RankedDevice extends DeviceSource {
  id: string;
  /** Null until the device is connected. */
  connectedMs: number | null;
}

/**
 * A lower rank takes precedence. Device types that a category does not list share its last rank.
 */
export function rank(device: DeviceSource, metric: SampleId): number {
  const types = metric === 'blood_glucose' ? preferredGlucoseTypes : preferredTypes[sampleRow(metric).category];
  const position = types.indexOf(device.deviceType);
  return (position === -1 ? types.length : position) + (device.connection === 'sdk' ? 0 : cloudPenalty);
}

/**
 * Sorts devices by rank, highest-ranked first. Two different devices never tie. A replacement
 * device precedes the device it replaces, and a sync does not change the order.
 */
export function compareByPriority(metric: SampleId): (a: RankedDevice, b: RankedDevice) => number {
  return (a, b) =>
    rank(a, metric) - rank(b, metric) || compareLatestFirst(a.connectedMs, b.connectedMs) || compareIds(a.id, b.id);
}

const compareLatestFirst = (a: number | null, b: number | null): number => (b ?? 0) - (a ?? 0);

const compareIds = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
