// Schedules in which somebody stops: the writer dies after one of its writes, the caller at any of its calls, or the writer stalls and goes on after
// another has taken over.
import { type Actor, type Schedule, toTheEnd } from './schedule.ts';
import type { Step } from './stepped-actors.ts';
import { independent, type TableCall } from './table-footprint.ts';
import type { Covered } from './two-switches.ts';

type Attempt = (schedule: Schedule) => Promise<readonly Step[]>;
/** Where the call may come: before the writer begins or after it died, or at every moment between. */
export type Moments = 'before and after' | 'every';

const stepsOf = (steps: readonly Step[], of: Actor): Step[] => steps.filter(({ actor }) => actor === of);
const writes = ({ touches }: TableCall): boolean => touches.some((touch) => touch.writes);
/** Stopping later is the same where nothing was changed. */
const hasWritten = ({ call, outcome }: Step): boolean => outcome === 'held' && writes(call);

/** After the death the message comes again. */
export async function everyWriterDeath(attempt: Attempt, hasCall: boolean, moments: Moments): Promise<Covered> {
  const covered: Covered = { tried: 0, alike: 0 };
  const dieAfter = async (opening: Schedule['runs'], steps: readonly Step[], from: number): Promise<void> => {
    for (const [at, step] of stepsOf(steps, 'writer').slice(from).entries()) {
      covered[hasWritten(step) ? 'tried' : 'alike']++;
      const runs = [...opening, { actor: 'writer' as const, calls: at + 1 }];
      if (hasWritten(step)) await attempt({ runs, other: 'call', dies: 'writer' });
    }
  };
  // The call comes after the death, if at all.
  const alone = await attempt({ runs: [{ actor: 'writer', calls: toTheEnd }], other: 'call' });
  await dieAfter([], alone, 0);
  if (!hasCall) return covered;
  for (let before = 0; ; before++) {
    const opening = [
      { actor: 'writer' as const, calls: before },
      { actor: 'other' as const, calls: toTheEnd },
    ];
    const steps = await attempt({ runs: [...opening, { actor: 'writer', calls: toTheEnd }], other: 'call' });
    // A call that comes one step of the writer later is the same where the two do not meet.
    const [last] = stepsOf(steps.slice(0, before), 'writer').slice(-1);
    const meets = before === 0 || stepsOf(steps, 'other').some(({ call }) => last && !independent(call, last.call));
    if (meets) await dieAfter(opening, steps, before);
    if (moments !== 'every' || before >= stepsOf(steps, 'writer').length) return covered;
  }
}

/** Whoever calls is answered by nobody. */
export async function everyCallerDeath(attempt: Attempt): Promise<Covered> {
  const calls = (await attempt({ runs: [{ actor: 'other', calls: toTheEnd }], other: 'call' })).filter(
    ({ actor }) => actor === 'other',
  ).length;
  for (let made = 0; made <= calls; made++)
    await attempt({ runs: [{ actor: 'other', calls: made }], other: 'call', dies: 'other' });
  return { tried: calls + 1, alike: 0 };
}

/** The writer stops before each of its calls; a call comes, and another writer makes everything; then the first goes on. */
export async function everyZombie(attempt: Attempt, hasCall: boolean, isTooSoon: boolean): Promise<Covered> {
  for (let before = 0; ; before++) {
    const steps = await attempt({
      runs: [
        { actor: 'writer', calls: before },
        { actor: 'other', calls: toTheEnd },
        { actor: 'writer', calls: toTheEnd },
      ],
      other: hasCall ? 'call, then next writer' : 'next writer',
      ...(isTooSoon ? { isTooSoon } : {}),
    });
    if (before >= stepsOf(steps, 'writer').length) return { tried: before + 1, alike: 0 };
  }
}
