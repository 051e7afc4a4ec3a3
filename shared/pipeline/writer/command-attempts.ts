// A command that keeps failing must not hold the person up: an upload is set aside with its raw data, to be looked at and tried again by an operator;
// anything else waits longer and longer, and is reported each time.

import { optimisticRetry } from '../../platform/optimistic-retry.ts';
import { EngineUnavailable } from '../../platform/ports.ts';
import type { Deps } from '../../system/deps.ts';
import { Failure } from '../../system/failure.ts';
import { newId } from '../../system/new-id.ts';
import { commitConditionally } from '../../system/store.ts';
import { wakeWorker } from '../../system/wake-worker.ts';
import { type Command, commandRows, type ReplayCommand, type UploadCommand } from '../../users/command-rows.ts';
import { deviceRows } from '../../users/device-rows.ts';
import { assertShared } from '../../users/sharing.ts';
import { activeDevices, readUserContextWithCommands } from '../../users/user-context.ts';
import { userRows } from '../../users/user-rows.ts';
import { nextArrivalMs } from '../arrivals.ts';
import { type QuarantinedUploadRow, quarantinedUploadRows } from '../quarantined-upload-rows.ts';
import { rawUploadRows } from '../raw-uploads.ts';

const maxFailures = 3;
/** A worker may also die for reasons of its own: a machine that goes down, a host that is restarted. */
const maxDeaths = 5;
/** A message whose run never answered is handed out again two minutes later. */
const presumedDeadAfterMs = 115_000;
const minPauseMs = 60_000;
const maxPauseMs = 3_600_000;

/**
 * The message was handed out before, and this is what it takes up first. A run that fails takes its mark back; one that left it has
 * died, and as far as anybody knows at this command. Returns the command with the mark of this run.
 */
export async function countAttempt(
  deps: Deps,
  userId: string,
  command: Command,
  nowMs: number,
): Promise<Command | undefined> {
  const hasDied = command.attemptMs !== undefined && nowMs - command.attemptMs >= presumedDeadAfterMs;
  const deaths = command.deaths + (hasDied ? 1 : 0);
  const counted = await commandRows(deps.store).recordAttempt(userId, command, deaths, nowMs);
  if (counted && deaths >= maxDeaths) await giveUp(deps, userId, counted, `${deaths} workers died at it`);
  return counted;
}

/** A table that is away takes nothing back: then the next run, if it comes late, counts a death too many. */
export async function clearAttempt(deps: Deps, userId: string, command: Command): Promise<void> {
  try {
    await commandRows(deps.store).clearAttempt(userId, command);
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    deps.log('warn', 'could not take back the mark of an attempt', { user_id: userId, error });
  }
}

/** Whether it is out of the way; otherwise it is tried again with the next run. */
export async function recordCommandFailure(
  deps: Deps,
  userId: string,
  command: Command,
  error: unknown,
): Promise<boolean> {
  const failed = await commandRows(deps.store).recordFailure(userId, command);
  if (!failed) return true;
  if (failed.failures < maxFailures) return false;
  await giveUp(deps, userId, failed, error instanceof Error ? error.message : String(error));
  return true;
}

async function giveUp(deps: Deps, userId: string, command: Command, reason: string): Promise<void> {
  if (command.kind === 'upload' || command.kind === 'replay') return quarantine(deps, userId, command, reason);
  const tries = Math.max(0, command.failures - maxFailures, command.deaths - maxDeaths);
  const pauseMs = Math.min(maxPauseMs, minPauseMs * 2 ** tries);
  await commandRows(deps.store).postpone(userId, command, deps.clock.now() + pauseMs);
  deps.log('error', 'a command of a person keeps failing', { user_id: userId, kind: command.kind, pause_ms: pauseMs });
}

async function quarantine(
  deps: Deps,
  userId: string,
  command: UploadCommand | ReplayCommand,
  reason: string,
): Promise<void> {
  const { store, clock, log } = deps;
  const now = clock.now();
  if (command.kind === 'upload') await rawUploadRows(store).retainIndefinitely(userId, command);
  await commitConditionally(store, [
    commandRows(store).buildFinish(userId, command),
    quarantinedUploadRows(store).buildQuarantine(userId, command, now, reason.slice(0, 500)),
    // Days that it began to change are made anew from what is kept.
    ...(command.noted ? [commandRows(store).buildRequest(userId, 'recount', newId(deps, 'ask'), now)] : []),
  ]);
  // Why stands in the row: an error's words may quote what was sent.
  log('error', 'upload set aside: it cannot be processed', { user_id: userId, batch: command.id });
}

export const listQuarantinedUploads = ({ store }: Deps): Promise<QuarantinedUploadRow[]> =>
  quarantinedUploadRows(store).listAll();

/** It counts as if it arrived now. */
export async function retryQuarantinedUpload(deps: Deps, row: QuarantinedUploadRow): Promise<void> {
  const { store, clock } = deps;
  await optimisticRetry({ what: 'a device', retries: 5 }, async () => {
    const { subject: userContext, commands } = await readUserContextWithCommands(deps, row.user, 'newest too');
    if (userContext) assertShared(userContext.user);
    const device = activeDevices(userContext?.devices ?? []).find(({ id }) => id === row.device);
    if (!device)
      throw new Failure(
        'not_found',
        `The device or the user of ${row.id} no longer exists, so the upload cannot be processed.`,
      );
    const { user, quarantinedMs: _quarantinedMs, reason: _reason, ...command } = row;
    const receivedMs = nextArrivalMs(device, commands, clock.now());
    const retried = command.kind === 'upload' ? { ...command, receivedMs, late: true } : { ...command, receivedMs };
    await store.commit([
      quarantinedUploadRows(store).buildRelease(row),
      device.connection === 'sdk'
        ? userRows(store).buildNotDeletingCheck(user)
        : deviceRows(store).buildReceiveUpload(user, device, row.id, receivedMs),
      commandRows(store).buildAppend(user, retried),
    ]);
    if (row.kind === 'upload') await rawUploadRows(store).restoreRetention(user, row, receivedMs);
  });
  await wakeWorker(deps, 'user', { user_id: row.user });
}
