// What of a user waits for ingest, with the device that leaves.
import type { Deps } from '../../shared/domain/deps.ts';
import type { DeviceRow } from '../../shared/store/devices.ts';
import type { Rezoning } from '../../shared/store/rezonings.ts';
import { type WaitingWork, waitingWork } from '../../shared/store/waiting-work.ts';

export const waitingOf = ({ store }: Deps, user: string): Promise<WaitingWork> => waitingWork(store).of(user, 99);

export const rezoningOf = async (deps: Deps, user: string): Promise<Rezoning | undefined> =>
  (await waitingOf(deps, user)).rezoning;

export async function leavingOf(deps: Deps, user: string): Promise<DeviceRow> {
  const [device] = (await waitingOf(deps, user)).leaving;
  if (!device) throw new Error('no device leaves');
  return device;
}
