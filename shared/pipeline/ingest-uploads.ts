// Ingests a batch of one device's uploads: merges samples, sessions and totals into the device's
// days, consolidates the canonical days, and emits one event for the changes.

import { isMetricId } from '../catalog/metrics.ts';
import { dataEvent } from '../events/new-event.ts';
import type { UploadCounts } from '../events/outbox-rows.ts';
import { dayRows } from '../measurements/rows/day-rows.ts';
import { sessionLocationRows } from '../measurements/rows/session-location-rows.ts';
import { sessionRows } from '../measurements/rows/session-rows.ts';
import type { Write } from '../platform/ports.ts';
import { mergeDateRanges } from '../platform/time/local-day.ts';
import { writeAllConditionally } from '../platform/write-all-conditionally.ts';
import { workerWriteDeadlineMs } from '../platform/write-deadline.ts';
import { sdkFormat } from '../providers/phone/format.ts';
import type { Deps } from '../system/deps.ts';
import {
  type Command,
  commandRows,
  type RecordedChange,
  type ReplayCommand,
  type UploadCommand,
} from '../users/command-rows.ts';
import { type DeviceRow, deviceRows, hasData } from '../users/device-rows.ts';
import { needsTimeZone, tryFillTimeZone } from '../users/fill-time-zone.ts';
import type { UserContext } from '../users/user-context.ts';
import type { UserRow } from '../users/user-rows.ts';
import { arrivalMsOf } from './arrivals.ts';
import type { UploadRecords } from './claims.ts';
import {
  assertApplied,
  type CommandHandler,
  type HandlerResult,
  type NotReady,
  PassConflict,
} from './command-handler.ts';
import { consolidateDays } from './consolidate-days.ts';
import { exceedsBatchLimits, ingestBatchLimits } from './ingest-batch-limits.ts';
import { type IngestPlan, planIngest } from './plan-ingest.ts';
import { rawUploadRows } from './raw-uploads.ts';
import { readRecords, readReplay } from './read-uploads.ts';
import { replaceDaysInOrder } from './replace-days-in-order.ts';
import { collectUnfinishedDays } from './unfinished-days.ts';
import { uploadSummaryRows } from './upload-summary-rows.ts';
import { writeSamples } from './write-samples.ts';

export const uploadHandler: CommandHandler<'upload'> = {
  isLong: false,
  selectBatch: selectDeviceUploads,
  async handle(deps, userContext, commands) {
    const { user } = userContext;
    const [oldest] = commands;
    const device = userContext.devices.find(({ id }) => id === oldest?.device);
    if (!oldest || !device || !hasData(device)) return dropCommands(deps, user, commands);
    const { ready, records, notReady, lost } = await readUploads(deps, user.id, commands);
    if (lost.length > 0) return abandonUploads(deps, user, device, lost);
    const [recordingCommand] = ready;
    if (!recordingCommand) return { notReady };
    const finishWrites = ready.map((command) => commandRows(deps.store).buildFinish(user.id, command));
    const recordedChanges = ready.flatMap(({ recordedChange }) => recordedChange ?? []);
    const counts = { uploads: ready.length, records: records.reduce((sum, each) => sum + countRecords(each), 0) };
    const result = await ingest(deps, userContext, device, { recordingCommand, recordedChanges, records, counts });
    await summarizeProviderUploads(deps, user.id, ready, records);
    const last = ready.at(-1);
    const lastUpload = last && buildLastUploadUpdate(user, device, last.id, last.receivedMs);
    return {
      ...result,
      writes: [...finishWrites, ...result.writes],
      userFields: { ...result.userFields, ...lastUpload },
    };
  },
};

const countRecords = ({ records }: UploadRecords): number =>
  records.samples.length + records.daily.length + records.sleep.length + records.workouts.length;

