// The state of a connection's only writer: its plan is on the device's row, its tokens and
// notifications are on the connection's row.
import * as z from 'zod';
import { CloudProviderId } from '../catalog/provider.ts';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Key, Update, Value, Write } from '../platform/ports.ts';
import { buildSetClause } from '../platform/set-clause.ts';
import type { Environment } from '../system/caller.ts';
import { keys, lists, parseUserPartition, toSortableTimestamp } from '../system/keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import { type DeviceRow, deviceRows, type SyncProgress } from '../users/device-rows.ts';
import { UserRow } from '../users/user-rows.ts';
import { ConnectionRow } from './connection-rows.ts';
import { Notification, SyncPlan, toPlanItem } from './sync-plan.ts';

/** A connection with its inbox, which pushes fill and only the writer empties. */
const ConnectionWithInbox = ConnectionRow.extend({
  inbox: z.array(Notification).default([]),
  /** The number of notifications ever recorded; the inbox holds the last of them. */
  notificationCount: z.number().default(0),
  /** When a caller last requested a sync. */
  syncRequestedMs: z.number().optional(),
  /** Since when nothing is fetched or recorded, because the user does not share. */
  pausedMs: z.number().optional(),
  /**
   * When the connection is given up, if it awaits consent, or when its inbox is due, if it is not
   * empty.
   */
  dueSk: z.string().optional(),
});
export type ConnectionWithInbox = z.infer<typeof ConnectionWithInbox>;

/** How many notifications came before those in the inbox. */
export const countBeforeInbox = ({ notificationCount, inbox }: ConnectionWithInbox): number =>
  notificationCount - inbox.length;

export interface ConnectionSnapshot {
  connection: ConnectionWithInbox;
  user: UserRow | undefined;
  device: DeviceRow | undefined;
  plan: SyncPlan;
  /** When the index says that the writer has work to do. */
  dueMs?: number | undefined;
}

export interface SealedGrant {
  grant: string;
  grantExpiresMs: number | null;
  scopes: string[] | null;
}

export interface SyncCommit {
  plan: SyncPlan;
  progress: SyncProgress;
  /** When the provider was last checked for data; undefined leaves the value unchanged. */
  syncedMs?: number | undefined;
  /** When to wake the writer next; undefined leaves the value unchanged. */
  nextMs?: number | undefined;
  /** Set while the sync keeps failing; the list shows since when it has. */
  failing?: FailingConnection | undefined;
}

export interface FailingConnection {
  account: string;
  env: Environment;
  provider: CloudProviderId;
  sinceMs: number;
}

const DueDevice = z.object({ dueSk: z.string().optional() });
const ListEntry = z.object({ pk: z.string(), listSk: z.string() });

type ConnectionId = { user: string; device: string };

export const maxNotifications = 50;

/** Counts the notifications and makes the inbox due. */
const countExpression =
  '#notificationCount = if_not_exists(#notificationCount, :none) + :count, #duePk = :duePk, #dueSk = :dueSk';
const recordExpression = `SET #inbox = list_append(if_not_exists(#inbox, :empty), :notifications), ${countExpression}`;
const roomCondition =
  '#status = :active AND attribute_not_exists(#pausedMs) AND (attribute_not_exists(#inbox) OR size(#inbox) <= :room)';
const buildRecordValues = (device: string, notifications: readonly Notification[], nowMs: number): Item => ({
  empty: [],
  notifications: notifications.map((each) => ({ ...each })),
  none: 0,
  count: notifications.length,
  active: 'active',
  ...pendingIndexKeys('sync', device, nowMs),
});

/** A connection that is in the list already stays where it is. */
const enterListExpression = ', #listPk = :listPk, #listSk = if_not_exists(#listSk, :listSk)';
const buildListValues = (device: string, { account, env, provider, sinceMs }: FailingConnection): Item => ({
  listPk: lists.failingConnections(account, env),
  listSk: `${provider}#${toSortableTimestamp(sinceMs)}#${device}`,
});

const parseDueMs = ({ dueSk }: z.infer<typeof DueDevice>): number | undefined =>
  dueSk === undefined ? undefined : Number.parseInt(dueSk, 10);

const buildInboxUnchanged = ({ notificationCount }: Pick<ConnectionWithInbox, 'notificationCount'>) => ({
  condition: `#status = :active AND ${notificationCount === 0 ? 'attribute_not_exists(#notificationCount)' : '#notificationCount = :notificationCount'}`,
  values: { active: 'active', ...(notificationCount === 0 ? {} : { notificationCount }) },
});

