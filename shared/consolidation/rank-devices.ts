// Ranks the devices of a user whose data counts (replaced and disconnected ones included).
import type { SampleId } from '../catalog/metrics.ts';
import type { DeviceRow } from '../users/device-rows.ts';
import { devicesWithData, toRankedDevice, type UserContext } from '../users/user-context.ts';
import { consolidationKey } from './catalog.ts';
import { compareByPriority } from './device-priority.ts';
import { isEnabled } from './settings.ts';

/** Returns the devices whose data counts, highest-ranked for the metric first. */
export const rankDevices = ({ devices }: Pick<UserContext, 'devices'>, metric: SampleId): DeviceRow[] => {
  const compare = compareByPriority(metric);
  return devicesWithData(devices).sort((a, b) => compare(toRankedDevice(a), toRankedDevice(b)));
};

/** Returns the same devices, without those of providers that are switched off for the metric. */
export const rankEnabledDevices = (
  userContext: Pick<UserContext, 'devices' | 'state'>,
  metric: SampleId,
): DeviceRow[] =>
  rankDevices(userContext, metric).filter(({ provider }) =>
    isEnabled(userContext.state.settings, consolidationKey(metric), provider),
  );
