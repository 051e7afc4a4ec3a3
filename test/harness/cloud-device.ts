// A device that is fed with whole records, as a vendor's normalizer would give them: a test decides what arrives, and when it is worked in.

import { makeDeps } from '../../functions/runtime/deps.ts';
import { decodeCanonicalDay } from '../../shared/measurements/codec/canonical-day.ts';
import type { Records, SleepRecord, WorkoutRecord } from '../../shared/measurements/records.ts';
import { dayRows } from '../../shared/measurements/rows/day-rows.ts';
import { sessionRows } from '../../shared/measurements/rows/session-rows.ts';
import { acceptRecords } from '../../shared/pipeline/accept-records.ts';
import type { OwnNormalizers } from '../../shared/pipeline/read-uploads.ts';
import { EngineUnavailable, type Item, type Table } from '../../shared/platform/ports.ts';
import type { Normalizer } from '../../shared/providers/kit/normalizer.ts';
import type { Caller } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';
import type { DeviceRow } from '../../shared/users/device-rows.ts';
import { subjectOf } from '../../shared/users/subject.ts';
import { createUser } from '../../shared/users/users.ts';
import { type TestClock, testClock } from './clock.ts';
import { type MemoryTable, memoryTable } from './memory-table.ts';
import { eventsIn } from './outbox.ts';
import { pendingCommands } from './pending-commands.ts';
import { wholePartition } from './raced-user.ts';
import { addDevice, ring } from './recorded.ts';
import { write } from './write-person.ts';

const caller: Caller = { kind: 'api_key', account: 'acc_of_a_cloud', env: 'live', form: 2 };
export const hourMs = 3_600_000;

/** Records are stored as they are, and read as they are. */
const asWritten: Normalizer = (raw) => ({
  records: JSON.parse(Buffer.from(raw).toString()),
  rejected: { count: 0, first: [] },
});

export interface CloudDevice {
  userId: string;
  caller: Caller;
  device: DeviceRow;
  deps: Deps;
  table: Table;
  clock: TestClock;
  over(table: Table, normalize?: Normalizer): Deps;
  /** Stored a second after the one before, and not worked in yet. */
  bring(records: Partial<Records>, device?: DeviceRow): Promise<void>;
  /** Until nothing is owed. */
  work(deps?: Deps): Promise<void>;
  tell(records: Partial<Records>): Promise<void>;
  /** What a caller would read: the values of each day, and where nights and workouts stand. */
  told(): Promise<Told>;
  /** All there is, of everybody; only in memory. */
  everything(): Item[];
  /** The sort keys of everything that is kept of the user. */
  rows(): Promise<string[]>;
  /** What was told since it was asked for last, oldest first. */
  events(): Promise<unknown[]>;
}

export interface Told {
  days: Record<string, Record<string, number>>;
  sleep: { date: string; id: string; startMs: number; asleepMinutes: number | null; sourceId: string | undefined }[];
  workouts: { date: string; id: string; startMs: number; name: string | null; sourceId: string | undefined }[];
}

