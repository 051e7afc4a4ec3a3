// Every schedule in which a worker dies after one of its writes: before the other comes, while the other is at work, or after the other has overtaken it.
import { type Run, type Schedule, theOther, toTheEnd, type WorkerName } from './schedule.ts';
import type { Step } from './stepped-workers.ts';
import { independent, type TableCall } from './table-footprint.ts';
import type { Covered } from './two-switches.ts';

export type Death = 'before the other comes' | 'while the other is at work' | 'overtaken by the other';

/** Who makes so many calls, and then whom the dying one's calls follow. */
const opening = (death: Death, dies: WorkerName, calls: number): Run[] =>
  death === 'overtaken by the other'
    ? [
        { worker: dies, calls },
        { worker: theOther(dies), calls: toTheEnd },
      ]
    : [{ worker: theOther(dies), calls }];

export async function everyDeath(
  death: Death,
  dies: WorkerName,
  attempt: (schedule: Schedule) => Promise<readonly Step[]>,
): Promise<Covered> {
  const covered: Covered = { tried: 0, alike: 0 };
  for (let i = 0; ; i++) {
    const upTo = (calls: number): Schedule => ({
      runs: [...opening(death, dies, i), { worker: dies, calls }],
      late: theOther(dies),
      dies,
    });
    const steps = await attempt(upTo(toTheEnd));
    const own = steps.filter(({ worker }) => worker === dies).slice(death === 'overtaken by the other' ? i : 0);
    const switching = death === 'overtaken by the other' ? own : steps.filter(({ worker }) => worker !== dies).slice(i);
    const [next] = switching;
    if (!next && i > 0) return covered;
    // Dying later, or switching later, is the same where nothing is changed or met.
    const others = steps.filter(({ worker }) => worker !== next?.worker);
    const meets = i === 0 || others.some(({ call }) => next && !independent(call, next.call));
    for (const [k, { call, outcome }] of own.entries()) {
      const kind = meets && outcome === 'held' && writes(call) ? 'tried' : 'alike';
      covered[kind]++;
      if (kind === 'tried') await attempt(upTo(k + 1));
    }
    if (death === 'before the other comes') return covered;
  }
}

const writes = ({ touches }: TableCall): boolean => touches.some((touch) => touch.writes);
