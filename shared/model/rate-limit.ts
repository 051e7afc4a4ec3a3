// The limit each API key has: a bucket of `burst` requests that one request refills every `intervalMs`.

export const rateLimit = { perSecond: 100, burst: 200, intervalMs: 10 } as const;

/** How many requests would pass at once, and when the bucket is full again, for a bucket marked full at `fullAtMs`. */
export function bucketState(fullAtMs: number, nowMs: number): { remaining: number; fullInSeconds: number } {
  // Others may have moved the mark since `nowMs` was read; the bucket never owes more than itself.
  const debtMs = Math.min(Math.max(0, fullAtMs - nowMs), rateLimit.burst * rateLimit.intervalMs);
  return {
    remaining: Math.max(0, Math.floor(rateLimit.burst - debtMs / rateLimit.intervalMs)),
    fullInSeconds: Math.ceil(debtMs / 1000),
  };
}

/** Whole seconds until one request passes again, at least one. */
export function retryAfterSeconds(fullAtMs: number, nowMs: number): number {
  const passesAtMs = fullAtMs - (rateLimit.burst - 1) * rateLimit.intervalMs;
  return Math.max(1, Math.ceil((passesAtMs - nowMs) / 1000));
}
