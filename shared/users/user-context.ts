// A user as the workers see it: who it is, what is connected, and how its data is consolidated; read in one Query.
import type { Item } from '../platform/ports.ts';
import type { DayRule } from '../platform/time/local-day.ts';
import type { Deps } from '../system/deps.ts';
import { type Command, commandRows } from './command-rows.ts';
import { type DeviceRow, deviceRows } from './device-rows.ts';
import { type StateRow, stateRows } from './state-rows.ts';
import { type UserHead, type UserRow, userRows } from './user-rows.ts';

export interface UserContext {
  user: UserRow;
  /** Those that are connected, or are to be. */
  devices: DeviceRow[];
  state: StateRow;
}

/**
 * Undefined when there is no such user, it is being deleted, or the person shares nothing: for all
 * that shows data or takes it in.
 */
export async function readUserContext(deps: Pick<Deps, 'store'>, userId: string): Promise<UserContext | undefined> {
  const userContext = await readUserContextIncludingUnshared(deps, userId);
  return userContext?.user.status === 'active' ? userContext : undefined;
}

/** Also while the person shares nothing: for what works on data that is kept, and shows none. */
export async function readUserContextIncludingUnshared(
  deps: Pick<Deps, 'store'>,
  userId: string,
): Promise<UserContext | undefined> {
  return toUserContext(deps, await userRows(deps.store).readHead(userId));
}

/** The same with the items of its open samples, which `store/open-samples.ts` reads. */
export async function readUserContextWithOpenSamples(
  deps: Pick<Deps, 'store'>,
  userId: string,
): Promise<{ subject: UserContext | undefined; items: readonly Item[] }> {
  const head = await userRows(deps.store).readHead(userId, { openSamples: true });
  return { subject: toUserContext(deps, head), items: head?.rest ?? [] };
}

/** The same with the commands that wait: for who works them off, the oldest; for who appends another, all. */
export async function readUserContextWithCommands(
  deps: Pick<Deps, 'store'>,
  userId: string,
  which: 'oldest' | 'newest too',
): Promise<{ subject: UserContext | undefined; commands: Command[]; unreadable: string[] }> {
  const { head, commands } = await userRows(deps.store).readHeadAndCommands(userId, which);
  return { subject: toUserContext(deps, head), ...commandRows(deps.store).parse(commands) };
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

/** What a phone brought last stands on the user's row. */
function applyLastUpload({ seen }: UserRow, device: DeviceRow): DeviceRow {
  const last = seen[device.id];
  if (!last || last.receivedMs <= device.receivedMs) return device;
  return { ...device, lastBatch: last.upload, receivedMs: last.receivedMs, lastSyncMs: last.receivedMs };
}

/** By which calendar the user's records are counted. */
export const dayRuleOf = ({ timezone, dayRule }: UserRow): DayRule => ({ zone: timezone, by: dayRule });

export const activeDevices = (devices: readonly DeviceRow[]): DeviceRow[] =>
  devices.filter(({ status }) => status === 'active');

/** Those whose data counts: one that has lost its consent keeps what it brought. */
export const devicesWithData = (devices: readonly DeviceRow[]): DeviceRow[] =>
  devices.filter(({ status }) => status === 'active' || status === 'disconnected');

/** The device as it is now; undefined when it, or its user, is gone. */
export async function findActiveDevice(
  deps: Pick<Deps, 'store'>,
  userId: string,
  deviceId: string,
): Promise<DeviceRow | undefined> {
  const userContext = await readUserContext(deps, userId);
  return activeDevices(userContext?.devices ?? []).find(({ id }) => id === deviceId);
}

export const connectedProviders = (devices: readonly DeviceRow[]): string[] =>
  [...new Set(activeDevices(devices).map(({ provider }) => provider))].sort();

/** The device as the priority rules see it. */
export const toRankedDevice = (device: DeviceRow) => ({
  ordinal: device.ordinal,
  id: device.id,
  provider: device.provider,
  connection: device.connection,
  deviceType: device.deviceType,
  connectedMs: device.connectedMs,
});