export const syncRows = repository((store) => {
  const { table } = store;
  const connectionKey = ({ user, device }: ConnectionId): Key => keys.connection(user, device);

  async function findConnection(connectionId: ConnectionId): Promise<ConnectionWithInbox | undefined> {
    const item = await table.get(connectionKey(connectionId), { consistent: true });
    return item && ConnectionWithInbox.parse(item);
  }

  const updateConnection = async (connectionId: ConnectionId, write: Omit<Update, 'kind' | 'key'>): Promise<boolean> =>
    (await writeConditionally(table, { kind: 'update', key: connectionKey(connectionId), ...write })).applied;

  return {
    /** Reads everything that a run starts with in one call. */
    async read(user: string, device: string): Promise<ConnectionSnapshot | undefined> {
      const itemKeys = [keys.connection(user, device), keys.device(user, device), keys.user(user)];
      const foundItems = await table.batchGet(itemKeys, { consistent: true });
      const [connection, deviceItem, userItem] = itemKeys.map(({ sk }) => foundItems.find((item) => item['sk'] === sk));
      return (
        connection && {
          connection: ConnectionWithInbox.parse(connection),
          user: userItem && UserRow.parse(userItem),
          device: deviceItem && deviceRows(store).parseHead([deviceItem])[0],
          plan: SyncPlan.parse(deviceItem?.['plan'] ?? {}),
          dueMs: parseDueMs(DueDevice.parse(deviceItem ?? {})),
        }
      );
    },
    /** The run that recorded its attempt has failed, and did not die. */
    clearAttempt: async (user: string, device: string): Promise<void> => {
      const plan = SyncPlan.parse((await table.get(keys.device(user, device), { consistent: true }))?.['plan'] ?? {});
      if (plan.attempt === undefined) return;
      const ended = { plan: toPlanItem({ ...plan, attempt: { ...plan.attempt, startedMs: null } }) };
      await writeConditionally(table, {
        kind: 'update',
        key: keys.device(user, device),
        update: buildSetClause(ended),
        condition: '#plan.#fence = :fence',
        values: { ...ended, fence: plan.fence },
      });
    },
    /** Moves the device to its place in the index, where nothing else was to be done. */
    reschedule: async (user: string, device: string, { fence }: SyncPlan, nextMs: number): Promise<boolean> => {
      const indexKeys = pendingIndexKeys('sync', device, nextMs);
      const { applied } = await writeConditionally(table, {
        kind: 'update',
        key: keys.device(user, device),
        update: buildSetClause(indexKeys),
        condition: '#status = :active AND #plan.#fence = :fence',
        values: { ...indexKeys, active: 'active', fence },
      });
      return applied;
    },
    /**
     * Writes the new plan. Fails when another run has committed or the device is no longer
     * connected.
     */
    buildCommit: (user: string, device: string, { plan, progress, syncedMs, nextMs, failing }: SyncCommit): Update => {
      const sets = {
        plan: toPlanItem({ ...plan, fence: plan.fence + 1 }),
        sync: { ...progress },
        ...(syncedMs === undefined ? {} : { lastSyncMs: syncedMs }),
        ...(nextMs === undefined ? {} : pendingIndexKeys('sync', device, nextMs)),
      };
      return {
        kind: 'update',
        key: keys.device(user, device),
        update: buildSetClause(sets) + (failing ? enterListExpression : ' REMOVE #listPk, #listSk'),
        condition: `#status = :active AND ${plan.fence === 0 ? 'attribute_not_exists(#plan)' : '#plan.#fence = :fence'}`,
        values: {
          ...sets,
          active: 'active',
          ...(plan.fence === 0 ? {} : { fence: plan.fence }),
          ...(failing ? buildListValues(device, failing) : {}),
        },
      };
    },
    /** The connections of an environment that keep failing, at most `limit`. Reads only their keys. */
    async listFailing(
      account: string,
      env: Environment,
      limit: number,
    ): Promise<{ connections: { user: string; provider: CloudProviderId; sinceMs: number }[]; isPart: boolean }> {
      const { items, next } = await table.query({
        index: 'by-list',
        where: '#listPk = :list',
        values: { list: lists.failingConnections(account, env) },
        limit,
      });
      const connections = items.map((item) => {
        const { pk, listSk } = ListEntry.parse(item);
        const [provider, since = ''] = listSk.split('#');
        return { user: parseUserPartition(pk), provider: CloudProviderId.parse(provider), sinceMs: Number(since) };
      });
      return { connections, isPart: next !== undefined };
    },
    /** Stores tokens before they are used, in place of those that they were issued for. */
    renewGrant(connectionId: ConnectionId, before: string, sealed: SealedGrant): Promise<boolean> {
      const changes = {
        grant: sealed.grant,
        grantExpiresMs: sealed.grantExpiresMs,
        scopes: sealed.scopes,
      } satisfies Record<keyof SealedGrant, Value>;
      return updateConnection(connectionId, {
        update: buildSetClause(changes),
        condition: '#grant = :before',
        values: { ...changes, before },
      });
    },
    /**
     * Removes the first `count` notifications of the inbox, which are resolved. Notifications that
     * arrived since the connection was read stay, and stay due.
     */
    async drain(lastRead: ConnectionWithInbox, count: number): Promise<void> {
      const drainedCount = countBeforeInbox(lastRead) + count;
      for (
        let current: ConnectionWithInbox | undefined = lastRead;
        current && countBeforeInbox(current) < drainedCount;
      ) {
        const rest = current.inbox.slice(drainedCount - countBeforeInbox(current));
        const { condition, values } = buildInboxUnchanged(current);
        const isDrained = await updateConnection(current, {
          condition,
          ...(rest.length === 0
            ? { update: 'REMOVE #inbox, #duePk, #dueSk', values }
            : { update: 'SET #inbox = :rest', values: { ...values, rest } }),
        });
        if (isDrained) return;
        current = await findConnection(lastRead);
      }
    },
    /** The writer is not woken for this inbox before then, unless another notification arrives. */
    deferInbox: (lastRead: ConnectionWithInbox, untilMs: number): Promise<boolean> => {
      const { condition, values } = buildInboxUnchanged(lastRead);
      return updateConnection(lastRead, {
        update: 'SET #duePk = :duePk, #dueSk = :dueSk',
        condition,
        values: { ...values, ...pendingIndexKeys('sync', lastRead.device, untilMs) },
      });
    },
    /**
     * Records nothing from now on. Fails when something was recorded in the meantime or the user
     * shares again.
     */
    async pause(lastRead: ConnectionWithInbox, nowMs: number): Promise<boolean> {
      // Clear the device's schedule first, so that the sweep does not find it even if the next
      // write fails.
      const clearPending = {
        update: 'REMOVE #duePk, #dueSk, #listPk, #listSk',
        condition: '#status = :active',
        values: { active: 'active' },
      };
      await writeConditionally(table, {
        kind: 'update',
        key: keys.device(lastRead.user, lastRead.device),
        ...clearPending,
      });
      const { condition, values } = buildInboxUnchanged(lastRead);
      const update = 'SET #pausedMs = :now REMOVE #duePk, #dueSk';
      return updateConnection(lastRead, { update, condition, values: { ...values, now: nowMs } });
    },
    /**
     * The user shares again: the connection is due at once, with these notifications. Fails when it
     * has ended.
     */
    buildResume: (connectionId: ConnectionId, notifications: readonly Notification[], nowMs: number): Write => ({
      kind: 'update',
      key: connectionKey(connectionId),
      update: `${recordExpression} REMOVE #pausedMs`,
      condition: '#status = :active',
      values: buildRecordValues(connectionId.device, notifications, nowMs),
    }),
    /**
     * Returns false when the connection has ended or is paused, and `full` when its inbox has no
     * room.
     */
    async record(
      connectionId: ConnectionId,
      notifications: readonly Notification[],
      nowMs: number,
    ): Promise<boolean | 'full'> {
      const { applied, item } = await writeConditionally(table, {
        kind: 'update',
        key: connectionKey(connectionId),
        update: recordExpression,
        condition: roomCondition,
        values: {
          ...buildRecordValues(connectionId.device, notifications, nowMs),
          room: maxNotifications - notifications.length,
        },
      });
      if (applied) return true;
      return item?.['status'] === 'active' && item['pausedMs'] === undefined ? 'full' : false;
    },
    /**
     * Records a caller's request to read the newest days, at most once within `cooldownMs`. Returns
     * when the previous request was made if that was too recent, `full` when the inbox has no room,
     * and false when the connection has ended or is paused.
     */
    async recordRequest(
      connectionId: ConnectionId,
      nowMs: number,
      cooldownMs: number,
    ): Promise<boolean | 'full' | { requestedMs: number }> {
      const { applied, item } = await writeConditionally(table, {
        kind: 'update',
        key: connectionKey(connectionId),
        update: `${recordExpression}, #syncRequestedMs = :now`,
        condition: `${roomCondition} AND (attribute_not_exists(#syncRequestedMs) OR #syncRequestedMs <= :before)`,
        values: {
          ...buildRecordValues(connectionId.device, [{ what: 'requested' }], nowMs),
          room: maxNotifications - 1,
          now: nowMs,
          before: nowMs - cooldownMs,
        },
      });
      if (applied) return true;
      const current = item && ConnectionWithInbox.parse(item);
      if (current?.status !== 'active' || current.pausedMs !== undefined) return false;
      const { syncRequestedMs: requestedMs } = current;
      return requestedMs !== undefined && requestedMs > nowMs - cooldownMs ? { requestedMs } : 'full';
    },
    /** Replaces everything in the inbox. Returns false when the connection has ended. */
    collapse: (connectionId: ConnectionId, notifications: readonly Notification[], nowMs: number): Promise<boolean> => {
      const { empty: _none, ...values } = buildRecordValues(connectionId.device, notifications, nowMs);
      return updateConnection(connectionId, {
        update: `SET #inbox = :notifications, ${countExpression}`,
        condition: '#status = :active',
        values,
      });
    },
  };
});
