// Builds the single response body for every failure, without revealing internals.
import { HTTPException } from 'hono/http-exception';
import { EngineUnavailable } from '../platform/ports.ts';
import { Failure } from '../system/failure.ts';
import { failureStatus, toWireCode } from './failure-status.ts';

export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof HTTPException) return fromHttpException(error);
  if (error instanceof EngineUnavailable)
    return new Failure('unavailable', 'The service is temporarily unavailable. Try again in a moment.', {
      retryAfterSeconds: 1,
      cause: error,
    });
  return internalError(error);
}

/**
 * Converts the errors that Hono throws itself: a body that is not JSON, or a content type that the
 * route does not accept.
 */
function fromHttpException(error: HTTPException): Failure {
  if (error.status === 400) return new Failure('invalid_body', 'The body is not valid JSON.', { cause: error });
  if (error.status === 415)
    return new Failure('unsupported_media_type', 'This Content-Type is not supported. See /docs for the one to send.', {
      cause: error,
    });
  return internalError(error);
}

const internalError = (cause: unknown): Failure =>
  new Failure('internal_error', 'Something went wrong on our end. Include the X-Request-Id when you contact support.', {
    cause,
  });

export interface FailureResponse {
  status: (typeof failureStatus)[Failure['code']];
  headers: Record<string, string>;
  body: { error: string; message: string; details: Record<string, unknown> };
}

export function toFailureResponse({ code, message, details, retryAfterSeconds }: Failure): FailureResponse {
  return {
    status: failureStatus[code],
    headers: {
      'Cache-Control': 'no-store',
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    },
    body: { error: toWireCode(code), message, details },
  };
}
