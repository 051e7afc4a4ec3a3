// The backoff of a delivery: thirteen times over five days, never earlier than planned, and not before the endpoint asked for.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The wait after each failed attempt but the last; the first attempt is made at once. */
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
export const mostAttempts = retryDelaysMs.length + 1;

export const failingForMs = 5 * day;
export const secretOverlapMs = day;
const longestRetryAfterMs = day;
const jitterShare = 0.1;

/** From 0 up to, but not including, 1. */
export const share = (random: Uint8Array): number => ((random[0] ?? 0) * 256 + (random[1] ?? 0)) / 65_536;

const jittered = (ms: number, random: Uint8Array): number => Math.ceil(ms * (1 + jitterShare * share(random)));

/** When to try again after so many attempts; undefined when that was the last one. */
export function nextAttemptMs(
  tries: number,
  nowMs: number,
  retryAfter: string | undefined,
  random: Uint8Array,
): number | undefined {
  const planned = retryDelaysMs[tries - 1];
  if (planned === undefined) return undefined;
  const asked = retryAfterMs(retryAfter, nowMs);
  return nowMs + jittered(Math.max(planned, asked), random);
}

/** Seconds or a date, as HTTP has it; what cannot be read asks for nothing. */
export function retryAfterMs(header: string | undefined, nowMs: number): number {
  const text = header?.trim() ?? '';
  const asked = /^\d+$/.test(text)
    ? Number(text) * second
    : /^[A-Z][a-z]{2},? /.test(text)
      ? Date.parse(text) - nowMs
      : 0;
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(asked, 0), longestRetryAfterMs);
}
