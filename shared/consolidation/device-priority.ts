// Which of several devices to believe first, metric by metric.
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

/** More than there are device types, so no cloud device can outrank a Mobile SDK one. */
const cloudPenalty = 100;

export interface DeviceSource {
  connection: ConnectionKind;
  deviceType: DeviceType;
}
export interface RankedDevice extends DeviceSource {
  id: string;
  /** Null while it is not connected yet. */
  connectedMs: number | null;
}

/** Lower is believed first. Device types a category does not name share its last place. */
export function rank(device: DeviceSource, metric: SampleId): number {
  const types = metric === 'blood_glucose' ? preferredGlucoseTypes : preferredTypes[sampleRow(metric).category];
  const position = types.indexOf(device.deviceType);
  return (position === -1 ? types.length : position) + (device.connection === 'sdk' ? 0 : cloudPenalty);
}

/** Sorts devices from the most to the least believed; two different devices never tie. A replacement comes before what it replaces, and a sync changes nothing. */
export function compareByPriority(metric: SampleId): (a: RankedDevice, b: RankedDevice) => number {
  return (a, b) =>
    rank(a, metric) - rank(b, metric) || compareLatestFirst(a.connectedMs, b.connectedMs) || compareIds(a.id, b.id);
}

const compareLatestFirst = (a: number | null, b: number | null): number => (b ?? 0) - (a ?? 0);

const compareIds = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
