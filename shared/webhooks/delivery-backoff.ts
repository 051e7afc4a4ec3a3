// The backoff of a delivery: thirteen attempts over five days, none earlier than planned or than
// the endpoint requested.
import { randomShare, retryAfterMs } from '../platform/backoff.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The delay after each failed attempt except the last; the first attempt is immediate. */
export const retryDelaysMs = [
  5 * second,
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  day,
  day,
  day,
] as const;
export const maxDeliveryAttempts = retryDelaysMs.length + 1;

export const maxFailingMs = 5 * day;
export const secretOverlapMs = day;
const jitterShare = 0.1;

const withJitter = (ms: number, random: Uint8Array): number => Math.ceil(ms * (1 + jitterShare * randomShare(random)));

/** When to try again after this many attempts; undefined if that was the last one. */
export function nextAttemptMs(
  tries: number,
  nowMs: number,
  retryAfter: string | undefined,
  random: Uint8Array,
): number | undefined {
  const planned = retryDelaysMs[tries - 1];
  if (planned === undefined) return undefined;
  const requestedMs = retryAfterMs(retryAfter, nowMs);
  return nowMs + withJitter(Math.max(planned, requestedMs), random);
}
