// The last step of every answer, failures included: entity tag, compression, the headers that all have, and one line in the log.
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Context, MiddlewareHandler } from 'hono';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { forBrowsers, limitHeaders } from './answer-headers.ts';
import { canBeCarried } from './carried.ts';
import { failed } from './failed.ts';
import type { KitEnv } from './kit-env.ts';

const worthCompressingBytes = 1024;

export const finishing =
  ({ log }: Pick<Deps, 'log'>): MiddlewareHandler<KitEnv> =>
  async (c, next) => {
    const { env } = c;
    const { admission } = env;
    env.startedMs ??= performance.now();
    await next();
    if (env.admission !== admission) return;
    const answer = await finished(c);
    forget(c);
    c.res = answer;
    const { status } = answer;
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

/** Hono would otherwise copy the headers of the answer before over those of the next one. */
function forget(c: Context<KitEnv>): void {
  c.res = undefined;
}

async function finished(c: Context<KitEnv>): Promise<Response> {
  const { status, headers, body } = c.res;
  const plain = body === null ? undefined : new Uint8Array(await c.res.arrayBuffer());
  if (!headers.has('cache-control')) headers.set('Cache-Control', isPublic(c) ? 'no-cache' : 'no-store');
  for (const [name, value] of Object.entries({ ...limitHeaders(c.get('bucket')), ...forBrowsers }))
    headers.set(name, value);
  headers.set('X-Request-Id', c.env.requestId);
  if (plain === undefined) return new Response(null, { status, headers });
  headers.set('Vary', 'Accept-Encoding');
  if (status === 200 && isRead(c)) {
    const tag = entityTag(plain);
    headers.set('ETag', tag);
    if (isKnown(tag, c.req.header('if-none-match'))) return new Response(null, { status: 304, headers });
  }
  const sent = encoded(plain, headers, c.req.header('accept-encoding'));
  if (canBeCarried(sent, headers)) return new Response(sent, { status, headers });
  forget(c);
  c.res = failed(c, tooMuch(sent.length, headers.has('content-encoding')));
  return finished(c);
}

const tooMuch = (bytes: number, isCompressed: boolean): Failure =>
  new Failure(
    'invalid_request',
    `The answer would take ${(bytes / 1e6).toFixed(1)} MB, more than can be sent at once. ` +
      `Ask for fewer days or metrics${isCompressed ? '' : ', or take it compressed (Accept-Encoding: gzip)'}.`,
    { details: { bytes } },
  );

const isRead = (c: Context<KitEnv>): boolean => c.req.method === 'GET' || c.req.method === 'HEAD';

/** What anybody may read may be kept, and asked for again by its tag; health data is kept nowhere on its way. */
const isPublic = (c: Context<KitEnv>): boolean => isRead(c) && c.get('endpoint')?.callers.length === 0;

/** Weak, because the same content may be sent compressed. */
const entityTag = (bytes: Uint8Array): string =>
  `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

function isKnown(tag: string, ifNoneMatch = ''): boolean {
  const opaque = tag.slice('W/'.length);
  const given = ifNoneMatch.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return given.includes(opaque) || given.includes('*');
}

function encoded(plain: Uint8Array<ArrayBuffer>, headers: Headers, accepted: string | undefined) {
  const encoding = plain.length < worthCompressingBytes ? undefined : preferredEncoding(accepted);
  if (!encoding) return plain;
  headers.set('Content-Encoding', encoding);
  return encoding === 'gzip'
    ? gzipSync(plain)
    : brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
}

/** The one the caller likes best; br when it likes both the same. */
function preferredEncoding(header = ''): 'br' | 'gzip' | undefined {
  const liking = new Map<string, number>();
  for (const each of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim());
    const quality = parameters.find((part) => part.startsWith('q='))?.slice('q='.length) ?? '1';
    liking.set(name, Number(quality) || 0);
  }
  const likes = (name: string): number => liking.get(name) ?? liking.get('*') ?? 0;
  const best = likes('br') >= likes('gzip') ? 'br' : 'gzip';
  return likes(best) > 0 ? best : undefined;
}
