// The headers that every response has.
import type { Context, MiddlewareHandler } from 'hono';
import { computeBucketState, rateLimit } from '../platform/rate-limit.ts';
import type { Bucket } from '../system/admission.ts';
import type { ApiEnv } from './api-env.ts';
import { findCallerKind } from './caller-kind.ts';
import { isReadRequest } from './etag.ts';

export const setResponseHeaders: MiddlewareHandler<ApiEnv> = async (c, next) => {
  await next();
  const { headers } = c.res;
  const { callers, maxAgeSeconds } = c.get('endpoint') ?? {};
  const { cacheControl } = findCallerKind(callers, c.get('caller')) ?? {};
  if (cacheControl) headers.set('Cache-Control', cacheControl);
  else if (maxAgeSeconds !== undefined && (c.res.status === 200 || c.res.status === 304)) {
    headers.set('Cache-Control', `private, max-age=${maxAgeSeconds}`);
    headers.append('Vary', 'Authorization');
  } else if (!headers.has('cache-control')) headers.set('Cache-Control', isPublic(c) ? 'no-cache' : 'no-store');
  for (const [name, value] of Object.entries({ ...buildRateLimitHeaders(c.get('bucket')), ...browserHeaders }))
    headers.set(name, value);
  headers.set('X-Request-Id', c.env.requestId);
};

/**
 * A public response may be cached and revalidated by its tag. Health data is never cached on the
 * way, and by its caller only where the endpoint says so.
 */
const isPublic = (c: Context<ApiEnv>): boolean => isReadRequest(c) && c.get('endpoint')?.callers.length === 0;

/** Without a bucket (no key yet), the response states the full quota. */
export function buildRateLimitHeaders(bucket: Bucket | undefined): Record<string, string> {
  const { burst, perSecond } = bucket?.policy ?? rateLimit;
  const state = bucket
    ? computeBucketState(bucket.fullAtMs, bucket.nowMs, bucket.policy)
    : { remaining: burst, fullInSeconds: 0 };
  return {
    'RateLimit-Policy': `"default";q=${burst};w=${burst / perSecond}`,
    RateLimit: `"default";r=${state.remaining};t=${state.fullInSeconds}`,
  };
}

/** Any origin may call the API; browsers must not sniff content types or send referrers. */
export const browserHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
  'Referrer-Policy': 'no-referrer',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
} as const;
