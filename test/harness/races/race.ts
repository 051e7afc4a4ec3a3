// Runs the single writer of a user against callers, crashes and an overtaken writer, in many
// schedules. Each schedule must end in the same state as a user who received the same input
// serially, and every change must be announced.
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
  /** The time zones in which the user may end up. */
  endsIn: readonly (string | null)[];
  before(user: RacedUser): Promise<void>;
  /** What a caller does in the meantime. */
  call?(user: RacedUser, deps: Deps): Promise<void>;
  /** What another caller does at the same time. The writer runs directly after it. */
  concurrentCall?(user: RacedUser, deps: Deps): Promise<void>;
  /** Sends everything that is still true to a new user in the final time zone of the raced user. */
  replaySerially(user: RacedUser): Promise<void>;
  /** The same if the call was never made, because the caller crashed. */
  replayWithoutCall?(user: RacedUser): Promise<void>;
  /**
   * The pass writes nothing except its final commit, which the fence rejects, so two concurrent
   * writers do no harm either.
   */
  isFenced?: true;
  /**
   * Changes are not announced. A caller who disconnects a device knows that its data is removed,
   * and there are no events about a user who does not share.
   */
  isSilent?: true;
  /** Runs after all work is done, to make the user readable. */
  after?(user: RacedUser): Promise<void>;
}

export interface RaceResult {
  schedule: string;
  steps: readonly Step[];
  /** The errors that writers threw. Their messages are redelivered. */
  writerErrors: readonly unknown[];
  actual: unknown;
  /** The actual state must equal one of these. */
  expected: readonly unknown[];
}
export type Race = (schedule: Schedule) => Promise<RaceResult>;

/** Prepares the scenario's user for another race, with the observable state before it. */
export type Prepare = () => Promise<{ user: RacedUser; before: ObservableState }>;

/** A message that was not acknowledged is redelivered by then. */
const visibilityMs = 120_000;

/** Prepares each race in its own copy of a table that is set up once. */
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
  /**
   * Cached by stored data, because nearly all schedules end the same and reading everything is
   * slow.
   */
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
  async function runSerially(zone: string | null, replay: Scenario['replaySerially'] | undefined): Promise<object> {
    const user = await createRacedUser(memoryTable(), zone);
    await replay?.(user);
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

/** Everything that reads can depend on. */
async function storedText({ table, id }: RacedUser): Promise<string> {
  const withBytes = (_name: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  return JSON.stringify(await readPartition(table, id), withBytes);
}

export interface Exploration extends ScheduleCoverage {
  /** Ordered from the simplest. */
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
