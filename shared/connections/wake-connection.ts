// Wakes the writer of a connection.
import type { Deps } from '../system/deps.ts';
import { wakeWorker } from '../system/wake-worker.ts';

export const wakeConnection = (deps: Deps, userId: string, deviceId: string): Promise<void> =>
  wakeWorker(deps, 'connection', { user_id: userId, device_id: deviceId });

export const wakeRevocation = (deps: Deps, userId: string, deviceId: string): Promise<void> =>
  wakeWorker(deps, 'connection', { user_id: userId, device_id: deviceId, revoke: true });
