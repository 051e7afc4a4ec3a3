// Works some uploads of one device in together: samples, sessions and totals into the device's days, those into canonical days, and one event for what changed.

import { isMetricId } from '../catalog/metrics.ts';
import { dataEvent } from '../events/new-event.ts';
import { dayRows } from '../measurements/rows/day-rows.ts';
import { sessionPlaces } from '../measurements/rows/session-places.ts';
import { sessionRows } from '../measurements/rows/session-rows.ts';
import { allHeld } from '../platform/all-held.ts';
import type { Write } from '../platform/ports.ts';
import { dateRuns } from '../platform/time/local-day.ts';
import { workerLifeMs } from '../platform/worker-life.ts';
import { sdkFormat } from '../providers/phone/format.ts';
import type { Deps } from '../system/deps.ts';
import {
  type Command,
  commandRows,
  type Noted,
  type ReplayCommand,
  type UploadCommand,
} from '../users/command-rows.ts';
import { type DeviceRow, deviceRows } from '../users/device-rows.ts';
import { needsZone, tryToFill } from '../users/fill-zone.ts';
import type { Subject } from '../users/subject.ts';
import type { UserRow } from '../users/user-rows.ts';
import { arrivedMs } from './arrivals.ts';
import { isTooMuch, mostAtOnce } from './at-once.ts';
import { begunDays } from './begun-days.ts';
import type { UploadRecords } from './claims.ts';
import { type Plan, planFor } from './plan.ts';
import { rawUploads } from './raw-uploads.ts';
import { readRecords, readReplay } from './read-uploads.ts';
import { replaceInTurn } from './replace-in-turn.ts';
import { consolidateDays } from './touched-days.ts';
import { type Done, mustHold, type NotYet, PassOvertaken, type Work } from './work.ts';
import { writeSamples } from './write-samples.ts';

export const uploads: Work<'upload'> = {
  isLong: false,
  together: deviceUploads,
  async work(deps, subject, commands) {
    const { user } = subject;
    const [oldest] = commands;
    const device = subject.devices.find(({ id }) => id === oldest?.device);
    if (!oldest || !device || !hasData(device)) return dropped(deps, user, commands);
    const { ready, read, unready, lost } = await readAll(deps, user.id, commands);
    if (lost.length > 0) return forgotten(deps, user, device, lost);
    const [noting] = ready;
    if (!noting) return { notYet: unready };
    const ending = ready.map((command) => commandRows(deps.store).finishing(user.id, command));
    const notes = ready.flatMap(({ noted }) => noted ?? []);
    const done = await workIn(deps, subject, device, { noting, notes, read });
    const last = ready.at(-1);
    const seen = last && seenIn(user, device, last.id, last.receivedMs);
    return { ...done, writes: [...ending, ...done.writes], head: { ...done.head, ...seen } };
  },
};

/** Uploads that were worked in before, once more: newer normalizers may read them otherwise. */
export const replays: Work<'replay'> = {
  isLong: false,
  async work(deps, subject, [command]) {
    const { user } = subject;
    const device = subject.devices.find(({ id }) => id === command?.device);
    if (!command || !device || !hasData(device)) return dropped(deps, user, command ? [command] : []);
    const { uploads: read, left } = await readReplay(deps, user.id, command);
    const notes = command.noted ? [command.noted] : [];
    const done = await workIn(deps, subject, device, { noting: command, notes, read });
    const ending =
      left.length === 0
        ? commandRows(deps.store).finishing(user.id, command)
        : commandRows(deps.store).replayingOn(user.id, command, left);
    const seen = seenIn(user, device, user.seen[device.id]?.upload ?? command.id, arrivedMs(command));
    return { ...done, writes: [ending, ...done.writes], head: { ...done.head, ...seen } };
  },
};

const hasData = ({ status }: DeviceRow): boolean => status === 'active' || status === 'disconnected';

/** Of the same device, as many as fit. */
function deviceUploads(first: UploadCommand, waiting: readonly Command[]): UploadCommand[] {
  const taken: UploadCommand[] = [];
  for (const command of waiting) {
    if (command.kind === 'replay' && command.device === first.device) break;
    if (command.kind !== 'upload' || command.device !== first.device) continue;
    if (taken.length === mostAtOnce.uploads || (taken.length > 0 && isTooMuch([...taken, command]))) break;
    taken.push(command);
  }
  return taken;
}

