// When to call a provider again: later after each failure, spread by jitter, and no sooner than the
// provider allows.

import { randomShare } from '../../platform/backoff.ts';
import type { CloudDescriptor } from '../../providers/kit/descriptor.ts';

const minuteMs = 60_000;
const maxBackoffMs = 60 * minuteMs;
const jitterShare = 0.1;
/**
 * Unused tokens expire, so the tokens of a provider that cannot be polled are renewed at this
 * interval.
 */
const tokenUpkeepMinutes = 30 * 24 * 60;

/** From one minute to one hour, plus up to half of that at random. */
export function backoffMs(failures: number, random: Uint8Array): number {
  const planned = Math.min(minuteMs * 2 ** Math.min(failures - 1, 10), maxBackoffMs);
  return Math.ceil(planned * (1 + randomShare(random) / 2));
}

/** Spreads out connections that started at the same time. */
export const addJitter = (ms: number, random: Uint8Array): number =>
  Math.round(ms * (1 - jitterShare + 2 * jitterShare * randomShare(random)));

/** Like `addJitter`, but never later than `ms`. */
export const subtractJitter = (ms: number, random: Uint8Array): number =>
  Math.round(ms * (1 - jitterShare * randomShare(random)));

/** How long after the last sync or push to poll for a user's data. */
export function pollAfterMs({ push, sync }: Pick<CloudDescriptor, 'push' | 'sync'>): number {
  return minuteMs * (push === null ? sync.pollIntervalMinutes : (sync.maxSilenceMinutes ?? tokenUpkeepMinutes));
}

/** False for a provider such as Garmin, which does not allow polling at all. */
export const canBePolled = ({ push, sync }: Pick<CloudDescriptor, 'push' | 'sync'>): boolean =>
  push === null || sync.maxSilenceMinutes !== null;

const dayMs = 24 * 60 * minuteMs;

/**
 * However much is pushed, a provider that can be polled is polled once a day, or less often if its
 * own interval is longer.
 */
export const capPollDelay = (
  descriptor: Pick<CloudDescriptor, 'push' | 'sync'>,
  lastPolledMs: number,
  plannedMs: number,
): number =>
  canBePolled(descriptor) ? Math.min(plannedMs, lastPolledMs + Math.max(dayMs, pollAfterMs(descriptor))) : plannedMs;