/** What a phone sent was summarized when it arrived. A repeated pass writes the same rows. */
async function summarizeProviderUploads(
  { store }: Deps,
  userId: string,
  ready: readonly UploadCommand[],
  uploads: readonly UploadRecords[],
): Promise<void> {
  for (const [at, { id, device, receivedMs, via }] of ready.entries()) {
    const upload = uploads[at];
    if (via === undefined || !upload) continue;
    const { rejected, rejections } = upload;
    const accepted = countRecords(upload);
    if (accepted + rejected === 0) continue;
    await uploadSummaryRows(store).put(userId, {
      ...{ batch: id, device, receivedMs, kind: via, accepted, failure: null },
      ...{ rejected, rejections: [...rejections] },
    });
  }
}

/** Ingests uploads again, because newer normalizers may read them differently. */
export const replayHandler: CommandHandler<'replay'> = {
  isLong: false,
  async handle(deps, userContext, [command]) {
    const { user } = userContext;
    const device = userContext.devices.find(({ id }) => id === command?.device);
    if (!command || !device || !hasData(device)) return dropCommands(deps, user, command ? [command] : []);
    const { uploads: records, remaining } = await readReplay(deps, user.id, command);
    const recordedChanges = command.recordedChange ? [command.recordedChange] : [];
    const result = await ingest(deps, userContext, device, { recordingCommand: command, recordedChanges, records });
    const finishWrites =
      remaining.length === 0
        ? commandRows(deps.store).buildFinish(user.id, command)
        : commandRows(deps.store).buildReplayProgress(user.id, command, remaining);
    const lastUpload = buildLastUploadUpdate(
      user,
      device,
      user.lastUploads[device.id]?.upload ?? command.id,
      arrivalMsOf(command),
    );
    return { ...result, writes: [finishWrites, ...result.writes], userFields: { ...result.userFields, ...lastUpload } };
  },
};

/** Selects uploads of the same device, up to the batch limits. */
function selectDeviceUploads(first: UploadCommand, pending: readonly Command[]): UploadCommand[] {
  const selected: UploadCommand[] = [];
  for (const command of pending) {
    if (command.kind === 'replay' && command.device === first.device) break;
    if (command.kind !== 'upload' || command.device !== first.device) continue;
    if (
      selected.length === ingestBatchLimits.uploads ||
      (selected.length > 0 && exceedsBatchLimits([...selected, command]))
    )
      break;
    selected.push(command);
  }
  return selected;
}

/**
 * The device was removed with all its data. A command is not finished while its raw data is still
 * being written, because that data would outlive it.
 */
async function dropCommands(
  { store, clock }: Deps,
  user: UserRow,
  commands: readonly (UploadCommand | ReplayCommand)[],
): Promise<HandlerResult | NotReady> {
  const notReady: Command[] = [];
  for (const command of commands) {
    if (command.kind === 'replay') continue;
    const isRecent = clock.now() - command.receivedMs < workerWriteDeadlineMs;
    if (isRecent && !(await rawUploadRows(store).readBytes(user.id, command))) notReady.push(command);
    else await rawUploadRows(store).remove(user.id, command);
  }
  const finishable = commands.filter((command) => !notReady.includes(command));
  if (finishable.length === 0) return { notReady };
  return { writes: finishable.map((command) => commandRows(store).buildFinish(user.id, command)) };
}

/**
 * Drops uploads whose sender never received a success response. The same upload may be sent again,
 * so the raw data that exists stays for its 30 days.
 */
function abandonUploads(
  { store, log }: Deps,
  user: UserRow,
  device: DeviceRow,
  lost: readonly UploadCommand[],
): HandlerResult {
  for (const { id } of lost) log('warn', 'upload_incomplete', { user_id: user.id, batch_id: id });
  return {
    writes: [
      ...lost.map((command) => commandRows(store).buildFinish(user.id, command)),
      ...(device.connection === 'sdk' ? [] : [deviceRows(store).buildForgetUpload(user.id, device)]),
    ],
  };
}

interface UploadReadResult {
  ready: UploadCommand[];
  records: UploadRecords[];
  /** Uploads whose sender has not finished yet. */
  notReady: UploadCommand[];
  /** Uploads whose sender never finished and never received a success response. */
  lost: UploadCommand[];
}

/**
 * Data that a provider returned later may withdraw earlier data, so a provider's uploads are never
 * ingested ahead of one that is not ready.
 */
