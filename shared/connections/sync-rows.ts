// What the one writer of a connection knows: its plan stands on the device's row, tokens and notifications on the connection's.
import * as z from 'zod';
import { conditionalWrite } from '../platform/conditional-write.ts';
import type { Item, Key, Update, Write } from '../platform/ports.ts';
import { due } from '../system/due.ts';
import { keys } from '../system/keys.ts';
import { repository } from '../system/store.ts';
import { type DeviceRow, deviceRows, type ShownSync } from '../users/device-rows.ts';
import { UserRow } from '../users/user-rows.ts';
import { ConnectionRow } from './connection-rows.ts';
import { Notification, SyncPlan, storedPlan } from './sync-plan.ts';

/** A connection with its inbox, which pushes fill and only the writer empties. */
const HeldConnection = ConnectionRow.extend({
  inbox: z.array(Notification).default([]),
  /** How many notifications there were in all: the inbox holds the last of them. */
  noted: z.number().default(0),
  /** Since when nothing is fetched or recorded, because the person shares nothing. */
  pausedMs: z.number().optional(),
  /** When it is given up, if consent is awaited; when its inbox is due, if there is something in it. */
  dueSk: z.string().optional(),
});
export type HeldConnection = z.infer<typeof HeldConnection>;

/** How many notifications came before those in the inbox. */
export const notedBefore = ({ noted, inbox }: HeldConnection): number => noted - inbox.length;

export interface ReadConnection {
  connection: HeldConnection;
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
  shown: ShownSync;
  /** When data was last looked for; undefined leaves it. */
  syncedMs?: number | undefined;
  /** When the writer is woken next; undefined leaves that. */
  nextMs?: number | undefined;
}

type Named = { user: string; device: string };

export const maxNotifications = 50;

/** Counts them, and makes the inbox due. */
const counting = '#noted = if_not_exists(#noted, :none) + :count, #duePk = :duePk, #dueSk = :dueSk';
const recording = `SET #inbox = list_append(if_not_exists(#inbox, :empty), :notifications), ${counting}`;
const recorded = (device: string, notifications: readonly Notification[], nowMs: number): Item => ({
  empty: [],
  notifications: notifications.map((each) => ({ ...each })),
  none: 0,
  count: notifications.length,
  active: 'active',
  ...due('sync', device, nowMs),
});

const unlessNoted = ({ noted }: Pick<HeldConnection, 'noted'>) => ({
  condition: `#status = :active AND ${noted === 0 ? 'attribute_not_exists(#noted)' : '#noted = :noted'}`,
  values: { active: 'active', ...(noted === 0 ? {} : { noted }) },
});

