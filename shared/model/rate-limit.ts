// How often one may ask: a bucket of `burst` requests that one request refills every `intervalMs`.

export interface RatePolicy {
  perSecond: number;
  burst: number;
  intervalMs: number;
}

/** Of each API key. */
export const rateLimit = { perSecond: 100, burst: 200, intervalMs: 10 } as const satisfies RatePolicy;

/** Of each user, for all its tokens together. */
export const userTokenRateLimit = { perSecond: 10, burst: 50, intervalMs: 100 } as const satisfies RatePolicy;

/** Of each address, for calls without a valid credential: many phones may stand behind one. */
export const addressRateLimit = { perSecond: 50, burst: 500, intervalMs: 20 } as const satisfies RatePolicy;

/** Beyond this mark a bucket is empty. */
export const ceilingOf = (nowMs: number, policy: RatePolicy = rateLimit): number =>
  nowMs + (policy.burst - 1) * policy.intervalMs;

/** How many requests would pass at once, and when the bucket is full again, for a bucket marked full at `fullAtMs`. */
export function bucketState(
  fullAtMs: number,
  nowMs: number,
  policy: RatePolicy = rateLimit,
): { remaining: number; fullInSeconds: number } {
  // Others may have moved the mark since `nowMs` was read; the bucket never owes more than itself.
  const debtMs = Math.min(Math.max(0, fullAtMs - nowMs), policy.burst * policy.intervalMs);
  return {
    remaining: Math.max(0, Math.floor(policy.burst - debtMs / policy.intervalMs)),
    fullInSeconds: Math.ceil(debtMs / 1000),
  };
}

/** Whole seconds until one request passes again, at least one. */
export function retryAfterSeconds(fullAtMs: number, nowMs: number, policy: RatePolicy = rateLimit): number {
  const passesAtMs = fullAtMs - (policy.burst - 1) * policy.intervalMs;
  return Math.max(1, Math.ceil((passesAtMs - nowMs) / 1000));
}
