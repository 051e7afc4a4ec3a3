// Races of two workers over one user, under many schedules: each has to end where a user would who was told the same in peace.
import { isDeepStrictEqual } from 'node:util';
import type { Deps } from '../../shared/domain/deps.ts';
import type { Table } from '../../shared/engine/ports.ts';
import { memoryTable } from './memory-table.ts';
import { type RacedUser, raceUser } from './raced-user.ts';
import { type Asked, leftBehind, readableState } from './readable-state.ts';
import { randomSchedule, type Schedule, scheduleText } from './schedule.ts';
import { runStepped, type Step } from './stepped-workers.ts';
import { type Covered, everyTwoSwitches } from './two-switches.ts';

export interface Scenario extends Asked {
  name: string;
  startsIn: string | null;
  /** Where the user may live in the end. */
  endsIn: readonly (string | null)[];
  before(user: RacedUser): Promise<void>;
  A(user: RacedUser, deps: Deps): Promise<void>;
  B(user: RacedUser, deps: Deps): Promise<void>;
  /** Tells a fresh user, who lives where the raced one ended, all that is still true. */
  inPeace(user: RacedUser): Promise<void>;
}

export interface Ended {
  schedule: string;
  steps: readonly Step[];
  /** What the workers threw; their messages come again. */
  thrown: readonly unknown[];
  found: unknown;
  wanted: unknown;
}
export type Race = (schedule: Schedule) => Promise<Ended>;

/** Makes the scenario's user ready for another race. */
export type Prepare = () => Promise<RacedUser>;

/** In a table of its own each time, which is copied from one that was made ready once. */
export function preparedInMemory(scenario: Scenario): Prepare {
  const table = memoryTable();
  let ready: Promise<RacedUser> | undefined;
  return async () => {
    ready ??= preparedIn(table, scenario)();
    return (await ready).copied(table.copy());
  };
}

export const preparedIn =
  (table: Table, scenario: Scenario): Prepare =>
  async () => {
    const user = await raceUser(table, scenario.startsIn);
    await scenario.before(user);
    return user;
  };

export function openRace(scenario: Scenario, prepare: Prepare): Race {
  const inPeace = new Map<string | null, Promise<unknown>>();
  const toldInPeace = async (zone: string | null): Promise<unknown> => {
    const user = await raceUser(memoryTable(), zone);
    await scenario.inPeace(user);
    await user.settle();
    return { ...(await endOf(user)), mayLiveThere: true };
  };
  const endOf = async (user: RacedUser) => ({
    state: await readableState(user, scenario),
    left: await leftBehind(user),
  });

  return async ({ runs, late }) => {
    const user = await prepare();
    const work = {
      A: (stepped: Table) => scenario.A(user, user.over(stepped, late === 'A')),
      B: (stepped: Table) => scenario.B(user, user.over(stepped, late === 'B')),
    };
    const { steps, errors } = await runStepped(user.table, work, runs);
    await user.settle().catch((error: unknown) => errors.push(error));
    const zone = (await user.deps.store.users.byId(user.id))?.timezone ?? null;
    const peace = inPeace.get(zone) ?? toldInPeace(zone);
    inPeace.set(zone, peace);
    return {
      schedule: scheduleText(
        steps.map(({ worker }) => worker),
        late,
      ),
      steps,
      thrown: user.thrown,
      found:
        errors.length > 0
          ? errors.map(String)
          : { ...(await endOf(user)), mayLiveThere: scenario.endsIn.includes(zone) },
      wanted: await peace,
    };
  };
}

export interface Explored extends Covered {
  random: number;
  /** Schedules under which a worker threw. */
  threw: number;
  /** The simplest first. */
  failures: Ended[];
}

export async function explore(race: Race, { seeds, switches }: { seeds: number; switches: 1 | 2 }): Promise<Explored> {
  const failures = new Map<string, Ended>();
  let threw = 0;
  const attempt = async (schedule: Schedule): Promise<readonly Step[]> => {
    const ended = await race(schedule);
    if (ended.thrown.length > 0) threw++;
    if (!isDeepStrictEqual(ended.found, ended.wanted)) failures.set(ended.schedule, ended);
    return ended.steps;
  };
  const fromA = await everyTwoSwitches('A', attempt, switches);
  const fromB = await everyTwoSwitches('B', attempt, switches);
  for (let seed = 1; seed <= seeds; seed++) await attempt(randomSchedule(seed));
  return {
    tried: fromA.tried + fromB.tried,
    alike: fromA.alike + fromB.alike,
    random: seeds,
    threw,
    failures: [...failures.values()].sort((a, b) => complexity(a) - complexity(b)),
  };
}

const complexity = ({ schedule, steps }: Ended): number => schedule.split(' ').length * 1000 + steps.length;

export const traceOf = (steps: readonly Step[]): string[] =>
  steps.map(({ worker, call, outcome }) => `${worker} ${call.name}${outcome === 'held' ? '' : ' (refused)'}`);
