// A user as the workers see it: who it is, what is connected, and how its data is consolidated; read in one Query.
import type { DayRule } from '../../model/local-day.ts';
import { type DeviceRow, deviceRows } from '../../store/devices.ts';
import { type StateRow, stateRows } from '../../store/states.ts';
import { type UserRow, userRows } from '../../store/users.ts';
import type { Deps } from '../deps.ts';

export interface Subject {
  user: UserRow;
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
  const head = await userRows(deps.store).headOf(userId);
  if (!head || head.user.status === 'deleting') return undefined;
  return {
    user: head.user,
    devices: deviceRows(deps.store).fromHead(head.rest),
    state: stateRows(deps.store).fromHead(userId, head.rest),
  };
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
