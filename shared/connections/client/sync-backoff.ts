// When a vendor is asked again: later the more often it failed, never all at once, and not before it wants to be.

import { randomShare } from '../../platform/backoff.ts';
import type { CloudDescriptor } from '../../providers/kit/descriptor.ts';

const minuteMs = 60_000;
const longestMs = 60 * minuteMs;
const spreadShare = 0.1;
/** Tokens that are never used run out: those of a vendor that may not be asked are renewed so often. */
const upkeepMinutes = 30 * 24 * 60;

/** From a minute to an hour, and half of it by chance. */
export function backoffMs(failures: number, random: Uint8Array): number {
  const planned = Math.min(minuteMs * 2 ** Math.min(failures - 1, 10), longestMs);
  return Math.ceil(planned * (1 + randomShare(random) / 2));
}

/** Those that began together drift apart. */
export const spread = (ms: number, random: Uint8Array): number =>
  Math.round(ms * (1 - spreadShare + 2 * spreadShare * randomShare(random)));

/** The same, but never later. */
export const spreadBefore = (ms: number, random: Uint8Array): number =>
  Math.round(ms * (1 - spreadShare * randomShare(random)));

/** How long after the last sync, or the last push, a person's data is asked for. */
export function pollAfterMs({ push, sync }: Pick<CloudDescriptor, 'push' | 'sync'>): number {
  return minuteMs * (push === null ? sync.pollMinutes : (sync.silentMinutes ?? upkeepMinutes));
}

/** Garmin may not be asked for data at all. */
export const mayBeAsked = ({ push, sync }: Pick<CloudDescriptor, 'push' | 'sync'>): boolean =>
  push === null || sync.silentMinutes !== null;

const dayMs = 24 * 60 * minuteMs;

/** However much is pushed, a vendor that may be asked is asked once a day, or as seldom as it wants to be. */
export const beforeLongMs = (
  descriptor: Pick<CloudDescriptor, 'push' | 'sync'>,
  lookedMs: number,
  plannedMs: number,
): number =>
  mayBeAsked(descriptor) ? Math.min(plannedMs, lookedMs + Math.max(dayMs, pollAfterMs(descriptor))) : plannedMs;
