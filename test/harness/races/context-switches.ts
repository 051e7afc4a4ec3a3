// Runs every schedule in which the first actor makes i calls, the second j, then the first the rest
// of its calls and then the second, for all i and j. Independent calls may be swapped, so among
// schedules that differ only by such swaps, only one is run.
import { type Actor, otherActor, type Schedule, untilDone } from './schedule.ts';
import type { Step } from './stepped-actors.ts';
import { areIndependent, type TableCall } from './table-footprint.ts';

/** The calls of one schedule, in order. */
interface TriedSchedule {
  first: readonly TableCall[];
  second: readonly TableCall[];
  firstRest: readonly TableCall[];
  secondRest: readonly TableCall[];
}

export interface ScheduleCoverage {
  tried: number;
  /** Schedules that are equivalent to one of those tried. */
  alike: number;
}

export async function tryEverySwitch(
  first: Actor,
  attempt: (schedule: Schedule) => Promise<readonly Step[]>,
  switches: 1 | 2 = 2,
): Promise<ScheduleCoverage> {
  const second = otherActor(first);
  const covered: ScheduleCoverage = { tried: 0, alike: 0 };
  let above: TriedSchedule[] = [];
  for (let i = 0; ; i++) {
    const row: TriedSchedule[] = [];
    for (let j = 0; ; j++) {
      const known = deriveLaterSwitchBack(row[j - 1]) ?? deriveLaterSwitch(above[j]);
      covered[known ? 'alike' : 'tried']++;
      row.push(known ?? (await tryOut(i, j)));
      if (row[j]?.secondRest.length === 0) break;
    }
    if (switches === 1 || row[0]?.firstRest.length === 0) return covered;
    above = row;
  }

  async function tryOut(i: number, j: number): Promise<TriedSchedule> {
    const runs = [
      { actor: first, calls: i },
      { actor: second, calls: j },
      { actor: first, calls: untilDone },
    ];
    const steps = await attempt({ runs, other: 'call' });
    const callsOf = (of: Actor) => steps.filter(({ actor }) => actor === of).map(({ call }) => call);
    const [own, others] = [callsOf(first), callsOf(second)];
    return { first: own.slice(0, i), second: others.slice(0, j), firstRest: own.slice(i), secondRest: others.slice(j) };
  }
}

/** Derives the schedule with one more call of the second actor before the first continues. */
function deriveLaterSwitchBack(left: TriedSchedule | undefined): TriedSchedule | undefined {
  const [next, ...secondRest] = left?.secondRest ?? [];
  if (!left || !next || !left.firstRest.every((call) => areIndependent(call, next))) return undefined;
  return { ...left, second: [...left.second, next], secondRest };
}

/** Derives the schedule with one more call of the first actor before the second begins. */
function deriveLaterSwitch(above: TriedSchedule | undefined): TriedSchedule | undefined {
  const [next, ...firstRest] = above?.firstRest ?? [];
  if (!above || !next || !above.second.every((call) => areIndependent(call, next))) return undefined;
  return { ...above, first: [...above.first, next], firstRest };
}
