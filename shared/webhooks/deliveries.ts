// The log of an endpoint's deliveries, and redelivery.

import type { WebhookEvent } from '../events/feed-event.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import { type Caller, canSeeValues } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { DeliveryId } from '../system/ids.ts';
import { newId } from '../system/new-id.ts';
import { messageGraceMs } from '../system/pending-kinds.ts';
import { attemptDelivery, presentAttempt } from './attempt-delivery.ts';
import { type DeliveryRow, deliveryRows } from './delivery-rows.ts';
import { getAuthorizedWebhook } from './endpoints.ts';
import { wakeDeliveries } from './fan-out.ts';
import type { Delivery, TestOutcome } from './webhook.ts';

export async function listDeliveries(
  deps: Deps,
  caller: Caller,
  webhookId: string,
  query: { limit: number; beforeId: string | undefined },
): Promise<{ deliveries: Delivery[]; nextBeforeId: string | undefined }> {
  const hook = await getAuthorizedWebhook(deps, caller, webhookId);
  const page = await deliveryRows(deps.store).readPage(hook.id, query.limit, query.beforeId);
  return {
    deliveries: page.deliveries.map((row) => presentDelivery(row, caller)),
    nextBeforeId: page.more ? page.deliveries.at(-1)?.id : undefined,
  };
}

/** Sends a delivery again immediately, regardless of its status. */
export async function redeliver(deps: Deps, caller: Caller, webhookId: string, deliveryId: string): Promise<Delivery> {
  const hook = await getAuthorizedWebhook(deps, caller, webhookId);
  assertWebhookActive(hook.status);
  const row = DeliveryId.safeParse(deliveryId).success
    ? await deliveryRows(deps.store).findById(hook.id, deliveryId)
    : undefined;
  if (!row) throw new Failure('not_found', `Delivery ${deliveryId.slice(0, 64)} not found.`);
  const now = deps.clock.now();
  const revived = await deliveryRows(deps.store).restart(row, now, now + messageGraceMs);
  if (revived) await wakeDeliveries(deps, [revived]);
  return presentDelivery(revived ?? row, caller);
}

/**
 * Sends a test event immediately and stores nothing; the caller gets the outcome. Also works for a
 * paused or disabled endpoint.
 */
export async function sendTest(deps: Deps, caller: Caller, webhookId: string): Promise<TestOutcome> {
  const hook = await getAuthorizedWebhook(deps, caller, webhookId);
  const now = deps.clock.now();
  const id = newId(deps, 'event');
  const event: WebhookEvent = {
    event_id: id,
    event_type: 'webhook.test',
    metrics: [],
    user_id: null,
    device_id: null,
    timestamp: formatTimestamp(now),
    webhook_id: hook.id,
  };
  const outcome = await attemptDelivery(deps, hook, { id, body: JSON.stringify(event) });
  return {
    delivered: outcome.verdict === 'delivered',
    event_id: id,
    attempt: presentAttempt(outcome.attempt),
  };
}

export function assertWebhookActive(status: string): void {
  if (status !== 'active')
    throw new Failure('webhook_inactive', `The webhook is ${status}. Set its status to active first.`);
}

/** A receiver may respond with anything, also with a user's data. */
const presentDelivery = (row: DeliveryRow, caller: Caller): Delivery => ({
  id: row.id,
  event_id: row.eventId,
  event_type: row.eventType,
  status: row.status,
  created_at: formatTimestamp(row.createdMs),
  request_body: row.body,
  attempts: row.attempts
    .map(presentAttempt)
    .map((attempt) => (canSeeValues(caller) ? attempt : { ...attempt, response_body: null })),
  next_attempt_at: row.dueMs === undefined ? null : formatTimestamp(row.dueMs),
});
