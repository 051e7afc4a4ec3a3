// Devices: known by provider and model on a phone, listed, and disconnected with everything they brought.

import type { ConnectionKind, DeviceType, ProviderId } from '../catalog/provider.ts';
import { type ConnectionRow, connectionRows } from '../connections/connection-rows.ts';
import { revocationRows } from '../connections/revocation-rows.ts';
import { wakeRevocation } from '../connections/wake-connection.ts';
import { userEvent } from '../events/new-event.ts';
import { sdkSessionRows } from '../mobile/sdk-session-rows.ts';
import { endSession } from '../mobile/sessions.ts';
import { roundTo } from '../platform/arithmetic.ts';
import { conditionalWrite } from '../platform/conditional-write.ts';
import { optimisticRetry, type RetryPolicy } from '../platform/optimistic-retry.ts';
import type { Write } from '../platform/ports.ts';
import { daysBetween } from '../platform/time/local-day.ts';
import { timestamp } from '../platform/time/time.ts';
import type { Caller, SdkCaller } from '../system/account.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { DeviceId } from '../system/ids.ts';
import { newId } from '../system/new-id.ts';
import { wake } from '../system/wake.ts';
import { type Command, commandRows } from './command-rows.ts';
import type { Device, DeviceSync } from './device.ts';
import { type DeviceRow, deviceRows, type ShownSync } from './device-rows.ts';
import { mostDevices } from './device-states.ts';
import { ownSubjectEvenUnshared } from './own-subject.ts';
import { isSharedSince, mustShare } from './sharing.ts';
import { stateRows } from './state-rows.ts';
import { devicesWithData, type Subject, subjectWithCommands } from './subject.ts';
import type { DetailedUser } from './user.ts';
import { type UserRow, userRows } from './user-rows.ts';
import { presentUser } from './users.ts';

export interface DeviceDescription {
  provider: ProviderId;
  connection: ConnectionKind;
  deviceType: DeviceType;
  model: string;
  name: string | null;
}

export async function getUser(deps: Deps, caller: Caller, userId: string): Promise<DetailedUser> {
  const { user, devices } = await ownSubjectEvenUnshared(deps, caller, userId);
  return { ...presentUser(user), devices: presentDevices(devices) };
}

export async function listDevices(deps: Deps, caller: Caller, userId: string): Promise<Device[]> {
  const subject = await ownSubjectEvenUnshared(deps, caller, userId);
  return presentDevices(subject.devices);
}

/** As many as there may be devices, and some. */
const retrying: RetryPolicy = { what: 'a device', retries: 60 };

/**
 * The device, with the user and the commands that wait as they were read. Undefined when the user, or the SDK session that brings the device, is gone or of before the
 * person stopped sharing; throws `sharing_revoked` while they share nothing. Two uploads at once
 * from a new device make it once.
 */
export async function findOrCreateDevice(
  deps: Deps,
  userId: string,
  description: DeviceDescription,
  session?: Pick<SdkCaller, 'sessionId' | 'sharingEpoch'>,
): Promise<{ user: UserRow; device: DeviceRow; commands: readonly Command[] } | undefined> {
  let wasToCreate = false;
  return optimisticRetry(retrying, async () => {
    if (wasToCreate && session && !(await sdkSessionRows(deps.store).byId(userId, session.sessionId))) return undefined;
    const { subject, commands } = await subjectWithCommands(deps, userId, 'newest too');
    if (!subject) return undefined;
    mustShare(subject.user);
    if (session && !isSharedSince(subject.user, session.sharingEpoch)) return undefined;
    const known = subject.devices.find(
      ({ provider, model, status }) =>
        provider === description.provider && model === description.model && status === 'active',
    );
    wasToCreate = !known;
    const device = known
      ? await named(deps, subject, await typed(deps, subject, known, description.deviceType), description.name)
      : await createDevice(deps, subject, description, session?.sessionId);
    return { user: subject.user, device, commands };
  });
}

/** A device that says it is of another type is believed as such, for everything it ever said. */
async function typed(deps: Deps, subject: Subject, device: DeviceRow, deviceType: DeviceType): Promise<DeviceRow> {
  if (device.deviceType === deviceType) return device;
  const { user, state } = subject;
  await deps.store.commit([
    deviceRows(deps.store).retyping(user.id, device, deviceType),
    stateRows(deps.store).changing(user.id, state, state.settings),
    commandRows(deps.store).asking(user.id, 'rebuild', newId(deps, 'ask'), deps.clock.now()),
  ]);
  await wake(deps, 'person', { user_id: user.id });
  return { ...device, deviceType };
}

