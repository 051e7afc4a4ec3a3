// The one writer of a person against callers, deaths and a writer that was overtaken, under many schedules. Each has to end where a person would who
// was told the same in peace, and every change has to be announced.
import { isDeepStrictEqual } from 'node:util';
import { runWithDeadline, withWriteDeadline } from '../../../functions/runtime/run-deadline.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { userRows } from '../../../shared/users/user-rows.ts';
import { memoryTable } from '../memory-table.ts';
import { createRacedUser, type RacedUser, readPartition } from '../raced-user.ts';
import type { ScheduleCoverage } from './context-switches.ts';
import { findEventProblems, type ObservableState, readObservableState } from './event-coverage.ts';
import { readState, type StateSelection } from './readable-state.ts';
import { type Schedule, scheduleText } from './schedule.ts';
import { runStepped, type Step } from './stepped-actors.ts';
import { listStoredRecords } from './stored-records.ts';

export interface Scenario extends StateSelection {
  name: string;
  startsIn: string | null;
  /** Where the user may live in the end. */
  endsIn: readonly (string | null)[];
  before(user: RacedUser): Promise<void>;
  /** What a caller does meanwhile. */
  call?(user: RacedUser, deps: Deps): Promise<void>;
  /** What another caller does at the same time; the writer comes right behind it. */
  concurrentCall?(user: RacedUser, deps: Deps): Promise<void>;
  /** Tells a fresh user, who lives where the raced one ended, all that is still true. */
  replaySerially(user: RacedUser): Promise<void>;
  /** The same where the call was never made, because the caller died. */
  replayWithoutCall?(user: RacedUser): Promise<void>;
  /** Nothing is written but the end of a pass, which its fence refuses: two writers at once do no harm either. */
  isFenced?: true;
  /** Changes are not announced: whoever disconnects a device knows that its data goes, and who shares nothing is not told of. */
  isSilent?: true;
  /** Once everything has come to rest: makes the user readable. */
  after?(user: RacedUser): Promise<void>;
}

export interface RaceResult {
  schedule: string;
  steps: readonly Step[];
  /** What writers threw; their messages come again. */
  writerErrors: readonly unknown[];
  actual: unknown;
  /** One of these it has to be. */
  expected: readonly unknown[];
}
export type Race = (schedule: Schedule) => Promise<RaceResult>;

/** Makes the scenario's user ready for another race; with what is shown of it before. */
export type Prepare = () => Promise<{ user: RacedUser; before: ObservableState }>;

/** A message that was not answered is handed out again by then. */
const visibilityMs = 120_000;

/** In a table of its own each time, which is copied from one that was made ready once. */
export function prepareInMemory(scenario: Scenario): Prepare {
  const table = memoryTable();
  let ready: ReturnType<Prepare> | undefined;
  return async () => {
    ready ??= prepareInTable(table, scenario)();
    const { user, before } = await ready;
    return { user: user.copyTo(table.copy()), before };
  };
}

export const prepareInTable =
  (table: Table, scenario: Scenario): Prepare =>
  async () => {
    const user = await createRacedUser(table, scenario.startsIn);
    await scenario.before(user);
    return { user, before: await readObservableState(user) };
  };

