// The last steps of every answer: entity tag, compression, and the headers that every response has.
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Bucket } from '../domain/access/authenticate.ts';
import { bucketState, rateLimit } from '../model/rate-limit.ts';

const worthCompressingBytes = 1024;

export interface Draft {
  status: number;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Weak, because the same content may be sent compressed. */
const entityTag = (text: string): string => `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;

export function revalidated(draft: Draft, ifNoneMatch: string | null): Draft {
  if (draft.status !== 200 || draft.body === undefined) return draft;
  const etag = entityTag(draft.body);
  const headers = { ...draft.headers, ETag: etag };
  const opaque = etag.slice('W/'.length);
  const given = (ifNoneMatch ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''));
  return given.includes(opaque) || given.includes('*')
    ? { status: 304, headers, body: undefined }
    : { ...draft, headers };
}

export function encoded(draft: Draft, acceptEncoding: string | null): Draft & { bytes: Uint8Array | undefined } {
  const varies = draft.body !== undefined || draft.status === 304;
  const headers = { ...draft.headers, ...(varies ? { Vary: 'Accept-Encoding' } : {}) };
  if (draft.body === undefined) return { ...draft, headers, bytes: undefined };
  const plain = Buffer.from(draft.body);
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

/** The one the caller likes best; br when it likes both the same. */
function preferredEncoding(header: string | null): 'br' | 'gzip' | undefined {
  const liking = new Map<string, number>();
  for (const each of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim());
    const quality = parameters.find((part) => part.startsWith('q='))?.slice('q='.length) ?? '1';
    liking.set(name, Number(quality) || 0);
  }
  const likes = (name: string): number => liking.get(name) ?? liking.get('*') ?? 0;
  const best = likes('br') >= likes('gzip') ? 'br' : 'gzip';
  return likes(best) > 0 ? best : undefined;
}

/** Without a bucket of its own (no key yet) a response states the whole allowance. */
export function limitHeaders(bucket: Bucket | undefined): Record<string, string> {
  const { burst, perSecond } = bucket?.policy ?? rateLimit;
  const state = bucket
    ? bucketState(bucket.fullAtMs, bucket.nowMs, bucket.policy)
    : { remaining: burst, fullInSeconds: 0 };
  return {
    'RateLimit-Policy': `"default";q=${burst};w=${burst / perSecond}`,
    RateLimit: `"default";r=${state.remaining};t=${state.fullInSeconds}`,
  };
}

/** Browsers may ask from anywhere, and do with an answer what it is for, and nothing else. */
export const forBrowsers = {
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
  'Referrer-Policy': 'no-referrer',

  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
} as const;
