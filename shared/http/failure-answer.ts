// One body for every failure there is, and no word about our insides in it.
import { EngineUnavailable } from '../engine/ports.ts';
import { Failure } from '../model/failure.ts';
import type { Draft } from './answer.ts';
import { failureStatus } from './failure-status.ts';

export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof EngineUnavailable)
    return new Failure('unavailable', 'The service is busy: try again in a moment.', {
      retryAfterSeconds: 1,
      cause: error,
    });
  return new Failure('internal_error', 'Something went wrong on our side. Quote the X-Request-Id when you ask us.', {
    cause: error,
  });
}

export function failureDraft(failure: Failure): Draft {
  return {
    status: failureStatus[failure.code],
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      ...(failure.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(failure.retryAfterSeconds) }),
    },
    body: JSON.stringify({ error: failure.code, message: failure.message, details: failure.details }),
  };
}