export const syncRows = repository((store) => {
  const { table } = store;
  const keyOf = ({ user, device }: Named): Key => keys.connection(user, device);

  async function connectionOf(named: Named): Promise<HeldConnection | undefined> {
    const item = await table.get(keyOf(named), { consistent: true });
    return item && HeldConnection.parse(item);
  }

  const written = async (named: Named, write: Omit<Update, 'kind' | 'key'>): Promise<boolean> =>
    (await conditionalWrite(table, { kind: 'update', key: keyOf(named), ...write })).held;

  return {
    /** All that a run begins with, in one call. */
    async read(user: string, device: string): Promise<ReadConnection | undefined> {
      const at = [keys.connection(user, device), keys.device(user, device), keys.user(user)];
      const found = await table.batchGet(at, { consistent: true });
      const [connection, own, person] = at.map(({ sk }) => found.find((item) => item['sk'] === sk));
      return (
        connection && {
          connection: HeldConnection.parse(connection),
          user: person && UserRow.parse(person),
          device: own && deviceRows(store).fromHead([own])[0],
          plan: SyncPlan.parse(own?.['plan'] ?? {}),
        }
      );
    },
    /** The plan as it is from then on. Refused when another run has committed, or the device is not connected any more. */
    committing: (user: string, device: string, { plan, shown, syncedMs, nextMs }: SyncCommit): Update => {
      const sets = {
        plan: storedPlan({ ...plan, fence: plan.fence + 1 }),
        sync: { ...shown },
        ...(syncedMs === undefined ? {} : { lastSyncMs: syncedMs }),
        ...(nextMs === undefined ? {} : due('sync', device, nextMs)),
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
    renew: (named: Named, before: string, sealed: SealedGrant): Promise<boolean> =>
      written(named, {
        update: 'SET #grant = :grant, #grantExpiresMs = :grantExpiresMs, #scopes = :scopes',
        condition: '#grant = :before',
        values: { ...sealed, before },
      }),
    /** The first notifications of the inbox are worked off; what came since the connection was read stays, and stays due. */
    async drain(read: HeldConnection, count: number): Promise<void> {
      const done = notedBefore(read) + count;
      for (let now: HeldConnection | undefined = read; now && notedBefore(now) < done; ) {
        const rest = now.inbox.slice(done - notedBefore(now));
        const { condition, values } = unlessNoted(now);
        const isDrained = await written(now, {
          condition,
          ...(rest.length === 0
            ? { update: 'REMOVE #inbox, #duePk, #dueSk', values }
            : { update: 'SET #inbox = :rest', values: { ...values, rest } }),
        });
        if (isDrained) return;
        now = await connectionOf(read);
      }
    },
    /** Nobody is woken for its inbox before then, unless something else comes. */
    deferInbox: (read: HeldConnection, untilMs: number): Promise<boolean> => {
      const { condition, values } = unlessNoted(read);
      return written(read, {
        update: 'SET #duePk = :duePk, #dueSk = :dueSk',
        condition,
        values: { ...values, ...due('sync', read.device, untilMs) },
      });
    },
    /** Nothing is recorded from here on. Refused when something was, or the person shares again. */
    async pause(read: HeldConnection, nowMs: number): Promise<boolean> {
      // First, so that whatever happens in between no schedule finds it.
      const resting = { update: 'REMOVE #duePk, #dueSk', condition: '#status = :active', values: { active: 'active' } };
      await conditionalWrite(table, { kind: 'update', key: keys.device(read.user, read.device), ...resting });
      const { condition, values } = unlessNoted(read);
      const update = 'SET #pausedMs = :now REMOVE #duePk, #dueSk';
      return written(read, { update, condition, values: { ...values, now: nowMs } });
    },
    /** Its person shares again: due at once, for what is recorded. Refused when it has ended. */
    resuming: (named: Named, notifications: readonly Notification[], nowMs: number): Write => ({
      kind: 'update',
      key: keyOf(named),
      update: `${recording} REMOVE #pausedMs`,
      condition: '#status = :active',
      values: recorded(named.device, notifications, nowMs),
    }),
    /** False when it has ended or is paused; `full`: the inbox has no room for them. */
    async record(named: Named, notifications: readonly Notification[], nowMs: number): Promise<boolean | 'full'> {
      const { held, item } = await conditionalWrite(table, {
        kind: 'update',
        key: keyOf(named),
        update: recording,
        condition:
          '#status = :active AND attribute_not_exists(#pausedMs) AND (attribute_not_exists(#inbox) OR size(#inbox) <= :room)',
        values: { ...recorded(named.device, notifications, nowMs), room: maxNotifications - notifications.length },
      });
      if (held) return true;
      return item?.['status'] === 'active' && item['pausedMs'] === undefined ? 'full' : false;
    },
    /** In place of everything in the inbox. False when the connection has ended. */
    collapse: (named: Named, notifications: readonly Notification[], nowMs: number): Promise<boolean> => {
      const { empty: _none, ...values } = recorded(named.device, notifications, nowMs);
      return written(named, {
        update: `SET #inbox = :notifications, ${counting}`,
        condition: '#status = :active',
        values,
      });
    },
  };
});
