// How often a connection is asked that sends nothing by itself: often while it brings data, less often at
// night by the person's clock, and less and less often when it has been silent for a day.

import { createHash } from 'node:crypto';
import { dayBounds, dayMs, isCalendarDate, todayIn } from '../../platform/time/local-day.ts';
import type { CloudDescriptor } from '../../providers/kit/descriptor.ts';
import type { DayWindow, ProviderPage } from '../../providers/kit/provider-pages.ts';
import type { ProviderCredentials } from '../../providers/kit/request-flow.ts';
import type { UserRow } from '../../users/user-rows.ts';
import { addJitter, pollAfterMs, subtractJitter } from '../client/sync-backoff.ts';
import type { SyncPlan } from '../sync-plan.ts';
import type { SyncContext } from './sync-state.ts';

const minuteMs = 60_000;
export const quickPollMinutes = 15;
/** By the person's clock, in hours. */
export const pollNight = { from: 23, to: 6 } as const;
/** Doubled so often, any pace has become the usual one. */
const maxDoublings = 10;

/** The provider sends nothing, or this deployment cannot verify what it sends. */
export const isPollOnly = (
  { push }: Pick<CloudDescriptor, 'push'>,
  { more }: Pick<ProviderCredentials, 'more'>,
): boolean => push === null || (push.credential !== undefined && !more[push.credential]);

/** When the provider is polled if nothing is heard of it before. */
export function nextPollMs(
  { deps, adapter: { descriptor }, configured }: Pick<SyncContext, 'deps' | 'adapter' | 'configured'>,
  { timezone: zone }: Pick<UserRow, 'timezone'>,
  { newsMs, notBeforeMs, history }: Pick<SyncPlan, 'newsMs' | 'notBeforeMs' | 'history'>,
): number {
  const nowMs = deps.clock.now();
  const random = deps.random.bytes(2);
  if (!isPollOnly(descriptor, configured.credentials)) return nowMs + addJitter(pollAfterMs(descriptor), random);
  // The history takes the provider's limit first.
  const isDelayed = notBeforeMs > 0 || history !== null;
  const { pollIntervalMinutes: pollMinutes } = descriptor.sync;
  return nowMs + subtractJitter(pollIntervalMs({ pollMinutes, zone, nowMs, newsMs, isDelayed }), random);
}

export interface PollFacts {
  /** How often everybody may be asked, however little they bring. */
  pollMinutes: number;
  zone: string | null;
  nowMs: number;
  /** When it last brought something new. */
  newsMs: number;
  /** Its history is not in yet, or it had to wait the last time: for the limit that all connections share, or for a provider that was away. */
  isDelayed: boolean;
}

export function pollIntervalMs({ pollMinutes, zone, nowMs, newsMs, isDelayed }: PollFacts): number {
  const usualMs = pollMinutes * minuteMs;
  const quickMs = Math.min(quickPollMinutes * minuteMs, usualMs);
  const silentDays = Math.max(0, Math.floor((nowMs - newsMs) / dayMs));
  const byDayMs = isDelayed ? usualMs : Math.min(usualMs, quickMs * 2 ** Math.min(silentDays, maxDoublings));
  const nightLeftMs = msUntilMorning(zone, nowMs);
  // The first look after the night does not wait for longer than the night lasts.
  return nightLeftMs === 0 ? byDayMs : Math.min(usualMs, Math.max(byDayMs, nightLeftMs));
}

/** What was answered about those days. Some providers are asked about days beside them, too, of which more begin as the day goes on. */
export function responseDigest({ from, to }: DayWindow, pages: readonly ProviderPage[]): string {
  const hash = createHash('sha256');
  for (const { resource, of = '', text } of pages)
    if (!isCalendarDate(of) || (from <= of && of <= to)) hash.update(JSON.stringify([resource, of, text]));
  return hash.digest('base64url').slice(0, 12);
}

/** How long it is until the morning; 0 by day. */
function msUntilMorning(zone: string | null, nowMs: number): number {
  const hourMs = 60 * minuteMs;
  const { startMs, endMs } = dayBounds(todayIn(zone, nowMs), zone);
  const morningMs = startMs + pollNight.to * hourMs;
  if (nowMs < morningMs) return morningMs - nowMs;
  return nowMs < startMs + pollNight.from * hourMs ? 0 : endMs + pollNight.to * hourMs - nowMs;
}
