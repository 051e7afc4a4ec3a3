// What should have brought newer data: devices that went quiet, and measurements that stopped.
import { addDays } from '../../../../../../shared/platform/time/local-day.ts';
import type { components } from '../../api/generated/v1.d.ts';
import type { NewestValue } from './measured-metrics.ts';

type Device = components['schemas']['Device'];

const dayMilliseconds = 86_400_000;
/** A scale that is silent for a week is no problem; a ring that is silent for two days is. */
const silentDays: Readonly<Record<Device['type'], number>> = {
  ring: 2,
  wrist: 2,
  phone: 2,
  cgm: 2,
  app: 7,
  scale: 14,
};

export const isSilent = ({ type, last_sync_at }: Pick<Device, 'type' | 'last_sync_at'>, nowMs: number): boolean =>
  last_sync_at !== null && nowMs - Date.parse(last_sync_at) > silentDays[type] * dayMilliseconds;

/** Connected devices that are silent, or whose provider cannot be read. */
export const listStaleDevices = <Listed extends Pick<Device, 'type' | 'last_sync_at' | 'status' | 'sync'>>(
  devices: readonly Listed[],
  nowMs: number,
): Listed[] =>
  devices.filter(
    (device) => device.status === 'active' && (isSilent(device, nowMs) || device.sync?.state === 'failed'),
  );

/** A measurement that is older than this is no longer one of now. */
const recentDays = 7;

/** Oldest first. */
export const listStaleValues = (newest: readonly NewestValue[], today: string): NewestValue[] =>
  newest.filter(({ date }) => date < addDays(today, -recentDays)).toSorted((a, b) => a.date.localeCompare(b.date));