/** A name that has changed since is told by whatever the device brings next. */
async function named(deps: Deps, { user }: Subject, device: DeviceRow, name: string | null): Promise<DeviceRow> {
  if (name === null || name === device.name) return device;
  await conditionalWrite(deps.store.table, deviceRows(deps.store).renaming(user.id, device, name));
  return { ...device, name };
}

async function createDevice(
  deps: Deps,
  { user, devices, state }: Subject,
  description: DeviceDescription,
  sessionId: string | undefined,
): Promise<DeviceRow> {
  if (devicesWithData(devices).length >= mostDevices)
    throw new Failure(
      'limit_reached',
      `This user already has the maximum of ${mostDevices} active devices. Disconnect one first.`,
      {
        details: { limit: mostDevices },
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
    userRows(deps.store).stillActive(user.id),
    // A disconnect ends the session first: what was under way then does not bring the device back.
    ...(sessionId === undefined ? [] : [sdkSessionRows(deps.store).stillOpen(user.id, sessionId)]),
    stateRows(deps.store).takingOrdinal(user.id, state),
    deviceRows(deps.store).inserting(user.id, row),
    userEvent(deps, 'device.connected', user, { deviceId: row.id }),
  ]);
  return row;
}

/** The device is gone for every caller when this returns; its data leaves the days a moment later. Asking again changes nothing. */
export async function disconnectDevice(deps: Deps, caller: Caller, userId: string, deviceId: string): Promise<void> {
  await optimisticRetry(retrying, async () => {
    const { user, devices } = await ownSubjectEvenUnshared(deps, caller, userId);
    const device = devices.find(({ id }) => id === deviceId);
    if (!device && !(await isGone(deps, user.id, deviceId)))
      throw new Failure('not_found', `Device ${deviceId.slice(0, 64)} not found.`);
    if (!device) return;
    if (device.connection === 'sdk') await endSessionsOf(deps, user.id, device.provider);
    const connection =
      device.connection === 'cloud' ? await connectionRows(deps.store).of(user.id, device.id) : undefined;
    const ending = connection ? endingConnection(deps, connection) : [];
    if (device.status === 'pending' || device.status === 'failed') {
      await deps.store.commit([...deviceRows(deps.store).abandoning(user.id, device), ...ending]);
      return;
    }
    await deps.store.commit([
      userRows(deps.store).stillThere(user.id),
      deviceRows(deps.store).removing(user.id, device),
      commandRows(deps.store).removingDevice(user.id, newId(deps, 'ask'), device, deps.clock.now()),
      userEvent(deps, 'device.disconnected', user, { deviceId: device.id }),
      ...ending,
    ]);
    await wake(deps, 'person', { user_id: user.id });
    if (connection?.status === 'active') await wakeRevocation(deps, user.id, device.id);
  });
}

/** What the vendor sends leads nowhere from here on. That it is told so is owed, and nobody waits for it. */
const endingConnection = ({ store, clock }: Deps, connection: ConnectionRow): Write[] =>
  connection.status === 'active'
    ? revocationRows(store).replacing(connection, clock.now())
    : connectionRows(store).ending(connection);

const isGone = async ({ store }: Deps, userId: string, deviceId: string): Promise<boolean> =>
  DeviceId.safeParse(deviceId).success && deviceRows(store).isGone(userId, deviceId);

/** A phone that could still upload would bring the device back: it has to be linked anew. */
async function endSessionsOf(deps: Deps, userId: string, provider: ProviderId): Promise<void> {
  const sessions = await sdkSessionRows(deps.store).ofUser(userId);
  for (const session of sessions) if (session.provider === provider) await endSession(deps, userId, session.id);
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
            connected_at: connectedMs === null ? null : timestamp(connectedMs),
            last_sync_at: lastSyncMs === null ? null : timestamp(lastSyncMs),
            sync: sync === null ? null : presentSync(sync),
            error,
          },
        ],
  );
}

const presentSync = ({ state, from, to, doneDays }: ShownSync): DeviceSync => ({
  state,
  from,
  to,
  done: roundTo(2, Math.min(1, doneDays / (daysBetween(from, to) + 1))),
});
