// Works one upload in: samples, sessions and totals into the device's days, those into canonical days, and one event for what changed.
import { gunzipSync } from 'node:zlib';
import { TransactionRefused } from '../../engine/ports.ts';
import { makeId } from '../../model/ids.ts';
import type { Records } from '../../model/records.ts';
import { sleepMetrics } from '../../model/sleep-metrics.ts';
import type { BatchRow, Changed } from '../../store/batches.ts';
import type { DeviceRow } from '../../store/devices.ts';
import type { SleepRow } from '../../store/sessions.ts';
import { priorityFingerprint } from '../consolidation/merge-day.ts';
import { consolidateDays } from '../consolidation/touched-days.ts';
import type { Deps } from '../deps.ts';
import { askingForScores } from '../scores/ask.ts';
import { readUpload } from '../sdk/read-upload.ts';
import { sleepDayMetrics } from '../sleep.ts';
import { activeDevices, believed, type Subject } from '../subject.ts';
import { wake } from '../wake.ts';
import { zoneOffsetMinutes } from '../zone.ts';
import { type ChangedDay, changedDay, type DayChange } from './day-change.ts';
import { type SampleChanges, sampleChanges } from './sample-changes.ts';
import { type SessionContext, sleepChanges, workoutChanges } from './session-changes.ts';

/** `disturbed`: another worker came between; nothing is half done, and the caller looks again at what is owed. */
export type Outcome = 'changed' | 'unchanged' | 'disturbed';

/** Scores of changed days are asked for; waking whoever computes them is left to the caller, who knows whether more is to come. */
export async function applyBatch(deps: Deps, subject: Subject, batch: BatchRow): Promise<Outcome> {
  const { user } = subject;
  const device = activeDevices(subject.devices).find(({ id }) => id === batch.device);
  if (!device) return finish(deps, subject, batch, undefined, null);

  const records = await recordsOf(deps, user.id, batch);
  const plan = await planFor(deps, subject, device, batch, records);
  const changed = summary(plan, batch.changed);
  if (changed && !(await deps.store.batches.noteChanges(user.id, batch, changed))) return 'disturbed';
  if (!(await writePlan(deps, user.id, plan))) return 'disturbed';
  const synced = { ...subject, devices: devicesAfter(subject.devices, device, batch.receivedMs) };
  await consolidateDays(deps, synced, plan.dates);
  return finish(deps, subject, batch, device, changed);
}

async function recordsOf(deps: Deps, userId: string, batch: BatchRow): Promise<Records> {
  const body: unknown = JSON.parse(gunzipSync(await deps.store.batches.raw(userId, batch)).toString());
  return readUpload(body, { scopes: batch.scopes, nowMs: batch.receivedMs }).records;
}

type Plan = Awaited<ReturnType<typeof planFor>>;

/** Reads and computes everything; writes nothing. */
async function planFor(deps: Deps, subject: Subject, device: DeviceRow, batch: BatchRow, records: Records) {
  const context: SessionContext = {
    userId: subject.user.id,
    device: device.ordinal,
    deviceId: device.id,
    receivedMs: batch.receivedMs,
    profileZone: subject.user.timezone,
    fallbackOffsetMinutes: (ms) => (batch.timeZone === null ? 0 : zoneOffsetMinutes(batch.timeZone, ms)),
  };
  const [samples, sleep, workouts] = await Promise.all([
    sampleChanges(deps, context, records.samples),
    sleepChanges(deps, context, records.sleep),
    workoutChanges(deps, context, records.workouts),
  ]);
  const changes = new Map<string, DayChange[]>();
  const on = (date: string, change: DayChange) => changes.set(date, [...(changes.get(date) ?? []), change]);
  for (const { date, metric, value, original } of records.daily) on(date, (day) => day.state(metric, value, original));
  await deriveDays(deps, context, samples, sleep.spokenOf, on);

  const dates = [...changes.keys()].sort();
  const stored = await deps.store.days.normalizedOn(subject.user.id, dates);
  const days = dates.flatMap(
    (date) => changedDay(date, stored.get(date), device.ordinal, changes.get(date) ?? []) ?? [],
  );
  return { samples, sleep, workouts, days, dates };
}

/** Nights that were reported as sessions make the sleep metrics of their day; samples of those metrics only count on other days. */
async function deriveDays(
  deps: Deps,
  context: SessionContext,
  samples: SampleChanges,
  nights: Map<string, SleepRow[]>,
  on: (date: string, change: DayChange) => void,
): Promise<void> {
  const sampledNights = samples.derived.filter(({ metric }) => sleepMetrics.has(metric)).map(({ date }) => date);
  const known = await deps.store.sessions.sleep.on(
    context.userId,
    [...new Set(sampledNights)].filter((date) => !nights.has(date)),
  );
  const hasNight = (date: string) =>
    (nights.get(date) ?? known.get(date)?.sessions ?? []).some(({ device }) => device === context.device);
  for (const { date, metric, value, original } of samples.derived)
    if (!sleepMetrics.has(metric) || !hasNight(date)) on(date, (day) => day.derive(metric, value, original));
  for (const [date, sessions] of nights) on(date, nightChange(sessions, context.device));
}