/** The device went with everything it brought. Raw data that is still being written would outlive its command. */
async function dropped(
  { store, clock }: Deps,
  user: UserRow,
  commands: readonly (UploadCommand | ReplayCommand)[],
): Promise<Done | NotYet> {
  const notYet: Command[] = [];
  for (const command of commands) {
    if (command.kind === 'replay') continue;
    const isYoung = clock.now() - command.receivedMs < workerLifeMs;
    if (isYoung && !(await rawUploads(store).bytes(user.id, command))) notYet.push(command);
    else await rawUploads(store).remove(user.id, command);
  }
  const gone = commands.filter((command) => !notYet.includes(command));
  if (gone.length === 0) return { notYet };
  return { writes: gone.map((command) => commandRows(store).finishing(user.id, command)) };
}

/** Nobody was answered that they are here. The same upload may be coming again, so what there is of their raw data stays for its month. */
function forgotten({ store, log }: Deps, user: UserRow, device: DeviceRow, lost: readonly UploadCommand[]): Done {
  for (const { id } of lost) log('warn', 'an upload ended before it was whole', { user_id: user.id, batch: id });
  return {
    writes: [
      ...lost.map((command) => commandRows(store).finishing(user.id, command)),
      ...(device.connection === 'sdk' ? [] : [deviceRows(store).forgettingUpload(user.id, device)]),
    ],
  };
}

interface ReadAll {
  ready: UploadCommand[];
  read: UploadRecords[];
  /** Whoever brings them is not done. */
  unready: UploadCommand[];
  /** Whoever brought them never was: nobody was told that they are here. */
  lost: UploadCommand[];
}

/** What a vendor was asked for later may take back what it said before, so nothing of it goes ahead of what is not there yet. */
async function readAll(deps: Deps, userId: string, commands: readonly UploadCommand[]): Promise<ReadAll> {
  const all: ReadAll = { ready: [], read: [], unready: [], lost: [] };
  const found = await Promise.all(commands.map((command) => readRecords(deps, userId, command)));
  for (const [at, command] of commands.entries()) {
    const upload = found[at];
    const waitsForAnother = all.unready.length > 0 && command.source !== sdkFormat.source;
    if (upload && !waitsForAnother) {
      all.ready.push(command);
      all.read.push(upload);
    } else if (upload || deps.clock.now() - command.receivedMs < workerLifeMs) all.unready.push(command);
    else all.lost.push(command);
  }
  return all;
}

interface ToWorkIn {
  /** Where the pass notes what it is about to change: the oldest, which every repeated pass takes up first. */
  noting: UploadCommand | ReplayCommand;
  notes: readonly Noted[];
  read: readonly UploadRecords[];
}

async function workIn(
  deps: Deps,
  subject: Subject,
  device: DeviceRow,
  { noting, notes, read }: ToWorkIn,
): Promise<Done> {
  const { user } = subject;
  const zoned = await inNamedZone(deps, subject, read);
  const plan = await planFor(deps, zoned, device, read, begunDays(notes));
  tellSurplus(deps, user.id, noting, plan);
  const noted = noteOf(plan, notes);
  if (noted) mustHold(await commandRows(deps.store).note(user.id, noting, noted));
  await writePlan(deps, user.id, device, plan);
  await consolidateDays(deps, zoned, plan.dates, { known: plan.normalized });
  const receivedMs = Math.max(...read.map((upload) => upload.receivedMs), user.lastSyncMs ?? 0);
  return {
    writes: [
      ...(plan.stages && !device.stages ? [deviceRows(deps.store).sendingStages(user.id, device)] : []),
      ...(noted ? dataUpdated(deps, user, device, noted) : []),
    ],
    scores: noted && mayMoveScores(plan, notes) ? daysToScore(noted) : [],
    head: { lastSyncMs: receivedMs },
    user: zoned.user,
  };
}

/**
 * The user in the zone that a provider names, where the profile had none. The zone goes before everything, so a pass that dies begins in it.
 */
async function inNamedZone(deps: Deps, subject: Subject, read: readonly UploadRecords[]): Promise<Subject> {
  // A history comes newest first: the latest zone is not that of the last upload.
  const named = read
    .flatMap(({ zone }) => zone ?? [])
    .sort((a, b) => a.atMs - b.atMs)
    .at(-1);
  if (!named || !needsZone(subject.user)) return subject;
  const filled = await tryToFill(deps, subject.user, named.name);
  if (!filled) throw new PassOvertaken();
  return { ...subject, user: filled };
}

