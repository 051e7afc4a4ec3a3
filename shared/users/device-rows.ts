// Devices stand in the head of their user's partition and are read with the user.
import * as z from 'zod';
import { ConnectionKind, DeviceType, ProviderId } from '../catalog/provider.ts';
import type { Item, Update, Write } from '../platform/ports.ts';
import { keys } from '../system/keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import { type DeviceError, deviceErrors, syncStates } from './device-states.ts';

const SyncProgress = z.object({
  state: z.enum(syncStates),
  from: z.string(),
  to: z.string(),
  doneDays: z.number(),
});
/** How far its sync is, as callers are shown. */
export type SyncProgress = z.infer<typeof SyncProgress>;

export const DeviceRow = z.object({
  id: z.string(),
  /** Names the device inside packed days; given once and never again to another device of the user. -1 until it is connected. */
  ordinal: z.number(),
  provider: ProviderId,
  connection: ConnectionKind,
  deviceType: DeviceType,
  model: z.string(),
  name: z.string().nullable(),
  /** `buildRemove`: takes nothing in any more, because its user is being deleted. */
  status: z.enum(['pending', 'active', 'failed', 'disconnected', 'removing']),
  connectedMs: z.number().nullable(),
  lastSyncMs: z.number().nullable(),
  /** The upload that was taken in last, and when: the same one again is a repeat, and the next one is later. */
  lastBatch: z.string().nullable(),
  receivedMs: z.number(),
  /** Why it could not be connected, or is no longer: a code. */
  error: z.enum(deviceErrors).nullable(),
  /** Of cloud devices that are connected. */
  sync: SyncProgress.nullable(),
  /** It has sent samples of sleep stages, so its nights are asked for them. */
  stages: z.boolean(),
  /** The user's when the person last stopped sharing; missing if they never did. */
  sharingEpoch: z.number().exactOptional(),
});
export type DeviceRow = z.infer<typeof DeviceRow>;

