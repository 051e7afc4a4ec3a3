// Everything that can go wrong in front of a caller: a closed list of codes, and one error class that carries them.

export const failureStatus = {
  invalid_request: 400,
  invalid_body: 400,
  invalid_cursor: 400,
  unauthorized: 401,
  invalid_token: 401,
  token_expired: 401,
  payment_required: 402,
  insufficient_scope: 403,
  wrong_user: 403,
  not_found: 404,
  user_not_found: 404,
  workout_not_found: 404,
  method_not_allowed: 405,
  external_ref_taken: 409,
  idempotency_conflict: 409,
  limit_reached: 409,
  webhook_inactive: 409,
  cursor_expired: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  invalid_types: 422,
  invalid_metric: 422,
  invalid_method: 422,
  invalid_provider: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type FailureCode = keyof typeof failureStatus;

/** The message and the details are public by definition; what only we may know goes into `cause`. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;
  constructor(
    code: FailureCode,
    message: string,
    more: { details?: Record<string, unknown>; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.details = more.details ?? {};
    this.headers = more.headers ?? {};
  }
}
