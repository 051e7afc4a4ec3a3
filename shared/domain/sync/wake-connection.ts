// Wakes the writer of a connection.
import type { Deps } from '../deps.ts';
import { wake } from '../work/wake.ts';

export const wakeConnection = (deps: Deps, userId: string, deviceId: string): Promise<void> =>
  wake(deps, 'connection', { user_id: userId, device_id: deviceId });

export const wakeRevocation = (deps: Deps, userId: string, deviceId: string): Promise<void> =>
  wake(deps, 'connection', { user_id: userId, device_id: deviceId, revoke: true });
