// The days that a push speaks of: those it names, where something stands, and where the provider says that it is.

import { findSession } from '../../pipeline/find-session.ts';
import { addDays, daysBetween, isCalendarDate } from '../../platform/time/local-day.ts';
import type { DayWindow } from '../../providers/kit/pages.ts';
import { Unexpected } from '../../providers/kit/vendor.ts';
import type { Notification } from '../sync-plan.ts';
import { daysReadAgain, type SyncContext, type SyncState, today } from './sync-state.ts';

/** No push announces more at once, or anything older. */
const maxDays = 92;
const oldestDays = 3_650;

/** Some providers speak of days that are none, or that nobody has lived yet. */
export function saneDays({ from, to }: DayWindow, today: string): DayWindow | undefined {
  if (!isCalendarDate(from) || !isCalendarDate(to)) return undefined;
  const last = to > addDays(today, 1) ? addDays(today, 1) : to;
  const first = daysBetween(from, last) >= maxDays ? addDays(last, 1 - maxDays) : from;
  return first > last || last < addDays(today, -oldestDays) ? undefined : { from: first, to: last };
}

export async function announcedDays(
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
export async function standing(
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
