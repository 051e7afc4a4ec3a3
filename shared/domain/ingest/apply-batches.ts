// Works some uploads of one device in together: samples, sessions and totals into the device's days, those into canonical days, and one event for what changed.
import { dateRuns } from '../../model/local-day.ts';
import { isMetricId } from '../../model/metrics.ts';
import { type BatchRow, batchRows, type Changed } from '../../store/batches.ts';
import { conditionalCommit } from '../../store/conditional-write.ts';
import { dayRows } from '../../store/days.ts';
import { type DeviceRow, deviceRows } from '../../store/devices.ts';
import { sampleRows } from '../../store/samples.ts';
import { sessionPlaces } from '../../store/session-places.ts';
import { sessionRows } from '../../store/sessions.ts';
import { userRows } from '../../store/users.ts';
import { consolidateDays } from '../consolidation/touched-days.ts';
import type { Deps } from '../deps.ts';
import { dataEvent } from '../events/new-event.ts';
import { askingForScores } from '../scores/ask.ts';
import { needsZone, tryToFill } from '../users/fill-zone.ts';
import type { Subject } from '../users/subject.ts';
import { allHeld } from '../work/all-held.ts';
import type { ReadBatch } from './claims.ts';
import { type Plan, planFor } from './plan.ts';
import { readBatches } from './read-batches.ts';
import { replaceInTurn } from './replace-in-turn.ts';
import { type Unsettled, unsettledBy } from './unsettled.ts';

/** `disturbed`: another worker changed something first. `unsettled` lists the days that may be half written; the caller makes them again. */
export type ApplyOutcome = { kind: 'changed' | 'unchanged' } | { kind: 'disturbed'; unsettled: Unsettled };

/** Scores of changed days are asked for; waking whoever computes them is left to the caller, who knows whether more is to come. */
export async function applyBatches(
  deps: Deps,
  subject: Subject,
  deviceId: string,
  batches: readonly BatchRow[],
  before: Unsettled,
): Promise<ApplyOutcome> {
  const { user } = subject;
  const device = subject.devices.find(({ id }) => id === deviceId);
  // A device that is not there has gone, or has only just come: what that one brought is looked at again, never dropped.
  if (!device && !(await deviceRows(deps.store).isGone(user.id, deviceId)))
    return { kind: 'disturbed', unsettled: before };
  if (device?.status !== 'active' && device?.status !== 'disconnected')
    return finish(deps, subject, { batches, left: [] }, undefined, { stages: false, scores: false }, null, before);

  const { uploads, left } = await readBatches(deps, user.id, batches);
  const zoned = await inNamedZone(deps, subject, device, uploads);
  if (!zoned) return { kind: 'disturbed', unsettled: before };
  const unsettled = unsettledBy(batches, before);
  const plan = await planFor(deps, zoned, device, uploads, unsettled);
  tellSurplus(deps, user.id, batches, plan);
  const changed = summary(plan, batches);
  const disturbed = { kind: 'disturbed', unsettled: begun(plan, unsettled) } as const;
  const noted = changed ? await note(deps, user.id, batches, changed) : batches;
  if (!noted) return { kind: 'disturbed', unsettled: before };
  if (!(await writePlan(deps, user.id, device.ordinal, plan))) return disturbed;
  await consolidateDays(deps, zoned, plan.dates, { known: plan.normalized });
  const touched = { stages: plan.stages, scores: mayMoveScores(plan, batches) };
  return finish(deps, zoned, { batches: noted, left }, device, touched, changed, disturbed.unsettled);
}

/**
 * The user in the zone that a provider names, where the profile had none. Undefined when the days
 * that are there must follow first, or when the user has changed since it was read.
 */
async function inNamedZone(
  deps: Deps,
  subject: Subject,
  device: DeviceRow,
  uploads: readonly ReadBatch[],
): Promise<Subject | undefined> {
  // A history comes newest first: the latest zone is not that of the last upload.
  const named = uploads
    .flatMap(({ zone }) => zone ?? [])
    .sort((a, b) => a.atMs - b.atMs)
    .at(-1);
  if (!named || !needsZone(subject.user)) return subject;
  // Another worker that has this one upload in hand fills the zone before anything else, too.
  const others = subject.devices.filter(({ id }) => uploads.length > 1 || id !== device.id);
  const filled = await tryToFill(deps, { user: subject.user, devices: others }, named.name);
  return filled && !filled.isRebuilding ? { ...subject, user: filled.user } : undefined;
}

/** What a phone brings too many of is told to it at the door; a vendor is told nothing. */
function tellSurplus({ log }: Deps, userId: string, batches: readonly BatchRow[], { sleep, workouts }: Plan): void {
  const count = sleep.surplus + workouts.surplus;
  if (count > 0)
    log('warn', 'some records of an upload were rejected', {
      user_id: userId,
      batch: batches[0]?.batch,
      source: batches[0]?.source,
      count,
      codes: ['limit_exceeded'],
    });
}

const metricsOf = ({ samples, days }: Plan) => [
  ...days.flatMap(({ metrics }) => metrics),
  ...samples.items.map(({ metric }) => metric),
];

