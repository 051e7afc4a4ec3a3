// The last steps of every response, including failures: entity tag, compression, common headers,
// and one log line.
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Context, MiddlewareHandler } from 'hono';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import type { ApiEnv } from './api-env.ts';
import { handleError } from './error-handler.ts';
import { browserHeaders, buildRateLimitHeaders } from './response-headers.ts';
import { fitsInResult } from './response-size.ts';

const minCompressionBytes = 1024;

export const finishResponse =
  ({ log }: Pick<Deps, 'log'>): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    const { env } = c;
    const { settledAdmission: previousAdmission } = env;
    env.startedMs ??= performance.now();
    await next();
    if (env.settledAdmission !== previousAdmission) return;
    const response = await buildResponse(c);
    clearResponse(c);
    c.res = response;
    const { status } = response;
    const failure = c.get('failure');
    const caller = c.get('caller');
    log(status >= 500 ? 'error' : 'info', 'request', {
      request_id: env.requestId,
      method: c.req.method,
      route: c.get('endpoint')?.route.path ?? null,
      status,
      ms: Math.round(performance.now() - env.startedMs),
      ...(failure ? { code: failure.code } : {}),
      ...(caller ? { account: caller.account, env: caller.env, caller: caller.kind } : {}),
      ...(failure && status >= 500 ? { cause: failure.cause } : {}),
    });
  };

/** Otherwise Hono would copy the headers of the previous response to the next one. */
function clearResponse(c: Context<ApiEnv>): void {
  c.res = undefined;
}

async function buildResponse(c: Context<ApiEnv>): Promise<Response> {
  const { status, headers, body } = c.res;
  const uncompressed = body === null ? undefined : new Uint8Array(await c.res.arrayBuffer());
  if (!headers.has('cache-control')) headers.set('Cache-Control', isPublic(c) ? 'no-cache' : 'no-store');
  for (const [name, value] of Object.entries({ ...buildRateLimitHeaders(c.get('bucket')), ...browserHeaders }))
    headers.set(name, value);
  headers.set('X-Request-Id', c.env.requestId);
  if (uncompressed === undefined) return new Response(null, { status, headers });
  headers.set('Vary', 'Accept-Encoding');
  if (status === 200 && isReadRequest(c)) {
    const etag = computeEtag(uncompressed);
    headers.set('ETag', etag);
    if (matchesEtag(etag, c.req.header('if-none-match'))) return new Response(null, { status: 304, headers });
  }
  const payload = compress(uncompressed, headers, c.req.header('accept-encoding'));
  if (fitsInResult(payload, headers)) return new Response(payload, { status, headers });
  clearResponse(c);
  c.res = handleError(c, responseTooLarge(payload.length, headers.has('content-encoding')));
  return buildResponse(c);
}

const responseTooLarge = (bytes: number, isCompressed: boolean): Failure =>
  new Failure(
    'invalid_request',
    `The response would be ${(bytes / 1e6).toFixed(1)} MB, which is too large to send. ` +
      `Request fewer days or metrics${isCompressed ? '' : ', or accept compression (Accept-Encoding: gzip)'}.`,
    { details: { bytes } },
  );

const isReadRequest = (c: Context<ApiEnv>): boolean => c.req.method === 'GET' || c.req.method === 'HEAD';

/**
 * A public response may be cached and revalidated by its tag. Health data is never cached on the
 * way.
 */
const isPublic = (c: Context<ApiEnv>): boolean => isReadRequest(c) && c.get('endpoint')?.callers.length === 0;

/** A weak tag, because the same content may be sent compressed. */
const computeEtag = (bytes: Uint8Array): string =>
  `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

function matchesEtag(etag: string, ifNoneMatch = ''): boolean {
  const opaqueTag = etag.slice('W/'.length);
  const requestedTags = ifNoneMatch.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return requestedTags.includes(opaqueTag) || requestedTags.includes('*');
}

function compress(uncompressed: Uint8Array<ArrayBuffer>, headers: Headers, acceptEncoding: string | undefined) {
  const encoding = uncompressed.length < minCompressionBytes ? undefined : negotiateEncoding(acceptEncoding);
  if (!encoding) return uncompressed;
  headers.set('Content-Encoding', encoding);
  return encoding === 'gzip'
    ? gzipSync(uncompressed)
    : brotliCompressSync(uncompressed, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
}

/** The encoding that the caller prefers; br if both are equally acceptable. */
function negotiateEncoding(header = ''): 'br' | 'gzip' | undefined {
  const qualities = new Map<string, number>();
  for (const each of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim());
    const quality = parameters.find((part) => part.startsWith('q='))?.slice('q='.length) ?? '1';
    qualities.set(name, Number(quality) || 0);
  }
  const qualityOf = (name: string): number => qualities.get(name) ?? qualities.get('*') ?? 0;
  const best = qualityOf('br') >= qualityOf('gzip') ? 'br' : 'gzip';
  return qualityOf(best) > 0 ? best : undefined;
}
