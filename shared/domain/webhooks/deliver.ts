// Tries a delivery when it is due. The row is the truth: a message only says that it may be time.
import { TransactionRefused, type Write } from '../../engine/ports.ts';
import type { Job } from '../../model/jobs.ts';
import { type DeliveryRow, deliveryRows, type Settled } from '../../store/deliveries.ts';
import { messageGraceMs } from '../../store/due.ts';
import { type WebhookRow, webhookRows } from '../../store/webhooks.ts';
import type { Deps } from '../deps.ts';
import { accountEvent } from '../events/new-event.ts';
import { randomShare } from '../work/backoff.ts';
import { wake } from '../work/wake.ts';
import { type AttemptOutcome, attempt } from './attempt.ts';
import { heldBackUntil, openUntilMs } from './circuit-breaker.ts';
import { failingForMs, nextAttemptMs } from './delivery-backoff.ts';
import type { EndpointBulkhead } from './endpoint-bulkhead.ts';

/** Longer than an attempt and its writes take: after a crash in the middle it is tried again then. */
const leaseMs = 60_000;
/** What a queue can hold back; what is due later waits for the sweep. */
const longestDelaySeconds = 900;
const keptAttempts = 26;
/** Those that were held back do not all come at the same moment. */
const spreadMs = 30_000;
/** An endpoint that answers faster than this may have more requests at once. */
const quickMs = 2_000;
/** `last_delivery_at` is right to within this. */
const notedEveryMs = 1_000;

export async function deliver(deps: Deps, bulkhead: EndpointBulkhead, job: Job<'deliver'>): Promise<void> {
  // A stuck endpoint's rows stay due: the sweep brings them again.
  if (!(await bulkhead.enter(job.webhook_id))) return;
  let quick = false;
  try {
    quick = await tryOnce(deps, job);
  } finally {
    bulkhead.leave(job.webhook_id, quick);
  }
}

/** Whether the endpoint showed no sign of being stuck. */
async function tryOnce(deps: Deps, job: Job<'deliver'>): Promise<boolean> {
  const now = deps.clock.now();
  const row = await deliveryRows(deps.store).lease(job, now, now + leaseMs);
  if (!row) return true;
  const hook = await webhookRows(deps.store).byId(row.account, row.env, row.webhook);
  if (!hook) {
    await deliveryRows(deps.store).forget(row);
    return true;
  }
  if (hook.status !== 'active') {
    await settle(deps, row, { ...row, status: row.tries > 0 ? 'failed' : 'missed' });
    return true;
  }
  const heldUntilMs = await heldBackUntil(deps, hook, now);
  if (heldUntilMs !== undefined) {
    await settleForLater(deps, row, row, heldUntilMs + Math.ceil(spreadMs * randomShare(deps.random.bytes(2))));
    return true;
  }
  const outcome = await attempt(deps, hook, { id: row.eventId, body: row.body });
  if (outcome.verdict === 'delivered') await succeed(deps, row, hook, outcome);
  else await fail(deps, row, hook, outcome);
  return outcome.attempt.error !== 'timeout' && outcome.attempt.tookMs < quickMs;
}

async function succeed(deps: Deps, row: DeliveryRow, hook: WebhookRow, outcome: AttemptOutcome): Promise<void> {
  await settle(deps, row, { ...after(row, outcome), status: 'delivered' });
  const now = deps.clock.now();
  const noted = hook.lastDeliveryMs !== null && now - hook.lastDeliveryMs < notedEveryMs;
  if (!noted || hook.failures > 0) await webhookRows(deps.store).succeeded(hook, now);
}

async function fail(deps: Deps, row: DeliveryRow, hook: WebhookRow, outcome: AttemptOutcome): Promise<void> {
  const now = deps.clock.now();
  const settled = after(row, outcome);
  const gone = outcome.verdict === 'gone';
  const failing = hook.failingSinceMs !== undefined && now - hook.failingSinceMs >= failingForMs;
  const next = gone ? undefined : nextAttemptMs(settled.tries, now, outcome.retryAfter, deps.random.bytes(2));
  const given = gone || (failing && next !== undefined) ? 'failed' : 'exhausted';
  if (gone || failing) {
    const writes = [
      webhookRows(deps.store).disabling(hook, gone ? 'gone' : 'failing', now),
      accountEvent(deps, 'webhook.disabled', row, { webhook_id: hook.id }),
    ];
    if (await givenUp(deps, row, { ...settled, status: given }, writes)) return;
  }
  await webhookRows(deps.store).failed(hook, now, openUntilMs(hook.failures + 1, now));
  if (next !== undefined) await settleForLater(deps, row, settled, next);
  else await givenUp(deps, row, { ...settled, status: given }, []);
}

const after = (row: DeliveryRow, outcome: AttemptOutcome) => ({
  tries: row.tries + 1,
  attempts: [...row.attempts, outcome.attempt].slice(-keptAttempts),
});

/** The end of a delivery and the events that tell of it are one transaction. False when it could not be written so. */
async function givenUp(deps: Deps, row: DeliveryRow, settled: Settled, writes: Write[]): Promise<boolean> {
  // Whoever fails to hear of a failed delivery is not sent another one about that.
  const isTold = settled.status === 'exhausted' && !row.eventType.startsWith('webhook.');
  const told = isTold
    ? [accountEvent(deps, 'webhook.exhausted', row, { webhook_id: row.webhook, delivery_id: row.id })]
    : [];
  try {
    await deps.store.commit([deliveryRows(deps.store).settling(row, settled), ...writes, ...told]);
    return true;
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    if (error.failed[0]) return lost(deps, row);
    return false;
  }
}

async function settleForLater(
  deps: Deps,
  row: DeliveryRow,
  { tries, attempts }: Pick<Settled, 'tries' | 'attempts'>,
  atMs: number,
): Promise<void> {
  const delaySeconds = Math.ceil((atMs - deps.clock.now()) / 1000);
  const byMessage = delaySeconds <= longestDelaySeconds;
  const due = { atMs, sweepMs: byMessage ? atMs + messageGraceMs : atMs };
  if (!(await settle(deps, row, { status: 'pending', tries, attempts, due })) || !byMessage) return;
  await wake(deps, 'deliver', { webhook_id: row.webhook, delivery_id: row.id }, { delaySeconds });
}

async function settle(deps: Deps, row: DeliveryRow, { status, tries, attempts, due }: Settled): Promise<boolean> {
  const settled = { status, tries, attempts, ...(due ? { due } : {}) };
  return (await deliveryRows(deps.store).settle(row, settled)) || !lost(deps, row);
}

/** Somebody else has the delivery, or it is gone: what they write counts. */
function lost(deps: Deps, row: DeliveryRow): true {
  deps.log('warn', 'a delivery was taken over by another worker during an attempt', {
    webhook: row.webhook,
    delivery: row.id,
  });
  return true;
}
