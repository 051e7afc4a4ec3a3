// Writes data directly through the store, as it is after ingest.

import { mergeRule } from '../../shared/catalog/merge-rule.ts';
import type { MetricId, SampleId } from '../../shared/catalog/metrics.ts';
import { encodeCanonicalDay } from '../../shared/measurements/codec/canonical-day.ts';
import { encodeNormalizedDay } from '../../shared/measurements/codec/normalized-day.ts';
import type { StoredSample } from '../../shared/measurements/codec/sample-block.ts';
import type { HeartRatePoint, Original } from '../../shared/measurements/records.ts';
import { dayRows } from '../../shared/measurements/rows/day-rows.ts';
import { sampleRows } from '../../shared/measurements/rows/sample-rows.ts';
import { type SleepRow, sessionRows, type WorkoutRow } from '../../shared/measurements/rows/session-rows.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { makeId } from '../../shared/system/ids.ts';
import { newId } from '../../shared/system/new-id.ts';
import { commandRows } from '../../shared/users/command-rows.ts';
import { type DeviceRow, deviceRows } from '../../shared/users/device-rows.ts';
import { type StateRow, stateRows } from '../../shared/users/state-rows.ts';
import { readUserContext } from '../../shared/users/user-context.ts';

const minuteMs = 60_000;
const random = () => crypto.getRandomValues(new Uint8Array(10));
const assertApplied = (applied: boolean): void => {
  if (!applied) throw new Error('something else changed the data that the test writes');
};

/** A ring that was connected at time 0 and has sent nothing yet, except for the overrides. */
export const deviceRow = (overrides: Partial<DeviceRow> = {}): DeviceRow => ({
  id: 'dev_1',
  ordinal: 0,
  provider: 'oura',
  connection: 'cloud',
  deviceType: 'ring',
  model: 'Ring',
  name: null,
  status: 'active',
  connectedMs: 0,
  lastSyncMs: null,
  lastBatch: null,
  receivedMs: 0,
  error: null,
  sync: null,
  stages: false,
  ...overrides,
});

export async function addDevice(deps: Deps, userId: string, overrides: Partial<DeviceRow> = {}): Promise<DeviceRow> {
  const userContext = await readUserContext(deps, userId);
  if (!userContext) throw new Error(`there is no user ${userId}`);
  const row = deviceRow({
    id: makeId('device', deps.clock.now(), random()),
    ordinal: userContext.state.nextOrdinal,
    connectedMs: deps.clock.now(),
    ...overrides,
  });
  await deps.store.commit([
    stateRows(deps.store).buildTakeOrdinal(userId, userContext.state),
    deviceRows(deps.store).buildInsert(userId, row),
  ]);
  return row;
}

export const ring = { provider: 'oura', deviceType: 'ring' } as const;
export const watch = { provider: 'garmin', deviceType: 'wrist' } as const;

export async function changeSettings(
  deps: Deps,
  userId: string,
  settings: Partial<StateRow['settings']>,
): Promise<void> {
  const state = (await readUserContext(deps, userId))?.state;
  if (!state) throw new Error(`there is no user ${userId}`);
  await deps.store.commit([
    stateRows(deps.store).buildUpdate(userId, state, { ...state.settings, ...settings }),
    commandRows(deps.store).buildRequest(userId, 'rebuild', newId(deps, 'command'), deps.clock.now()),
  ]);
}

type MetricValues = Partial<Record<MetricId, number>>;
const metricEntries = (values: MetricValues) => Object.entries(values) as [MetricId, number][];

export async function addCanonical(
  deps: Deps,
  userId: string,
  date: string,
  values: MetricValues,
  device = 0,
): Promise<void> {
  const packed = encodeCanonicalDay(
    new Map(metricEntries(values).map(([id, value]) => [id, { value, source: device }])),
  );
  assertApplied(
    await dayRows(deps.store).replaceCanonical(userId, { date, packed, revisionSum: 1, generation: 0, mergeRule }),
  );
}

