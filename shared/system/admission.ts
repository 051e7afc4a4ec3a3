// What letting somebody in comes to, whatever they showed: who they are, whether their plan is suspended, and the bucket they draw on.

import { computeRetryAfterSeconds, type RatePolicy } from '../platform/rate-limit.ts';
import type { Caller } from './caller.ts';
import { Failure } from './failure.ts';

export interface AdmittedCaller<C = Caller> {
  caller: C;
  suspended: boolean;
  /** Missing where nothing limits such a caller. */
  bucket?: Bucket;
}
export interface Bucket {
  fullAtMs: number;
  nowMs: number;
  /** That of an API key by default. */
  policy?: RatePolicy;
}

/** Refused by the limit; it still says how full the bucket is. */
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

export const unknownToken = () => new Failure('invalid_token', 'The token is malformed or unknown.');
