// What the one writer of a connection knows: its plan stands on the device's row, tokens and notifications on the connection's.
import * as z from 'zod';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Key, Update, Write } from '../platform/ports.ts';
import { keys } from '../system/keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import { type DeviceRow, deviceRows, type SyncProgress } from '../users/device-rows.ts';
import { UserRow } from '../users/user-rows.ts';
import { ConnectionRow } from './connection-rows.ts';
import { Notification, SyncPlan, toPlanItem } from './sync-plan.ts';

/** A connection with its inbox, which pushes fill and only the writer empties. */
const ConnectionWithInbox = ConnectionRow.extend({
  inbox: z.array(Notification).default([]),
  /** How many notifications there were in all: the inbox holds the last of them. */
  noted: z.number().default(0),
  /** Since when nothing is fetched or recorded, because the person shares nothing. */
  pausedMs: z.number().optional(),
  /** When it is given up, if consent is awaited; when its inbox is due, if there is something in it. */
  dueSk: z.string().optional(),
});
export type ConnectionWithInbox = z.infer<typeof ConnectionWithInbox>;

/** How many notifications came before those in the inbox. */
export const countBeforeInbox = ({ noted, inbox }: ConnectionWithInbox): number => noted - inbox.length;

export interface ConnectionSnapshot {
  connection: ConnectionWithInbox;
  user: UserRow | undefined;
  device: DeviceRow | undefined;
  plan: SyncPlan;
}

export interface SealedGrant {
  grant: string;
  grantExpiresMs: number | null;
  scopes: string[] | null;
}

export interface SyncCommit {
  plan: SyncPlan;
  progress: SyncProgress;
  /** When data was last looked for; undefined leaves it. */
  syncedMs?: number | undefined;
  /** When the writer is woken next; undefined leaves that. */
  nextMs?: number | undefined;
}

type ConnectionId = { user: string; device: string };

export const maxNotifications = 50;

/** Counts them, and makes the inbox due. */
const countExpression = '#noted = if_not_exists(#noted, :none) + :count, #duePk = :duePk, #dueSk = :dueSk';
const recordExpression = `SET #inbox = list_append(if_not_exists(#inbox, :empty), :notifications), ${countExpression}`;
const buildRecordValues = (device: string, notifications: readonly Notification[], nowMs: number): Item => ({
  empty: [],
  notifications: notifications.map((each) => ({ ...each })),
  none: 0,
  count: notifications.length,
  active: 'active',
  ...pendingIndexKeys('sync', device, nowMs),
});

const buildInboxUnchanged = ({ noted }: Pick<ConnectionWithInbox, 'noted'>) => ({
  condition: `#status = :active AND ${noted === 0 ? 'attribute_not_exists(#noted)' : '#noted = :noted'}`,
  values: { active: 'active', ...(noted === 0 ? {} : { noted }) },
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
    /** All that a run begins with, in one call. */
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
        }
      );
    },
    /** The plan as it is from then on. Refused when another run has committed, or the device is not connected any more. */
    buildCommit: (user: string, device: string, { plan, progress, syncedMs, nextMs }: SyncCommit): Update => {
      const sets = {
        plan: toPlanItem({ ...plan, fence: plan.fence + 1 }),
        sync: { ...progress },
        ...(syncedMs === undefined ? {} : { lastSyncMs: syncedMs }),
        ...(nextMs === undefined ? {} : pendingIndexKeys('sync', device, nextMs)),
      };
      const assignments = Object.keys(sets).map((name) => `#${name} = :${name}`);
      return {
        kind: 'update',
        key: keys.device(user, device),
        update: `SET ${assignments.join(', ')}`,
        condition: `#status = :active AND ${plan.fence === 0 ? 'attribute_not_exists(#plan)' : '#plan.#fence = :fence'}`,
        values: { ...sets, active: 'active', ...(plan.fence === 0 ? {} : { fence: plan.fence }) },
      };
    },
    /** Tokens are stored before they are used, in place of those that they were made from. */
    renewGrant: (connectionId: ConnectionId, before: string, sealed: SealedGrant): Promise<boolean> =>
      updateConnection(connectionId, {
        update: 'SET #grant = :grant, #grantExpiresMs = :grantExpiresMs, #scopes = :scopes',
        condition: '#grant = :before',
        values: { ...sealed, before },
      }),
    /** The first notifications of the inbox are worked off; what came since the connection was read stays, and stays due. */
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
    /** Nobody is woken for its inbox before then, unless something else comes. */
    deferInbox: (lastRead: ConnectionWithInbox, untilMs: number): Promise<boolean> => {
      const { condition, values } = buildInboxUnchanged(lastRead);
      return updateConnection(lastRead, {
        update: 'SET #duePk = :duePk, #dueSk = :dueSk',
        condition,
        values: { ...values, ...pendingIndexKeys('sync', lastRead.device, untilMs) },
      });
    },
    /** Nothing is recorded from here on. Refused when something was, or the person shares again. */
    async pause(lastRead: ConnectionWithInbox, nowMs: number): Promise<boolean> {
      // First, so that whatever happens in between no schedule finds it.
      const clearPending = {
        update: 'REMOVE #duePk, #dueSk',
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
    /** Its person shares again: due at once, for what is recorded. Refused when it has ended. */
    buildResume: (connectionId: ConnectionId, notifications: readonly Notification[], nowMs: number): Write => ({
      kind: 'update',
      key: connectionKey(connectionId),
      update: `${recordExpression} REMOVE #pausedMs`,
      condition: '#status = :active',
      values: buildRecordValues(connectionId.device, notifications, nowMs),
    }),
    /** False when it has ended or is paused; `full`: the inbox has no room for them. */
    async record(
      connectionId: ConnectionId,
      notifications: readonly Notification[],
      nowMs: number,
    ): Promise<boolean | 'full'> {
      const { applied, item } = await writeConditionally(table, {
        kind: 'update',
        key: connectionKey(connectionId),
        update: recordExpression,
        condition:
          '#status = :active AND attribute_not_exists(#pausedMs) AND (attribute_not_exists(#inbox) OR size(#inbox) <= :room)',
        values: {
          ...buildRecordValues(connectionId.device, notifications, nowMs),
          room: maxNotifications - notifications.length,
        },
      });
      if (applied) return true;
      return item?.['status'] === 'active' && item['pausedMs'] === undefined ? 'full' : false;
    },
    /** In place of everything in the inbox. False when the connection has ended. */
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
