// Erases the deliveries of deleted endpoints: within a minute, and once more when no worker that
// still knows the endpoint can be running.

import { workerWriteDeadlineMs } from '../platform/write-deadline.ts';
import type { Deps } from '../system/deps.ts';
import { deliveryRows } from './delivery-rows.ts';

const rowsPerStep = 500;
/** Further endpoints wait for the next run. */
const batchSize = 20;
/** No step is started after this time; a worker has a minute. */
const maxRunMs = 30_000;

type ErasureDeps = Pick<Deps, 'store' | 'clock'>;

/**
 * Erases one endpoint after the other. Each is postponed before it starts, so that one with many
 * deliveries does not delay the others for long.
 */
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
    // What a late worker has written by then is erased by the next run.
    if (startedMs + workerWriteDeadlineMs <= nowMs) await deliveryRows(store).finishErasure(webhookId);
    return;
  }
}
