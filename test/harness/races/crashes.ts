// Schedules in which an actor stops: the writer crashes after one of its writes, the caller crashes
// at any of its calls, or the writer stalls and continues after another has taken over.

import type { ScheduleCoverage } from './context-switches.ts';
import { type Actor, type Schedule, untilDone } from './schedule.ts';
import type { Step } from './stepped-actors.ts';
import { areIndependent, type TableCall } from './table-footprint.ts';

type RunSchedule = (schedule: Schedule) => Promise<readonly Step[]>;
/**
 * When the call happens: before the writer begins or after it crashes, or at every point in between
 * as well.
 */
export type Moments = 'before and after' | 'every';

const stepsOf = (steps: readonly Step[], of: Actor): Step[] => steps.filter(({ actor }) => actor === of);
const isWrite = ({ ranges: touches }: TableCall): boolean => touches.some((touch) => touch.writes);
/** If nothing was written, a later crash is equivalent. */
const hasWritten = ({ call, outcome }: Step): boolean => outcome === 'held' && isWrite(call);

/** The message is redelivered after the crash. */
export async function tryEveryWriterCrash(
  attempt: RunSchedule,
  hasCall: boolean,
  moments: Moments,
): Promise<ScheduleCoverage> {
  const covered: ScheduleCoverage = { tried: 0, alike: 0 };
  const crashAfter = async (opening: Schedule['runs'], steps: readonly Step[], from: number): Promise<void> => {
    for (const [at, step] of stepsOf(steps, 'writer').slice(from).entries()) {
      covered[hasWritten(step) ? 'tried' : 'alike']++;
      const runs = [...opening, { actor: 'writer' as const, calls: at + 1 }];
      if (hasWritten(step)) await attempt({ runs, other: 'call', dies: 'writer' });
    }
  };
  // The call, if any, happens after the crash.
  const alone = await attempt({ runs: [{ actor: 'writer', calls: untilDone }], other: 'call' });
  await crashAfter([], alone, 0);
  if (!hasCall) return covered;
  for (let before = 0; ; before++) {
    const opening = [
      { actor: 'writer' as const, calls: before },
      { actor: 'other' as const, calls: untilDone },
    ];
    const steps = await attempt({ runs: [...opening, { actor: 'writer', calls: untilDone }], other: 'call' });
    // A call that happens one writer step later is equivalent if the two steps are independent.
    const [last] = stepsOf(steps.slice(0, before), 'writer').slice(-1);
    const conflicts =
      before === 0 || stepsOf(steps, 'other').some(({ call }) => last && !areIndependent(call, last.call));
    if (conflicts) await crashAfter(opening, steps, before);
    if (moments !== 'every' || before >= stepsOf(steps, 'writer').length) return covered;
  }
}

/** The caller crashes without receiving a response. */
export async function tryEveryCallerCrash(attempt: RunSchedule): Promise<ScheduleCoverage> {
  const calls = (await attempt({ runs: [{ actor: 'other', calls: untilDone }], other: 'call' })).filter(
    ({ actor }) => actor === 'other',
  ).length;
  for (let callCount = 0; callCount <= calls; callCount++)
    await attempt({ runs: [{ actor: 'other', calls: callCount }], other: 'call', dies: 'other' });
  return { tried: calls + 1, alike: 0 };
}

/**
 * The writer pauses before each of its calls, a call happens, another writer runs to completion,
 * and then the first continues.
 */
export async function tryEveryZombie(
  attempt: RunSchedule,
  hasCall: boolean,
  isTooSoon: boolean,
): Promise<ScheduleCoverage> {
  for (let before = 0; ; before++) {
    const steps = await attempt({
      runs: [
        { actor: 'writer', calls: before },
        { actor: 'other', calls: untilDone },
        { actor: 'writer', calls: untilDone },
      ],
      other: hasCall ? 'call, then next writer' : 'next writer',
      ...(isTooSoon ? { isTooSoon } : {}),
    });
    if (before >= stepsOf(steps, 'writer').length) return { tried: before + 1, alike: 0 };
  }
}
