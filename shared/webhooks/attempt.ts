// One signed request to an endpoint, and what became of it.
import type { Receipt } from '../platform/ports.ts';
import { timestamp } from '../platform/time/time.ts';
import type { Deps } from '../system/deps.ts';
import type { AttemptRow } from './delivery-rows.ts';
import { signedHeaders } from './signature.ts';
import type { Attempt } from './webhook.ts';
import type { WebhookRow } from './webhook-rows.ts';

export interface AttemptOutcome {
  verdict: 'delivered' | 'gone' | 'failed';
  attempt: AttemptRow;
  retryAfter: string | undefined;
}

export async function attempt(
  deps: Pick<Deps, 'courier' | 'keyring' | 'clock'>,
  hook: Pick<WebhookRow, 'id' | 'url' | 'secrets'>,
  message: { id: string; body: string },
): Promise<AttemptOutcome> {
  const { body } = message;
  const atMs = deps.clock.now();
  const receipt = await deps.courier.post({
    url: hook.url,
    headers: signedHeaders(deps, hook, { ...message, nowMs: atMs }),
    body,
  });
  return {
    verdict: verdictOf(receipt),
    attempt: {
      atMs,
      tookMs: Math.max(0, Math.round(deps.clock.now() - atMs)),
      status: receipt.status ?? null,
      body: receipt.status === undefined ? null : receipt.body,
      error: receipt.kind === 'answered' ? null : receipt.reason,
    },
    retryAfter: receipt.kind === 'answered' ? receipt.retryAfter : undefined,
  };
}

/** An endpoint that answers faster than this may have more requests at once. */
const quickMs = 2_000;

/** Whether the endpoint showed no sign of being stuck. */
export const isQuick = ({ attempt: { error, tookMs } }: AttemptOutcome): boolean =>
  error !== 'timeout' && tookMs < quickMs;

/** Only a complete answer with a 2xx status is a success: a redirect is not followed, and half an answer is none. */
function verdictOf(receipt: Receipt): AttemptOutcome['verdict'] {
  if (receipt.kind === 'unanswered') return 'failed';
  if (receipt.status >= 200 && receipt.status < 300) return 'delivered';
  return receipt.status === 410 ? 'gone' : 'failed';
}

export const presentAttempt = (row: AttemptRow): Attempt => ({
  at: timestamp(row.atMs),
  duration_ms: row.tookMs,
  response_status: row.status,
  response_body: row.body,
  error: row.error,
});
