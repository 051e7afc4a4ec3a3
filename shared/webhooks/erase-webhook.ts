// Erases the deliveries of deleted endpoints: within a minute, and once more when nobody who still knew them can be at work.

import { workerLifeMs } from '../platform/worker-life.ts';
import type { Deps } from '../system/deps.ts';
import { deliveryRows } from './delivery-rows.ts';

const rowsPerStep = 500;
/** More wait for the next time. */
const atOnce = 20;
/** No step is begun after it: a worker lives for a minute. */
const maxMs = 30_000;

type Erasing = Pick<Deps, 'store' | 'clock'>;

/** One after the other. Each is put off before it is begun, so that one with very many deliveries holds up no other for long. */
export async function eraseWebhooks(deps: Erasing): Promise<void> {
  const untilMs = deps.clock.now() + maxMs;
  for (const webhookId of await deliveryRows(deps.store).toErase(deps.clock.now(), atOnce))
    await eraseWebhook(deps, webhookId, untilMs);
}

export async function eraseWebhook(
  { store, clock }: Erasing,
  webhookId: string,
  untilMs = clock.now() + maxMs,
): Promise<void> {
  while (clock.now() < untilMs) {
    const nowMs = clock.now();
    const begunMs = await deliveryRows(store).beginErasure(webhookId, nowMs, nowMs + workerLifeMs);
    if (begunMs === undefined) return;
    if ((await deliveryRows(store).eraseSome(webhookId, rowsPerStep)) > 0) continue;
    // What a late worker has written by then goes with the next visit.
    if (begunMs + workerLifeMs <= nowMs) await deliveryRows(store).erased(webhookId);
    return;
  }
}
