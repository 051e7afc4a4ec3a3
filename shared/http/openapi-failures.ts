// What each failure code means, in the words of the OpenAPI document.
import type { FailureCode } from '../model/failure.ts';

export const failureMeaning: Record<FailureCode, string> = {
  invalid_request: 'a parameter or header is invalid; `details.issues` names each one.',
  invalid_body: 'the body is missing, is not JSON, or does not fit; `details.issues` names each field.',
  invalid_cursor: 'the cursor was altered, or belongs to another request.',
  unauthorized: 'no token was sent.',
  invalid_token: 'the token is malformed, unknown or revoked.',
  token_expired: 'the token has expired.',
  payment_required: "the account's plan is suspended.",
  insufficient_scope: 'the token does not permit this operation.',
  wrong_user: 'the user token was issued for another user.',
  not_found: 'there is no such thing in the environment of the token.',
  user_not_found: 'there is no such user in the environment of the key.',
  workout_not_found: 'there is no such workout, or it belongs to another user.',
  method_not_allowed: 'the path exists, but not with this method; `Allow` lists what does.',
  external_ref_taken: 'another user of the environment has this reference; `details.user_id` names it.',
  idempotency_conflict: 'the idempotency key was used with another body.',
  limit_reached: 'the environment, or the user, has as many of these as it may have; `details.limit` says how many.',
  cursor_expired:
    'what comes after the cursor is older than 90 days and no longer kept; go on from `details.earliest_cursor`.',
  webhook_inactive: 'the webhook is paused or disabled: make it active first.',
  payload_too_large: 'the body is larger than this call takes.',
  unsupported_media_type: 'the body must be sent as `application/json`.',
  invalid_types: 'the list of types is empty or names something this call does not serve.',
  invalid_metric: 'the metric is not in the consolidation catalog.',
  invalid_method: 'the method is not allowed for this metric.',
  invalid_provider: 'the provider is not connected to the user.',
  rate_limited: 'more requests than the token, or without one the address, may make: wait for `Retry-After` seconds.',
  internal_error: 'a fault on our side; try again up to three times.',
  unavailable: 'busy for a moment; try again after `Retry-After` seconds.',
};

const details: Partial<Record<FailureCode, Record<string, unknown>>> = {
  invalid_request: { issues: [{ path: 'limit', message: 'must be a whole number from 1 to 100' }] },
  invalid_body: { issues: [{ path: 'timezone', message: 'not a time zone name' }] },
  external_ref_taken: { user_id: 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7' },
  limit_reached: { limit: 16 },
  cursor_expired: { earliest_cursor: 'pYk0tX3n1mQ8sV5r' },
  rate_limited: { retry_after_seconds: 1 },
};

export function failureExample(code: FailureCode): Record<string, unknown> {
  const meaning = failureMeaning[code].replaceAll('`', '');
  return {
    error: code,
    message: meaning.charAt(0).toUpperCase() + meaning.slice(1),
    details: details[code] ?? {},
  };
}
