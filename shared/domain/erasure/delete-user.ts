// Deleting a user: gone for every caller at once; the person's writer erases the rest.
import type { Caller } from '../../model/account.ts';
import { timestamp } from '../../model/time.ts';
import type { DeletionAccepted } from '../../model/user.ts';
import { deviceRows } from '../../store/devices.ts';
import { stateRows } from '../../store/states.ts';
import { userRows } from '../../store/users.ts';
import type { Deps } from '../deps.ts';
import { forgettingAddress } from '../team/end-membership.ts';
import { ownSubjectEvenUnshared } from '../users/own-subject.ts';
import { activeDevices } from '../users/subject.ts';
import { optimisticRetry } from '../work/optimistic-retry.ts';
import { wake } from '../work/wake.ts';

/**
 * Its devices take nothing in from then on; the person's writer erases what is left. `mostDevices` and
 * the few links that may wait fit in one transaction.
 */
export async function deleteUser(deps: Deps, caller: Caller, userId: string): Promise<DeletionAccepted> {
  const { store } = deps;
  return optimisticRetry({ what: 'a user', retries: 5 }, async () => {
    const { user, devices, state } = await ownSubjectEvenUnshared(deps, caller, userId);
    const now = deps.clock.now();
    await store.commit([
      ...userRows(store).deleting(user, now),
      ...(await forgettingAddress(deps, user)),
      stateRows(store).withoutNewDevices(user.id, state),
      ...activeDevices(devices).map((device) => deviceRows(store).closing(user.id, device)),
    ]);
    await wake(deps, 'person', { user_id: user.id });
    return { id: user.id, status: 'deleting', requested_at: timestamp(now) };
  });
}