/** What a phone brings too many of is told to it at the door; a vendor is told nothing. */
function tellSurplus(
  { log }: Deps,
  userId: string,
  command: UploadCommand | ReplayCommand,
  { sleep, workouts }: Plan,
): void {
  const count = sleep.surplus + workouts.surplus;
  if (count > 0)
    log('warn', 'some records of an upload were rejected', {
      user_id: userId,
      batch: command.id,
      count,
      codes: ['limit_exceeded'],
    });
}

const metricsOf = ({ samples, days }: Plan) => [
  ...days.flatMap(({ metrics }) => metrics),
  ...samples.items.map(({ metric }) => metric),
];

/** Where the samples of scores that devices tell have changed: no day of theirs is made that would say so. */
const scoredDates = ({ items, dates }: Plan['samples']): string[] =>
  [...new Set(items.map(({ metric }) => metric))].flatMap((metric) =>
    isMetricId(metric) ? [] : [...(dates.get(metric) ?? [])],
  );

/** Whether scores may come out otherwise than before, now or because of what was begun. */
const mayMoveScores = ({ days, sleep, workouts }: Plan, notes: readonly Noted[]): boolean =>
  days.length + sleep.days.length + workouts.days.length + notes.length > 0;

const daysToScore = ({ from, to }: Noted) =>
  from === null || to === null ? [] : [{ from, to, dueMs: 0, atOnce: false }];

/** Undefined when nothing changes, and nothing was begun before. */
function noteOf(plan: Plan, before: readonly Noted[]): Noted | undefined {
  const { samples, sleep, workouts, days } = plan;
  if (samples.items.length + sleep.days.length + workouts.days.length + days.length + before.length === 0)
    return undefined;
  const dates = [...[...days, ...sleep.days, ...workouts.days].map(({ date }) => date), ...scoredDates(samples)];
  const changed = [...dates, ...before.flatMap(({ from, to }) => [from, to])].filter((date) => date !== null).sort();
  return {
    metrics: [...new Set([...before.flatMap(({ metrics }) => metrics), ...metricsOf(plan)])].sort(),
    sleep: sleep.days.length > 0 || before.some((each) => each.sleep),
    workouts: workouts.days.length > 0 || before.some((each) => each.workouts),
    from: changed[0] ?? null,
    to: changed.at(-1) ?? null,
    runs: dateRuns(plan.dates),
  };
}

/**
 * Samples, sessions, then days: each is derived from those before, so repeating a plan that stopped
 * midway repairs it. Where a session will stand is known before it stands there.
 */
async function writePlan(
  deps: Deps,
  userId: string,
  device: DeviceRow,
  { samples, sleep, workouts, traces, traceless, days }: Plan,
): Promise<void> {
  const { store } = deps;
  await sessionPlaces(store).put(userId, device.ordinal, 'sleep', sleep.places);
  await sessionPlaces(store).put(userId, device.ordinal, 'workouts', workouts.places);
  await writeSamples(deps, userId, device, samples);
  mustHold(await replaceInTurn(sleep.days, sleep.before, (day) => sessionRows(store).sleep.replace(userId, day)));
  mustHold(
    await replaceInTurn(workouts.days, workouts.before, (day) =>
      sessionRows(store).workouts.replace(userId, day, traces.get(day.date), traceless.get(day.date)),
    ),
  );
  mustHold(await allHeld(days, (day) => dayRows(store).replaceNormalized(userId, day.date, day.packed, day.revision)));
}

const dataUpdated = (deps: Deps, user: UserRow, device: DeviceRow, noted: Noted): Write[] =>
  dataEvent(deps, 'data.updated', user, {
    deviceId: device.id,
    metrics: noted.metrics,
    more: { from_date: noted.from, to_date: noted.to, sleep: noted.sleep, workouts: noted.workouts },
  });

/** A phone's row is not written for each upload: what it brought last stands on the user's. */
function seenIn(
  user: UserRow,
  device: DeviceRow,
  upload: string,
  receivedMs: number,
): Pick<UserRow, 'seen'> | undefined {
  if (device.connection !== 'sdk' || receivedMs < (user.seen[device.id]?.receivedMs ?? 0)) return undefined;
  return { seen: { ...user.seen, [device.id]: { upload, receivedMs } } };
}