export const deviceRows = repository(({ table }) => {
  return {
    parseHead: (items: readonly Item[]): DeviceRow[] =>
      items.filter(({ sk }) => String(sk).startsWith('@DEVICE#')).map((item) => DeviceRow.parse(item)),
    buildInsert: (user: string, row: DeviceRow): Write => ({
      kind: 'put',
      item: { ...keys.device(user, row.id), ...row },
      condition: 'attribute_not_exists(#pk)',
    }),
    /**
     * It brought an upload, and its name with it. Refused when it is no longer active, the person has stopped sharing
     * since it was read, or it brought another one at that time or later; or any other since it was
     * read, if so wanted.
     */
    buildReceiveUpload: (user: string, row: DeviceRow, batch: string, atMs: number, unlessStale?: true): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #lastBatch = :batch, #receivedMs = :at, #lastSyncMs = :at, #name = :name',
      condition:
        `#status = :active AND #receivedMs ${unlessStale ? '= :read' : '< :at'} AND ` +
        (row.sharingEpoch === undefined ? 'attribute_not_exists(#sharingEpoch)' : '#sharingEpoch = :epoch'),
      values: { batch, at: atMs, name: row.name, read: row.receivedMs, active: 'active', epoch: row.sharingEpoch ?? 0 },
    }),
    /** What it brought is owed again up to that time. Refused when it is being removed, or brought something since it was read. */
    buildReplay: (user: string, row: DeviceRow, untilMs: number): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #receivedMs = :until',
      condition: '#status IN (:active, :over) AND #receivedMs = :read',
      values: { until: untilMs, read: row.receivedMs, active: 'active', over: 'disconnected' },
    }),
    /** Refused when it is being removed. */
    buildMarkSendsStages: (user: string, row: DeviceRow): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #stages = :stages',
      condition: '#status IN (:active, :over)',
      values: { stages: true, active: 'active', over: 'disconnected' },
    }),
    /** What it brought last was never whole: the same again is no repeat. Refused when it is being removed. */
    buildForgetUpload: (user: string, row: DeviceRow): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #lastBatch = :none',
      condition: '#status IN (:active, :over)',
      values: { none: null, active: 'active', over: 'disconnected' },
    }),
    /** Refused when it is no longer active, or of the type it had. */
    buildChangeType: (user: string, row: DeviceRow, deviceType: DeviceType): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #deviceType = :type',
      condition: '#status = :active AND #deviceType = :read',
      values: { type: deviceType, read: row.deviceType, active: 'active' },
    }),
    /** Consent was given: from here on it brings data, and its first sync is due. Refused when it is no longer awaited. */
    buildConnect: (user: string, row: DeviceRow, ordinal: number, atMs: number): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #status = :active, #ordinal = :ordinal, #connectedMs = :at, #duePk = :duePk, #dueSk = :dueSk',
      condition: '#status = :pending',
      values: { pending: 'pending', active: 'active', ordinal, at: atMs, ...pendingIndexKeys('sync', row.id, atMs) },
    }),
    /** Refused when it is no longer awaited. */
    buildPendingCheck: (user: string, device: string): Write => ({
      kind: 'check',
      key: keys.device(user, device),
      condition: '#status = :pending',
      values: { pending: 'pending' },
    }),
    /** Consent did not come. Refused when it did. */
    buildFail: (user: string, device: string, why: DeviceError): Write => ({
      kind: 'update',
      key: keys.device(user, device),
      update: 'SET #status = :failed, #error = :why',
      condition: '#status = :pending',
      values: { pending: 'pending', failed: 'failed', why },
    }),
    /** It brings nothing any more, and what it brought stays. Refused when it is not connected. */
    buildDisconnect: (user: string, device: string, why: DeviceError): Write => ({
      kind: 'update',
      key: keys.device(user, device),
      update: 'SET #status = :over, #error = :why, #sync = :none REMOVE #plan, #duePk, #dueSk',
      condition: '#status = :active',
      values: { active: 'active', over: 'disconnected', why, none: null },
    }),
    /** One that never brought anything: nothing is left of it. Refused when it changed since it was read. */
    buildForget: (user: string, row: DeviceRow): Write => ({
      kind: 'delete',
      key: keys.device(user, row.id),
      condition: '#status = :read',
      values: { read: row.status },
    }),
    /** One that never brought anything is gone at once; whoever asks for its end again is told that it has ended. Refused when it changed since it was read. */
    buildAbandon: (user: string, row: DeviceRow): Write[] => [
      {
        kind: 'delete',
        key: keys.device(user, row.id),
        condition: '#status = :read',
        values: { read: row.status },
      },
      { kind: 'put', item: { ...keys.deviceTombstone(user, row.id) } },
    ],
    /** It is gone for every caller; its data goes with a command. Refused when somebody else was faster. */
    buildRemove: (user: string, row: DeviceRow): Write => ({
      kind: 'delete',
      key: keys.device(user, row.id),
      condition: '#status = :read',
      values: { read: row.status },
    }),
    /** Refused when it is no longer active. */
    buildRename: (user: string, row: DeviceRow, name: string): Update => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #name = :name',
      condition: '#status = :active',
      values: { active: 'active', name },
    }),
    /**
     * Whatever it is bringing at this moment is refused: the person stops sharing. Refused when it
     * is no longer active.
     */
    buildUnshare: (user: string, device: string, epoch: number): Write => ({
      kind: 'update',
      key: keys.device(user, device),
      update: 'SET #sharingEpoch = :epoch',
      condition: '#status = :active',
      values: { epoch, active: 'active' },
    }),
    /** Takes nothing in any more, because its user is being deleted; refused when it changed since it was read. */
    buildClose: (user: string, row: DeviceRow): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #status = :removing REMOVE #plan, #duePk, #dueSk',
      condition: '#status = :read',
      values: { removing: 'removing', read: row.status },
    }),
    /** Nothing is left of it but its name: whoever asks for its end again is told that it has ended. */
    buildTombstone: (user: string, device: string): Write => ({
      kind: 'put',
      item: { ...keys.deviceTombstone(user, device) },
    }),
    /** Disconnected: its data is out, or on its way out. */
    async isRemoved(user: string, device: string): Promise<boolean> {
      const items = await table.batchGet([keys.deviceTombstone(user, device), keys.removeDeviceCommand(user, device)], {
        consistent: true,
      });
      return items.length > 0;
    },
  };
});
