// Devices stand in the head of their user's partition and are read with the user.
import * as z from 'zod';
import type { Item, Write } from '../engine/ports.ts';
import { type DeviceError, deviceErrors, syncStates } from '../model/device-states.ts';
import { ConnectionKind, DeviceType, ProviderId } from '../model/provider.ts';
import { due } from './due.ts';
import { keys, userPartition } from './keys.ts';
import { repository } from './store.ts';

const ShownSync = z.object({
  state: z.enum(syncStates),
  from: z.string(),
  to: z.string(),
  doneDays: z.number(),
});
/** How far its sync is, as callers are shown. */
export type ShownSync = z.infer<typeof ShownSync>;

export const DeviceRow = z.object({
  id: z.string(),
  /** Names the device inside packed days; given once and never again to another device of the user. -1 until it is connected. */
  ordinal: z.number(),
  provider: ProviderId,
  connection: ConnectionKind,
  deviceType: DeviceType,
  model: z.string(),
  name: z.string().nullable(),
  /** `removing`: gone for every caller and out of the head, which every read pays for; its data is being taken out. */
  status: z.enum(['pending', 'active', 'failed', 'disconnected', 'removing']),
  connectedMs: z.number().nullable(),
  lastSyncMs: z.number().nullable(),
  /** The upload that was taken in last, and when: the same one again is a repeat, and the next one is later. */
  lastBatch: z.string().nullable().default(null),
  receivedMs: z.number().default(0),
  /** Null until its data has been taken out; then the time from which it is looked after once more. */
  againMs: z.number().nullable().default(null),
  /** Why it could not be connected, or is no longer: a code. */
  error: z.enum(deviceErrors).nullable().default(null),
  /** Of cloud devices that are connected. */
  sync: ShownSync.nullable().default(null),
  /** It has sent samples of sleep stages, so its nights are asked for them; unknown for devices of an older release. */
  stages: z.boolean().default(true),
  /** The user's when the person last stopped sharing; missing if they never did. */
  sharingEpoch: z.number().exactOptional(),
});
export type DeviceRow = z.infer<typeof DeviceRow>;

/** One whose data is being taken out, and where it stands: the release before left it in the head. */
export type LeavingDevice = DeviceRow & { sk: string };

export const formerLeaving = (user: string, devices: readonly DeviceRow[]): LeavingDevice[] =>
  devices.filter(({ status }) => status === 'removing').map((row) => ({ ...row, sk: keys.device(user, row.id).sk }));

/** The release before knows no `disconnected`, and would not read a user who has such a device: for it that is one that failed. */
const stored = (status: DeviceRow['status']): string => (status === 'disconnected' ? 'failed' : status);
const told = <Row extends DeviceRow>(row: Row): Row =>
  row.status === 'failed' && row.ordinal >= 0 ? { ...row, status: 'disconnected' } : row;

/** Rows of an earlier release, which kept the removed ones in the head. */
const isOver = ({ status }: Item): boolean => status === 'removed';

