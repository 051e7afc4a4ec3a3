// Records the outcome of an attempt: in the delivery's row, and in the endpoint's row if it affects
// the endpoint's health.

import { accountEvent } from '../events/new-event.ts';
import { writeConditionally } from '../platform/conditional-write.ts';
import { TransactionCanceled, type Write } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { messageGraceMs } from '../system/pending-kinds.ts';
import { wakeWorker } from '../system/wake-worker.ts';
import type { AttemptOutcome } from './attempt-delivery.ts';
import { maxFailingMs, nextAttemptMs } from './delivery-backoff.ts';
import { type DeliveryOutcome, type DeliveryRow, deliveryRows } from './delivery-rows.ts';
import { type WebhookRow, webhookRows } from './webhook-rows.ts';

/** The longest delay of a queue. Work that is due later waits for the sweep. */
const maxDelaySeconds = 900;
const maxStoredAttempts = 26;
/** `last_delivery_at` is accurate to within a minute. */
const lastDeliveryPrecisionMs = 50_000;

/** `isNew`: the delivery has no row yet and gets one now. */
export interface DeliveryDraft extends DeliveryRow {
  isNew: boolean;
}

/**
 * The caller counts the success or failure of the endpoint, except if the endpoint was disabled by
 * this attempt.
 */
export async function recordAttempt(
  deps: Deps,
  row: DeliveryDraft,
  hook: WebhookRow,
  outcome: AttemptOutcome,
): Promise<'delivered' | 'failed' | 'disabled'> {
  const update = {
    tries: row.tries + 1,
    attempts: [...row.attempts, outcome.attempt].slice(-maxStoredAttempts),
  };
  if (outcome.verdict === 'delivered') {
    await saveDelivery(deps, row, { ...update, status: 'delivered' });
    return 'delivered';
  }
  const now = deps.clock.now();
  const isGone = outcome.verdict === 'gone';
  const isFailing = hasFailedForLong(hook, now);
  const next = isGone ? undefined : nextAttemptMs(update.tries, now, outcome.retryAfter, deps.random.bytes(2));
  const finalStatus = isGone || (isFailing && next !== undefined) ? 'failed' : 'exhausted';
  if (isGone || isFailing) {
    const writes = [
      webhookRows(deps.store).buildDisable(hook, isGone ? 'gone' : 'failing', now),
      accountEvent(deps, 'webhook.disabled', row, { webhook_id: hook.id }),
    ];
    if (await giveUp(deps, row, { ...update, status: finalStatus }, writes)) return 'disabled';
  }
  if (next !== undefined) await scheduleRetry(deps, row, update, next);
  else await giveUp(deps, row, { ...update, status: finalStatus }, []);
  return 'failed';
}

export const hasFailedForLong = ({ failingSinceMs }: WebhookRow, nowMs: number): boolean =>
  failingSinceMs !== undefined && nowMs - failingSinceMs >= maxFailingMs;

/** A success clears earlier failures. A healthy endpoint's row is written once a minute. */
export async function countSuccess(deps: Deps, hook: WebhookRow): Promise<void> {
  const now = deps.clock.now();
  const isRecent = hook.lastDeliveryMs !== null && now - hook.lastDeliveryMs < lastDeliveryPrecisionMs;
  if (!isRecent || hook.failures > 0) await webhookRows(deps.store).recordSuccess(hook, now);
}

/**
 * The end of a delivery and the events about it are one transaction. Returns false if it could not
 * be committed.
 */
async function giveUp(deps: Deps, row: DeliveryDraft, update: DeliveryOutcome, writes: Write[]): Promise<boolean> {
  // If a delivery about a failed delivery also fails, that is not announced.
  const isAnnounced = update.status === 'exhausted' && !row.eventType.startsWith('webhook.');
  const exhausted = isAnnounced
    ? [accountEvent(deps, 'webhook.exhausted', row, { webhook_id: row.webhook, delivery_id: row.id })]
    : [];
  try {
    await deps.store.commit([buildWrite(deps, row, update), ...writes, ...exhausted]);
    return true;
  } catch (error) {
    if (!(error instanceof TransactionCanceled)) throw error;
    if (error.failures[0]) return logLostUpdate(deps, row);
    return false;
  }
}

export async function scheduleRetry(
  deps: Deps,
  row: DeliveryDraft,
  { tries, attempts }: Pick<DeliveryOutcome, 'tries' | 'attempts'>,
  atMs: number,
): Promise<void> {
  const delaySeconds = Math.ceil((atMs - deps.clock.now()) / 1000);
  const isQueued = delaySeconds <= maxDelaySeconds;
  const due = { atMs, sweepMs: isQueued ? atMs + messageGraceMs : atMs };
  if (!(await saveDelivery(deps, row, { status: 'pending', tries, attempts, due })) || !isQueued) return;
  await wakeWorker(deps, 'deliver', { webhook_id: row.webhook, delivery_id: row.id }, { delaySeconds });
}

export async function saveDelivery(deps: Deps, row: DeliveryDraft, update: DeliveryOutcome): Promise<boolean> {
  const { applied } = await writeConditionally(deps.store.table, buildWrite(deps, row, update));
  return applied || !logLostUpdate(deps, row);
}

const buildWrite = ({ store }: Deps, row: DeliveryDraft, update: DeliveryOutcome) =>
  row.isNew ? deliveryRows(store).buildInsert(row, update) : deliveryRows(store).buildRecordOutcome(row, update);

/**
 * Another worker has also attempted the delivery, or it was deleted: what that worker wrote counts.
 */
function logLostUpdate(deps: Deps, row: DeliveryDraft): true {
  deps.log('warn', 'delivery_settled_elsewhere', {
    webhook_id: row.webhook,
    delivery_id: row.id,
  });
  return true;
}