async function readUploads(deps: Deps, userId: string, commands: readonly UploadCommand[]): Promise<UploadReadResult> {
  const all: UploadReadResult = { ready: [], records: [], notReady: [], lost: [] };
  const readResults = await Promise.all(commands.map((command) => readRecords(deps, userId, command)));
  for (const [at, command] of commands.entries()) {
    const upload = readResults[at];
    const waitsForAnother = all.notReady.length > 0 && command.source !== sdkFormat.source;
    if (upload && !waitsForAnother) {
      all.ready.push(command);
      all.records.push(upload);
    } else if (upload || deps.clock.now() - command.receivedMs < workerWriteDeadlineMs) all.notReady.push(command);
    else all.lost.push(command);
  }
  return all;
}

interface IngestInput {
  /**
   * The command on which the pass records what it is about to change: the oldest one, which every
   * repeated pass selects first.
   */
  recordingCommand: UploadCommand | ReplayCommand;
  recordedChanges: readonly RecordedChange[];
  records: readonly UploadRecords[];
  /** Missing for a replay, whose uploads were counted when they arrived. */
  counts?: UploadCounts;
}

async function ingest(
  deps: Deps,
  userContext: UserContext,
  device: DeviceRow,
  { recordingCommand, recordedChanges, records, counts }: IngestInput,
): Promise<HandlerResult> {
  const { user } = userContext;
  const zonedContext = await applyNamedZone(deps, userContext, records);
  const plan = await planIngest(deps, zonedContext, device, records, collectUnfinishedDays(recordedChanges));
  logOverLimit(deps, user.id, recordingCommand, plan);
  const recordedChange = buildRecordedChange(plan, recordedChanges);
  if (recordedChange)
    assertApplied(await commandRows(deps.store).recordChange(user.id, recordingCommand, recordedChange));
  await writePlan(deps, user.id, device, plan);
  await consolidateDays(deps, zonedContext, plan.dates, { knownDays: plan.normalized });
  const receivedMs = Math.max(...records.map((upload) => upload.receivedMs), user.lastSyncMs ?? 0);
  return {
    writes: [
      ...(plan.stages && !device.stages ? [deviceRows(deps.store).buildMarkSendsStages(user.id, device)] : []),
      ...(recordedChange ? dataUpdatedEvent(deps, user, device, recordedChange, counts) : []),
    ],
    scores: recordedChange && canChangeScores(plan, recordedChanges) ? daysToScore(recordedChange) : [],
    userFields: { lastSyncMs: receivedMs },
    user: zonedContext.user,
  };
}

/**
 * Sets the user's time zone to the one a provider names, if the profile has none. It is written
 * before anything else, so that a repeated pass starts with it.
 */
async function applyNamedZone(
  deps: Deps,
  userContext: UserContext,
  records: readonly UploadRecords[],
): Promise<UserContext> {
  // A history arrives newest first, so the latest time zone is not necessarily in the last upload.
  const latestZone = records
    .flatMap(({ zone }) => zone ?? [])
    .sort((a, b) => a.atMs - b.atMs)
    .at(-1);
  if (!latestZone || !needsTimeZone(userContext.user)) return userContext;
  const updatedUser = await tryFillTimeZone(deps, userContext.user, latestZone.name);
  if (!updatedUser) throw new PassConflict();
  return { ...userContext, user: updatedUser };
}

/**
 * A phone learns of sessions over the limit in the upload response; for a provider they are only
 * logged.
 */
function logOverLimit(
  { log }: Deps,
  userId: string,
  command: UploadCommand | ReplayCommand,
  { sleep, workouts }: IngestPlan,
): void {
  const count = sleep.overLimitCount + workouts.overLimitCount;
  if (count > 0)
    log('warn', 'records_rejected', {
      user_id: userId,
      batch_id: command.id,
      count,
      codes: ['limit_exceeded'],
    });
}

const collectMetrics = ({ samples, days }: IngestPlan) => [
  ...days.flatMap(({ metrics }) => metrics),
  ...samples.items.map(({ metric }) => metric),
];

