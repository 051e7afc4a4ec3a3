// The result of admitting a caller, for any kind of credential: who they are, whether their plan is
// suspended, and the bucket they draw on.

import { computeRetryAfterSeconds, type RatePolicy } from '../platform/rate-limit.ts';
import type { Caller } from './caller.ts';
import { Failure } from './failure.ts';

export interface AdmittedCaller<C = Caller> {
  caller: C;
  suspended: boolean;
  /** Missing if nothing limits such a caller. */
  bucket?: Bucket;
}
export interface Bucket {
  fullAtMs: number;
  nowMs: number;
  /** The policy of an API key by default. */
  policy?: RatePolicy;
}

/** Rejected by the rate limit; it includes the state of the bucket. */
export class RateLimited extends Failure {
  readonly bucket: Bucket;
  constructor(bucket: Bucket) {
    const seconds = computeRetryAfterSeconds(bucket.fullAtMs, bucket.nowMs, bucket.policy);
    super('rate_limited', `Too many requests. Try again in ${seconds} s.`, {
      details: { retry_after_seconds: seconds },
      retryAfterSeconds: seconds,
    });
    this.bucket = bucket;
  }
}

export const unknownTokenText = 'The token is malformed, unknown or revoked.';

export const unknownToken = (advice: string, cause?: unknown) =>
  new Failure('invalid_token', `${unknownTokenText} ${advice}`, { cause });

export const unknownKeyAdvice = 'Check it, or create a new key.';
export const unknownUserTokenAdvice = 'Check it, or request a new one from your backend.';
export const unknownAccessTokenAdvice = 'Check it, or open a new SDK session.';
