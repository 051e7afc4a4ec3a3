// Stores devices in the head of the user's partition, where they are read together with the user.
import * as z from 'zod';
import { ConnectionKind, DeviceType, ProviderId } from '../catalog/provider.ts';
import { writeConditionally } from '../platform/conditional-write.ts';
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
/** The progress of a device's sync, as returned to callers. */
export type SyncProgress = z.infer<typeof SyncProgress>;

export const DeviceRow = z.object({
  id: z.string(),
  /**
   * Identifies the device inside packed days. An ordinal is never reused for another device of the
   * user. -1 until the device is connected.
   */
  ordinal: z.number(),
  provider: ProviderId,
  connection: ConnectionKind,
  deviceType: DeviceType,
  model: z.string(),
  name: z.string().nullable(),
  /** `removing`: the device accepts no more data, because its user is being deleted. */
  status: z.enum(['pending', 'active', 'failed', 'disconnected', 'replaced', 'removing']),
  connectedMs: z.number().nullable(),
  lastSyncMs: z.number().nullable(),
  /**
   * The last accepted upload and when it arrived: the same upload again is a repeat, and the next
   * one counts as later.
   */
  lastBatch: z.string().nullable(),
  receivedMs: z.number(),
  /** The error code if the device could not be connected, or is no longer connected. */
  error: z.enum(deviceErrors).nullable(),
  /** Only for connected cloud devices. */
  sync: SyncProgress.nullable(),
  /** The device has sent samples of sleep stages, so its nights are derived from them too. */
  stages: z.boolean(),
  /** The user's sharing epoch when the user last stopped sharing; absent if that never happened. */
  sharingEpoch: z.number().exactOptional(),
  /** When a caller last requested a replay; absent if that never happened. */
  replayRequestedMs: z.number().exactOptional(),
});
export type DeviceRow = z.infer<typeof DeviceRow>;

/** A device that has data, and may or may not send more. */
export const hasData = ({ status }: Pick<DeviceRow, 'status'>): boolean =>
  status === 'active' || status === 'disconnected' || status === 'replaced';

