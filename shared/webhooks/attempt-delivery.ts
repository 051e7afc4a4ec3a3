// One signed request to an endpoint, and its outcome.
import type { WebhookResponse } from '../platform/ports.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Deps } from '../system/deps.ts';
import type { AttemptRow } from './delivery-rows.ts';
import { type EndpointBulkhead, maxQuickMs } from './endpoint-bulkhead.ts';
import { signedHeaders } from './signature.ts';
import type { Attempt } from './webhook.ts';
import type { WebhookRow } from './webhook-rows.ts';

export interface AttemptOutcome {
  verdict: 'delivered' | 'gone' | 'failed';
  attempt: AttemptRow;
  retryAfter: string | undefined;
}

export async function attemptDelivery(
  deps: Pick<Deps, 'webhookClient' | 'keyring' | 'clock'>,
  hook: Pick<WebhookRow, 'id' | 'url' | 'secrets'>,
  message: { id: string; body: string },
): Promise<AttemptOutcome> {
  const { body } = message;
  const atMs = deps.clock.now();
  const response = await deps.webhookClient.post({
    url: hook.url,
    headers: signedHeaders(deps, hook, { ...message, nowMs: atMs }),
    body,
  });
  return {
    verdict: verdictOf(response),
    attempt: {
      atMs,
      durationMs: Math.max(0, Math.round(deps.clock.now() - atMs)),
      status: response.status ?? null,
      body: response.status === undefined ? null : response.body,
      error: response.kind === 'answered' ? null : response.reason,
    },
    retryAfter: response.kind === 'answered' ? response.retryAfter : undefined,
  };
}

/** Undefined if the endpoint is stuck: then nothing was sent. */
export async function attemptInBulkhead(
  deps: Pick<Deps, 'webhookClient' | 'keyring' | 'clock'>,
  bulkhead: EndpointBulkhead,
  hook: Pick<WebhookRow, 'id' | 'url' | 'secrets'>,
  message: { id: string; body: string },
): Promise<AttemptOutcome | undefined> {
  if (!(await bulkhead.enter(hook.id))) return undefined;
  let isQuickAttempt = false;
  try {
    const outcome = await attemptDelivery(deps, hook, message);
    isQuickAttempt = isQuick(outcome);
    return outcome;
  } finally {
    bulkhead.leave(hook.id, isQuickAttempt);
  }
}

/** Whether the endpoint shows no sign of being stuck. */
export const isQuick = ({ attempt: { error, durationMs } }: AttemptOutcome): boolean =>
  error !== 'timeout' && durationMs < maxQuickMs;

/**
 * Only a complete response with a 2xx status is a success; of a longer one, the first 64 kB count.
 * Redirects are not followed, and an incomplete response is a failure.
 */
function verdictOf(response: WebhookResponse): AttemptOutcome['verdict'] {
  if (response.kind === 'unanswered') return 'failed';
  if (response.status >= 200 && response.status < 300) return 'delivered';
  return response.status === 410 ? 'gone' : 'failed';
}

export const presentAttempt = (row: AttemptRow): Attempt => ({
  at: formatTimestamp(row.atMs),
  duration_ms: row.durationMs,
  response_status: row.status,
  response_body: row.body,
  error: row.error,
});
