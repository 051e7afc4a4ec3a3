// What becomes of a delivery after an attempt: its row, and the endpoint where the attempt says something about it.

import { accountEvent } from '../events/new-event.ts';
import { conditionalWrite } from '../platform/conditional-write.ts';
import { TransactionRefused, type Write } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { messageGraceMs } from '../system/due.ts';
import { wake } from '../system/wake.ts';
import type { AttemptOutcome } from './attempt.ts';
import { failingForMs, nextAttemptMs } from './delivery-backoff.ts';
import { type DeliveryRow, deliveryRows, type Settled } from './delivery-rows.ts';
import { type WebhookRow, webhookRows } from './webhook-rows.ts';

/** What a queue can hold back; what is due later waits for the sweep. */
const longestDelaySeconds = 900;
const keptAttempts = 26;
/** `last_delivery_at` is right to within a minute. */
const notedEveryMs = 50_000;

/** `isNew`: it has no row yet, and gets it now. */
export interface DeliveryDraft extends DeliveryRow {
  isNew: boolean;
}

/** The caller counts whether the endpoint took it; one that was disabled over it counts no more. */
export async function recordAttempt(
  deps: Deps,
  row: DeliveryDraft,
  hook: WebhookRow,
  outcome: AttemptOutcome,
): Promise<'delivered' | 'failed' | 'disabled'> {
  const settled = {
    tries: row.tries + 1,
    attempts: [...row.attempts, outcome.attempt].slice(-keptAttempts),
  };
  if (outcome.verdict === 'delivered') {
    await save(deps, row, { ...settled, status: 'delivered' });
    return 'delivered';
  }
  const now = deps.clock.now();
  const gone = outcome.verdict === 'gone';
  const failing = hasFailedForLong(hook, now);
  const next = gone ? undefined : nextAttemptMs(settled.tries, now, outcome.retryAfter, deps.random.bytes(2));
  const given = gone || (failing && next !== undefined) ? 'failed' : 'exhausted';
  if (gone || failing) {
    const writes = [
      webhookRows(deps.store).disabling(hook, gone ? 'gone' : 'failing', now),
      accountEvent(deps, 'webhook.disabled', row, { webhook_id: hook.id }),
    ];
    if (await giveUp(deps, row, { ...settled, status: given }, writes)) return 'disabled';
  }
  if (next !== undefined) await saveForLater(deps, row, settled, next);
  else await giveUp(deps, row, { ...settled, status: given }, []);
  return 'failed';
}

export const hasFailedForLong = ({ failingSinceMs }: WebhookRow, nowMs: number): boolean =>
  failingSinceMs !== undefined && nowMs - failingSinceMs >= failingForMs;

/** A success clears what failed before; a healthy endpoint is written once a minute. */
export async function countSuccess(deps: Deps, hook: WebhookRow): Promise<void> {
  const now = deps.clock.now();
  const isNoted = hook.lastDeliveryMs !== null && now - hook.lastDeliveryMs < notedEveryMs;
  if (!isNoted || hook.failures > 0) await webhookRows(deps.store).succeeded(hook, now);
}

/** The end of a delivery and the events that tell of it are one transaction. False when it could not be written so. */
async function giveUp(deps: Deps, row: DeliveryDraft, settled: Settled, writes: Write[]): Promise<boolean> {
  // A delivery about a failed delivery that fails as well is announced to nobody.
  const isAnnounced = settled.status === 'exhausted' && !row.eventType.startsWith('webhook.');
  const exhausted = isAnnounced
    ? [accountEvent(deps, 'webhook.exhausted', row, { webhook_id: row.webhook, delivery_id: row.id })]
    : [];
  try {
    await deps.store.commit([writeOf(deps, row, settled), ...writes, ...exhausted]);
    return true;
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    if (error.failed[0]) return lost(deps, row);
    return false;
  }
}

export async function saveForLater(
  deps: Deps,
  row: DeliveryDraft,
  { tries, attempts }: Pick<Settled, 'tries' | 'attempts'>,
  atMs: number,
): Promise<void> {
  const delaySeconds = Math.ceil((atMs - deps.clock.now()) / 1000);
  const byMessage = delaySeconds <= longestDelaySeconds;
  const due = { atMs, sweepMs: byMessage ? atMs + messageGraceMs : atMs };
  if (!(await save(deps, row, { status: 'pending', tries, attempts, due })) || !byMessage) return;
  await wake(deps, 'deliver', { webhook_id: row.webhook, delivery_id: row.id }, { delaySeconds });
}

export async function save(deps: Deps, row: DeliveryDraft, settled: Settled): Promise<boolean> {
  const { held } = await conditionalWrite(deps.store.table, writeOf(deps, row, settled));
  return held || !lost(deps, row);
}

const writeOf = ({ store }: Deps, row: DeliveryDraft, settled: Settled) =>
  row.isNew ? deliveryRows(store).inserting(row, settled) : deliveryRows(store).settling(row, settled);

/** Somebody else has tried the delivery as well, or it is gone: what they wrote counts. */
function lost(deps: Deps, row: DeliveryDraft): true {
  deps.log('warn', 'delivery_settled_elsewhere', {
    webhook: row.webhook,
    delivery: row.id,
  });
  return true;
}
