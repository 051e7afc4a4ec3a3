// Authorizes the user of a read and ranks the user's devices.

import type { SampleId } from '../../catalog/metrics.ts';
import { consolidationKey } from '../../consolidation/catalog.ts';
import { compareByPriority } from '../../consolidation/device-priority.ts';
import { isEnabled } from '../../consolidation/settings.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { UserId } from '../../system/ids.ts';
import { getAuthorizedUserContext } from '../../users/authorized-user.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import { devicesWithData, toRankedDevice, type UserContext } from '../../users/user-context.ts';
import { userNotFound } from '../../users/users.ts';

/**
 * Reads the authorized user and other data of the same user in parallel. The other data is
 * discarded if the caller may not access the user.
 */
export async function readWithAuthorizedUser<T>(
  deps: Deps,
  caller: Caller,
  userId: string,
  read: () => Promise<T>,
): Promise<[UserContext, T]> {
  if (!UserId.safeParse(userId).success) throw userNotFound(userId);
  return Promise.all([getAuthorizedUserContext(deps, caller, userId), read()]);
}

/** Returns the connected devices, highest-ranked for the metric first. */
export const rankDevices = ({ devices }: UserContext, metric: SampleId): DeviceRow[] => {
  const compare = compareByPriority(metric);
  return devicesWithData(devices).sort((a, b) => compare(toRankedDevice(a), toRankedDevice(b)));
};

/** Returns the same devices, without those of providers that are switched off for the metric. */
export const rankEnabledDevices = (userContext: UserContext, metric: SampleId): DeviceRow[] =>
  rankDevices(userContext, metric).filter(({ provider }) =>
    isEnabled(userContext.state.settings, consolidationKey(metric), provider),
  );
