// The last steps of every answer: entity tag, compression, and the headers that every response has.
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Bucket } from '../domain/authenticate.ts';
import { bucketState, rateLimit } from '../model/rate-limit.ts';

const worthCompressingBytes = 1024;

export interface Draft {
  status: number;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Weak, because the same content may be sent compressed. */
export const entityTag = (text: string): string =>
  `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;

export function revalidated(draft: Draft, ifNoneMatch: string | null): Draft {
  if (draft.status !== 200 || draft.body === undefined) return draft;
  const etag = entityTag(draft.body);
  const headers = { ...draft.headers, ETag: etag, 'Cache-Control': 'private, no-cache' };
  const matches = ifNoneMatch?.split(',').some((each) => each.trim() === etag || each.trim() === '*');
  return matches ? { status: 304, headers, body: undefined } : { ...draft, headers };
}

export function encoded(draft: Draft, acceptEncoding: string | null): Draft & { bytes: Uint8Array | undefined } {
  if (draft.body === undefined) return { ...draft, bytes: undefined };
  const plain = Buffer.from(draft.body);
  const headers = { ...draft.headers, Vary: 'Accept-Encoding' };
  if (plain.length < worthCompressingBytes) return { ...draft, headers, bytes: plain };
  const encoding = preferredEncoding(acceptEncoding);
  if (encoding === 'br')
    return {
      ...draft,
      headers: { ...headers, 'Content-Encoding': 'br' },
      bytes: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
    };
  if (encoding === 'gzip')
    return { ...draft, headers: { ...headers, 'Content-Encoding': 'gzip' }, bytes: gzipSync(plain) };
  return { ...draft, headers, bytes: plain };
}

function preferredEncoding(header: string | null): 'br' | 'gzip' | undefined {
  const accepted = new Set(
    (header ?? '')
      .split(',')
      .map((each) =>
        each
          .trim()
          .toLowerCase()
          .split(/\s*;\s*/),
      )
      .filter(([, quality]) => quality === undefined || !/^q=0(\.0*)?$/.test(quality))
      .map(([name]) => name),
  );
  return (['br', 'gzip'] as const).find((each) => accepted.has(each));
}

/** Without a bucket of its own (no key yet) a response states the whole allowance. */
export function limitHeaders(bucket: Bucket | undefined): Record<string, string> {
  const state = bucket ? bucketState(bucket.fullAtMs, bucket.nowMs) : { remaining: rateLimit.burst, fullInSeconds: 0 };
  return {
    'RateLimit-Policy': `"default";q=${rateLimit.burst};w=${rateLimit.burst / rateLimit.perSecond}`,
    RateLimit: `"default";r=${state.remaining};t=${state.fullInSeconds}`,
  };
}

export const openToBrowsers = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
} as const;
