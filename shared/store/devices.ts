// Devices stand in the head of their user's partition and are read with the user.
import * as z from 'zod';
import type { Item, Write } from '../engine/ports.ts';
import { Connection, DeviceType, ProviderId } from '../model/provider.ts';
import { dues, keys } from './keys.ts';

export const DeviceRow = z.object({
  id: z.string(),
  /** Names the device inside packed days; given once and never again to another device of the user. */
  ordinal: z.number(),
  provider: ProviderId,
  connection: Connection,
  deviceType: DeviceType,
  model: z.string(),
  name: z.string().nullable(),
  /** `removing`: gone for every caller, its data is being taken out; `removed`: only its number is kept. */
  status: z.enum(['pending', 'active', 'failed', 'removing', 'removed']),
  connectedMs: z.number().nullable(),
  lastSyncMs: z.number().nullable(),
  /** Null until its data has been taken out; then the time from which it is looked after once more. */
  againMs: z.number().nullable().default(null),
  /** It has sent samples of sleep stages, so its nights are asked for them; unknown for devices of an older release. */
  stages: z.boolean().default(true),
});
export type DeviceRow = z.infer<typeof DeviceRow>;

export function deviceRows() {
  return {
    fromHead: (items: Item[]): DeviceRow[] =>
      items
        .filter((item) => typeof item.sk === 'string' && item.sk.startsWith('@DEVICE#'))
        .map((item) => DeviceRow.parse(item)),
    inserting: (user: string, row: DeviceRow): Write => ({
      kind: 'put',
      item: { ...keys.device(user, row.id), ...row },
      condition: 'attribute_not_exists(#pk)',
    }),
    /** Refused when the device is no longer active; an older sync never hides a newer one. */
    synced: (user: string, row: DeviceRow, atMs: number, stages: boolean): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #lastSyncMs = :at, #stages = :stages',
      condition: '#status = :active',
      values: { at: Math.max(atMs, row.lastSyncMs ?? 0, row.connectedMs ?? 0), stages, active: 'active' },
    }),
    /** Refused when it is no longer active, or of the type it had. */
    retyping: (user: string, row: DeviceRow, deviceType: DeviceType): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #deviceType = :type',
      condition: '#status = :active AND #deviceType = :read',
      values: { type: deviceType, read: row.deviceType, active: 'active' },
    }),
    removing: (user: string, row: DeviceRow): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #status = :removing, #duePk = :due, #dueSk = :user',
      condition: '#status = :read',
      values: { removing: 'removing', read: row.status, due: dues.ingest, user },
    }),
    /** Its data is out, and it is owed a second look. */
    takenOut: (user: string, row: DeviceRow, againMs: number): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #againMs = :again',
      condition: '#status = :removing',
      values: { removing: 'removing', again: againMs },
    }),
    removed: (user: string, row: DeviceRow): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #status = :removed REMOVE #duePk, #dueSk',
      condition: '#status = :removing',
      values: { removing: 'removing', removed: 'removed' },
    }),
  };
}
