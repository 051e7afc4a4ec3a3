// What a push says becomes days to read again. What the provider gives no answer about goes behind everything else, and is given up when only it fails.
import { addDays, daysBetween, isCalendarDate, utcDay } from '../../model/local-day.ts';
import { type DayWindow, rawPages, type VendorPage } from '../../providers/pages.ts';
import { type Talk, Unexpected } from '../../providers/vendor.ts';
import type { Deferred, Notification } from '../../store/syncs.ts';
import { acceptRecords } from '../ingest/accept-records.ts';
import { findSession } from '../ingest/find-session.ts';
import { VendorAway } from '../providers/send.ts';
import { backoffMs, beforeLongMs, pollAfterMs, spread } from './sync-backoff.ts';
import { daysReadAgain, type SyncContext, type SyncState, today, withPlan } from './sync-state.ts';

/** No push announces more at once, or anything older. */
const maxDays = 92;
const oldestDays = 3_650;
/** So often the provider may fail on one while it answers everything else. */
const maxTimes = 5;

/** Some providers speak of days that are none, or that nobody has lived yet. */
export function saneDays({ from, to }: DayWindow, today: string): DayWindow | undefined {
  if (!isCalendarDate(from) || !isCalendarDate(to)) return undefined;
  const last = to > addDays(today, 1) ? addDays(today, 1) : to;
  const first = daysBetween(from, last) >= maxDays ? addDays(last, 1 - maxDays) : from;
  return first > last || last < addDays(today, -oldestDays) ? undefined : { from: first, to: last };
}

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
  return heard(context, state, await daysOf(context, state, notification));
}

async function daysOf(
  context: SyncContext,
  state: SyncState,
  notification: Exclude<Notification, { what: 'ended' }>,
): Promise<DayWindow[]> {
  if (notification.what === 'days')
    return [saneDays(notification, today(context, state))].flatMap((days) => days ?? []);
  const stood = await standing(
    context,
    state,
    notification.id,
    notification.what === 'deleted' ? [notification.kind] : undefined,
  );
  // What was deleted may wait to be worked in, and is then among the latest.
  if (notification.what === 'deleted') return stood.length > 0 ? stood : [daysReadAgain(context, state)];
  return [...stood, (await located(context, state, notification)) ?? daysReadAgain(context, state)];
}

/** Where something stands: it may have moved, and what it added to that day goes with it. */
async function standing(
  { deps }: SyncContext,
  { user, device }: SyncState,
  id: string,
  kinds: readonly ('sleep' | 'workouts')[] = ['workouts', 'sleep'],
): Promise<DayWindow[]> {
  const days: DayWindow[] = [];
  for (const kind of kinds) {
    const found = await findSession(deps.store, user.id, device.ordinal, kind, id);
    if (found) days.push({ from: found.date, to: found.date });
  }
  return days;
}

async function located(
  context: SyncContext,
  state: SyncState,
  { resource, id }: { resource: string; id: string },
): Promise<DayWindow | undefined> {
  const { adapter, configured, deps, line, tokens } = context;
  const { provider, device, vendorAccount, scopes } = state.connection;
  if (!adapter.fetch.locate) return undefined;
  const asked = {
    zone: state.user.timezone,
    account: vendorAccount ?? '',
    scopes,
    nowMs: deps.clock.now(),
    credentials: configured.credentials,
  };
  try {
    const found = await line.asPerson(adapter.fetch.locate({ resource, id }, asked), tokens);
    return found && saneDays(found, today(context, state));
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    deps.log('warn', 'notification_not_located', { provider, device_id: device, message: error.message });
    return undefined;
  }
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
