// A user as the workers see it: who it is, what is connected, and how its data is consolidated; read in one Query.
import type { Item } from '../platform/ports.ts';
import type { DayRule } from '../platform/time/local-day.ts';
import type { Deps } from '../system/deps.ts';
import { type Command, commandRows } from './command-rows.ts';
import { type DeviceRow, deviceRows } from './device-rows.ts';
import { type StateRow, stateRows } from './state-rows.ts';
import { type UserHead, type UserRow, userRows } from './user-rows.ts';

export interface Subject {
  user: UserRow;
  /** Those that are connected, or are to be. */
  devices: DeviceRow[];
  state: StateRow;
}

/**
 * Undefined when there is no such user, it is being deleted, or the person shares nothing: for all
 * that shows data or takes it in.
 */
export async function subjectOf(deps: Pick<Deps, 'store'>, userId: string): Promise<Subject | undefined> {
  const subject = await subjectEvenUnshared(deps, userId);
  return subject?.user.status === 'active' ? subject : undefined;
}

/** Also while the person shares nothing: for what works on data that is kept, and shows none. */
export async function subjectEvenUnshared(deps: Pick<Deps, 'store'>, userId: string): Promise<Subject | undefined> {
  return subjectIn(deps, await userRows(deps.store).headOf(userId));
}

/** The same with the items of its open samples, which `store/open-samples.ts` reads. */
export async function subjectWithOpenSamples(
  deps: Pick<Deps, 'store'>,
  userId: string,
): Promise<{ subject: Subject | undefined; items: readonly Item[] }> {
  const head = await userRows(deps.store).headOf(userId, { openSamples: true });
  return { subject: subjectIn(deps, head), items: head?.rest ?? [] };
}

/** The same with the commands that wait: for who works them off, the oldest; for who appends another, all. */
export async function subjectWithCommands(
  deps: Pick<Deps, 'store'>,
  userId: string,
  which: 'oldest' | 'newest too',
): Promise<{ subject: Subject | undefined; commands: Command[]; unreadable: string[] }> {
  const { head, commands } = await userRows(deps.store).headAndCommands(userId, which);
  return { subject: subjectIn(deps, head), ...commandRows(deps.store).read(commands) };
}

function subjectIn({ store }: Pick<Deps, 'store'>, head: UserHead | undefined): Subject | undefined {
  if (!head || head.user.status === 'deleting') return undefined;
  const { user, rest } = head;
  return {
    user,
    devices: deviceRows(store)
      .fromHead(rest)
      .map((device) => lastSeen(user, device)),
    state: stateRows(store).fromHead(user.id, rest),
  };
}

/** What a phone brought last stands on the user's row. */
function lastSeen({ seen }: UserRow, device: DeviceRow): DeviceRow {
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
export async function activeDevice(
  deps: Pick<Deps, 'store'>,
  userId: string,
  deviceId: string,
): Promise<DeviceRow | undefined> {
  const subject = await subjectOf(deps, userId);
  return activeDevices(subject?.devices ?? []).find(({ id }) => id === deviceId);
}

export const connectedProviders = (devices: readonly DeviceRow[]): string[] =>
  [...new Set(activeDevices(devices).map(({ provider }) => provider))].sort();

/** The device as the priority rules see it. */
export const believed = (device: DeviceRow) => ({
  ordinal: device.ordinal,
  id: device.id,
  provider: device.provider,
  connection: device.connection,
  deviceType: device.deviceType,
  connectedMs: device.connectedMs,
});
