// How often one may ask: a bucket of `burst` requests that is full again after `burst / perSecond` seconds.

export interface RatePolicy {
  perSecond: number;
  burst: number;
  /** A bucket is spread over so many rows, each with an equal share of it. */
  rows: number;
  /** One row gets a request back every so often. Whole microseconds, so that sums of it are exact. */
  intervalMs: number;
}

/** One partition of the table takes 1,000 writes a second; half of that leaves room for what is refused. */
export const maxPerRow = 500;
/** Of an account: as many as the gateway lets through for all accounts together. */
export const maxPerSecond = 10_000;

/** Above `maxPerRow` a second, a bucket has several rows. All of them together never hold more than the whole. */
export function ratePolicy(perSecond: number, burst = 2 * perSecond): RatePolicy {
  const rows = Math.ceil(perSecond / maxPerRow);
  return { perSecond, burst, rows, intervalMs: Math.ceil((rows * 1e6) / perSecond) / 1e3 };
}

/** Of each API key, unless its account has a limit of its own. */
export const rateLimit: RatePolicy = ratePolicy(100);

/** Of each user, for all its tokens together. */
export const userTokenRateLimit: RatePolicy = ratePolicy(10, 50);

/** Of each address, for calls without a valid credential: many phones may stand behind one. */
export const addressRateLimit: RatePolicy = ratePolicy(50, 500);

const rowBurst = ({ burst, rows }: RatePolicy): number => Math.floor(burst / rows);
/** A mark has at most three decimals, which a difference of two large numbers does not show exactly. */
const roundToMicroseconds = (milliseconds: number): number => Math.round(milliseconds * 1e3) / 1e3;

/** A row whose mark is beyond this is empty. */
export const computeCeilingMs = (nowMs: number, policy: RatePolicy = rateLimit): number =>
  roundToMicroseconds(nowMs + (rowBurst(policy) - 1) * policy.intervalMs);

/**
 * How many requests would pass at once, and when the bucket is full again, for a row marked full at
 * `fullAtMs`. Of a spread bucket this is an estimate: as if all of its rows were as full as this one.
 */
export function computeBucketState(
  fullAtMs: number,
  nowMs: number,
  policy: RatePolicy = rateLimit,
): { remaining: number; fullInSeconds: number } {
  const { intervalMs, rows } = policy;
  // Others may have moved the mark since `nowMs` was read; the bucket never owes more than itself.
  const debtMs = Math.min(
    Math.max(0, roundToMicroseconds(fullAtMs - nowMs)),
    roundToMicroseconds(rowBurst(policy) * intervalMs),
  );
  const usedRequests = Math.ceil(Math.round(debtMs * 1e3) / Math.round(intervalMs * 1e3));
  return { remaining: (rowBurst(policy) - usedRequests) * rows, fullInSeconds: Math.ceil(debtMs / 1000) };
}

/** Whole seconds until one request passes again, at least one. */
export function computeRetryAfterSeconds(fullAtMs: number, nowMs: number, policy: RatePolicy = rateLimit): number {
  return Math.max(1, Math.ceil(roundToMicroseconds(fullAtMs - computeCeilingMs(nowMs, policy)) / 1000));
}
