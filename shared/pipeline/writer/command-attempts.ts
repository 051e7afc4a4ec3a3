// A command that keeps failing must not block the user. An upload is quarantined with its raw data
// for an operator to inspect and retry; any other command is postponed with growing delays and
// logged each time.

import { optimisticRetry } from '../../platform/optimistic-retry.ts';
import { EngineUnavailable } from '../../platform/ports.ts';
import type { Deps } from '../../system/deps.ts';
import { Failure } from '../../system/failure.ts';
import { newId } from '../../system/new-id.ts';
import { isPresumedDead } from '../../system/presumed-dead.ts';
import { commitConditionally } from '../../system/store.ts';
import { type Command, commandRows, type ReplayCommand, type UploadCommand } from '../../users/command-rows.ts';
import { deviceRows } from '../../users/device-rows.ts';
import { assertShared } from '../../users/sharing.ts';
import { activeDevices, readUserContextWithCommands } from '../../users/user-context.ts';
import { type UserRow, userRows } from '../../users/user-rows.ts';
import { wakeUser } from '../../users/wake-user.ts';
import { nextArrivalMs } from '../arrivals.ts';
import { type QuarantinedUploadRow, quarantinedUploadRows } from '../quarantined-upload-rows.ts';
import { rawUploadRows } from '../raw-uploads.ts';

const maxFailures = 3;
const crashesBeforeQuarantine = 5;
const minPauseMs = 60_000;
const maxPauseMs = 3_600_000;

/**
 * Called when the message was delivered before, for the first command of the run. A run that fails
 * clears its attempt; a run that leaves it recorded has crashed, presumably while processing this
 * command. Returns the command with the attempt of this run.
 */
export async function countAttempt(
  deps: Deps,
  user: UserRow,
  command: Command,
  nowMs: number,
): Promise<Command | undefined> {
  const hasCrashed = command.attemptMs !== undefined && isPresumedDead(command.attemptMs, nowMs);
  const crashes = command.crashes + (hasCrashed ? 1 : 0);
  const counted = await commandRows(deps.store).recordAttempt(user.id, command, crashes, nowMs);
  if (counted && crashes >= crashesBeforeQuarantine)
    await giveUp(deps, user, counted, `${crashes} workers crashed while processing it`);
  return counted;
}

/**
 * If the table is unavailable, the attempt stays recorded, and a late next run counts one crash too
 * many.
 */
export async function clearAttempt(deps: Deps, userId: string, command: Command): Promise<void> {
  try {
    await commandRows(deps.store).clearAttempt(userId, command);
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    deps.log('warn', 'attempt_not_cleared', { user_id: userId, cause: error });
  }
}

/** Returns whether the command no longer blocks the user; otherwise the next run retries it. */
export async function recordCommandFailure(
  deps: Deps,
  user: UserRow,
  command: Command,
  error: unknown,
): Promise<boolean> {
  const failed = await commandRows(deps.store).recordFailure(user.id, command);
  if (!failed) return true;
  if (failed.failures < maxFailures) return false;
  await giveUp(deps, user, failed, error instanceof Error ? error.message : String(error));
  return true;
}

async function giveUp(deps: Deps, user: UserRow, command: Command, reason: string): Promise<void> {
  if (command.kind === 'upload' || command.kind === 'replay') return quarantine(deps, user, command, reason);
  const tries = Math.max(0, command.failures - maxFailures, command.crashes - crashesBeforeQuarantine);
  const pauseMs = Math.min(maxPauseMs, minPauseMs * 2 ** tries);
  await commandRows(deps.store).postpone(user.id, command, deps.clock.now() + pauseMs);
  deps.log('error', 'command_failing', { user_id: user.id, command: command.kind, pause_ms: pauseMs });
}

async function quarantine(
  deps: Deps,
  user: UserRow,
  command: UploadCommand | ReplayCommand,
  reason: string,
): Promise<void> {
  const { store, clock, log } = deps;
  const now = clock.now();
  const { id: userId } = user;
  if (command.kind === 'upload') await rawUploadRows(store).retainIndefinitely(userId, command);
  await commitConditionally(store, [
    commandRows(store).buildFinish(userId, command),
    quarantinedUploadRows(store).buildQuarantine(user, command, now, reason.slice(0, 500)),
    // The days that the upload began to change are derived again from the stored data.
    ...(command.recordedChange
      ? [commandRows(store).buildRequest(userId, 'recount', newId(deps, 'command'), now)]
      : []),
  ]);
  // The reason is only in the row, because an error message may quote the data that was sent.
  log('error', 'upload_quarantined', { user_id: userId, batch_id: command.id });
}

export const listQuarantinedUploads = ({ store }: Deps): Promise<QuarantinedUploadRow[]> =>
  quarantinedUploadRows(store).listAll();

/** The upload counts as if it arrived now. */
export async function retryQuarantinedUpload(deps: Deps, row: QuarantinedUploadRow): Promise<void> {
  const { store, clock } = deps;
  await optimisticRetry({ what: 'a device', retries: 5 }, async () => {
    const { userContext, commands } = await readUserContextWithCommands(deps, row.user, 'newest too');
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
  await wakeUser(deps, row.user);
}
