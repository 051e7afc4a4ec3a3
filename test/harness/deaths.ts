// Every schedule in which a worker makes i calls, the other, who comes late, all of its own, and the first so many more, dying after a write.
import { type Schedule, theOther, toTheEnd, type WorkerName } from './schedule.ts';
import type { Step } from './stepped-workers.ts';
import { independent, type TableCall } from './table-footprint.ts';
import type { Covered } from './two-switches.ts';

export async function everyDeath(
  dies: WorkerName,
  attempt: (schedule: Schedule) => Promise<readonly Step[]>,
): Promise<Covered> {
  const other = theOther(dies);
  const covered: Covered = { tried: 0, alike: 0 };
  for (let i = 0; ; i++) {
    const upTo = (calls: number) => [
      { worker: dies, calls: i },
      { worker: other, calls: toTheEnd },
      { worker: dies, calls },
    ];
    const steps = await attempt({ runs: upTo(toTheEnd), late: other });
    const rest = steps.filter(({ worker }) => worker === dies).slice(i);
    const [next] = rest;
    if (!next) return covered;
    // Dying later, or switching later, is the same where nothing is changed or met.
    const meets = steps.some(({ worker, call }) => worker === other && !independent(call, next.call));
    for (const [k, { call, outcome }] of rest.entries()) {
      const kind = (meets || i === 0) && outcome === 'held' && writes(call) ? 'tried' : 'alike';
      covered[kind]++;
      if (kind === 'tried') await attempt({ runs: upTo(k + 1), late: other, dies });
    }
  }
}

const writes = ({ touches }: TableCall): boolean => touches.some((touch) => touch.writes);
