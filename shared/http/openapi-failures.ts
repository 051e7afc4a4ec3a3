// The meaning of each failure code, for the OpenAPI document.
import type { FailureCode } from '../system/failure.ts';
import { toWireCode } from './failure-status.ts';

export const failureDescriptions: Record<FailureCode, string> = {
  invalid_request:
    'a parameter or header is invalid; `details.issues` lists the first 20 issues and `details.more_issues` counts the rest.',
  invalid_body:
    'the body is missing, is not JSON, or does not match the schema; `details.issues` lists the first 20 issues by field and `details.more_issues` counts the rest.',
  invalid_cursor: 'the cursor was altered or belongs to a different request.',
  unauthorized: 'no token was sent.',
  invalid_token: 'the token is malformed, unknown or revoked.',
  token_expired: 'the token has expired.',
  payment_required: "the account's plan is suspended.",
  insufficient_scope: 'the token does not permit this operation.',
  wrong_user: 'the user token was issued for a different user.',
  sharing_revoked:
    "the member of this user was removed from the team, so the user no longer shares data with you; the user's `status` is `unshared`. Invite them again to read their data.",
  not_found: "the resource does not exist in the token's environment.",
  user_not_found: "the user does not exist in the key's environment.",
  workout_not_found: 'the workout does not exist or belongs to a different user.',
  sleep_not_found: 'the sleep session does not exist or belongs to a different user.',
  method_not_allowed: 'the path does not support this method; `Allow` lists the supported ones.',
  external_ref_taken:
    "another user in the environment already has this reference; `details.user_id` is that user's id.",
  idempotency_conflict: 'the idempotency key was already used with a different body.',
  limit_reached: 'the environment or the user has reached the limit; `details.limit` is the maximum.',
  cursor_expired:
    'the events after the cursor are older than 90 days and no longer available; continue from `details.earliest_cursor`.',
  webhook_inactive: 'the webhook is paused or disabled; set its status to `active` first.',
  invitation_pending:
    'this e-mail address, or the user of `user_id`, already has a pending invitation, `details.invitation_id`. Resend or revoke it.',
  invitation_inactive: 'the invitation was accepted, was revoked or has expired; create a new one.',
  already_member:
    'this e-mail address, or the user of `user_id`, already belongs to a member of the team, `details.member_id`.',
  payload_too_large: 'the body is too large for this endpoint.',
  unsupported_media_type: 'the body must be sent as `application/json`.',
  invalid_types: 'the list of types is empty or contains an unsupported value.',
  invalid_metric: 'the metric is not in the consolidation catalog.',
  invalid_method: 'the method exists, but is not allowed for this metric.',
  invalid_provider: 'the provider is not connected to the user.',
  unconnectable_provider:
    'the provider is unknown, not available in this deployment, or connected through the Mobile SDK.',
  rate_limited: 'too many requests with this token, or from this address without one; wait `Retry-After` seconds.',
  internal_error: 'an error on our end; retry up to three times.',
  unavailable: 'temporarily unavailable; retry after `Retry-After` seconds.',
};

const exampleDetails: Partial<Record<FailureCode, Record<string, unknown>>> = {
  invalid_request: { issues: [{ path: 'limit', message: 'must be a whole number from 1 to 100' }] },
  invalid_body: { issues: [{ path: 'timezone', message: 'must be an IANA time zone name, such as Europe/Berlin' }] },
  external_ref_taken: { user_id: 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7' },
  limit_reached: { limit: 16 },
  invitation_pending: { invitation_id: 'inv_01k9p3wm1n3q5s7v9x1z3b5d7f' },
  already_member: { member_id: 'mem_01k9p3wq4r6t8w0y2a4c6e8g0j' },
  cursor_expired: { earliest_cursor: 'pYk0tX3n1mQ8sV5r' },
  rate_limited: { retry_after_seconds: 1 },
};

export function failureExample(code: FailureCode): Record<string, unknown> {
  const description = failureDescriptions[code].replaceAll('`', '');
  return {
    error: toWireCode(code),
    message: description.charAt(0).toUpperCase() + description.slice(1),
    details: exampleDetails[code] ?? {},
  };
}
