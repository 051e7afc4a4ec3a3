// The days that a push refers to: those that it names, those where the session is stored, and those
// where the provider locates it.

import { findSessionDate } from '../../pipeline/find-session-date.ts';
import { addDays, daysBetween, isCalendarDate } from '../../platform/time/local-day.ts';
import type { DayWindow } from '../../providers/kit/provider-pages.ts';
import { UnexpectedResponse } from '../../providers/kit/request-flow.ts';
import { connectionLogFields } from '../connection-rows.ts';
import type { Notification } from '../sync-plan.ts';
import { getRereadWindow, type SyncContext, type SyncState, todayFor } from './sync-state.ts';

/** No push announces more days at once, or older ones. */
const maxDays = 92;
const maxAgeDays = 3_650;

/** Some providers name days that do not exist or are in the future. */
export function sanitizeDays({ from, to }: DayWindow, today: string): DayWindow | undefined {
  if (!isCalendarDate(from) || !isCalendarDate(to)) return undefined;
  const last = to > addDays(today, 1) ? addDays(today, 1) : to;
  const first = daysBetween(from, last) >= maxDays ? addDays(last, 1 - maxDays) : from;
  return first > last || last < addDays(today, -maxAgeDays) ? undefined : { from: first, to: last };
}

export async function findNotifiedDays(
  context: SyncContext,
  state: SyncState,
  notification: Exclude<Notification, { what: 'ended' | 'requested' }>,
): Promise<DayWindow[]> {
  if (notification.what === 'days')
    return [sanitizeDays(notification, todayFor(context, state))].flatMap((days) => days ?? []);
  const storedDays = await findStoredDays(
    context,
    state,
    notification.id,
    notification.what === 'deleted' ? [notification.kind] : undefined,
  );
  // A deleted session that has not been processed yet is among the latest days.
  if (notification.what === 'deleted') return storedDays.length > 0 ? storedDays : [getRereadWindow(context, state)];
  return [...storedDays, (await locateDays(context, state, notification)) ?? getRereadWindow(context, state)];
}

/**
 * The days where a session is stored. It may have moved, and what it added to its old day has to go
 * too.
 */
export async function findStoredDays(
  { deps }: SyncContext,
  { user, device }: SyncState,
  id: string,
  kinds: readonly ('sleep' | 'workouts')[] = ['workouts', 'sleep'],
): Promise<DayWindow[]> {
  const days: DayWindow[] = [];
  for (const kind of kinds) {
    const match = await findSessionDate(deps.store, user.id, device.ordinal, kind, id);
    if (match) days.push({ from: match.date, to: match.date });
  }
  return days;
}

async function locateDays(
  context: SyncContext,
  state: SyncState,
  { resource, id }: { resource: string; id: string },
): Promise<DayWindow | undefined> {
  const { adapter, configured, deps, client, tokens } = context;
  const { providerAccount, scopes } = state.connection;
  if (!adapter.fetch.locate) return undefined;
  const request = {
    zone: state.user.timezone,
    account: providerAccount ?? '',
    scopes,
    nowMs: deps.clock.now(),
    credentials: configured.credentials,
  };
  try {
    const match = await client.withUserToken(adapter.fetch.locate({ resource, id }, request), tokens);
    return match && sanitizeDays(match, todayFor(context, state));
  } catch (error) {
    if (!(error instanceof UnexpectedResponse)) throw error;
    deps.log('warn', 'notification_not_located', { ...connectionLogFields(state.connection), detail: error.message });
    return undefined;
  }
}
