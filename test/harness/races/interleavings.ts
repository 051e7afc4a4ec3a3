// Races of two workers over one user, under many schedules: each has to end where a user would who was told the same in peace.
import { isDeepStrictEqual } from 'node:util';
import type { Deps } from '../../../shared/domain/deps.ts';
import type { Table } from '../../../shared/engine/ports.ts';
import { userRows } from '../../../shared/store/users.ts';
import { memoryTable } from '../memory-table.ts';
import { type RacedUser, raceUser, wholePartition } from '../raced-user.ts';
import { type Death, everyDeath } from './deaths.ts';
import { keptRecords } from './kept-records.ts';
import { type Asked, readableState } from './readable-state.ts';
import { randomSchedule, type Schedule, scheduleText, type WorkerName } from './schedule.ts';
import { runStepped, type Step } from './stepped-workers.ts';
import { type Covered, everyTwoSwitches } from './two-switches.ts';

export interface Scenario extends Asked {
  name: string;
  /** Its orders take long: `npm test` tries one of them, the deep tests try all. */
  deepOnly?: true;
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
  /** Not when a worker died before its caller was answered: then nothing was promised. */
  counts: boolean;
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
  /** By what is stored, as most schedules end alike and reading it all takes long. */
  const ends = new Map<string, ReturnType<typeof readEnd>>();
  const readEnd = async (user: RacedUser) => ({
    state: await readableState(user, scenario),
    kept: await keptRecords(user),
  });
  async function endOf(user: RacedUser): ReturnType<typeof readEnd> {
    const stored = await storedText(user);
    const end = ends.get(stored) ?? readEnd(user);
    ends.set(stored, end);
    return end;
  }

  return async (schedule) => {
    const user = await prepare();
    const depsOf = new Map<WorkerName, Deps>();
    const worker = (name: WorkerName) => (stepped: Table) => {
      const deps = user.over(stepped, schedule.late === name);
      depsOf.set(name, deps);
      return scenario[name](user, deps);
    };
    const { steps, errors } = await runStepped(user.table, { A: worker('A'), B: worker('B') }, schedule);
    const dead = schedule.dies && depsOf.get(schedule.dies);
    await user.settle().catch((error: unknown) => errors.push(error));
    const zone = (await userRows(user.deps.store).byId(user.id))?.timezone ?? null;
    const peace = inPeace.get(zone) ?? toldInPeace(zone);
    inPeace.set(zone, peace);
    return {
      schedule: scheduleText(
        steps.map((step) => step.worker),
        schedule,
      ),
      steps,
      thrown: user.thrown,
      counts: !dead || user.working.has(dead),
      found:
        errors.length > 0
          ? errors.map(String)
          : { ...(await endOf(user)), mayLiveThere: scenario.endsIn.includes(zone) },
      wanted: await peace,
    };
  };
}

/** All that reading can depend on. Nothing reads which scores are to be computed. */
async function storedText({ table, id }: RacedUser): Promise<string> {
  const rows = (await wholePartition(table, id)).filter(({ sk }) => !String(sk).startsWith('A#'));
  const withBytes = (_name: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  return JSON.stringify(rows, withBytes);
}

export interface Explored extends Covered {
  /** Schedules under which a worker threw. */
  threw: number;
  /** The simplest first. */
  failures: Ended[];
}

type Attempt = (schedule: Schedule) => Promise<readonly Step[]>;

/** Every switch, or every pair of them, and some schedules with many. */
export const explore = (race: Race, { seeds, switches }: { seeds: number; switches: 1 | 2 }): Promise<Explored> =>
  collecting(race, async (attempt) => {
    const covered = [await everyTwoSwitches('A', attempt, switches), await everyTwoSwitches('B', attempt, switches)];
    for (let seed = 1; seed <= seeds; seed++) await attempt(randomSchedule(seed));
    return [...covered, { tried: seeds, alike: 0 }];
  });

export const exploreDeaths = (race: Race, death: Death): Promise<Explored> =>
  collecting(race, async (attempt) => [await everyDeath(death, 'A', attempt), await everyDeath(death, 'B', attempt)]);

async function collecting(race: Race, tryAll: (attempt: Attempt) => Promise<Covered[]>): Promise<Explored> {
  const failures = new Map<string, Ended>();
  let threw = 0;
  const covered = await tryAll(async (schedule) => {
    const ended = await race(schedule);
    if (ended.thrown.length > 0) threw++;
    if (ended.counts && !isDeepStrictEqual(ended.found, ended.wanted)) failures.set(ended.schedule, ended);
    return ended.steps;
  });
  return {
    tried: covered.reduce((sum, { tried }) => sum + tried, 0),
    alike: covered.reduce((sum, { alike }) => sum + alike, 0),
    threw,
    failures: [...failures.values()].sort((a, b) => complexity(a) - complexity(b)),
  };
}

const complexity = ({ schedule, steps }: Ended): number => schedule.split(' ').length * 1000 + steps.length;

export const traceOf = (steps: readonly Step[]): string[] =>
  steps.map(({ worker, call, outcome }) => `${worker} ${call.name}${outcome === 'held' ? '' : ' (refused)'}`);
