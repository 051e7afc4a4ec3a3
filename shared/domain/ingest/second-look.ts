// A worker that began before a user moved, or before a device went, may still write what was true then, and die before it notices.
// So such a change is carried out at once, and looked after once more when nobody who began before it can be at work.
import type { Deps } from '../deps.ts';
import { wake } from '../work/wake.ts';
import { workerLifeMs } from '../work/worker-life.ts';

export interface LookedAfter {
  /** From when on it may be looked after once more; null before it was carried out at all. */
  againMs: number | null;
}

export const isDue = ({ againMs }: LookedAfter, nowMs: number): boolean => againMs === null || againMs <= nowMs;

export async function wakeForSecondLook(deps: Deps, userId: string, { againMs }: LookedAfter): Promise<void> {
  if (againMs === null)
    await wake(deps, 'ingest', { user_id: userId }, { delaySeconds: Math.ceil(workerLifeMs / 1000) });
}
