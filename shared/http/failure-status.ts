// The HTTP status of each failure; the domain only knows codes.
import type { FailureCode } from '../system/failure.ts';

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
  recent_sign_in_required: 403,
  sharing_revoked: 403,
  not_found: 404,
  user_not_found: 404,
  workout_not_found: 404,
  sleep_not_found: 404,
  method_not_allowed: 405,
  external_ref_taken: 409,
  idempotency_conflict: 409,
  limit_reached: 409,
  webhook_inactive: 409,
  sync_not_possible: 409,
  invitation_pending: 409,
  invitation_inactive: 409,
  already_member: 409,
  already_colleague: 409,
  last_owner: 409,
  cursor_expired: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  invalid_types: 422,
  invalid_metric: 422,
  invalid_method: 422,
  invalid_provider: 422,
  unconnectable_provider: 400,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const satisfies Record<FailureCode, number>;

/** The codes that callers see: the contract has one name for two of them. */
export type WireCode = Exclude<FailureCode, 'unconnectable_provider'>;

export const toWireCode = (code: FailureCode): WireCode =>
  code === 'unconnectable_provider' ? 'invalid_provider' : code;
