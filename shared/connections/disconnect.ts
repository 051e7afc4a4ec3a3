// Disconnects a device and removes its data and the connection or sessions behind it.
import type { ProviderId } from '../catalog/provider.ts';
import { userEvent } from '../events/new-event.ts';
import { sdkSessionRows } from '../mobile/sdk-session-rows.ts';
import { endSession } from '../mobile/sdk-sessions.ts';
import { optimisticRetry, type RetryPolicy } from '../platform/optimistic-retry.ts';
import type { Write } from '../platform/ports.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { DeviceId } from '../system/ids.ts';
import { newId } from '../system/new-id.ts';
import { getAuthorizedUserContextIncludingUnshared } from '../users/authorized-user.ts';
import { commandRows } from '../users/command-rows.ts';
import { deviceRows } from '../users/device-rows.ts';
import { userRows } from '../users/user-rows.ts';
import { wakeUser } from '../users/wake-user.ts';
import { type ConnectionRow, connectionRows } from './connection-rows.ts';
import { revocationRows } from './revocation-rows.ts';
import { wakeRevocation } from './wake-connection.ts';

/** Enough for concurrent changes to the maximum number of devices, with some to spare. */
const retrying: RetryPolicy = { what: 'a device', retries: 60 };

/**
 * When this returns, the device is gone for every caller. Its data leaves the days a moment later.
 * Repeating the call changes nothing.
 */
export async function disconnectDevice(deps: Deps, caller: Caller, userId: string, deviceId: string): Promise<void> {
  await optimisticRetry(retrying, async () => {
    const { user, devices } = await getAuthorizedUserContextIncludingUnshared(deps, caller, userId);
    const device = devices.find(({ id }) => id === deviceId);
    if (!device && !(await wasDeviceRemoved(deps, user.id, deviceId)))
      throw new Failure('not_found', `Device ${deviceId.slice(0, 64)} not found.`);
    if (!device) return;
    if (device.connection === 'sdk') await endProviderSessions(deps, user.id, device.provider);
    const connection =
      device.connection === 'cloud' ? await connectionRows(deps.store).find(user.id, device.id) : undefined;
    const endWrites = connection ? buildEndConnectionWrites(deps, connection) : [];
    if (device.status === 'pending' || device.status === 'failed') {
      await deps.store.commit([...deviceRows(deps.store).buildAbandon(user.id, device), ...endWrites]);
      return;
    }
    await deps.store.commit([
      userRows(deps.store).buildNotDeletingCheck(user.id),
      deviceRows(deps.store).buildRemove(user.id, device),
      commandRows(deps.store).buildRemoveDevice(user.id, newId(deps, 'command'), device, deps.clock.now()),
      userEvent(deps, 'device.disconnected', user, { deviceId: device.id }),
      ...endWrites,
    ]);
    await wakeUser(deps, user.id);
    if (connection?.status === 'active') await wakeRevocation(deps, user.id, device.id);
  });
}

/**
 * From now on, what the provider sends is ignored. Revoking the consent is pending work that no
 * caller waits for.
 */
const buildEndConnectionWrites = ({ store, clock }: Deps, connection: ConnectionRow): Write[] =>
  connection.status === 'active'
    ? revocationRows(store).buildReplaceConnection(connection, clock.now())
    : connectionRows(store).buildEnd(connection);

const wasDeviceRemoved = async ({ store }: Deps, userId: string, deviceId: string): Promise<boolean> =>
  DeviceId.safeParse(deviceId).success && deviceRows(store).isRemoved(userId, deviceId);

/**
 * A phone that could still upload would bring the device back, so its sessions end and it has to be
 * linked again.
 */
async function endProviderSessions(deps: Deps, userId: string, provider: ProviderId): Promise<void> {
  const sessions = await sdkSessionRows(deps.store).listByUser(userId);
  for (const session of sessions) if (session.provider === provider) await endSession(deps, userId, session.id);
}
