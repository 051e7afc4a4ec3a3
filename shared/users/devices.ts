// Finds devices by provider and model, and creates, renames and lists them.

import type { ConnectionKind, DeviceType, ProviderId } from '../catalog/provider.ts';
import { userEvent } from '../events/new-event.ts';
import { roundTo } from '../platform/arithmetic.ts';
import { writeConditionally } from '../platform/conditional-write.ts';
import { optimisticRetry, type RetryPolicy } from '../platform/optimistic-retry.ts';
import type { Write } from '../platform/ports.ts';
import { daysBetween } from '../platform/time/local-day.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { newId } from '../system/new-id.ts';
import { getAuthorizedUserContextIncludingUnshared } from './authorized-user.ts';
import { type Command, commandRows } from './command-rows.ts';
import type { Device, DeviceSync } from './device.ts';
import { type DeviceRow, deviceRows, type SyncProgress } from './device-rows.ts';
import { maxDevices } from './device-states.ts';
import { assertShared, isSharedSince } from './sharing.ts';
import { stateRows } from './state-rows.ts';
import type { DetailedUser } from './user.ts';
import { devicesWithData, readUserContextWithCommands, type UserContext } from './user-context.ts';
import { type UserRow, userRows } from './user-rows.ts';
import { presentUser } from './users.ts';
import { wakeUser } from './wake-user.ts';

export interface DeviceDescription {
  provider: ProviderId;
  connection: ConnectionKind;
  deviceType: DeviceType;
  model: string;
  name: string | null;
}

/**
 * Ties a device to the session that uploads for it: once the session has ended, no device is
 * created.
 */
export interface DeviceGuard {
  isOpen(): Promise<boolean>;
  /** Fails the transaction that creates the device if the session has ended. */
  condition: Write;
  /** The user's sharing epoch when the session was opened. */
  sharingEpoch: number;
}

export async function getUser(deps: Deps, caller: Caller, userId: string): Promise<DetailedUser> {
  const { user, devices } = await getAuthorizedUserContextIncludingUnshared(deps, caller, userId);
  return { ...presentUser(user, caller), devices: presentDevices(devices) };
}

export async function listDevices(deps: Deps, caller: Caller, userId: string): Promise<Device[]> {
  const userContext = await getAuthorizedUserContextIncludingUnshared(deps, caller, userId);
  return presentDevices(userContext.devices);
}

/** More than the maximum number of devices. */
const deviceRetryPolicy: RetryPolicy = { what: 'a device', retries: 60 };

/**
 * Returns the device with the user and the pending commands as they were read. Returns undefined if
 * the user no longer exists, or if the SDK session has ended or was opened before the user stopped
 * sharing. Throws `sharing_revoked` while the user shares no data. Two concurrent uploads from a
 * new device create it once.
 */
export async function findOrCreateDevice(
  deps: Deps,
  userId: string,
  description: DeviceDescription,
  guard?: DeviceGuard,
): Promise<{ user: UserRow; device: DeviceRow; commands: readonly Command[] } | undefined> {
  let isCreating = false;
  return optimisticRetry(deviceRetryPolicy, async () => {
    if (isCreating && guard && !(await guard.isOpen())) return undefined;
    const { userContext, commands } = await readUserContextWithCommands(deps, userId, 'newest too');
    if (!userContext) return undefined;
    assertShared(userContext.user);
    if (guard && !isSharedSince(userContext.user, guard.sharingEpoch)) return undefined;
    const existing = userContext.devices.find(
      ({ provider, model, status }) =>
        provider === description.provider && model === description.model && status === 'active',
    );
    isCreating = !existing;
    const device = existing
      ? await updateDeviceName(
          deps,
          userContext,
          await updateDeviceType(deps, userContext, existing, description.deviceType),
          description.name,
        )
      : await createDevice(deps, userContext, description, guard);
    return { user: userContext.user, device, commands };
  });
}

/** A device that reports another type is ranked by that type, for all its data. */
async function updateDeviceType(
  deps: Deps,
  userContext: UserContext,
  device: DeviceRow,
  deviceType: DeviceType,
): Promise<DeviceRow> {
  if (device.deviceType === deviceType) return device;
  const { user, state } = userContext;
  await deps.store.commit([
    deviceRows(deps.store).buildChangeType(user.id, device, deviceType),
    stateRows(deps.store).buildUpdate(user.id, state, state.settings),
    commandRows(deps.store).buildRequest(user.id, 'rebuild', newId(deps, 'command'), deps.clock.now()),
  ]);
  await wakeUser(deps, user.id);
  return { ...device, deviceType };
}

/** A name that has changed again in the meantime arrives with the next upload. */
async function updateDeviceName(
  deps: Deps,
  { user }: UserContext,
  device: DeviceRow,
  name: string | null,
): Promise<DeviceRow> {
  if (name === null || name === device.name) return device;
  await writeConditionally(deps.store.table, deviceRows(deps.store).buildRename(user.id, device, name));
  return { ...device, name };
}

async function createDevice(
  deps: Deps,
  { user, devices, state }: UserContext,
  description: DeviceDescription,
  guard: DeviceGuard | undefined,
): Promise<DeviceRow> {
  if (devicesWithData(devices).length >= maxDevices)
    throw new Failure(
      'limit_reached',
      `This user already has the maximum of ${maxDevices} active devices. Disconnect one first.`,
      {
        details: { limit: maxDevices },
      },
    );
  const now = deps.clock.now();
  const row: DeviceRow = {
    id: newId(deps, 'device'),
    ordinal: state.nextOrdinal,
    ...description,
    status: 'active',
    connectedMs: now,
    lastSyncMs: null,
    lastBatch: null,
    receivedMs: 0,
    error: null,
    sync: null,
    stages: false,
  };
  await deps.store.commit([
    userRows(deps.store).buildActiveCheck(user.id),
    ...(guard ? [guard.condition] : []),
    stateRows(deps.store).buildTakeOrdinal(user.id, state),
    deviceRows(deps.store).buildInsert(user.id, row),
    userEvent(deps, 'device.connected', user, { deviceId: row.id }),
  ]);
  return row;
}

export function presentDevices(rows: readonly DeviceRow[]): Device[] {
  return rows.flatMap(({ id, provider, deviceType, model, name, status, connectedMs, lastSyncMs, sync, error }) =>
    status === 'removing'
      ? []
      : [
          {
            id,
            provider,
            type: deviceType,
            model,
            name,
            status,
            connected_at: connectedMs === null ? null : formatTimestamp(connectedMs),
            last_sync_at: lastSyncMs === null ? null : formatTimestamp(lastSyncMs),
            sync: sync === null ? null : presentSync(sync),
            error,
          },
        ],
  );
}

const presentSync = ({ state, from, to, doneDays }: SyncProgress): DeviceSync => ({
  state,
  from,
  to,
  done: roundTo(2, Math.min(1, doneDays / (daysBetween(from, to) + 1))),
});