/** The same as a condition, with its values. */
const hasDataCondition = '#status IN (:active, :disconnected, :replaced)';
const hasDataValues = { active: 'active', disconnected: 'disconnected', replaced: 'replaced' };

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
     * Records an upload of the device, with the device's current name. Fails if the device is no
     * longer active, if the user has stopped sharing since it was read, or if another upload
     * arrived at that time or later. With `unlessStale`, it also fails if any upload arrived since
     * the device was read.
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
    /**
     * Records a replay of the device's uploads, which count up to that time. Fails if the device is
     * being removed, or if an upload arrived since it was read.
     */
    buildReplay: (user: string, row: DeviceRow, untilMs: number): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #receivedMs = :until',
      condition: `${hasDataCondition} AND #receivedMs = :read`,
      values: { until: untilMs, read: row.receivedMs, ...hasDataValues },
    }),
    /**
     * Returns false if another replay was requested within the cooldown, or if the device has no
     * data or is being removed.
     */
    async recordReplayRequest(user: string, device: string, nowMs: number, cooldownMs: number): Promise<boolean> {
      const { applied } = await writeConditionally(table, {
        kind: 'update',
        key: keys.device(user, device),
        update: 'SET #replayRequestedMs = :now',
        condition: `${hasDataCondition} AND (attribute_not_exists(#replayRequestedMs) OR #replayRequestedMs <= :before)`,
        values: { now: nowMs, before: nowMs - cooldownMs, ...hasDataValues },
      });
      return applied;
    },
    /** Another replay can be requested at once. Does nothing if one was requested since. */
    async withdrawReplayRequest(user: string, device: string, requestedMs: number): Promise<void> {
      await writeConditionally(table, {
        kind: 'update',
        key: keys.device(user, device),
        update: 'REMOVE #replayRequestedMs',
        condition: '#replayRequestedMs = :requested',
        values: { requested: requestedMs },
      });
    },
    /** Fails if the device is being removed. */
    buildMarkSendsStages: (user: string, row: DeviceRow): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #stages = :stages',
      condition: hasDataCondition,
      values: { stages: true, ...hasDataValues },
    }),
    /**
     * The last upload was never complete, so the same upload again is not a repeat. Fails if the
     * device is being removed.
     */
    buildForgetUpload: (user: string, row: DeviceRow): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #lastBatch = :none',
      condition: hasDataCondition,
      values: { none: null, ...hasDataValues },
    }),
    /** Fails if the device is no longer active, or no longer has the type that was read. */
    buildChangeType: (user: string, row: DeviceRow, deviceType: DeviceType): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #deviceType = :type',
      condition: '#status = :active AND #deviceType = :read',
      values: { type: deviceType, read: row.deviceType, active: 'active' },
    }),
    /**
     * The user has given consent: the device now provides data, and its first sync is pending.
     * Fails if the device is no longer pending.
     */
    buildConnect: (user: string, row: DeviceRow, ordinal: number, atMs: number): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #status = :active, #ordinal = :ordinal, #connectedMs = :at, #duePk = :duePk, #dueSk = :dueSk',
      condition: '#status = :pending',
      values: { pending: 'pending', active: 'active', ordinal, at: atMs, ...pendingIndexKeys('sync', row.id, atMs) },
    }),
    /** Fails if the device is no longer pending. */
    buildPendingCheck: (user: string, device: string): Write => ({
      kind: 'check',
      key: keys.device(user, device),
      condition: '#status = :pending',
      values: { pending: 'pending' },
    }),
    /** Consent was not given. Fails if the device is no longer pending. */
    buildFail: (user: string, device: string, why: DeviceError): Write => ({
      kind: 'update',
      key: keys.device(user, device),
      update: 'SET #status = :failed, #error = :why',
      condition: '#status = :pending',
      values: { pending: 'pending', failed: 'failed', why },
    }),
    /**
     * The device provides no more data, and its existing data stays. Nobody has disconnected a
     * device that is replaced. Fails if the device is not active.
     */
    buildDisconnect: (user: string, device: string, why: DeviceError): Write => ({
      kind: 'update',
      key: keys.device(user, device),
      update: 'SET #status = :over, #error = :why, #sync = :none REMOVE #plan, #duePk, #dueSk, #listPk, #listSk',
      condition: '#status = :active',
      values: { active: 'active', over: why === 'replaced' ? 'replaced' : 'disconnected', why, none: null },
    }),
    /**
     * Deletes a device that never provided data, without a trace. Fails if it has changed since it
     * was read.
     */
    buildForget: (user: string, row: DeviceRow): Write => ({
      kind: 'delete',
      key: keys.device(user, row.id),
      condition: '#status = :read',
      values: { read: row.status },
    }),
    /**
     * Deletes a device that never provided data, and leaves a tombstone so that deleting it again
     * succeeds. Fails if it has changed since it was read.
     */
    buildAbandon: (user: string, row: DeviceRow): Write[] => [
      {
        kind: 'delete',
        key: keys.device(user, row.id),
        condition: '#status = :read',
        values: { read: row.status },
      },
      { kind: 'put', item: { ...keys.deviceTombstone(user, row.id) } },
    ],
    /**
     * For callers the device no longer exists; a command removes its data. Fails if the device has
     * changed since it was read.
     */
    buildRemove: (user: string, row: DeviceRow): Write => ({
      kind: 'delete',
      key: keys.device(user, row.id),
      condition: '#status = :read',
      values: { read: row.status },
    }),
    /** Fails if the device is no longer active. */
    buildRename: (user: string, row: DeviceRow, name: string): Update => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #name = :name',
      condition: '#status = :active',
      values: { active: 'active', name },
    }),
    /**
     * The user stops sharing: an upload that is in progress is rejected. Fails if the device is no
     * longer active.
     */
    buildUnshare: (user: string, device: string, epoch: number): Write => ({
      kind: 'update',
      key: keys.device(user, device),
      update: 'SET #sharingEpoch = :epoch',
      condition: '#status = :active',
      values: { epoch, active: 'active' },
    }),
    /**
     * The device accepts no more data, because its user is being deleted. Fails if it has changed
     * since it was read.
     */
    buildClose: (user: string, row: DeviceRow): Write => ({
      kind: 'update',
      key: keys.device(user, row.id),
      update: 'SET #status = :removing REMOVE #plan, #duePk, #dueSk, #listPk, #listSk',
      condition: '#status = :read',
      values: { removing: 'removing', read: row.status },
    }),
    /** Leaves only the id of a removed device, so that deleting it again succeeds. */
    buildTombstone: (user: string, device: string): Write => ({
      kind: 'put',
      item: { ...keys.deviceTombstone(user, device) },
    }),
    /** Whether the device was removed: its data is erased or being erased. */
    async isRemoved(user: string, device: string): Promise<boolean> {
      const items = await table.batchGet([keys.deviceTombstone(user, device), keys.removeDeviceCommand(user, device)], {
        consistent: true,
      });
      return items.length > 0;
    },
  };
});
