// Handles a message about deliveries, and retries a delivery that failed. The delivery's row is the
// source of truth; a message only says that it may be due.

import { randomShare } from '../platform/backoff.ts';
import type { Deps } from '../system/deps.ts';
import type { Job } from '../system/jobs.ts';
import { attemptDelivery, isQuick } from './attempt-delivery.ts';
import { catchUp } from './catch-up.ts';
import { checkCircuit, countFailure, wakeIfBehind } from './circuit-breaker.ts';
import { deliveryRows } from './delivery-rows.ts';
import type { EndpointBulkhead } from './endpoint-bulkhead.ts';
import { fanOut } from './fan-out.ts';
import { sendPage } from './first-attempts.ts';
import { countSuccess, recordAttempt, saveDelivery, scheduleRetry } from './record-attempt.ts';
import { type WebhookRow, webhookRows } from './webhook-rows.ts';

/** Spreads deliveries that were held back, so that they are not all due at the same moment. */
const jitterMs = 30_000;
/**
 * The longest wait of a delivery before the circuit of an endpoint that has failed for long is
 * checked again.
 */
const maxHoldMs = 3_600_000;
const holdShare = 4;

export async function deliver(deps: Deps, bulkhead: EndpointBulkhead, job: Job<'deliver'>): Promise<void> {
  if ('numbers' in job) return sendPage(deps, bulkhead, job);
  if ('catch_up' in job) return catchUp(deps, job);
  if ('first' in job) return fanOut(deps, bulkhead, job);
  // The rows of a stuck endpoint stay due, and the sweep wakes them again.
  if (!(await bulkhead.enter(job.webhook_id))) return;
  let isQuickAttempt: boolean | undefined = false;
  try {
    isQuickAttempt = await retryDelivery(deps, job);
  } finally {
    bulkhead.leave(job.webhook_id, isQuickAttempt);
  }
}

/** Returns whether the endpoint shows no sign of being stuck, or undefined if nothing was sent. */
async function retryDelivery(
  deps: Deps,
  job: { webhook_id: string; delivery_id: string },
): Promise<boolean | undefined> {
  const now = deps.clock.now();
  const stored = await deliveryRows(deps.store).findById(job.webhook_id, job.delivery_id);
  if (stored?.status !== 'pending' || stored.dueMs === undefined || stored.dueMs > now) return undefined;
  const row = { ...stored, isNew: false };
  const hook = await webhookRows(deps.store).findById(row.account, row.env, row.webhook);
  if (!hook) {
    await deliveryRows(deps.store).remove(row);
    return undefined;
  }
  if (hook.status !== 'active') {
    await saveDelivery(deps, row, { status: 'failed', tries: row.tries, attempts: row.attempts });
    return undefined;
  }
  const blockedUntilMs = await checkCircuit(deps, hook, now);
  if (blockedUntilMs !== undefined) {
    await scheduleRetry(deps, row, row, computeHoldUntilMs(deps, hook, blockedUntilMs, now));
    return undefined;
  }
  const outcome = await attemptDelivery(deps, hook, { id: row.eventId, body: row.body });
  const end = await recordAttempt(deps, row, hook, outcome);
  if (end === 'delivered') {
    await countSuccess(deps, hook);
    await wakeIfBehind(deps, hook);
  }
  if (end === 'failed') {
    webhookRows(deps.store).noteFailedAttempts(hook.id, 1);
    await countFailure(deps, hook);
  }
  return isQuick(outcome);
}

/**
 * Holds longer the longer the endpoint has failed, because each check of an open circuit costs a
 * write.
 */
function computeHoldUntilMs(
  { random }: Deps,
  { failingSinceMs }: WebhookRow,
  openUntilMs: number,
  nowMs: number,
): number {
  const failingMs = nowMs - (failingSinceMs ?? nowMs);
  const patientMs = nowMs + Math.min(maxHoldMs, failingMs / holdShare);
  return Math.ceil(Math.max(openUntilMs, patientMs) + jitterMs * randomShare(random.bytes(2)));
}
