// Which of several devices to believe first, metric by metric.
import { type CategoryId, type SampleId, sampleRow } from '../catalog/metrics.ts';
import type { ConnectionKind, DeviceType } from '../catalog/provider.ts';

const wornFirst: readonly DeviceType[] = ['wrist', 'ring', 'phone', 'app'];
const preferred: Record<CategoryId, readonly DeviceType[]> = {
  sleep: ['ring', 'wrist', 'scale', 'phone', 'app'],
  vitals: wornFirst,
  body_composition: ['scale', 'phone', 'app'],
  activity: wornFirst,
  energy: wornFirst,
  nutrition: ['app', 'phone'],
  scores: wornFirst,
};
const preferredForGlucose: readonly DeviceType[] = ['cgm', ...preferred.vitals];

/** More than there are device types, so no cloud device can outrank a Mobile SDK one. */
const cloudPenalty = 100;

export interface Reporter {
  connection: ConnectionKind;
  deviceType: DeviceType;
}
export interface RankedDevice extends Reporter {
  id: string;
  /** Null while it is not connected yet. */
  connectedMs: number | null;
}

/** Lower is believed first. Device types a category does not name share its last place. */
export function rank(device: Reporter, metric: SampleId): number {
  const types = metric === 'blood_glucose' ? preferredForGlucose : preferred[sampleRow(metric).category];
  const place = types.indexOf(device.deviceType);
  return (place === -1 ? types.length : place) + (device.connection === 'sdk' ? 0 : cloudPenalty);
}

/** Sorts devices from the most to the least believed; two different devices never tie. A replacement comes before what it replaces, and a sync changes nothing. */
export function byPriority(metric: SampleId): (a: RankedDevice, b: RankedDevice) => number {
  return (a, b) => rank(a, metric) - rank(b, metric) || latestFirst(a.connectedMs, b.connectedMs) || order(a.id, b.id);
}

const latestFirst = (a: number | null, b: number | null): number => (b ?? 0) - (a ?? 0);

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
