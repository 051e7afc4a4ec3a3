// How often to poll a connection. One whose pushes arrive is polled once a day, and when they stay
// away. Any other is polled often while it returns new data, less often at night in the user's time
// zone, and less and less often after a day of silence.

import { createHash } from 'node:crypto';
import { dayBounds, dayMs, isCalendarDate, todayIn } from '../../platform/time/local-day.ts';
import type { CloudDescriptor } from '../../providers/kit/descriptor.ts';
import type { DayWindow, ProviderPage } from '../../providers/kit/provider-pages.ts';
import type { ProviderCredentials } from '../../providers/kit/request-flow.ts';
import type { UserRow } from '../../users/user-rows.ts';
import { quickPollMinutes } from '../client/poll-share.ts';
import { addJitter, canBePolled, pollAfterMs, subtractJitter } from '../client/sync-backoff.ts';
import type { SyncPlan } from '../sync-plan.ts';
import type { SyncContext } from './sync-state.ts';

const minuteMs = 60_000;
/** In hours, in the user's time zone. */
export const pollNight = { from: 23, to: 6 } as const;
/** How much the last distance between two pushes counts. */
const pushWeight = 1 / 4;
/** After this many doublings, any interval has reached the usual one. */
const maxDoublings = 10;

/** The provider sends nothing, or this deployment cannot verify what it sends. */
export const isPollOnly = (
  { push }: Pick<CloudDescriptor, 'push'>,
  { more }: Pick<ProviderCredentials, 'more'>,
): boolean => push === null || (push.credential !== undefined && !more[push.credential]);

/**
 * A push arrived. A distance that is much longer than usual, as over a night, counts in part only,
 * and the pushes of one burst count as one.
 */
export function recordPush(
  descriptor: Pick<CloudDescriptor, 'sync' | 'push'>,
  plan: Pick<SyncPlan, 'pushes' | 'lastChangeMs'>,
  pushedMs: number,
): Pick<SyncPlan, 'pushes' | 'lastChangeMs'> {
  const firstUsualMs = Math.min(descriptor.sync.pollIntervalMinutes * minuteMs, pollAfterMs(descriptor));
  const { lastMs, usualMs } = plan.pushes ?? { lastMs: pushedMs, usualMs: firstUsualMs };
  const distanceMs = pushedMs - lastMs;
  const changeMs = distanceMs < quickPollMinutes * minuteMs ? 0 : Math.min(distanceMs, 2 * usualMs) - usualMs;
  const nextUsualMs = Math.max(quickPollMinutes * minuteMs, Math.round(usualMs + changeMs * pushWeight));
  return {
    pushes: { lastMs: Math.max(lastMs, pushedMs), usualMs: nextUsualMs },
    lastChangeMs: Math.max(plan.lastChangeMs, pushedMs),
  };
}

/** Pushes are expected until none has arrived for twice their usual distance. */
export const expectsPushes = (
  { descriptor }: Pick<SyncContext['adapter'], 'descriptor'>,
  { credentials }: Pick<SyncContext['configured'], 'credentials'>,
  { pushes }: Pick<SyncPlan, 'pushes'>,
  nowMs: number,
): boolean =>
  !canBePolled(descriptor) ||
  (!isPollOnly(descriptor, credentials) && pushes !== undefined && nowMs < silentFromMs(pushes));

const silentFromMs = ({ lastMs, usualMs }: NonNullable<SyncPlan['pushes']>): number => lastMs + 2 * usualMs;

/** When to poll the provider, unless a push arrives first. */
export function nextPollMs(
  { deps, adapter, configured }: Pick<SyncContext, 'deps' | 'adapter' | 'configured'>,
  { timezone: zone }: Pick<UserRow, 'timezone'>,
  plan: Pick<SyncPlan, 'lastChangeMs' | 'notBeforeMs' | 'history' | 'pushes'>,
): number {
  const { descriptor } = adapter;
  const { lastChangeMs, notBeforeMs, history, pushes } = plan;
  const nowMs = deps.clock.now();
  const random = deps.random.bytes(2);
  if (expectsPushes(adapter, configured, plan, nowMs)) {
    const silentMs = pushes ? skipNight(zone, silentFromMs(pushes)) - nowMs : Number.POSITIVE_INFINITY;
    return nowMs + addJitter(Math.min(Math.max(0, silentMs), pollAfterMs(descriptor)), random);
  }
  // The history has priority on the provider's rate limit.
  const isDelayed = notBeforeMs > 0 || history !== null;
  const { pollIntervalMinutes: pollMinutes } = descriptor.sync;
  return nowMs + subtractJitter(pollIntervalMs({ pollMinutes, zone, nowMs, lastChangeMs, isDelayed }), random);
}

/** Few wearables are synced at night, so a silence that begins then is noticed in the morning. */
const skipNight = (zone: string | null, ms: number): number => ms + msUntilMorning(zone, ms);

export interface PollFacts {
  /**
   * The usual interval, at which every connection may be polled, however little data it returns.
   */
  pollMinutes: number;
  zone: string | null;
  nowMs: number;
  /** When the connection last returned new data. */
  lastChangeMs: number;
  /**
   * The history is not complete yet, or the last run had to wait for the rate limit that all
   * connections share or for an unavailable provider.
   */
  isDelayed: boolean;
}

export function pollIntervalMs({ pollMinutes, zone, nowMs, lastChangeMs, isDelayed }: PollFacts): number {
  const usualMs = pollMinutes * minuteMs;
  const quickMs = Math.min(quickPollMinutes * minuteMs, usualMs);
  const silentDays = Math.max(0, Math.floor((nowMs - lastChangeMs) / dayMs));
  const byDayMs = isDelayed ? usualMs : Math.min(usualMs, quickMs * 2 ** Math.min(silentDays, maxDoublings));
  const nightLeftMs = msUntilMorning(zone, nowMs);
  // The first poll after the night waits no longer than the night lasts.
  return nightLeftMs === 0 ? byDayMs : Math.min(usualMs, Math.max(byDayMs, nightLeftMs));
}

/**
 * A digest of the response for those days. For some providers the request also covers adjacent
 * days, which are left out because more of them begin as the day goes on.
 */
export function responseDigest({ from, to }: DayWindow, pages: readonly ProviderPage[]): string {
  const hash = createHash('sha256');
  for (const { resource, parameter = '', text } of pages)
    if (!isCalendarDate(parameter) || (from <= parameter && parameter <= to))
      hash.update(JSON.stringify([resource, parameter, text]));
  return hash.digest('base64url').slice(0, 12);
}

/** The time until morning; 0 during the day. */
function msUntilMorning(zone: string | null, nowMs: number): number {
  const hourMs = 60 * minuteMs;
  const { startMs, endMs } = dayBounds(todayIn(zone, nowMs), zone);
  const morningMs = startMs + pollNight.to * hourMs;
  if (nowMs < morningMs) return morningMs - nowMs;
  return nowMs < startMs + pollNight.from * hourMs ? 0 : endMs + pollNight.to * hourMs - nowMs;
}
