// Turns a notification into days to read again. A notification that the provider does not answer
// about goes behind all other work, and is given up when only it fails.

import { acceptRecords } from '../../pipeline/accept-records.ts';
import { utcDay } from '../../platform/time/local-day.ts';
import { type DayWindow, type ProviderPage, toRawPages } from '../../providers/kit/provider-pages.ts';
import { type RequestFlow, UnexpectedResponse } from '../../providers/kit/request-flow.ts';
import { ProviderUnavailable } from '../client/send-to-provider.ts';
import { backoffMs, capPollDelay } from '../client/sync-backoff.ts';
import { connectionLogFields } from '../connection-rows.ts';
import type { DeferredNotification, Notification } from '../sync-plan.ts';
import { findNotifiedDays, findStoredDays } from './notified-days.ts';
import { isPollOnly, nextPollMs, recordPush } from './poll-interval.ts';
import { getRereadWindow, type SyncContext, type SyncState, withPlan } from './sync-state.ts';

/** How often the provider may fail on one notification while it answers everything else. */
const maxAttempts = 5;

/** Resolves the next notification of the inbox. */
export async function resolveNotification(
  context: SyncContext,
  state: SyncState,
  notification: Notification,
): Promise<SyncState> {
  const after = await resolve(context, state, notification);
  return { ...after, resolved: after.resolved + 1 };
}

export const isUnanswered = (error: unknown): error is ProviderUnavailable =>
  error instanceof ProviderUnavailable && error.status !== 429;

/**
 * Moves the next notification of the inbox to the end, where it becomes clear whether only this one
 * fails or the whole provider.
 */
export function deferNotification(context: SyncContext, state: SyncState, notification: Notification): SyncState {
  const deferred = [...state.plan.deferred, buildDeferred(context, notification, 1)];
  return { ...withPlan(state, { deferred }), resolved: state.resolved + 1 };
}

export async function resolveDeferred(
  context: SyncContext,
  before: SyncState,
  current: DeferredNotification,
): Promise<SyncState> {
  const { notification, attempts } = current;
  const others = before.plan.deferred.filter((each) => each !== current);
  const state = withPlan(before, { deferred: others });
  try {
    return await resolve(context, state, notification);
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    if (attempts + 1 < maxAttempts)
      return withPlan(state, { deferred: [...others, buildDeferred(context, notification, attempts + 1)] });
    context.deps.log('warn', 'notification_given_up', {
      ...connectionLogFields(state.connection),
      detail: error.message,
    });
    // The provider never says which days it meant, so read the most likely ones.
    const storedDays = notification.what === 'object' ? await findStoredDays(context, state, notification.id) : [];
    return {
      ...scheduleReads(context, state, [...storedDays, getRereadWindow(context, state)]),
      isReportedEnded: false,
    };
  }
}

function buildDeferred({ deps }: SyncContext, notification: Notification, attempts: number): DeferredNotification {
  return { notification, attempts, untilMs: deps.clock.now() + backoffMs(attempts, deps.random.bytes(2)) };
}

/** The provider has been in contact: polls it later, and schedules these days to be read. */
function scheduleReads(context: SyncContext, state: SyncState, days: readonly DayWindow[]): SyncState {
  const { deps, adapter, configured } = context;
  const { descriptor } = adapter;
  const isPush = !isPollOnly(descriptor, configured.credentials);
  const plan = { ...state.plan, ...(isPush ? recordPush(descriptor, state.plan, deps.clock.now()) : {}) };
  return withPlan(state, {
    ...plan,
    pollMs: capPollDelay(descriptor, plan.lastPollMs, nextPollMs(context, state.user, plan)),
    rereadDays: [...plan.rereadDays, ...days],
  });
}

async function resolve(context: SyncContext, state: SyncState, notification: Notification): Promise<SyncState> {
  const { collect } = context.adapter.fetch;
  if (notification.what === 'ended') return checkToken(context, state);
  if (notification.what === 'requested') return readNewestDays(context, state);
  if (notification.what === 'object' && collect) {
    await ingestCollected(context, state, collect(notification), notification.resource);
    return { ...scheduleReads(context, state, []), isFresh: false };
  }
  return scheduleReads(context, state, await findNotifiedDays(context, state, notification));
}

/** The request counts as a poll, and the next poll stays when it was planned. */
const readNewestDays = (context: SyncContext, state: SyncState): SyncState =>
  withPlan(state, {
    lastPollMs: context.deps.clock.now(),
    rereadDays: [...state.plan.rereadDays, getRereadWindow(context, state)],
  });

/**
 * Skips data that the provider no longer returns, or that is too large to read at once: another
 * attempt would not change that.
 */
async function ingestCollected(
  { adapter, deps, client, tokens }: SyncContext,
  { user, device, connection }: SyncState,
  flow: RequestFlow<ProviderPage[]>,
  resource: string,
): Promise<void> {
  const { provider } = connection;
  const pages = await client.withUserToken(flow, tokens).catch((error: unknown) => {
    const isTooLarge = error instanceof ProviderUnavailable && error.isTooLarge;
    if (!isTooLarge && !(error instanceof UnexpectedResponse)) throw error;
    const code = isTooLarge ? 'announced_data_too_large' : 'announced_data_refused';
    deps.log('warn', code, { ...connectionLogFields(connection), resource });
    return [];
  });
  const now = deps.clock.now();
  const sourceFormat = { source: provider, format: adapter.descriptor.format, timeZone: user.timezone };
  const batches = pages.map((page) => ({
    device,
    raw: toRawPages(sourceFormat, { requested: null, pages: [page] }, utcDay(now)),
    scopes: [],
  }));
  await acceptRecords(deps, user.id, now, batches);
}

/**
 * Handles a push that reports the end of a consent. The check is whether the provider still issues
 * tokens or, when there is no refresh token, whether it still returns data.
 */
async function checkToken(context: SyncContext, state: SyncState): Promise<SyncState> {
  const { grant } = await context.tokens.latest();
  if (!context.adapter.grant.refresh || grant.refreshToken === null)
    return { ...scheduleReads(context, state, [getRereadWindow(context, state)]), isReportedEnded: true };
  await context.tokens.renew();
  return { ...scheduleReads(context, state, []), isReportedEnded: false };
}
