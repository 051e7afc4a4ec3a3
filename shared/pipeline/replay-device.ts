// Queues all retained uploads of a device for another ingest, so that newer normalizers read them.
// Uploads that are read as before change nothing.

import { chunkArray } from '../platform/chunk-array.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { getAuthorizedUserContext } from '../users/authorized-user.ts';
import { commandRows } from '../users/command-rows.ts';
import { type DeviceRow, deviceRows } from '../users/device-rows.ts';
import { assertShared } from '../users/sharing.ts';
import { devicesWithData, readUserContextWithCommands } from '../users/user-context.ts';
import { userRows } from '../users/user-rows.ts';
import { wakeUser } from '../users/wake-user.ts';
import { computeBatchId } from './accept-records.ts';
import { nextArrivalMs } from './arrivals.ts';
import { rawUploadRows } from './raw-uploads.ts';
import { type ReplayRequest, replayCooldownMinutes } from './replay-request.ts';

const cooldownMs = replayCooldownMinutes * 60_000;
/** A caller waits for the response. */
const requestRetries = 3;
const commandRetries = 20;

/** Requests are cooled down per device, because a replay reads and processes all that is stored. */
export async function requestReplay(
  deps: Deps,
  caller: Caller,
  userId: string,
  deviceId: string,
): Promise<ReplayRequest> {
  const { user, devices } = await getAuthorizedUserContext(deps, caller, userId);
  const device = findDevice(devices, deviceId);
  const nowMs = deps.clock.now();
  const refuse = (nextMs: number): ReplayRequest => ({
    accepted: false,
    uploads: 0,
    next_at: formatTimestamp(nextMs),
  });
  if (devicesWithData([device]).length === 0 || device.sync?.state === 'backfilling') return refuse(nowMs);
  const requestedMs = device.replayRequestedMs ?? Number.NEGATIVE_INFINITY;
  if (requestedMs > nowMs - cooldownMs) return refuse(requestedMs + cooldownMs);
  if (!(await deviceRows(deps.store).recordReplayRequest(user.id, deviceId, nowMs, cooldownMs)))
    return refuse(nowMs + cooldownMs);
  try {
    const uploads = await replayDevice(deps, user.id, deviceId, requestRetries);
    return { accepted: uploads > 0, uploads, next_at: formatTimestamp(nowMs + cooldownMs) };
  } catch (error) {
    await deviceRows(deps.store).withdrawReplayRequest(user.id, deviceId, nowMs);
    throw error;
  }
}

function findDevice(devices: readonly DeviceRow[], deviceId: string): DeviceRow {
  const device = devices.find(({ id }) => id === deviceId);
  if (!device || device.status === 'removing')
    throw new Failure('not_found', `Device ${deviceId.slice(0, 64)} not found.`);
  return device;
}

/** Uploads that would expire before they are ingested are omitted. */
const expiryMarginMs = 3_600_000;
const uploadsPerCommand = 5_000;

/**
 * All uploads are queued in one transaction, behind everything the device has sent so far, because
 * a partial replay could leave old values in place. A concurrent upload makes the transaction fail;
 * the retry then includes that upload. While a replay of the device waits to begin, another one
 * queues nothing, because it would read the same uploads. Returns the number of queued uploads.
 */
export async function replayDevice(
  deps: Deps,
  userId: string,
  deviceId: string,
  retries = commandRetries,
): Promise<number> {
  const { store, clock } = deps;
  const batches = await optimisticRetry({ what: 'a device', retries }, async () => {
    const { userContext, commands } = await readUserContextWithCommands(deps, userId, 'newest too');
    if (userContext) assertShared(userContext.user);
    const device = findDevice(userContext?.devices ?? [], deviceId);
    const waiting = commands.find((command) => command.kind === 'replay' && command.device === deviceId);
    if (devicesWithData([device]).length === 0 || (waiting?.kind === 'replay' && waiting.replayed === 0)) return 0;
    const retained = await rawUploadRows(store).listByDevice(userId, deviceId, clock.now() + expiryMarginMs);
    if (retained.length === 0) return 0;
    const firstMs = nextArrivalMs(device, commands, clock.now());
    const rows = chunkArray(
      retained.map(({ id }) => id),
      uploadsPerCommand,
    ).map((uploadIds, at) => {
      const receivedMs = firstMs + at * uploadsPerCommand;
      const id = computeBatchId(deviceId, `replay ${receivedMs}`);
      const replay = { kind: 'replay', id, device: deviceId, receivedMs, uploads: uploadIds, replayed: 0 } as const;
      return commandRows(store).buildAppend(userId, replay);
    });
    await store.commit([
      userRows(store).buildNotDeletingCheck(userId),
      // A phone upload that arrives in the meantime sees the replay among the commands and counts
      // as later.
      ...(device.connection === 'sdk'
        ? []
        : [deviceRows(store).buildReplay(userId, device, firstMs + retained.length)]),
      ...rows,
    ]);
    return retained.length;
  });
  if (batches > 0) await wakeUser(deps, userId);
  return batches;
}
