// When a vendor is asked again: later the more often it failed, never all at once, and not before it wants to be.

import { randomShare } from '../../platform/backoff.ts';
import type { CloudDescriptor } from '../../providers/kit/descriptor.ts';

const minuteMs = 60_000;
const maxBackoffMs = 60 * minuteMs;
const jitterShare = 0.1;
/** Tokens that are never used run out: those of a vendor that may not be asked are renewed so often. */
const tokenUpkeepMinutes = 30 * 24 * 60;

/** From a minute to an hour, and half of it by chance. */
export function backoffMs(failures: number, random: Uint8Array): number {
  const planned = Math.min(minuteMs * 2 ** Math.min(failures - 1, 10), maxBackoffMs);
  return Math.ceil(planned * (1 + randomShare(random) / 2));
}

/** Those that began together drift apart. */
export const addJitter = (ms: number, random: Uint8Array): number =>
  Math.round(ms * (1 - jitterShare + 2 * jitterShare * randomShare(random)));

/** The same, but never later. */
export const subtractJitter = (ms: number, random: Uint8Array): number =>
  Math.round(ms * (1 - jitterShare * randomShare(random)));

/** How long after the last sync, or the last push, a person's data is asked for. */
export function pollAfterMs({ push, sync }: Pick<CloudDescriptor, 'push' | 'sync'>): number {
  return minuteMs * (push === null ? sync.pollIntervalMinutes : (sync.maxSilenceMinutes ?? tokenUpkeepMinutes));
}

/** Garmin may not be asked for data at all. */
export const canBePolled = ({ push, sync }: Pick<CloudDescriptor, 'push' | 'sync'>): boolean =>
  push === null || sync.maxSilenceMinutes !== null;

const dayMs = 24 * 60 * minuteMs;

/** However much is pushed, a vendor that may be asked is asked once a day, or as seldom as it wants to be. */
export const capPollDelay = (
  descriptor: Pick<CloudDescriptor, 'push' | 'sync'>,
  lastPolledMs: number,
  plannedMs: number,
): number =>
  canBePolled(descriptor) ? Math.min(plannedMs, lastPolledMs + Math.max(dayMs, pollAfterMs(descriptor))) : plannedMs;
