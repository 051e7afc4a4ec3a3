// Deletes a user: the user is gone for every caller at once, and the user's writer erases the rest.

import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { wakeWorker } from '../system/wake-worker.ts';
import { buildForgetAddressWrites } from '../team/end-membership.ts';
import { getAuthorizedUserContextIncludingUnshared } from '../users/authorized-user.ts';
import { deviceRows } from '../users/device-rows.ts';
import { stateRows } from '../users/state-rows.ts';
import type { DeletionAccepted } from '../users/user.ts';
import { activeDevices } from '../users/user-context.ts';
import { userRows } from '../users/user-rows.ts';

/**
 * The devices accept nothing from then on, and the user's writer erases what is left. `maxDevices`
 * and the few links that can be pending fit in one transaction.
 */
export async function deleteUser(deps: Deps, caller: Caller, userId: string): Promise<DeletionAccepted> {
  const { store } = deps;
  return optimisticRetry({ what: 'a user', retries: 5 }, async () => {
    const { user, devices, state } = await getAuthorizedUserContextIncludingUnshared(deps, caller, userId);
    const now = deps.clock.now();
    await store.commit([
      ...userRows(store).buildDelete(user, now),
      ...(await buildForgetAddressWrites(deps, user)),
      stateRows(store).buildNoNewDeviceCheck(user.id, state),
      ...activeDevices(devices).map((device) => deviceRows(store).buildClose(user.id, device)),
    ]);
    await wakeWorker(deps, 'user', { user_id: user.id });
    return { id: user.id, status: 'deleting', requested_at: formatTimestamp(now) };
  });
}
