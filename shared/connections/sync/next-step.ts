// What a run does next, and when the next run is due: both follow from the plan and the inbox alone.
import type { DayWindow } from '../../providers/kit/provider-pages.ts';
import { canBePolled } from '../client/sync-backoff.ts';
import type { DeferredNotification, Notification, SyncPlan } from '../sync-plan.ts';
import { type DaysToRead, selectNextDays } from './days-to-read.ts';
import type { SyncContext, SyncState } from './sync-state.ts';

/** Nothing is begun after it. */
const maxRunMs = 35_000;
/** The rest is for another run: a long history keeps nobody from their turn for long. */
const maxWindows = 8;

export type Step =
  | { kind: 'begin' | 'subscribe' | 'poll' | 'probe' | 'quarantined' }
  | { kind: 'notification'; notification: Notification }
  | { kind: 'window'; days: DayWindow; rest: DaysToRead; isHistory: boolean }
  | { kind: 'deferred'; deferred: DeferredNotification };

/** Notifications first, then the poll that is due, then the history. Undefined when nothing is left, or the rest is for another run. */
export function nextStep(context: SyncContext, state: SyncState): Step | undefined {
  const { deps, adapter, startedMs } = context;
  const { plan, connection, resolved, windows } = state;
  const nowMs = deps.clock.now();
  const hasTime = nowMs - startedMs < maxRunMs;
  if (plan.history === undefined) return { kind: 'begin' };
  // The sandbox's provider sends to every connection.
  const isSubscribed = connection.env === 'sandbox' || !adapter.subscriptions?.ensureForUser;
  if (!isSubscribed && plan.subscribeMs <= nowMs) return { kind: 'subscribe' };
  const notification = connection.inbox[resolved];
  if (notification) return { kind: 'notification', notification };
  if (plan.pollMs <= nowMs) return { kind: 'poll' };
  const next = selectNextDays({ again: plan.again, history: plan.history }, windowDays(context, plan));
  if (next) {
    const isHistory = plan.again.length === 0;
    return windows < maxWindows && hasTime ? { kind: 'window', ...next, isHistory } : undefined;
  }
  const deferred = plan.deferred.find(({ untilMs }) => untilMs <= nowMs);
  // The provider has to answer something else first: only then a failure is this one's own.
  if (deferred && windows === 0 && canBePolled(adapter.descriptor)) return { kind: 'probe' };
  if (deferred && hasTime) return { kind: 'deferred', deferred };
  return plan.quarantined.length > 0 && plan.quarantineMs <= nowMs ? { kind: 'quarantined' } : undefined;
}

export const windowDays = ({ adapter }: SyncContext, { stride }: SyncPlan): number =>
  Math.min(stride ?? adapter.descriptor.sync.windowDays, adapter.descriptor.sync.windowDays);

/** When its writer has something to do, without a notification. */
export function nextRunMs(plan: SyncPlan): number {
  const { again, history, pollMs, subscribeMs, deferred, quarantined, quarantineMs, notBeforeMs } = plan;
  const times = [
    pollMs,
    ...(again.length > 0 || history !== null ? [0] : []),
    ...(subscribeMs > 0 ? [subscribeMs] : []),
    ...deferred.map(({ untilMs }) => untilMs),
    ...(quarantined.length > 0 ? [quarantineMs] : []),
  ];
  return Math.max(notBeforeMs, Math.min(...times));
}
