// Every failure that a caller can see: a closed list of codes, and one error class for them.

export const failureCodes = [
  'invalid_request',
  'invalid_body',
  'invalid_cursor',
  'unauthorized',
  'invalid_token',
  'token_expired',
  'payment_required',
  'insufficient_scope',
  'wrong_user',
  'recent_sign_in_required',
  'sharing_revoked',
  'not_found',
  'user_not_found',
  'workout_not_found',
  'sleep_not_found',
  'method_not_allowed',
  'external_ref_taken',
  'idempotency_conflict',
  'limit_reached',
  'webhook_inactive',
  'sync_not_possible',
  'invitation_pending',
  'invitation_inactive',
  'already_member',
  'already_colleague',
  'last_owner',
  'cursor_expired',
  'payload_too_large',
  'unsupported_media_type',
  'invalid_types',
  'invalid_metric',
  'invalid_method',
  'invalid_provider',
  /** Callers also see this as `invalid_provider`, with status 400 instead of 422. */
  'unconnectable_provider',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const;
export type FailureCode = (typeof failureCodes)[number];

export interface FailureDetail {
  details?: Record<string, unknown>;
  /** Set if a retry may succeed. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The message and the details are public. Internal information belongs in `cause`. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly details: Record<string, unknown>;
  readonly retryAfterSeconds: number | undefined;
  constructor(code: FailureCode, message: string, { details = {}, retryAfterSeconds, cause }: FailureDetail = {}) {
    super(message, { cause });
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