export function createRace(scenario: Scenario, prepare: Prepare): Race {
  /** By what is stored, as nearly all schedules end alike and reading it all takes long. */
  const ends = new Map<string, Promise<object>>();
  const readEnd = async (user: RacedUser) => ({
    state: await readState(user, scenario),
    kept: await listStoredRecords(user),
  });
  async function endOf(user: RacedUser): Promise<object> {
    const stored = await storedText(user);
    const end = ends.get(stored) ?? readEnd(user);
    ends.set(stored, end);
    return end;
  }
  const serialResults = new Map<string, Promise<object>>();
  function replaySerially(zone: string | null, wasCalled: boolean): Promise<object> {
    const name = `${zone} ${wasCalled}`;
    const serialResult =
      serialResults.get(name) ?? runSerially(zone, wasCalled ? scenario.replaySerially : scenario.replayWithoutCall);
    serialResults.set(name, serialResult);
    return serialResult;
  }
  async function runSerially(zone: string | null, tell: Scenario['replaySerially'] | undefined): Promise<object> {
    const user = await createRacedUser(memoryTable(), zone);
    await tell?.(user);
    await user.settle();
    return { ...(await endOf(user)), mayLiveThere: true, announcements: [] };
  }

  return async (schedule) => {
    const { user, before } = await prepare();
    const { steps, errors } = await runStepped(
      withWriteDeadline(user.table, user.deps.clock),
      actorsOf(scenario, user, schedule),
      schedule,
    );
    if (schedule.dies === 'writer') {
      user.advance(visibilityMs);
      await user.write(user.deps, 2);
    }
    await user.settle().catch((error: unknown) => errors.push(error));
    await scenario.after?.(user);
    const zone = (await userRows(user.deps.store).findById(user.id))?.timezone ?? null;
    const expected = [await replaySerially(zone, true)];
    if (schedule.dies === 'other') expected.push(await replaySerially(zone, false));
    const end = {
      ...(await endOf(user)),
      mayLiveThere: scenario.endsIn.includes(zone),
      announcements: scenario.isSilent ? [] : await findEventProblems(user, before, uploadsIn(steps)),
    };
    const order = steps.map(({ actor }) => actor);
    const actual = errors.length > 0 ? errors.map(String) : end;
    return { schedule: scheduleText(order, schedule), steps, writerErrors: user.writerErrors, actual, expected };
  };
}

function actorsOf({ call, concurrentCall }: Scenario, user: RacedUser, { other, isTooSoon }: Schedule) {
  const withDeadline = (run: () => Promise<void>): Promise<void> => runWithDeadline(user.deps.clock, run);
  return {
    async writer(table: Table) {
      if (concurrentCall) await withDeadline(() => concurrentCall(user, user.withTable(table)));
      await withDeadline(() => user.write(user.withTable(table)));
    },
    async other(table: Table) {
      const deps = user.withTable(table);
      if (other !== 'next writer') await withDeadline(async () => call?.(user, deps));
      if (other === 'call') return;
      if (!isTooSoon) user.advance(visibilityMs);
      await withDeadline(() => user.write(user.withTable(table), 2));
    },
  };
}

const uploadsIn = (steps: readonly Step[]): number =>
  steps.reduce(
    (sum, { call, outcome }) => sum + (outcome === 'held' ? call.name.split('put !UPLOAD#').length - 1 : 0),
    0,
  );

/** All that reading can depend on. */
async function storedText({ table, id }: RacedUser): Promise<string> {
  const withBytes = (_name: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  return JSON.stringify(await readPartition(table, id), withBytes);
}

export interface Exploration extends ScheduleCoverage {
  /** The simplest first. */
  failures: RaceResult[];
}

export type RunSchedule = (schedule: Schedule) => Promise<readonly Step[]>;

export async function explore(
  race: Race,
  ...kinds: ((attempt: RunSchedule) => Promise<ScheduleCoverage>)[]
): Promise<Exploration> {
  const failures = new Map<string, RaceResult>();
  const covered: ScheduleCoverage = { tried: 0, alike: 0 };
  for (const tryAll of kinds) {
    const { tried, alike } = await tryAll(async (schedule) => {
      const ended = await race(schedule);
      if (!ended.expected.some((expected) => isDeepStrictEqual(ended.actual, expected)))
        failures.set(ended.schedule, ended);
      return ended.steps;
    });
    covered.tried += tried;
    covered.alike += alike;
  }
  const complexity = ({ schedule, steps }: RaceResult): number => schedule.split(' ').length * 1000 + steps.length;
  return { ...covered, failures: [...failures.values()].sort((a, b) => complexity(a) - complexity(b)) };
}

export const traceOf = (steps: readonly Step[]): string[] =>
  steps.map(({ actor, call, outcome }) => `${actor} ${call.name}${outcome === 'held' ? '' : ' (refused)'}`);
