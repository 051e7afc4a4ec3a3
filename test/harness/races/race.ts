// The one writer of a person against callers, deaths and a writer that was overtaken, under many schedules. Each has to end where a person would who
// was told the same in peace, and every change has to be announced.
import { isDeepStrictEqual } from 'node:util';
import { live, mortalTable } from '../../../functions/runtime/life.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { userRows } from '../../../shared/users/user-rows.ts';
import { memoryTable } from '../memory-table.ts';
import { type RacedUser, raceUser, wholePartition } from '../raced-user.ts';
import { keptRecords } from './kept-records.ts';
import { type Asked, readableState } from './readable-state.ts';
import { type Schedule, scheduleText } from './schedule.ts';
import { runStepped, type Step } from './stepped-actors.ts';
import { announcementProblems, type Shown, shownBy } from './told-changes.ts';
import type { Covered } from './two-switches.ts';

export interface Scenario extends Asked {
  name: string;
  startsIn: string | null;
  /** Where the user may live in the end. */
  endsIn: readonly (string | null)[];
  before(user: RacedUser): Promise<void>;
  /** What a caller does meanwhile. */
  call?(user: RacedUser, deps: Deps): Promise<void>;
  /** What another caller does at the same time; the writer comes right behind it. */
  beside?(user: RacedUser, deps: Deps): Promise<void>;
  /** Tells a fresh user, who lives where the raced one ended, all that is still true. */
  inPeace(user: RacedUser): Promise<void>;
  /** The same where the call was never made, because the caller died. */
  uncalled?(user: RacedUser): Promise<void>;
  /** Nothing is written but the end of a pass, which its fence refuses: two writers at once do no harm either. */
  isFenced?: true;
  /** Changes are not announced: whoever disconnects a device knows that its data goes, and who shares nothing is not told of. */
  isSilent?: true;
  /** Once everything has come to rest: makes the user readable. */
  after?(user: RacedUser): Promise<void>;
}

export interface Ended {
  schedule: string;
  steps: readonly Step[];
  /** What writers threw; their messages come again. */
  thrown: readonly unknown[];
  found: unknown;
  /** One of these it has to be. */
  wanted: readonly unknown[];
}
export type Race = (schedule: Schedule) => Promise<Ended>;

/** Makes the scenario's user ready for another race; with what is shown of it before. */
export type Prepare = () => Promise<{ user: RacedUser; before: Shown }>;

/** A message that was not answered is handed out again by then. */
const visibilityMs = 120_000;

/** In a table of its own each time, which is copied from one that was made ready once. */
export function preparedInMemory(scenario: Scenario): Prepare {
  const table = memoryTable();
  let ready: ReturnType<Prepare> | undefined;
  return async () => {
    ready ??= preparedIn(table, scenario)();
    const { user, before } = await ready;
    return { user: user.copied(table.copy()), before };
  };
}

export const preparedIn =
  (table: Table, scenario: Scenario): Prepare =>
  async () => {
    const user = await raceUser(table, scenario.startsIn);
    await scenario.before(user);
    return { user, before: await shownBy(user) };
  };

export function openRace(scenario: Scenario, prepare: Prepare): Race {
  /** By what is stored, as nearly all schedules end alike and reading it all takes long. */
  const ends = new Map<string, Promise<object>>();
  const readEnd = async (user: RacedUser) => ({
    state: await readableState(user, scenario),
    kept: await keptRecords(user),
  });
  async function endOf(user: RacedUser): Promise<object> {
    const stored = await storedText(user);
    const end = ends.get(stored) ?? readEnd(user);
    ends.set(stored, end);
    return end;
  }
  const peaces = new Map<string, Promise<object>>();
  function inPeace(zone: string | null, wasCalled: boolean): Promise<object> {
    const name = `${zone} ${wasCalled}`;
    const peace = peaces.get(name) ?? toldInPeace(zone, wasCalled ? scenario.inPeace : scenario.uncalled);
    peaces.set(name, peace);
    return peace;
  }
  async function toldInPeace(zone: string | null, tell: Scenario['inPeace'] | undefined): Promise<object> {
    const user = await raceUser(memoryTable(), zone);
    await tell?.(user);
    await user.settle();
    return { ...(await endOf(user)), mayLiveThere: true, announcements: [] };
  }

  return async (schedule) => {
    const { user, before } = await prepare();
    const { steps, errors } = await runStepped(
      mortalTable(user.table, user.deps.clock),
      actorsOf(scenario, user, schedule),
      schedule,
    );
    if (schedule.dies === 'writer') {
      user.advance(visibilityMs);
      await user.write(user.deps, 2);
    }
    await user.settle().catch((error: unknown) => errors.push(error));
    await scenario.after?.(user);
    const zone = (await userRows(user.deps.store).byId(user.id))?.timezone ?? null;
    const wanted = [await inPeace(zone, true)];
    if (schedule.dies === 'other') wanted.push(await inPeace(zone, false));
    const end = {
      ...(await endOf(user)),
      mayLiveThere: scenario.endsIn.includes(zone),
      announcements: scenario.isSilent ? [] : await announcementProblems(user, before, uploadsIn(steps)),
    };
    const order = steps.map(({ actor }) => actor);
    const found = errors.length > 0 ? errors.map(String) : end;
    return { schedule: scheduleText(order, schedule), steps, thrown: user.thrown, found, wanted };
  };
}

function actorsOf({ call, beside }: Scenario, user: RacedUser, { other, isTooSoon }: Schedule) {
  const alive = (run: () => Promise<void>): Promise<void> => live(user.deps.clock, run);
  return {
    async writer(table: Table) {
      if (beside) await alive(() => beside(user, user.over(table)));
      await alive(() => user.write(user.over(table)));
    },
    async other(table: Table) {
      const deps = user.over(table);
      if (other !== 'next writer') await alive(async () => call?.(user, deps));
      if (other === 'call') return;
      if (!isTooSoon) user.advance(visibilityMs);
      await alive(() => user.write(user.over(table), 2));
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
  return JSON.stringify(await wholePartition(table, id), withBytes);
}

export interface Explored extends Covered {
  /** The simplest first. */
  failures: Ended[];
}

export type Attempt = (schedule: Schedule) => Promise<readonly Step[]>;

export async function explore(race: Race, ...kinds: ((attempt: Attempt) => Promise<Covered>)[]): Promise<Explored> {
  const failures = new Map<string, Ended>();
  const covered: Covered = { tried: 0, alike: 0 };
  for (const tryAll of kinds) {
    const { tried, alike } = await tryAll(async (schedule) => {
      const ended = await race(schedule);
      if (!ended.wanted.some((wanted) => isDeepStrictEqual(ended.found, wanted))) failures.set(ended.schedule, ended);
      return ended.steps;
    });
    covered.tried += tried;
    covered.alike += alike;
  }
  const complexity = ({ schedule, steps }: Ended): number => schedule.split(' ').length * 1000 + steps.length;
  return { ...covered, failures: [...failures.values()].sort((a, b) => complexity(a) - complexity(b)) };
}

export const traceOf = (steps: readonly Step[]): string[] =>
  steps.map(({ actor, call, outcome }) => `${actor} ${call.name}${outcome === 'held' ? '' : ' (refused)'}`);
