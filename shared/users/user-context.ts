// A user as the workers see it: its row, devices and consolidation settings, read in one Query.
import type { ProviderId } from '../catalog/provider.ts';
import type { Item } from '../platform/ports.ts';
import type { DayRule } from '../platform/time/local-day.ts';
import type { Deps } from '../system/deps.ts';
import { type Command, commandRows } from './command-rows.ts';
import { type DeviceRow, deviceRows, hasData } from './device-rows.ts';
import { type StateRow, stateRows } from './state-rows.ts';
import { type UserHead, type UserRow, userRows } from './user-rows.ts';

export interface UserContext {
  user: UserRow;
  /** The devices that are connected or pending. */
  devices: DeviceRow[];
  state: StateRow;
}

/**
 * For everything that returns or accepts data. Returns undefined if the user does not exist, is
 * being deleted, or shares no data.
 */
export async function readUserContext(deps: Pick<Deps, 'store'>, userId: string): Promise<UserContext | undefined> {
  const userContext = await readUserContextIncludingUnshared(deps, userId);
  return userContext?.user.status === 'active' ? userContext : undefined;
}

/** Also returns users who share no data: for work on stored data that returns none of it. */
export async function readUserContextIncludingUnshared(
  deps: Pick<Deps, 'store'>,
  userId: string,
): Promise<UserContext | undefined> {
  return toUserContext(deps, await userRows(deps.store).readHead(userId));
}

/** Also returns the items of the open samples, which `openSampleRows` parses. */
export async function readUserContextWithOpenSamples(
  deps: Pick<Deps, 'store'>,
  userId: string,
): Promise<{ userContext: UserContext | undefined; items: readonly Item[] }> {
  const head = await userRows(deps.store).readHead(userId, { openSamples: true });
  return { userContext: toUserContext(deps, head), items: head?.rest ?? [] };
}

/**
 * Also returns the pending commands: the oldest for the writer, and the newest as well for callers
 * that append a command.
 */
export async function readUserContextWithCommands(
  deps: Pick<Deps, 'store'>,
  userId: string,
  which: 'oldest' | 'newest too',
): Promise<{ userContext: UserContext | undefined; commands: Command[]; unreadable: string[] }> {
  const { head, commands } = await userRows(deps.store).readHeadAndCommands(userId, which);
  return { userContext: toUserContext(deps, head), ...commandRows(deps.store).parse(commands) };
}

function toUserContext({ store }: Pick<Deps, 'store'>, head: UserHead | undefined): UserContext | undefined {
  if (!head || head.user.status === 'deleting') return undefined;
  const { user, rest } = head;
  return {
    user,
    devices: deviceRows(store)
      .parseHead(rest)
      .map((device) => applyLastUpload(user, device)),
    state: stateRows(store).parseHead(user.id, rest),
  };
}

/** A phone's last upload is stored on the user's row. */
function applyLastUpload({ lastUploads }: UserRow, device: DeviceRow): DeviceRow {
  const last = lastUploads[device.id];
  if (!last || last.receivedMs <= device.receivedMs) return device;
  return { ...device, lastBatch: last.upload, receivedMs: last.receivedMs, lastSyncMs: last.receivedMs };
}

/** The rule that assigns the user's records to days. */
export const dayRuleOf = ({ timezone, dayRule }: UserRow): DayRule => ({ zone: timezone, by: dayRule });

export const activeDevices = (devices: readonly DeviceRow[]): DeviceRow[] =>
  devices.filter(({ status }) => status === 'active');

/** Returns the devices whose data counts: a device whose consent has ended, or that was replaced, keeps its data. */
export const devicesWithData = (devices: readonly DeviceRow[]): DeviceRow[] => devices.filter(hasData);

/** Returns the current device; undefined if it or its user no longer exists. */
export async function findActiveDevice(
  deps: Pick<Deps, 'store'>,
  userId: string,
  deviceId: string,
): Promise<DeviceRow | undefined> {
  const userContext = await readUserContext(deps, userId);
  return activeDevices(userContext?.devices ?? []).find(({ id }) => id === deviceId);
}

export const connectedProviders = (devices: readonly DeviceRow[]): ProviderId[] =>
  [...new Set(activeDevices(devices).map(({ provider }) => provider))].sort();

/** The device in the form that the ranking uses. */
export const toRankedDevice = (device: DeviceRow) => ({
  ordinal: device.ordinal,
  id: device.id,
  provider: device.provider,
  connection: device.connection,
  deviceType: device.deviceType,
  connectedMs: device.connectedMs,
});