export const deviceRows = repository(({ table }) => {
  return {
    fromHead: (items: Item[]): DeviceRow[] =>
      items
        .filter((item) => typeof item.sk === 'string' && item.sk.startsWith('@DEVICE#') && !isOver(item))
        .map((item) => told(DeviceRow.parse(item))),
    fromWaiting: (items: readonly Item[]): LeavingDevice[] =>
      items
        .filter(({ sk }) => String(sk).startsWith('B!DEVICE#'))
        .map((item) => told(DeviceRow.extend({ sk: z.string() }).parse(item))),
    inserting: (user: string, row: DeviceRow): Write => ({
      kind: 'put',
      item: { ...keys.device(user, row.id), ...row, status: stored(row.status) },
      condition: 'attribute_not_exists(#pk)',
    }),
    /**
     * It brought an upload, and its name with it. Refused when it is no longer active, the person has stopped sharing
     * since it was read, or it brought another one at that time or later; or any other since it was
     * read, if so wanted.
     */
    receiving: (user: string, row: DeviceRow, batch: string, atMs: number, unlessOvertaken?: true): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #lastBatch = :batch, #receivedMs = :at, #lastSyncMs = :at, #name = :name',
      condition:
        `#status = :active AND (attribute_not_exists(#receivedMs) OR #receivedMs ${unlessOvertaken ? '= :read' : '< :at'}) AND ` +
        (row.sharingEpoch === undefined ? 'attribute_not_exists(#sharingEpoch)' : '#sharingEpoch = :epoch'),
      values: { batch, at: atMs, name: row.name, read: row.receivedMs, active: 'active', epoch: row.sharingEpoch ?? 0 },
    }),
    /** What it brought is owed again up to that time. Refused when it is being removed, or brought something since it was read. */
    replaying: (user: string, row: DeviceRow, untilMs: number): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #receivedMs = :until',
      condition: '#status IN (:active, :over) AND (attribute_not_exists(#receivedMs) OR #receivedMs = :read)',
      values: { until: untilMs, read: row.receivedMs, active: 'active', over: stored('disconnected') },
    }),
    /** Refused when it is being removed. */
    sendingStages: (user: string, row: DeviceRow): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #stages = :stages',
      condition: '#status IN (:active, :over)',
      values: { stages: true, active: 'active', over: stored('disconnected') },
    }),
    /** Refused when it is no longer active, or of the type it had. */
    retyping: (user: string, row: DeviceRow, deviceType: DeviceType): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #deviceType = :type',
      condition: '#status = :active AND #deviceType = :read',
      values: { type: deviceType, read: row.deviceType, active: 'active' },
    }),
    /** Consent was given: from here on it brings data, and its first sync is due. Refused when it is no longer awaited. */
    connecting: (user: string, row: DeviceRow, ordinal: number, atMs: number): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #status = :active, #ordinal = :ordinal, #connectedMs = :at, #duePk = :duePk, #dueSk = :dueSk',
      condition: '#status = :pending',
      values: { pending: 'pending', active: 'active', ordinal, at: atMs, ...due('sync', row.id, atMs) },
    }),
    /** Refused when it is no longer awaited. */
    stillAwaited: (user: string, device: string): Write => ({
      kind: 'check',
      key: keys.device(user, device),
      condition: '#status = :pending',
      values: { pending: 'pending' },
    }),
    /** Consent did not come. Refused when it did. */
    failing: (user: string, device: string, why: DeviceError): Write => ({
      kind: 'update',
      key: keys.device(user, device),
      update: 'SET #status = :failed, #error = :why',
      condition: '#status = :pending',
      values: { pending: 'pending', failed: 'failed', why },
    }),
    /** It brings nothing any more, and what it brought stays. Refused when it is not connected. */
    disconnecting: (user: string, device: string, why: DeviceError): Write => ({
      kind: 'update',
      key: keys.device(user, device),
      update: 'SET #status = :over, #error = :why REMOVE #sync, #plan, #duePk, #dueSk',
      condition: '#status = :active',
      values: { active: 'active', over: stored('disconnected'), why },
    }),
    /** One that never brought anything: nothing is left of it. Refused when it changed since it was read. */
    forgetting: (user: string, row: DeviceRow): Write => ({
      kind: 'delete',
      key: keys.device(user, row.id),
      condition: '#status = :read',
      values: { read: stored(row.status) },
    }),
    /** One that never brought anything is gone at once; whoever asks for its end again is told that it has ended. Refused when it changed since it was read. */
    abandoning: (user: string, row: DeviceRow): Write[] => [
      {
        kind: 'delete',
        key: keys.device(user, row.id),
        condition: '#status = :read',
        values: { read: stored(row.status) },
      },
      { kind: 'put', item: { ...keys.deviceTombstone(user, row.id) } },
    ],
    /** Refused when somebody else was faster. */
    removing: (user: string, row: DeviceRow, atMs: number): Write[] => [
      {
        kind: 'delete',
        key: keys.device(user, row.id),
        condition: '#status = :read',
        values: { read: stored(row.status) },
      },
      {
        kind: 'put',
        item: { ...keys.leavingDevice(user, row.id), ...row, status: 'removing', ...due('ingest', user, atMs) },
      },
    ],
    /**
     * Whatever it is bringing at this moment is refused: the person stops sharing. Refused when it
     * is no longer active.
     */
    unsharing: (user: string, device: string, epoch: number): Write => ({
      kind: 'update',
      key: keys.device(user, device),
      update: 'SET #sharingEpoch = :epoch',
      condition: '#status = :active',
      values: { epoch, active: 'active' },
    }),
    /** Takes nothing in any more, because its user is being deleted; refused when it changed since it was read. */
    closing: (user: string, row: DeviceRow): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #status = :removing REMOVE #plan, #duePk, #dueSk',
      condition: '#status = :read',
      values: { removing: 'removing', read: stored(row.status) },
    }),
    /** Its data is out, and it is owed a second look. */
    takenOut: (user: string, { sk }: LeavingDevice, againMs: number): Write => ({
      kind: 'update',
      key: { pk: userPartition(user), sk },
      update: 'SET #againMs = :again, #duePk = :duePk, #dueSk = :dueSk',
      condition: '#status = :removing',
      values: { removing: 'removing', again: againMs, ...due('ingest', user, againMs) },
    }),
    /** Nothing is left of it but its name: whoever asks for its end again is told that it has ended. */
    removed: (user: string, { id, sk }: LeavingDevice): Write[] => [
      {
        kind: 'delete',
        key: { pk: userPartition(user), sk },
        condition: '#status = :removing',
        values: { removing: 'removing' },
      },
      { kind: 'put', item: { ...keys.deviceTombstone(user, id) } },
    ],
    /** Disconnected: its data is out, or on its way out. */
    async isGone(user: string, device: string): Promise<boolean> {
      const { sk: inHead } = keys.device(user, device);
      const kept = [keys.deviceTombstone(user, device), keys.leavingDevice(user, device), keys.device(user, device)];
      const found = await table.batchGet(kept, { consistent: true });
      return found.some((item) => item['sk'] !== inHead || isOver(item));
    },
  };
});
