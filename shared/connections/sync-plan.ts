// The remaining work of a connection, as planned by its only writer.
import * as z from 'zod';
import type { Item } from '../platform/ports.ts';
import { providerTurns } from './provider-limit-rows.ts';

const Days = z.object({ from: z.string(), to: z.string() });

/**
 * What a provider's push says about a user, other than the data that it contains, or a caller's
 * request to read the newest days now.
 */
export const Notification = z.discriminatedUnion('what', [
  Days.extend({ what: z.literal('days') }),
  z.object({ what: z.literal('object'), resource: z.string(), id: z.string() }),
  z.object({ what: z.literal('deleted'), kind: z.enum(['sleep', 'workouts']), id: z.string() }),
  z.object({ what: z.literal('ended') }),
  z.object({ what: z.literal('requested') }),
]);
export type Notification = z.infer<typeof Notification>;

/**
 * A notification that the provider did not answer about, with the number of attempts and the time
 * of the next one.
 */
const DeferredNotification = z.object({ notification: Notification, attempts: z.number(), untilMs: z.number() });
export type DeferredNotification = z.infer<typeof DeferredNotification>;

export const SyncPlan = z.object({
  /** Counts the writer's commits: a superseded run finds a different number. */
  fence: z.number().default(0),
  /** Days to read again, before any history. */
  rereadDays: z.array(Days).default([]),
  /**
   * The days before the connection that are still to be read: null when all have been read,
   * undefined before the first sync.
   */
  history: Days.nullable().optional(),
  /**
   * The time zone that defined the days of the last history window; undefined before the first one.
   */
  historyZone: z.string().nullable().optional(),
  /** Notifications that the provider has not answered about yet. */
  deferred: z.array(DeferredNotification).default([]),
  /**
   * Days that the provider fails on while it answers for others, and when to retry some of them.
   */
  quarantined: z.array(Days).default([]),
  quarantineMs: z.number().default(0),
  /** When the connection was last polled, regardless of pushes; 0 before the first poll. */
  lastPollMs: z.number().default(0),
  /** When the last push arrived, and the usual time between two; undefined before the first. */
  pushes: z.object({ lastMs: z.number(), usualMs: z.number() }).optional(),
  /** When the last data arrived that the writer itself read. Later data was pushed. */
  readMs: z.number().default(0),
  /** The connection's turn in the line for polls. */
  pollTurn: z.enum(providerTurns).default('none'),
  /**
   * When a poll last returned different data than the one before, or a push arrived, and a digest
   * of the last poll. Used only while no pushes are expected.
   */
  lastChangeMs: z.number().default(0),
  polled: Days.extend({ digest: z.string() }).optional(),
  /** When to poll next, and when to renew the subscription. */
  pollMs: z.number().default(0),
  subscribeMs: z.number().default(0),
  /**
   * Nothing is attempted before this time, because the provider was unavailable or something
   * failed, and the number of failures in a row.
   */
  notBeforeMs: z.number().default(0),
  failures: z.number().default(0),
  /**
   * The run that is under way, null after it ended, and how many runs crashed since a window was
   * read. Recorded only when a message was delivered again.
   */
  attempt: z.object({ startedMs: z.number().nullable(), crashes: z.number() }).optional(),
  /** Its turn in the line for the provider's limit, when it comes back. */
  turn: z.enum(providerTurns).default('none'),
  /** How often the provider has refused the token, and when that last counted. */
  tokenRefusals: z.object({ count: z.number(), lastMs: z.number() }).nullable().default(null),
  /** How many days to read at once, and how many requests that took last time. */
  stride: z.number().optional(),
  requests: z.number().default(0),
});
export type SyncPlan = z.infer<typeof SyncPlan>;

const initialPlan = SyncPlan.parse({});

/**
 * Omits values that are still at their defaults, because every read of the user includes the
 * device's row.
 */
export const toPlanItem = (plan: SyncPlan): Item =>
  Object.fromEntries(
    Object.entries(plan).flatMap(([name, value]) =>
      value === undefined || JSON.stringify(value) === JSON.stringify(Reflect.get(initialPlan, name))
        ? []
        : [[name, value]],
    ),
  );
