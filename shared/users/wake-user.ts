// Wakes a user's writer with the user's wake number, which is read after everything that the writer
// needs is stored (`wake-number.ts`).
import { EngineUnavailable } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { wakeWorker } from '../system/wake-worker.ts';
import { wakeKey } from './wake-number.ts';
import { wakeRows } from './wake-rows.ts';

export async function wakeUser(deps: Pick<Deps, 'store' | 'queue' | 'log'>, userId: string): Promise<void> {
  let wake: number | undefined;
  try {
    wake = await wakeRows(deps.store).find(userId);
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    deps.log('warn', 'worker_not_woken', { queue: 'user', cause: error });
    return;
  }
  // Nothing raises the number of a deleted user, and callers can no longer store commands for it.
  if (wake === undefined) return wakeWorker(deps, 'user', { user_id: userId });
  await wakeWorker(deps, 'user', { user_id: userId, wake }, { deduplicationKey: wakeKey(wake) });
}
