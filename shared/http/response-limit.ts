// Answers with a failure instead of a response that Lambda could not return.
import type { MiddlewareHandler } from 'hono';
import { Failure } from '../system/failure.ts';
import type { ApiEnv } from './api-env.ts';
import { compressResponse } from './compression.ts';
import { handleError } from './error-handler.ts';
import { clearResponse, readResponse, replaceResponse } from './replace-response.ts';
import { fitsInResult } from './response-size.ts';

/** Counts the bytes that are sent, so it runs after compression. */
export const limitResponseSize: MiddlewareHandler<ApiEnv> = async (c, next) => {
  await next();
  const { status, headers, body } = c.res;
  if (body === null) return;
  const payload = await readResponse(c.res);
  if (fitsInResult(payload, headers)) return replaceResponse(c, payload, { status, headers });
  clearResponse(c);
  // The failure may be a page, which is compressed like any other.
  await compressResponse(c, async () => {
    c.res = handleError(c, responseTooLarge(payload.length, headers.has('content-encoding')));
  });
};

const responseTooLarge = (bytes: number, isCompressed: boolean): Failure =>
  new Failure(
    'invalid_request',
    `The response would be ${(bytes / 1e6).toFixed(1)} MB, which is too large to send. ` +
      `Request fewer days or metrics${isCompressed ? '' : ', or accept compression (Accept-Encoding: gzip)'}.`,
    { details: { bytes } },
  );