export function nightChange(sessions: readonly SleepRow[], device: number): DayChange {
  const values = sleepDayMetrics(ofDevice(sessions, device));
  return (day) => {
    for (const metric of sleepMetrics) day.derive(metric, values[metric]);
  };
}

const ofDevice = <Row extends { device: number }>(rows: readonly Row[], device: number): Row[] =>
  rows.filter((row) => row.device === device);

function summary({ samples, sleep, workouts, days }: Plan, before: Changed | null): Changed | null {
  const changed = samples.items.length + sleep.days.length + workouts.days.length + days.length > 0;
  if (!changed) return before;
  const metrics = [...days.flatMap((day) => day.metrics), ...samples.items.map(({ metric }) => metric)];
  const dates = [...days, ...sleep.days, ...workouts.days].map(({ date }) => date);
  const all = [...dates, before?.from, before?.to].filter((date) => date !== undefined && date !== null).sort();
  return {
    metrics: [...new Set([...(before?.metrics ?? []), ...metrics])].sort(),
    sleep: sleep.days.length > 0 || (before?.sleep ?? false),
    workouts: workouts.days.length > 0 || (before?.workouts ?? false),
    from: all[0] ?? null,
    to: all.at(-1) ?? null,
  };
}

const writesAtOnce = 16;

/** In the order of derivation, so that a plan cut short is made whole by making it again. */
async function writePlan(deps: Deps, userId: string, { samples, sleep, workouts, days }: Plan): Promise<boolean> {
  const { store } = deps;
  for (const workout of workouts.days.flatMap(({ sessions }) => sessions)) {
    const trace = workouts.traces.get(workout.id);
    if (trace) await store.sessions.putTrace(userId, workout.id, trace);
  }
  return (
    (await allHeld(samples.items, (item) => store.samples.replace(userId, item, item.samples, item.revision))) &&
    (await allHeld(sleep.days, (day) => store.sessions.sleep.replace(userId, day))) &&
    (await allHeld(workouts.days, (day) => store.sessions.workouts.replace(userId, day))) &&
    (await allHeld(days, (day: ChangedDay) => store.days.replaceNormalized(userId, day.date, day.packed, day.revision)))
  );
}

async function allHeld<T>(things: readonly T[], write: (thing: T) => Promise<boolean>): Promise<boolean> {
  for (let at = 0; at < things.length; at += writesAtOnce) {
    const held = await Promise.all(things.slice(at, at + writesAtOnce).map(write));
    if (held.includes(false)) return false;
  }
  return true;
}

/** The batch is done, the sync is noted and the event is written together, or not at all. */
async function finish(
  deps: Deps,
  subject: Subject,
  batch: BatchRow,
  device: DeviceRow | undefined,
  changed: Changed | null,
): Promise<Outcome> {
  const { user, state } = subject;
  const { store } = deps;
  const now = deps.clock.now();
  const flipped = device ? orderFlips(subject.devices, device, batch.receivedMs) : false;
  const asksForScores = askingForScores(deps, user.id, changed?.from ?? null, changed?.to ?? null);
  try {
    await store.commit([
      ...store.batches.finishing(user.id, batch),
      ...(device
        ? [store.devices.synced(user.id, device, batch.receivedMs), store.users.synced(user, batch.receivedMs)]
        : []),
      ...(flipped ? [store.states.asking(user.id, state, state.settings)] : []),
      ...(changed && device
        ? [
            store.events.inserting({
              id: makeId('event', now, deps.random.bytes(10)),
              type: 'data.updated',
              account: user.account,
              env: user.env,
              userId: user.id,
              deviceId: device.id,
              metrics: changed.metrics,
              atMs: now,
              more: { from_date: changed.from, to_date: changed.to, sleep: changed.sleep, workouts: changed.workouts },
            }),
            ...asksForScores,
          ]
        : []),
    ]);
  } catch (error) {
    if (error instanceof TransactionRefused) return 'disturbed';
    throw error;
  }
  if (flipped) await wake(deps, 'consolidate', { user_id: user.id });
  return changed ? 'changed' : 'unchanged';
}

/** Equally ranked devices are believed by their latest sync: when this one passes another, older days are due for a rebuild. */
function orderFlips(devices: readonly DeviceRow[], device: DeviceRow, syncedMs: number): boolean {
  const active = activeDevices(devices);
  const after = devicesAfter(active, device, syncedMs);
  return priorityFingerprint(active.map(believed)) !== priorityFingerprint(after.map(believed));
}

/** As they stand once this upload is noted: the days it touches are made in that order at once. */
const devicesAfter = (devices: readonly DeviceRow[], device: DeviceRow, syncedMs: number): DeviceRow[] =>
  devices.map((each) =>
    each.id === device.id ? { ...each, lastSyncMs: Math.max(syncedMs, each.lastSyncMs ?? 0) } : each,
  );
