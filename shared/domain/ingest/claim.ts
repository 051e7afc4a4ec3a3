// What several workers would do over and over is done by one: many uploads, large ones, moves and removals. It only saves work.
import { makeId } from '../../model/ids.ts';
import type { Deps } from '../deps.ts';
import { workerLifeMs } from './second-look.ts';

export interface Claim {
  /** True when it is this worker's, also from before. */
  take(): Promise<boolean>;
  isHeld(): boolean;
  giveBack(): Promise<void>;
}

export function claimFor({ store, clock, random }: Deps, userId: string): Claim {
  const worker = makeId('event', clock.now(), random.bytes(10));
  let held = false;
  return {
    async take() {
      const now = clock.now();
      held ||= await store.ingestClaims.take(userId, worker, now, now + workerLifeMs);
      return held;
    },
    isHeld: () => held,
    async giveBack() {
      if (held) await store.ingestClaims.giveBack(userId, worker);
      held = false;
    },
  };
}
