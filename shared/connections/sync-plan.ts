// What is still to be done for a connection, as its one writer plans it.
import * as z from 'zod';
import type { Item } from '../platform/ports.ts';
import { providerTurns } from './provider-limit-rows.ts';

const Days = z.object({ from: z.string(), to: z.string() });

/** What a provider's push says about the person and its data does not contain. */
export const Notification = z.discriminatedUnion('what', [
  Days.extend({ what: z.literal('days') }),
  z.object({ what: z.literal('object'), resource: z.string(), id: z.string() }),
  z.object({ what: z.literal('deleted'), kind: z.enum(['sleep', 'workouts']), id: z.string() }),
  z.object({ what: z.literal('ended') }),
]);
export type Notification = z.infer<typeof Notification>;

/** The provider gave no answer about it, so many times, and is asked again at that time. */
const DeferredNotification = z.object({ notification: Notification, times: z.number(), untilMs: z.number() });
export type DeferredNotification = z.infer<typeof DeferredNotification>;

export const SyncPlan = z.object({
  /** Counts the writer's commits: a run that was overtaken finds another number. */
  fence: z.number().default(0),
  /** Days to read again, before any history. */
  again: z.array(Days).default([]),
  /** What is left of the days before the connection: null when all of it is in, undefined before the first sync. */
  history: Days.nullable().optional(),
  /** The time zone whose days the last window of the history was read by; undefined before the first. */
  historyZone: z.string().nullable().optional(),
  /** Notifications that the provider did not answer about yet. */
  deferred: z.array(DeferredNotification).default([]),
  /** Days that the provider fails on while it answers others, and when some of them are tried again. */
  quarantined: z.array(Days).default([]),
  quarantineMs: z.number().default(0),
  /** When it was last polled, whatever pushes said; 0 before that. */
  lookedMs: z.number().default(0),
  /** When a poll last brought other data than the one before, and what the last one brought: only where nothing is pushed. */
  newsMs: z.number().default(0),
  polled: Days.extend({ digest: z.string() }).optional(),
  /** When it is polled next, and when its subscription is renewed. */
  pollMs: z.number().default(0),
  subscribeMs: z.number().default(0),
  /** Nothing is tried before then: the provider was away, or something failed, so often in a row. */
  notBeforeMs: z.number().default(0),
  failures: z.number().default(0),
  /** Its turn in the line for the provider's limit, when it comes back. */
  turn: z.enum(providerTurns).default('none'),
  /** How often the provider has refused the token, and when that last counted. */
  dead: z.object({ times: z.number(), lastMs: z.number() }).nullable().default(null),
  /** How many days are read at once, and how many requests that took last time. */
  stride: z.number().optional(),
  requests: z.number().default(0),
});
export type SyncPlan = z.infer<typeof SyncPlan>;

const initialPlan = SyncPlan.parse({});

/** What is as in the beginning is left out: every read of the user pays for the device's row. */
export const toPlanItem = (plan: SyncPlan): Item =>
  Object.fromEntries(
    Object.entries(plan).flatMap(([name, value]) =>
      value === undefined || JSON.stringify(value) === JSON.stringify(Reflect.get(initialPlan, name))
        ? []
        : [[name, value]],
    ),
  );
