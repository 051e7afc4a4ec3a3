// What people read about each failure code: in the OpenAPI documents and in the documentation.
import type { FailureCode } from '../system/failure.ts';
import { toWireCode } from './failure-status.ts';

interface FailureText {
  /** One sentence: when a request fails with this code. */
  when: string;
  /** What the caller does about it. */
  todo: string;
  /** A message as a response has it. */
  example: string;
  /** The `details` of the example, if there are any. */
  details?: Record<string, unknown>;
}

export const failureText: Record<FailureCode, FailureText> = {
  invalid_request: {
    when: 'A parameter or header is missing, invalid or unknown, or the response would be too large.',
    todo: 'Correct the request. `details.issues` lists the first 20 issues and `details.more_issues` counts the rest.',
    example: 'A query parameter is invalid: limit: must be a whole number from 1 to 100.',
    details: { issues: [{ path: 'limit', message: 'must be a whole number from 1 to 100' }] },
  },
  invalid_body: {
    when: 'The body is missing, is not JSON, does not match the schema, or was sent to a call that takes none.',
    todo: 'Correct the body. `details.issues` lists the first 20 issues by field and `details.more_issues` counts the rest.',
    example: 'The body is invalid: timezone: must be an IANA time zone name, such as Europe/Berlin.',
    details: { issues: [{ path: 'timezone', message: 'must be an IANA time zone name, such as Europe/Berlin' }] },
  },
  invalid_cursor: {
    when: 'The cursor was altered or belongs to a different request.',
    todo: 'Send the cursor of the previous response unchanged, with the same parameters, or start again without a cursor.',
    example:
      'The cursor does not match this request. Send the cursor of the previous response unchanged, with the same parameters.',
  },
  unauthorized: {
    when: 'No token was sent.',
    todo: 'Send the header `Authorization: Bearer <token>`.',
    example: 'No token provided. Send it in the Authorization header: Bearer <token>.',
  },
  invalid_token: {
    when: 'The token is malformed, unknown, already used or revoked.',
    todo: 'Check the token and the address of the service. If the token was revoked or used, get a new one.',
    example: 'The token is malformed, unknown or revoked. Check it, or create a new key.',
  },
  token_expired: {
    when: 'The token has expired.',
    todo: 'Get a new token, or renew this one.',
    example: 'The user token has expired. Request a new one from your backend.',
  },
  payment_required: {
    when: "The account's plan is suspended.",
    todo: 'Reactivate the plan.',
    example: "The account's plan is suspended. Reactivate it to continue.",
  },
  insufficient_scope: {
    when: 'The token does not permit this operation.',
    todo: 'Use an API key, and a live one where the operation requires it.',
    example: "A user token can only read its own user's data. Use an API key.",
  },
  wrong_user: {
    when: 'The user token was issued for a different user.',
    todo: 'Send the token of the user whom the path names.',
    example: 'This user token was issued for a different user.',
  },
  recent_sign_in_required: {
    when: 'A colleague who signed in to the console more than ten minutes ago erases data, creates a credential or a webhook secret, registers a passkey, or changes keys or colleagues.',
    todo: 'Sign in again with a link or a passkey, then repeat the request. Requests with an API key never fail with this code.',
    example: 'Sign in again to do this: it needs a link or a passkey used within the last ten minutes.',
  },
  sharing_revoked: {
    when: "The member of this user was removed from the team, so the user no longer shares data with you; the user's `status` is `unshared`.",
    todo: 'Invite them again to read their data.',
    example: 'This user no longer shares data with you. Invite them again to read it.',
  },
  not_found: {
    when: "The resource does not exist in the token's environment.",
    todo: 'Check the id and the path, and whether the key is of the environment, live or sandbox, in which you created the resource.',
    example: 'User usr_01k9p3w0b1c3e5g7j9m1p3r5t7 not found.',
  },
  user_not_found: {
    when: "The user does not exist in the key's environment.",
    todo: 'Check the id, and whether the key is of the environment, live or sandbox, in which you created the user.',
    example: 'User usr_01k9p3w0b1c3e5g7j9m1p3r5t7 not found.',
  },
  workout_not_found: {
    when: 'The workout does not exist or belongs to a different user.',
    todo: 'Take the id from the list of workouts of the same user.',
    example: 'Workout wrk_01k9p3w5e7g9j1m3p5r7t9w1y3 not found.',
  },
  sleep_not_found: {
    when: 'The sleep session does not exist or belongs to a different user.',
    todo: 'Take the id from the list of sleep sessions of the same user.',
    example: 'Sleep session slp_01k9p3wb2c4e6g8j0m2p4r6t8w not found.',
  },
  method_not_allowed: {
    when: 'The path does not support this method.',
    todo: 'Use one of the methods in the header `Allow`.',
    example: 'PUT is not allowed on this path. Use GET, PATCH, DELETE.',
  },
  external_ref_taken: {
    when: 'Another user in the environment already has this reference.',
    todo: "Use that user, or send another reference. `details.user_id` is that user's id.",
    example:
      'Another user already has this external_ref (also called reference_id). Use that user, or send another value.',
    details: { user_id: 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7' },
  },
  idempotency_conflict: {
    when: 'The idempotency key was already used with a different body.',
    todo: 'Send a new key with a new request, and the same body with the same key.',
    example: 'This Idempotency-Key was already used with a different body. Use a new key for a new request.',
  },
  limit_reached: {
    when: 'The environment, the user or the invitation has reached a limit.',
    todo: 'Remove what you no longer need, or wait where the message says so. `details.limit` is the maximum.',
    example: 'This environment already has the maximum of 16 webhooks. Delete one first.',
    details: { limit: 16 },
  },
  webhook_inactive: {
    when: 'The webhook is paused or disabled.',
    todo: 'Set its status to `active` first.',
    example: 'The webhook is paused. Set its status to active first.',
  },
  sync_not_possible: {
    when: 'The device cannot be asked for data: it uploads or sends its data itself, is waiting for consent, could not be linked, is disconnected, or was replaced.',
    todo: 'Do what the message says. `details.reason` is `uploads_itself`, `push_only`, `pending`, `failed`, `disconnected` or `replaced`.',
    example: 'The device is disconnected. Connect it again.',
    details: { reason: 'disconnected' },
  },
  invitation_pending: {
    when: 'This e-mail address, or the user of `user_id`, already has a pending invitation.',
    todo: 'Resend or revoke the invitation `details.invitation_id`.',
    example: 'This e-mail address already has a pending invitation. Resend it, or revoke it first.',
    details: { invitation_id: 'inv_01k9p3wm1n3q5s7v9x1z3b5d7f' },
  },
  invitation_inactive: {
    when: 'The invitation was accepted, was revoked or has expired.',
    todo: 'Create a new one.',
    example: 'This invitation is revoked. Create a new invitation instead.',
  },
  already_member: {
    when: 'This e-mail address, or the user of `user_id`, already belongs to a member of the team.',
    todo: 'Use the member `details.member_id`.',
    example: 'This e-mail address already belongs to a member of the team.',
    details: { member_id: 'mem_01k9p3wq4r6t8w0y2a4c6e8g0j' },
  },
  already_colleague: {
    when: 'This e-mail address already belongs to a colleague who uses the console of the account.',
    todo: 'Change the colleague `details.colleague_id`, or create a sign-in link for them.',
    example: 'This e-mail address already belongs to a colleague.',
    details: { colleague_id: 'col_01k9p3ws6t8v0x2z4b6d8f0h2k' },
  },
  last_owner: {
    when: 'The colleague is the last owner of the account, and an account always has one.',
    todo: 'Make another colleague an owner first.',
    example: 'The last owner of an account cannot be removed or given another role.',
  },
  cursor_expired: {
    when: 'The events after the cursor are older than 90 days, or the data was restored from a backup, so they are no longer available.',
    todo: 'Read the data anew and continue from `details.earliest_cursor`.',
    example:
      'The events after this cursor are no longer available: they are older than 90 days, or the data was restored from a backup. Continue from earliest_cursor.',
    details: { earliest_cursor: 'pYk0tX3n1mQ8sV5r' },
  },
  payload_too_large: {
    when: 'The body is too large for this endpoint.',
    todo: 'Send less at a time: split the body into several requests.',
    example: 'The body must not exceed 16,000 bytes.',
  },
  unsupported_media_type: {
    when: 'The body was not sent as `application/json`, or has an encoding that this endpoint does not accept.',
    todo: 'Send JSON with `Content-Type: application/json`, without a `Content-Encoding` unless the endpoint accepts gzip.',
    example: 'Send the body as JSON, with Content-Type: application/json.',
  },
  invalid_types: {
    when: 'The list of types or metrics is empty or contains an unsupported value.',
    todo: 'Send ids that the parameter lists; `details` names those that are not supported.',
    example: 'types contains unsupported values (step): see GET /v1/metrics for the supported ids.',
    details: { types: ['step'] },
  },
  invalid_metric: {
    when: 'The metric is not in the consolidation catalog.',
    todo: 'Use a key of `GET /v1/consolidation/catalog`.',
    example: 'Unknown consolidation key: step. GET /v1/consolidation/catalog lists all of them.',
    details: { metric: 'step' },
  },
  invalid_method: {
    when: 'The method exists, but is not allowed for this metric.',
    todo: 'Use one of `details.allowed_methods`, or null for the default.',
    example: 'sum is not a valid method for resting_heart_rate. Use priority, max, avg, or null for the default.',
    details: { metric: 'resting_heart_rate', method: 'sum', allowed_methods: ['priority', 'max', 'avg'] },
  },
  invalid_provider: {
    when: 'The provider is not connected to the user.',
    todo: 'Use a provider of a device that the user has connected.',
    example: 'oura is not connected to this user.',
    details: { provider: 'oura' },
  },
  unconnectable_provider: {
    when: 'The provider is unknown, not available in this deployment, or connected through the Mobile SDK.',
    todo: 'Use a provider of `GET /v1/providers`, or open an SDK session for the phone.',
    example:
      'Unknown provider `ora`. Did you mean `oura`? GET /v1/providers?connection=all lists those that users can connect.',
  },
  rate_limited: {
    when: 'Too many requests came with this token, or from this address without one.',
    todo: 'Wait `Retry-After` seconds, then try again.',
    example: 'Too many requests. Try again in 1 s.',
    details: { retry_after_seconds: 1 },
  },
  internal_error: {
    when: 'An error occurred on our end.',
    todo: 'Retry up to three times, with increasing delays. If it persists, report the `X-Request-Id`.',
    example: 'Something went wrong on our end. Include the X-Request-Id when you contact support.',
  },
  unavailable: {
    when: 'The service is temporarily unavailable.',
    todo: 'Wait `Retry-After` seconds, then try again.',
    example: 'The service is temporarily unavailable. Try again in a moment.',
  },
};

/** The body of a response with this failure. */
export const failureExample = (code: FailureCode): Record<string, unknown> => ({
  error: toWireCode(code),
  message: failureText[code].example,
  details: failureText[code].details ?? {},
});