export async function addNormalized(
  deps: Deps,
  userId: string,
  date: string,
  byDevice: Record<number, Partial<Record<MetricId, { value: number; original?: Original }>>>,
): Promise<void> {
  const day = Object.entries(byDevice).map(([device, values]) => {
    const entries = Object.entries(values) as [MetricId, { value: number; original?: Original }][];
    return [Number(device), new Map(entries.map(([id, value]) => [id, { stated: true, ...value }]))] as const;
  });
  assertApplied(await dayRows(deps.store).replaceNormalized(userId, date, encodeNormalizedDay(new Map(day)), 0));
}

const sessionBase = (kind: 'sleep' | 'workout', device: number, start: string, minutes: number) => {
  const startMs = Date.parse(start);
  return {
    id: makeId(kind, startMs, random()),
    device,
    receivedMs: startMs + minutes * minuteMs,
    startMs,
    endMs: startMs + minutes * minuteMs,
    offsetMinutes: null,
  };
};

export const sleepRow = (device: number, start: string, minutes: number, more: Partial<SleepRow> = {}): SleepRow => ({
  ...sessionBase('sleep', device, start, minutes),
  asleepMinutes: null,
  deepMinutes: null,
  lightMinutes: null,
  remMinutes: null,
  awakeMinutes: null,
  inBedMinutes: null,
  ...more,
});

export const workoutRow = (
  device: number,
  start: string,
  minutes: number,
  more: Partial<WorkoutRow> = {},
): WorkoutRow => ({
  ...sessionBase('workout', device, start, minutes),
  type: 'running',
  name: null,
  calories: null,
  distanceKm: null,
  avgHeartRate: null,
  maxHeartRate: null,
  elevationMeters: null,
  steps: null,
  trace: null,
  ...more,
});

export async function addSleep(deps: Deps, userId: string, date: string, ...rows: SleepRow[]): Promise<void> {
  const day = (await sessionRows(deps.store).sleep.readDates(userId, [date])).get(date) ?? {
    date,
    sessions: [],
    revision: 0,
  };
  assertApplied(await sessionRows(deps.store).sleep.replace(userId, { ...day, sessions: [...day.sessions, ...rows] }));
}

export async function addWorkouts(deps: Deps, userId: string, date: string, ...rows: WorkoutRow[]): Promise<void> {
  const day = (await sessionRows(deps.store).workouts.readDates(userId, [date])).get(date) ?? {
    date,
    sessions: [],
    revision: 0,
  };
  assertApplied(
    await sessionRows(deps.store).workouts.replace(userId, { ...day, sessions: [...day.sessions, ...rows] }),
  );
}

export async function addTrace(deps: Deps, userId: string, workout: string, points: HeartRatePoint[]): Promise<void> {
  for await (const day of sessionRows(deps.store).workouts.iterateAll(userId))
    if (day.sessions.some(({ id }) => id === workout))
      assertApplied(await sessionRows(deps.store).workouts.replace(userId, day, [{ workout, name: 'trace', points }]));
}

/** Adds instantaneous samples of one device and metric, keyed by time. */
export async function addSamples(
  deps: Deps,
  userId: string,
  device: number,
  metric: SampleId,
  values: Record<string, number>,
  original?: (value: number) => Original,
): Promise<void> {
  const samples = Object.entries(values).map(([time, value]): StoredSample => {
    const startMs = Date.parse(time);
    const more = original ? { original: original(value) } : {};
    return { startMs, endMs: startMs, value, offsetMinutes: null, ...more };
  });
  await addStoredSamples(deps, userId, device, metric, samples);
}

/** The same for complete samples. */
export async function addStoredSamples(
  deps: Deps,
  userId: string,
  device: number,
  metric: SampleId,
  samples: readonly StoredSample[],
): Promise<void> {
  const byDay = Map.groupBy(samples, ({ startMs }) => new Date(startMs).toISOString().slice(0, 10));
  for (const [utcDay, own] of byDay) {
    const ordered = own.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
    assertApplied(await sampleRows(deps.store).replace(userId, { metric, utcDay, device }, ordered, 0));
  }
}
