// Every code that Daybook logs, with what it means to an operator, and every field of a log line.
// Lines of one code are found by `message`. The types keep log calls and alarms in agreement; nothing
// here is needed at run time.

export const logCodes = {
  // Requests and messages
  request: 'A request was answered. From status 500 on, the line has the cause.',
  audit_outcome_not_recorded:
    'An act is over, but its entry in the audit trail could not be updated and stays `begun`. `status` is the outcome.',
  queue_message_failed:
    'A worker failed for this message. It is received again, and becomes a dead letter after its last attempt.',
  sandbox_connection_busy:
    'New sandbox data was not read for one connection, because the worker of the connection was reading it. That worker finishes the work.',
  queue_message_lost_race:
    'A run stopped because another one had changed the same connection. Its message is received again.',
  queue_message_group_failed: 'The messages of a group failed as one job. They are now handled one by one.',
  message_not_postponed:
    'The delay before the next attempt could not be set. The message waits for its visibility timeout.',
  message_waited_long:
    'A message waited in an ordered queue for a minute or more before it was first received: the queue has a backlog.',
  worker_not_woken: 'The message that wakes a worker could not be sent. The sweep finds the work within minutes.',
  overdue_work_found: 'Work was still pending after its message should have been handled. The sweep wakes it again.',
  sweep_failed: 'The sweep could not read or wake this kind of work. The other kinds are not affected.',

  // The user's writer
  command_failing: 'A command that is not an upload keeps failing. It is postponed by `pause_ms` and then retried.',
  commands_unreadable: 'Commands of this user cannot be parsed. They stay stored and are skipped.',
  attempt_not_cleared:
    'The record of an attempt could not be cleared. If the next run is late, it counts one crash too many.',
  upload_quarantined:
    'An upload kept failing, or workers crashed on it. It is quarantined with its raw data until an operator retries it.',
  upload_incomplete:
    'An upload was not stored completely, and its sender got no success response. It was dropped; the sender may send it again.',
  upload_replay_failed: 'A stored upload could not be read again. The others are replayed without it.',
  records_rejected: 'Some records of an upload were rejected. `codes` has the reasons.',
  rebuilt: 'The days of a user were merged again with new settings or merge rules.',
  scored: 'The scores of a user have changed, or were computed with new formulas.',
  scoring_failed: 'The scores of a user could not be computed. They are retried; the days are stored.',
  rescoring: 'The sweep has requested a rescore or a rebuild for users of older formulas or merge rules.',
  rescoring_throttled:
    'The table or the queue was throttled or unreachable while the sweep requested rescores or rebuilds. It continues at half the pace, or at the minimum.',
  time_zone_not_filled: 'The time zone that a caller reported could not be stored. The request itself succeeded.',

  // Providers and connections
  provider_unavailable: 'A provider did not respond, or responded with an error. The sync is retried.',
  provider_credentials_missing: 'The providers secret has no entry for a provider that users are connected to.',
  provider_credentials_refused: 'A provider rejects the client id or secret in the providers secret.',
  provider_misconfigured: 'The entry of a provider in the providers secret is invalid.',
  provider_settings_unreadable:
    'The providers secret could not be read or parsed. This process continues with the last good value.',
  provider_quota_waited_for:
    "A connection waits until `retry_at`, because a provider's limit for this deployment is used up. Its work stays pending.",
  poll_postponed:
    "A connection is polled at `retry_at` instead of now, because the polls' share of a provider's limit is used up.",
  provider_answer_not_stored:
    'The time at which a provider last answered could not be stored. The sync itself succeeded, and the next one stores it.',
  provider_request_not_counted: "A request was sent without being counted against the provider's limits.",
  sync_failed:
    'A sync failed because of an error in Daybook, or a response that it does not understand. It is retried.',
  sync_crashing:
    'Workers crashed three times on one day or one notification of a connection. The day is quarantined and retried; instead of the notification, the newest days are read. The rest goes on.',
  day_quarantined: 'A provider keeps failing for this one day. It is retried later, and the other days are read.',
  token_refused: 'A provider rejected the tokens of a user. Several refusals in a row end the connection.',
  token_refresh_account_mismatch:
    'A token refresh returned the tokens of another provider account. They were not stored.',
  consent_ended: 'A device was disconnected because the provider no longer accepts the consent of its user.',
  too_many_consents_ended: 'More consents ended than `disconnects_per_hour` allows. Nobody is disconnected for now.',
  revocation_failed: 'A provider did not accept the revocation of a consent. It is retried for a day.',
  revocation_given_up: 'A provider did not accept a revocation within a day. The consent remains there.',
  code_exchange_failed:
    'A provider was unavailable when a user came back from its consent page. The user has to try again.',
  grant_refused: 'A provider did not grant what a connection needs. `reason` is what the user sees.',

  // Pushes and subscriptions
  push_refused: 'A push lacks the signature or the secret URL of its provider. It was answered with an error.',
  push_content_unknown: 'A genuine push has content that Daybook does not know. It was ignored.',
  subscription_failed: 'A provider did not accept a subscription for this user. Data comes from polling.',
  subscription_renewal_failed:
    'The subscription of the whole deployment could not be renewed. Pushes stop when it expires.',
  notification_given_up: 'The data that a push announced could not be read. The most likely days are read instead.',
  notification_not_located: 'The day of an announced object could not be found out. The usual days are read instead.',
  announced_data_refused: 'A provider does not return data that it announced. It was skipped.',
  announced_data_too_large: 'Data that a provider announced is too large to read. It was skipped.',

  // Events and webhooks
  feed_page_not_announced: 'New events could not be published to the bus. The sweep finds them.',
  feed_held:
    'Events of an environment could not be numbered. As a warning: the run tries again in a moment. As an error: the events are parked in their order and tried again, at least every minute; `failures` counts the attempts.',
  outbox_row_unreadable:
    'Events cannot be parsed or numbered, so they are not delivered. Those that can be parsed are tried again every hour.',
  feed_page_unreadable:
    'Events in the feed cannot be parsed, and GET /v1/events fails there. With `is_newer`, a newer release wrote them: deploy it. Until then, webhooks that catch up wait, and `recover` fails. Otherwise the row is damaged: webhooks that catch up skip it, so its events are not delivered there, and GET /v1/events fails until the row is repaired.',
  webhook_row_unreadable:
    'A webhook cannot be parsed and is sent nothing; the others are. Repair the row, then `recover` resends what it missed.',
  webhook_behind:
    'An endpoint responds again and is sent what it missed while it was unavailable. `oldest_seconds` is the age of the oldest event that waits.',
  deliveries_not_queued: 'Deliveries could not be queued. The sweep finds them.',
  delivery_settled_elsewhere: 'Another worker has attempted the same delivery, or it was deleted. That outcome counts.',

  // Sessions and invitations
  refresh_token_reused: 'A refresh token was used twice, so it may be stolen. Its session has ended.',
  connect_link_not_created: 'Someone joined, but got no link to choose their wearables. The team can create one.',
  passkey_cloned: 'A passkey answered with a counter that did not increase, so it may be a copy. It was refused.',
  sign_in_requests_limited:
    'A sign-in link was not sent, because its mailbox has used up its allowance of the hour and an earlier link still works.',
  sign_in_mail_given_up: 'A requested sign-in link could not be sent while someone waited for it.',
  mail_account_suspended: 'An invitation waits because its account is suspended.',
  mail_refused: 'SES rejected this one message. The team sees the reason.',
  mail_sender_refused: 'SES rejects all mail from this sender. It is retried every hour.',
  mail_throttled: 'SES accepts no more messages at the moment. The message is retried in seconds.',
  mail_unavailable: 'SES could not be reached. The message is retried.',
  mail_failed_unexpectedly: 'A message failed for a reason that Daybook does not know. It is retried.',
  mail_given_up: 'A message was not accepted within a day.',

  // The local host only
  request_failed: 'A function threw or timed out, so the request was answered with 5xx.',
  messages_failed: 'A function reported messages that failed. They return to their queue.',
  batch_failed: 'A function threw, so all messages of the batch return to their queue.',
  batch_return_failed: 'The outcome of a batch could not be stored in the queue. Its messages are received again.',
  queue_read_failed: 'A queue could not be read.',
  stream_read_failed: 'The stream of the table could not be read.',
  stream_batch_failed: 'A function threw for a batch of the stream.',
  stream_record_failed: 'A function reported a record of the stream that failed.',
  stream_record_given_up: 'A record of the stream failed too often and was skipped.',
  bus_delivery_failed: 'An event of the bus could not be put into a queue. It is retried.',
  bus_event_given_up: 'An event of the bus could not be put into a queue and was dropped.',
  schedule_failed: 'A scheduled function failed.',
  resume_failed: 'Pending work of this kind could not be woken at the start.',
  expiry_failed: 'Expired items could not be removed.',
  endpoint_request_failed: 'A local service failed to respond to a request.',
  mail_stored: 'A message was written to the mailbox of this machine.',
} as const;

export type LogCode = keyof typeof logCodes;

export const logFieldNames = [
  // Whom or what the line is about
  'account_id',
  'batch_id',
  'delivery_id',
  'device_id',
  'env',
  'invitation_id',
  'message_id',
  'provider',
  'request_id',
  'session_id',
  'sign_in_request_id',
  'user_id',
  'webhook_id',

  // Why
  'cause',
  'code',
  'codes',
  'detail',
  'reason',

  // Where
  'caller',
  'command',
  'endpoint',
  'file',
  'function',
  'kind',
  'method',
  'queue',
  'resource',
  'route',
  'row_keys',
  'source',
  'status',

  // How many, and when
  'attempts',
  'consolidation_generation',
  'count',
  'day',
  'days',
  'failures',
  'first',
  'from',
  'is_done',
  'is_newer',
  'is_partial',
  'max_per_hour',
  'metrics',
  'ms',
  'oldest_seconds',
  'pause_ms',
  'retry_at',
  'pace',
  'pending',
  'pending_seconds',
  'refusals',
  'requested',
  'requested_in_round',
  'scoring_generation',
  'throttled_until',
  'throttles',
  'to',
] as const;

export type LogFields = Readonly<Partial<Record<(typeof logFieldNames)[number], unknown>>>;
