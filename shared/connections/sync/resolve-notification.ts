// What a push says becomes days to read again. What the provider gives no answer about goes behind everything else, and is given up when only it fails.

import { acceptRecords } from '../../pipeline/accept-records.ts';
import { utcDay } from '../../platform/time/local-day.ts';
import { type DayWindow, rawPages, type VendorPage } from '../../providers/kit/pages.ts';
import { type Talk, Unexpected } from '../../providers/kit/vendor.ts';
import { VendorAway } from '../client/send.ts';
import { backoffMs, beforeLongMs, pollAfterMs, spread } from '../client/sync-backoff.ts';
import type { Deferred, Notification } from '../sync-plan.ts';
import { announcedDays, standing } from './announced-days.ts';
import { daysReadAgain, type SyncContext, type SyncState, withPlan } from './sync-state.ts';

/** So often the provider may fail on one while it answers everything else. */
const maxTimes = 5;

/** The next one of the inbox. */
export async function resolveNotification(
  context: SyncContext,
  state: SyncState,
  notification: Notification,
): Promise<SyncState> {
  const after = await resolve(context, state, notification);
  return { ...after, resolved: after.resolved + 1 };
}

export const isUnanswered = (error: unknown): error is VendorAway =>
  error instanceof VendorAway && error.status !== 429;

/** The next one of the inbox waits: whether only it fails or the whole provider shows when it comes last. */
export function deferNotification(context: SyncContext, state: SyncState, notification: Notification): SyncState {
  const deferred = [...state.plan.deferred, later(context, notification, 1)];
  return { ...withPlan(state, { deferred }), resolved: state.resolved + 1 };
}

export async function resolveDeferred(context: SyncContext, before: SyncState, mine: Deferred): Promise<SyncState> {
  const { notification, times } = mine;
  const others = before.plan.deferred.filter((each) => each !== mine);
  const state = withPlan(before, { deferred: others });
  try {
    return await resolve(context, state, notification);
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    if (times + 1 < maxTimes)
      return withPlan(state, { deferred: [...others, later(context, notification, times + 1)] });
    const { provider, device } = state.connection;
    context.deps.log('warn', 'notification_given_up', { provider, device_id: device, message: error.message });
    // The most likely days, where the provider never says which it meant.
    const stood = notification.what === 'object' ? await standing(context, state, notification.id) : [];
    return { ...heard(context, state, [...stood, daysReadAgain(context, state)]), saidEnded: false };
  }
}

function later({ deps }: SyncContext, notification: Notification, times: number): Deferred {
  return { notification, times, untilMs: deps.clock.now() + backoffMs(times, deps.random.bytes(2)) };
}

/** The provider has spoken: it is polled later, and these days are read. */
function heard({ deps, adapter }: SyncContext, state: SyncState, days: readonly DayWindow[]): SyncState {
  const { pollMs, lookedMs, again } = state.plan;
  const heardMs = deps.clock.now() + spread(pollAfterMs(adapter.descriptor), deps.random.bytes(2));
  const nextMs = beforeLongMs(adapter.descriptor, lookedMs, Math.max(heardMs, pollMs));
  return withPlan(state, { pollMs: nextMs, again: [...again, ...days] });
}

async function resolve(context: SyncContext, state: SyncState, notification: Notification): Promise<SyncState> {
  const { collect } = context.adapter.fetch;
  if (notification.what === 'ended') return tryToken(context, state);
  if (notification.what === 'object' && collect) {
    await takeIn(context, state, collect(notification), notification.resource);
    return { ...heard(context, state, []), isFresh: false };
  }
  return heard(context, state, await announcedDays(context, state, notification));
}

/**
 * What the provider no longer gives out, or is more than can be read at once, is left: asking again
 * would not change it.
 */
async function takeIn(
  { adapter, deps, line, tokens }: SyncContext,
  { user, device, connection }: SyncState,
  flow: Talk<VendorPage[]>,
  resource: string,
): Promise<void> {
  const { provider } = connection;
  const pages = await line.asPerson(flow, tokens).catch((error: unknown) => {
    const isTooLarge = error instanceof VendorAway && error.isTooLarge;
    if (!isTooLarge && !(error instanceof Unexpected)) throw error;
    const code = isTooLarge ? 'announced_data_too_large' : 'announced_data_refused';
    deps.log('warn', code, { provider, device_id: device.id, resource });
    return [];
  });
  const now = deps.clock.now();
  const about = { source: provider, format: adapter.descriptor.format, timeZone: user.timezone };
  const parcels = pages.map((page) => ({
    device,
    raw: rawPages(about, { asked: null, pages: [page] }, utcDay(now)),
    scopes: [],
  }));
  await acceptRecords(deps, user.id, now, parcels);
}

/** A push says that the consent has ended. Whether the provider still gives tokens tells; where there are none to be had, whether it still gives data. */
async function tryToken(context: SyncContext, state: SyncState): Promise<SyncState> {
  const { grant } = await context.tokens.holding();
  if (!context.adapter.grant.refresh || grant.refreshToken === null)
    return { ...heard(context, state, [daysReadAgain(context, state)]), saidEnded: true };
  await context.tokens.renew();
  return { ...heard(context, state, []), saidEnded: false };
}
