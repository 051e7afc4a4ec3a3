// What several workers would do over and over is done by one: many uploads, large ones, moves and removals. It only saves work.
import { ingestLeaseRows } from '../../store/ingest-leases.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../new-id.ts';
import { workerLifeMs } from '../work/worker-life.ts';

export interface Lease {
  /** True when it is this worker's, also from before. `what` names what is to be done first. */
  take(what: string): Promise<boolean>;
  isHeld(): boolean;
  /** How many workers died in a row at this, when it was what the lease was taken for. */
  deathsAt(what: string): number;
  giveBack(): Promise<void>;
}

export function leaseFor(deps: Deps, userId: string): Lease {
  const { store, clock } = deps;
  const worker = newId(deps, 'lease');
  let takes = 0;
  let takenFor = '';
  return {
    async take(what) {
      const now = clock.now();
      if (takes === 0) {
        takes = (await ingestLeaseRows(store).take(userId, { worker, oldest: what }, now, now + workerLifeMs)) ?? 0;
        takenFor = what;
      }
      return takes > 0;
    },
    isHeld: () => takes > 0,
    deathsAt: (what) => (what === takenFor ? Math.max(0, takes - 1) : 0),
    async giveBack() {
      if (takes > 0) await ingestLeaseRows(store).giveBack(userId, worker);
      takes = 0;
    },
  };
}