export async function cloudDevice(
  table: Table & Partial<Pick<MemoryTable, 'rows'>> = memoryTable(),
  timezone: string | null = null,
): Promise<CloudDevice> {
  const clock = testClock();
  const over = (own: Table, normalize = asWritten): Deps & OwnNormalizers => ({
    ...makeDeps({
      table: own,
      queue: { send: async () => {}, sendAll: async () => {}, postpone: async () => {} },
      bus: { publish: async () => {} },
      rootSecret: 'a root secret of more than 32 characters',
      clock,
      log: () => {},
      place: { kind: 'local' },
    }),
    normalizerFor: () => normalize,
  });
  const deps = over(table);
  const seen = new Set<string>();
  const everything = () => table.rows?.() ?? [];
  const { id: userId } = await createUser(deps, caller, { timezone });
  const device = await addDevice(deps, userId, ring);
  const bring = async (records: Partial<Records>, by = device) => {
    clock.advance(1_000);
    const content = JSON.stringify({ samples: [], daily: [], sleep: [], workouts: [], ...records });
    const subject = await subjectOf(deps, userId);
    const known = subject?.devices.find(({ id }) => id === by.id) ?? by;
    const part = { content, records: 10, from: '', to: '' };
    const raw = {
      source: 'a cloud',
      format: 1,
      timeZone: subject?.user.timezone ?? null,
      content,
      parts: () => [part],
    };
    await acceptRecords(deps, userId, clock.now(), [{ device: known, raw, scopes: [] }]);
  };
  const work = async (own = deps) => {
    for (let rounds = 0; rounds < 10; rounds++) {
      await write(own, userId);
      if ((await pendingCommands(deps.store.table, userId)).length === 0) return;
      clock.advance(600_000);
    }
    throw new Error('something is still owed');
  };
  return {
    userId,
    caller,
    device,
    deps,
    table,
    clock,
    over,
    bring,
    work,
    async tell(records) {
      await bring(records);
      await work();
    },
    told: () => toldOf(deps, userId),
    everything,
    rows: async () => (await wholePartition(table, userId)).map(({ sk }) => String(sk)),
    async events() {
      const all = eventsIn(everything()).filter(({ id }) => !seen.has(id));
      for (const { id } of all) seen.add(id);
      return all.map(({ type, metrics, more }) => ({ type, metrics, ...more }));
    },
  };
}

async function toldOf({ store }: Deps, userId: string): Promise<Told> {
  const told: Told = { days: {}, sleep: [], workouts: [] };
  for await (const { date, packed } of dayRows(store).canonicalBetween(userId, '2000-01-01', '2100-01-01')) {
    const values = [...decodeCanonicalDay(packed)].map(([metric, { value }]) => [metric, value] as const);
    if (values.length > 0) told.days[date] = Object.fromEntries(values);
  }
  for await (const { date, sessions } of sessionRows(store).sleep.all(userId))
    for (const { id, startMs, asleepMinutes, sourceId } of sessions)
      told.sleep.push({ date, id, startMs, asleepMinutes, sourceId });
  for await (const { date, sessions } of sessionRows(store).workouts.all(userId))
    for (const { id, startMs, name, sourceId } of sessions) told.workouts.push({ date, id, startMs, name, sourceId });
  return told;
}

/** Of eight hours, unless told; it counts on the day it ends. */
export const sleepUntil = (end: string, about: Partial<SleepRecord> = {}): SleepRecord => ({
  startMs: Date.parse(end) - 8 * hourMs,
  endMs: Date.parse(end),
  offsetMinutes: null,
  asleepMinutes: 400,
  deepMinutes: null,
  lightMinutes: null,
  remMinutes: null,
  awakeMinutes: null,
  inBedMinutes: null,
  ...about,
});

export const exerciseFrom = (start: string, about: Partial<WorkoutRecord> = {}): WorkoutRecord => ({
  type: 'running',
  name: null,
  startMs: Date.parse(start),
  endMs: Date.parse(start) + hourMs,
  offsetMinutes: null,
  calories: null,
  distanceKm: null,
  avgHeartRate: null,
  maxHeartRate: null,
  elevationMeters: null,
  steps: null,
  heartRate: null,
  ...about,
});

/** Answers so many writes; the worker dies at the next call. */
export function dyingTable(table: Table, writes: number): Table & { isDead(): boolean } {
  let left = writes;
  let dead = false;
  const alive = <Result>(call: () => Promise<Result>, isWrite = false): Promise<Result> => {
    if (dead || (isWrite && left-- === 0)) {
      dead = true;
      return Promise.reject(new EngineUnavailable('the worker has died'));
    }
    return call();
  };
  return {
    ...table,
    isDead: () => dead,
    get: (...asked) => alive(() => table.get(...asked)),
    query: (...asked) => alive(() => table.query(...asked)),
    batchGet: (...asked) => alive(() => table.batchGet(...asked)),
    write: (...asked) => alive(() => table.write(...asked), true),
    transact: (...asked) => alive(() => table.transact(...asked), true),
    batchWrite: (...asked) => alive(() => table.batchWrite(...asked), true),
  };
}
