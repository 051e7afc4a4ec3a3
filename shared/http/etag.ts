// The entity tag of a read, and the 304 for a caller who already has this content.
import { createHash } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import type { ApiEnv } from './api-env.ts';
import { readResponse, replaceResponse } from './replace-response.ts';

export const tagResponse: MiddlewareHandler<ApiEnv> = async (c, next) => {
  await next();
  const { status, headers, body } = c.res;
  if (body === null || status !== 200 || !isReadRequest(c)) return;
  const bytes = await readResponse(c.res);
  const etag = computeEtag(bytes);
  headers.set('ETag', etag);
  if (matchesEtag(etag, c.req.header('if-none-match'))) replaceResponse(c, null, { status: 304, headers });
  else replaceResponse(c, bytes, { status, headers });
};

export const isReadRequest = (c: Context<ApiEnv>): boolean => c.req.method === 'GET' || c.req.method === 'HEAD';

/** A weak tag, because the same content may be sent compressed. */
const computeEtag = (bytes: Uint8Array): string =>
  `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

function matchesEtag(etag: string, ifNoneMatch = ''): boolean {
  const opaqueTag = etag.slice('W/'.length);
  const requestedTags = ifNoneMatch.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return requestedTags.includes(opaqueTag) || requestedTags.includes('*');
}
