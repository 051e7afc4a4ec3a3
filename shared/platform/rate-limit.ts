// Rate limits: a bucket of `burst` requests that is full again after `burst / perSecond` seconds.

export interface RatePolicy {
  perSecond: number;
  burst: number;
  /** The number of rows over which the bucket is spread, each with an equal share. */
  rows: number;
  /** How often a row regains one request. In whole microseconds, so that sums are exact. */
  intervalMs: number;
}

/**
 * A partition of the table handles 1,000 writes per second; half of that leaves room for rejected
 * requests.
 */
export const maxPerRow = 500;
/** The highest limit of an account: what the gateway lets through for all accounts together. */
export const maxPerSecond = 10_000;

/**
 * Above `maxPerRow` requests per second, a bucket has several rows. Together they never allow more
 * than the total.
 */
export function ratePolicy(perSecond: number, burst = 2 * perSecond): RatePolicy {
  const rows = Math.ceil(perSecond / maxPerRow);
  return { perSecond, burst, rows, intervalMs: Math.ceil((rows * 1e6) / perSecond) / 1e3 };
}

/** The limit of each API key, unless its account has its own limit. */
export const rateLimit: RatePolicy = ratePolicy(100);

/** The limit of each user, for all the user's tokens together. */
export const userTokenRateLimit: RatePolicy = ratePolicy(10, 50);

/**
 * The limit of each session of the console: a page loads with dozens of requests, then polls. A
 * session's row holds its own bucket, so that admission stays one write; a bucket of the colleague
 * would be a second one. A colleague has few sessions, which bounds them together.
 */
export const consoleRateLimit: RatePolicy = ratePolicy(10, 100);

/**
 * The limit of each session of the Mobile SDK. A phone syncs a few times an hour, and a first sync
 * of two years is some sixty full batches. A user has few sessions, which bounds them together.
 */
export const sdkSessionRateLimit: RatePolicy = ratePolicy(1, 30);

/**
 * The limit of each address, for calls without a valid credential. Many phones may share one
 * address.
 */
export const addressRateLimit: RatePolicy = ratePolicy(50, 500);

const rowBurst = ({ burst, rows }: RatePolicy): number => Math.floor(burst / rows);
/** A mark has at most three decimals, but the difference of two large numbers is not exact. */
const roundToMicroseconds = (milliseconds: number): number => Math.round(milliseconds * 1e3) / 1e3;

/** A row whose mark is beyond this is empty. */
export const computeCeilingMs = (nowMs: number, policy: RatePolicy = rateLimit): number =>
  roundToMicroseconds(nowMs + (rowBurst(policy) - 1) * policy.intervalMs);

/**
 * How many requests would be admitted at once, and when the bucket is full again, for a row with
 * the mark `fullAtMs`. For a bucket of several rows this is an estimate, as if all rows were as
 * full as this one.
 */
export function computeBucketState(
  fullAtMs: number,
  nowMs: number,
  policy: RatePolicy = rateLimit,
): { remaining: number; fullInSeconds: number } {
  const { intervalMs, rows } = policy;
  // Others may have moved the mark since `nowMs` was read; the debt is never more than the whole
  // bucket.
  const debtMs = Math.min(
    Math.max(0, roundToMicroseconds(fullAtMs - nowMs)),
    roundToMicroseconds(rowBurst(policy) * intervalMs),
  );
  const usedRequests = Math.ceil(Math.round(debtMs * 1e3) / Math.round(intervalMs * 1e3));
  return { remaining: (rowBurst(policy) - usedRequests) * rows, fullInSeconds: Math.ceil(debtMs / 1000) };
}

/** Whole seconds until a request is admitted again, at least one. */
export function computeRetryAfterSeconds(fullAtMs: number, nowMs: number, policy: RatePolicy = rateLimit): number {
  return Math.max(1, Math.ceil(roundToMicroseconds(fullAtMs - computeCeilingMs(nowMs, policy)) / 1000));
}
