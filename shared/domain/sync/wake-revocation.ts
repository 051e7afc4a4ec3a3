// Wakes whoever gives a consent back.
import type { Deps } from '../deps.ts';
import { wake } from '../work/wake.ts';

export const wakeRevocation = (deps: Deps, userId: string, deviceId: string): Promise<void> =>
  wake(deps, 'sync', { user_id: userId, device_id: deviceId, revoke: true });
