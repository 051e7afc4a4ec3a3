// Decides what a run does next and when the next run is due, based only on the plan and the inbox.
import type { DayWindow } from '../../providers/kit/provider-pages.ts';
import { canBePolled } from '../client/sync-backoff.ts';
import type { DeferredNotification, Notification, SyncPlan } from '../sync-plan.ts';
import { type DaysToRead, selectNextDays } from './days-to-read.ts';
import type { SyncContext, SyncState } from './sync-state.ts';

/** A run starts no further window or deferred notification after this time. */
const maxRunMs = 35_000;
/**
 * The rest is left to another run, so that a long history does not delay other connections for
 * long.
 */
export const maxWindowsPerRun = 8;

export type Step =
  | { kind: 'begin' | 'subscribe' | 'poll' | 'quarantined' }
  | { kind: 'notification'; notification: Notification }
  | { kind: 'window'; days: DayWindow; rest: DaysToRead; isHistory: boolean }
  | { kind: 'probe' | 'deferred'; deferred: DeferredNotification };

/**
 * Notifications come first, then a due poll, then the history. Returns undefined when nothing is
 * left, or when the rest is for another run.
 */
export function nextStep(context: SyncContext, state: SyncState): Step | undefined {
  const { deps, adapter, startedMs, maxWindows = maxWindowsPerRun } = context;
  const { plan, connection, resolved, windows } = state;
  const nowMs = deps.clock.now();
  const hasTime = nowMs - startedMs < maxRunMs;
  if (plan.history === undefined) return { kind: 'begin' };
  // The simulated provider pushes to every connection.
  const isSubscribed = connection.env === 'sandbox' || !adapter.subscriptions?.ensureForUser;
  if (!isSubscribed && plan.subscribeMs <= nowMs) return { kind: 'subscribe' };
  const notification = connection.inbox[resolved];
  if (notification) return { kind: 'notification', notification };
  if (plan.pollMs <= nowMs) return { kind: 'poll' };
  const next = selectNextDays({ rereadDays: plan.rereadDays, history: plan.history }, windowDays(context, plan));
  if (next) {
    const isHistory = plan.rereadDays.length === 0;
    return windows < maxWindows && hasTime ? { kind: 'window', ...next, isHistory } : undefined;
  }
  const deferred = plan.deferred.find(({ untilMs }) => untilMs <= nowMs);
  // The provider has to answer something else first. Only then is a failure specific to this
  // notification.
  if (deferred && windows === 0 && canBePolled(adapter.descriptor)) return { kind: 'probe', deferred };
  if (deferred && hasTime) return { kind: 'deferred', deferred };
  return plan.quarantined.length > 0 && plan.quarantineMs <= nowMs ? { kind: 'quarantined' } : undefined;
}

export const windowDays = ({ adapter }: SyncContext, { stride }: SyncPlan): number =>
  Math.min(stride ?? adapter.descriptor.sync.windowDays, adapter.descriptor.sync.windowDays);

/** When the writer has work to do, not counting notifications. */
export function nextRunMs(plan: SyncPlan): number {
  const { rereadDays, history, pollMs, subscribeMs, deferred, quarantined, quarantineMs, notBeforeMs } = plan;
  const times = [
    pollMs,
    ...(rereadDays.length > 0 || history !== null ? [0] : []),
    ...(subscribeMs > 0 ? [subscribeMs] : []),
    ...deferred.map(({ untilMs }) => untilMs),
    ...(quarantined.length > 0 ? [quarantineMs] : []),
  ];
  return Math.max(notBeforeMs, Math.min(...times));
}
