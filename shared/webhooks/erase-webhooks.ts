// Erases the deliveries of deleted endpoints: within a minute, and once more when nobody who still knew them can be at work.

import { workerWriteDeadlineMs } from '../platform/write-deadline.ts';
import type { Deps } from '../system/deps.ts';
import { deliveryRows } from './delivery-rows.ts';

const rowsPerStep = 500;
/** More wait for the next time. */
const batchSize = 20;
/** No step is begun after it: a worker lives for a minute. */
const maxRunMs = 30_000;

type ErasureDeps = Pick<Deps, 'store' | 'clock'>;

/** One after the other. Each is put off before it is begun, so that one with very many deliveries holds up no other for long. */
export async function eraseWebhooks(deps: ErasureDeps): Promise<void> {
  const untilMs = deps.clock.now() + maxRunMs;
  for (const webhookId of await deliveryRows(deps.store).listDueErasures(deps.clock.now(), batchSize))
    await eraseWebhook(deps, webhookId, untilMs);
}

export async function eraseWebhook(
  { store, clock }: ErasureDeps,
  webhookId: string,
  untilMs = clock.now() + maxRunMs,
): Promise<void> {
  while (clock.now() < untilMs) {
    const nowMs = clock.now();
    const startedMs = await deliveryRows(store).beginErasure(webhookId, nowMs, nowMs + workerWriteDeadlineMs);
    if (startedMs === undefined) return;
    if ((await deliveryRows(store).eraseBatch(webhookId, rowsPerStep)) > 0) continue;
    // What a late worker has written by then goes with the next visit.
    if (startedMs + workerWriteDeadlineMs <= nowMs) await deliveryRows(store).finishErasure(webhookId);
    return;
  }
}