/**
 * Returns the days on which samples of device scores changed. No day is derived from these samples,
 * so the changed days do not show it.
 */
const findScoreSampleDates = ({ items, dates }: IngestPlan['samples']): string[] =>
  [...new Set(items.map(({ metric }) => metric))].flatMap((metric) =>
    isMetricId(metric) ? [] : [...(dates.get(metric) ?? [])],
  );

/** Whether scores may change, because of this pass or an earlier one that did not finish. */
const canChangeScores = ({ days, sleep, workouts }: IngestPlan, recordedChanges: readonly RecordedChange[]): boolean =>
  days.length + sleep.days.length + workouts.days.length + recordedChanges.length > 0;

const daysToScore = ({ from, to }: RecordedChange) =>
  from === null || to === null ? [] : [{ from, to, dueMs: 0, atOnce: false }];

/** Returns undefined when nothing changes and no earlier pass recorded a change. */
function buildRecordedChange(plan: IngestPlan, before: readonly RecordedChange[]): RecordedChange | undefined {
  const { samples, sleep, workouts, days } = plan;
  if (samples.items.length + sleep.days.length + workouts.days.length + days.length + before.length === 0)
    return undefined;
  const dates = [
    ...[...days, ...sleep.days, ...workouts.days].map(({ date }) => date),
    ...findScoreSampleDates(samples),
  ];
  const changed = [...dates, ...before.flatMap(({ from, to }) => [from, to])].filter((date) => date !== null).sort();
  return {
    metrics: [...new Set([...before.flatMap(({ metrics }) => metrics), ...collectMetrics(plan)])].sort(),
    sleep: sleep.days.length > 0 || before.some((each) => each.sleep),
    workouts: workouts.days.length > 0 || before.some((each) => each.workouts),
    from: changed[0] ?? null,
    to: changed.at(-1) ?? null,
    ranges: mergeDateRanges(plan.dates),
  };
}

/**
 * Writes samples, then sessions, then days. Each is derived from the previous ones, so repeating a
 * plan that stopped midway repairs it. Session locations are written before the sessions.
 */
async function writePlan(
  deps: Deps,
  userId: string,
  device: DeviceRow,
  { samples, sleep, workouts, traces, orphanedTraces, days }: IngestPlan,
): Promise<void> {
  const { store } = deps;
  await sessionLocationRows(store).put(userId, device.ordinal, 'sleep', sleep.locations);
  await sessionLocationRows(store).put(userId, device.ordinal, 'workouts', workouts.locations);
  await writeSamples(deps, userId, device, samples);
  assertApplied(
    await replaceDaysInOrder(sleep.days, sleep.before, (day) => sessionRows(store).sleep.replace(userId, day)),
  );
  assertApplied(
    await replaceDaysInOrder(workouts.days, workouts.before, (day) =>
      sessionRows(store).workouts.replace(userId, day, traces.get(day.date), orphanedTraces.get(day.date)),
    ),
  );
  assertApplied(
    await writeAllConditionally(days, (day) =>
      dayRows(store).replaceNormalized(userId, day.date, day.packed, day.revision),
    ),
  );
}

function dataUpdatedEvent(
  deps: Deps,
  user: UserRow,
  device: DeviceRow,
  { metrics, from, to, sleep, workouts }: RecordedChange,
  counts: UploadCounts | undefined,
): Write[] {
  const more = { from_date: from, to_date: to, sleep, workouts };
  return dataEvent(deps, 'data.updated', user, { deviceId: device.id, metrics, more }, counts);
}

/**
 * A phone's device row is not written for each upload: its last upload is stored on the user's row.
 */
function buildLastUploadUpdate(
  user: UserRow,
  device: DeviceRow,
  upload: string,
  receivedMs: number,
): Pick<UserRow, 'lastUploads'> | undefined {
  if (device.connection !== 'sdk' || receivedMs < (user.lastUploads[device.id]?.receivedMs ?? 0)) return undefined;
  return { lastUploads: { ...user.lastUploads, [device.id]: { upload, receivedMs } } };
}
