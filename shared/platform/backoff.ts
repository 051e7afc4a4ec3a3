// What every backoff is made of: chance, so that those who failed together do not come back together, and the pause that the other side asked for.
const maxRetryAfterMs = 24 * 3_600_000;

/** From 0 up to, but not including, 1: two random bytes. */
export const randomShare = (random: Uint8Array): number => ((random[0] ?? 0) * 256 + (random[1] ?? 0)) / 65_536;

/** Of `Retry-After`: seconds or a date, as HTTP has it, and a day at most; what cannot be read asks for nothing. */
export function retryAfterMs(header: string | undefined, nowMs: number): number {
  const text = header?.trim() ?? '';
  const delayMs = /^\d+$/.test(text)
    ? Number(text) * 1000
    : /^[A-Z][a-z]{2},? /.test(text)
      ? Date.parse(text) - nowMs
      : 0;
  return Number.isNaN(delayMs) ? 0 : Math.min(Math.max(delayMs, 0), maxRetryAfterMs);
}