const begun = (plan: Plan, unsettled: Unsettled): Unsettled => ({
  dates: new Set([...unsettled.dates, ...plan.dates]),
  metrics: new Set([...unsettled.metrics, ...[...plan.samples.dates.keys()].filter(isMetricId)]),
  sleep: unsettled.sleep || plan.sleep.dates.size > 0 || plan.stages,
});

/** Where the samples of scores that devices tell have changed: no day of theirs is made that would say so. */
const scoredDates = ({ items, dates }: Plan['samples']): string[] =>
  [...new Set(items.map(({ metric }) => metric))].flatMap((metric) =>
    isMetricId(metric) ? [] : [...(dates.get(metric) ?? [])],
  );

/** Whether scores may come out otherwise than before, now or because of what was begun. */
const mayMoveScores = ({ days, sleep, workouts }: Plan, batches: readonly BatchRow[]): boolean =>
  days.length + sleep.days.length + workouts.days.length > 0 || batches.some(({ changed }) => changed);

/** Null when nothing changes, and nothing was begun before. */
function summary(plan: Plan, batches: readonly BatchRow[]): Changed | null {
  const { samples, sleep, workouts, days } = plan;
  const before = batches.flatMap(({ changed }) => changed ?? []);
  if (samples.items.length + sleep.days.length + workouts.days.length + days.length + before.length === 0) return null;
  const dates = [...[...days, ...sleep.days, ...workouts.days].map(({ date }) => date), ...scoredDates(samples)];
  const told = [...dates, ...before.flatMap(({ from, to }) => [from, to])].filter((date) => date !== null).sort();
  return {
    metrics: [...new Set([...before.flatMap(({ metrics }) => metrics), ...metricsOf(plan)])].sort(),
    sleep: sleep.days.length > 0 || before.some((each) => each.sleep),
    workouts: workouts.days.length > 0 || before.some((each) => each.workouts),
    from: told[0] ?? null,
    to: told.at(-1) ?? null,
    runs: dateRuns(plan.dates),
  };
}

/** On the oldest of them, which every attempt takes up first. Undefined when another worker was there meanwhile. */
async function note(
  { store }: Deps,
  userId: string,
  [oldest, ...others]: readonly BatchRow[],
  changed: Changed,
): Promise<BatchRow[] | undefined> {
  if (!oldest) return [];
  const noted = await batchRows(store).noteChanges(userId, oldest, changed);
  return noted && [noted, ...others];
}

/**
 * False when another worker changed something meanwhile. Samples, sessions, then days: each is derived from those before, so repeating a plan that stopped
 * midway repairs it. Where a session will stand is known before it stands there.
 */
async function writePlan(
  { store }: Deps,
  userId: string,
  device: number,
  { samples, sleep, workouts, traces, traceless, days }: Plan,
): Promise<boolean> {
  await sessionPlaces(store).put(userId, device, 'sleep', sleep.places);
  await sessionPlaces(store).put(userId, device, 'workouts', workouts.places);
  return (
    (await allHeld(samples.items, (item) => sampleRows(store).replace(userId, item, item.samples, item.revision))) &&
    (await replaceInTurn(sleep.days, sleep.before, (day) => sessionRows(store).sleep.replace(userId, day))) &&
    (await replaceInTurn(workouts.days, workouts.before, (day) =>
      sessionRows(store).workouts.replace(userId, day, traces.get(day.date), traceless.get(day.date)),
    )) &&
    (await allHeld(days, (day) => dayRows(store).replaceNormalized(userId, day.date, day.packed, day.revision)))
  );
}

/** The uploads are done, the sync is noted and the event is written together, or not at all. */
async function finish(
  deps: Deps,
  { user }: Subject,
  { batches, left }: { batches: readonly BatchRow[]; left: readonly string[] },
  device: DeviceRow | undefined,
  { stages, scores }: { stages: boolean; scores: boolean },
  changed: Changed | null,
  unsettled: Unsettled,
): Promise<ApplyOutcome> {
  const { store } = deps;
  const receivedMs = Math.max(...batches.map((batch) => batch.receivedMs), 0);
  const asksForScores = scores ? askingForScores(deps, user.id, changed?.from ?? null, changed?.to ?? null) : [];
  const held = await conditionalCommit(store, [
    ...(left.length === 0
      ? batchRows(store).finishing(user.id, batches)
      : batches.map((row) => batchRows(store).replayingOn(user.id, row, left))),
    ...(device
      ? [
          ...(stages && !device.stages ? [deviceRows(store).sendingStages(user.id, device)] : []),
          userRows(store).settling(user, receivedMs),
        ]
      : []),
    ...(changed && device
      ? [
          ...dataEvent(deps, 'data.updated', user, {
            deviceId: device.id,
            metrics: changed.metrics,
            more: { from_date: changed.from, to_date: changed.to, sleep: changed.sleep, workouts: changed.workouts },
          }),
          ...asksForScores,
        ]
      : []),
  ]);
  if (!held) return { kind: 'disturbed', unsettled };
  return { kind: changed ? 'changed' : 'unchanged' };
}
