// A device that receives complete records, as a provider's normalizer would produce them. The test
// decides what arrives and when it is processed.

import { makeDeps } from '../../functions/runtime/deps.ts';
import type { UploadKind } from '../../shared/catalog/upload-kinds.ts';
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
import { readUserContext } from '../../shared/users/user-context.ts';
import { createUser } from '../../shared/users/users.ts';
import { type TestClock, testClock } from './clock.ts';
import { type MemoryTable, memoryTable } from './memory-table.ts';
import { readEvents } from './outbox.ts';
import { pendingCommands } from './pending-commands.ts';
import { readPartition } from './raced-user.ts';
import { runWriter } from './run-writer.ts';
import { addDevice, ring } from './stored-data.ts';

const caller: Caller = { kind: 'api_key', account: 'acc_of_a_cloud', env: 'live', form: 2 };
export const hourMs = 3_600_000;

/** Stores and reads records unchanged. */
const identityNormalizer: Normalizer = (raw) => ({
  records: JSON.parse(Buffer.from(raw).toString()),
  rejected: { count: 0, first: [] },
});

export interface ProviderDevice {
  userId: string;
  caller: Caller;
  device: DeviceRow;
  deps: Deps;
  table: Table;
  clock: TestClock;
  withTable(table: Table, normalize?: Normalizer): Deps;
  /** Stores the records one second after the previous ones, without processing them. */
  accept(records: Partial<Records>, device?: DeviceRow, options?: { via?: UploadKind }): Promise<void>;
  /** Runs the writer until no work is pending. */
  processPending(deps?: Deps): Promise<void>;
  ingest(records: Partial<Records>): Promise<void>;
  /**
   * The data as a caller would read it: the values of each day, and the dates of nights and
   * workouts.
   */
  read(): Promise<DeviceData>;
  /** All items of all users. Only for in-memory tables. */
  allItems(): Item[];
  /** The sort keys of everything stored for the user. */
  sortKeys(): Promise<string[]>;
  /** The events since the last call, oldest first. */
  events(): Promise<unknown[]>;
}

export interface DeviceData {
  days: Record<string, Record<string, number>>;
  sleep: { date: string; id: string; startMs: number; asleepMinutes: number | null; sourceId: string | undefined }[];
  workouts: { date: string; id: string; startMs: number; name: string | null; sourceId: string | undefined }[];
}

export async function createProviderDevice(
  table: Table & Partial<Pick<MemoryTable, 'rows'>> = memoryTable(),
  timezone: string | null = null,
): Promise<ProviderDevice> {
  const clock = testClock();
  const withTable = (own: Table, normalize = identityNormalizer): Deps & OwnNormalizers => ({
    ...makeDeps({
      table: own,
      queue: { send: async () => {}, sendAll: async () => {}, postpone: async () => {} },
      bus: { publish: async () => {} },
      rootSecret: 'a root secret of more than 32 characters',
      clock,
      log: () => {},
      deployment: { kind: 'local' },
    }),
    normalizerFor: () => normalize,
  });
  const deps = withTable(table);
  const seen = new Set<string>();
  const allItems = () => table.rows?.() ?? [];
  const { id: userId } = await createUser(deps, caller, { timezone });
  const device = await addDevice(deps, userId, ring);
  const accept: ProviderDevice['accept'] = async (records, by = device, { via } = {}) => {
    clock.advance(1_000);
    const content = JSON.stringify({ samples: [], daily: [], sleep: [], workouts: [], ...records });
    const userContext = await readUserContext(deps, userId);
    const known = userContext?.devices.find(({ id }) => id === by.id) ?? by;
    const part = { content, records: 10, from: '', to: '' };
    const raw = {
      source: 'a cloud',
      format: 1,
      timeZone: userContext?.user.timezone ?? null,
      content,
      chunks: () => [part],
      ...(via === undefined ? {} : { via }),
    };
    await acceptRecords(deps, userId, clock.now(), [{ device: known, raw, scopes: [] }]);
  };
  const processPending = async (own = deps) => {
    for (let rounds = 0; rounds < 10; rounds++) {
      await runWriter(own, userId);
      if ((await pendingCommands(deps.store.table, userId)).length === 0) return;
      clock.advance(600_000);
    }
    throw new Error('work is still pending');
  };
  return {
    userId,
    caller,
    device,
    deps,
    table,
    clock,
    withTable,
    accept,
    processPending,
    async ingest(records) {
      await accept(records);
      await processPending();
    },
    read: () => readDeviceData(deps, userId),
    allItems,
    sortKeys: async () => (await readPartition(table, userId)).map(({ sk }) => String(sk)),
    async events() {
      const all = readEvents(allItems()).filter(({ id }) => !seen.has(id));
      for (const { id } of all) seen.add(id);
      return all.map(({ type, metrics, more }) => ({ type, metrics, ...more }));
    },
  };
}

async function readDeviceData({ store }: Deps, userId: string): Promise<DeviceData> {
  const data: DeviceData = { days: {}, sleep: [], workouts: [] };
  for await (const { date, packed } of dayRows(store).iterateCanonical(userId, '2000-01-01', '2100-01-01')) {
    const values = [...decodeCanonicalDay(packed)].map(([metric, { value }]) => [metric, value] as const);
    if (values.length > 0) data.days[date] = Object.fromEntries(values);
  }
  for await (const { date, sessions } of sessionRows(store).sleep.iterateAll(userId))
    for (const { id, startMs, asleepMinutes, sourceId } of sessions)
      data.sleep.push({ date, id, startMs, asleepMinutes, sourceId });
  for await (const { date, sessions } of sessionRows(store).workouts.iterateAll(userId))
    for (const { id, startMs, name, sourceId } of sessions) data.workouts.push({ date, id, startMs, name, sourceId });
  return data;
}

/** A night that ends at `end`, eight hours long unless overridden. It counts on the day it ends. */
export const sleepUntil = (end: string, overrides: Partial<SleepRecord> = {}): SleepRecord => ({
  startMs: Date.parse(end) - 8 * hourMs,
  endMs: Date.parse(end),
  offsetMinutes: null,
  asleepMinutes: 400,
  deepMinutes: null,
  lightMinutes: null,
  remMinutes: null,
  awakeMinutes: null,
  inBedMinutes: null,
  ...overrides,
});

export const exerciseFrom = (start: string, overrides: Partial<WorkoutRecord> = {}): WorkoutRecord => ({
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
  ...overrides,
});

/** Accepts this number of writes. The worker crashes at the next call. */
export function tableCrashingAfter(table: Table, writes: number): Table & { isDead(): boolean } {
  let left = writes;
  let hasCrashed = false;
  const ifAlive = <Result>(call: () => Promise<Result>, isWrite = false): Promise<Result> => {
    if (hasCrashed || (isWrite && left-- === 0)) {
      hasCrashed = true;
      return Promise.reject(new EngineUnavailable('the worker has crashed'));
    }
    return call();
  };
  return {
    ...table,
    isDead: () => hasCrashed,
    get: (...args) => ifAlive(() => table.get(...args)),
    query: (...args) => ifAlive(() => table.query(...args)),
    batchGet: (...args) => ifAlive(() => table.batchGet(...args)),
    write: (...args) => ifAlive(() => table.write(...args), true),
    transact: (...args) => ifAlive(() => table.transact(...args), true),
    batchWrite: (...args) => ifAlive(() => table.batchWrite(...args), true),
  };
}
