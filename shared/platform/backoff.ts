// The parts of every backoff: jitter, so that callers that failed together do not retry together,
// and the delay that the other side requested.
const maxRetryAfterMs = 24 * 3_600_000;

/** A number from 0 up to, but not including, 1, from two random bytes. */
export const randomShare = (random: Uint8Array): number => ((random[0] ?? 0) * 256 + (random[1] ?? 0)) / 65_536;

/**
 * Parses `Retry-After`, as seconds or an HTTP date, and caps it at one day. An unreadable value
 * means no delay.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number {
  const text = header?.trim() ?? '';
  const delayMs = /^\d+$/.test(text)
    ? Number(text) * 1000
    : /^[A-Z][a-z]{2},? /.test(text)
      ? Date.parse(text) - nowMs
      : 0;
  return Number.isNaN(delayMs) ? 0 : Math.min(Math.max(delayMs, 0), maxRetryAfterMs);
}
