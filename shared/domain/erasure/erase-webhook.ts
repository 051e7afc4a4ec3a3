// Erases the deliveries of a deleted endpoint: at once, and once more when nobody who still knew it can be at work.
import { deliveryRows } from '../../store/deliveries.ts';
import type { Deps } from '../deps.ts';
import { wake } from '../work/wake.ts';
import { workerLifeMs } from '../work/worker-life.ts';

const rowsPerStep = 500;
/** No step is begun after it: a worker lives for a minute. */
const mostMs = 30_000;

export async function eraseWebhook({ store, clock, queue, log }: Deps, webhookId: string): Promise<void> {
  const untilMs = clock.now() + mostMs;
  const again = (delaySeconds: number) =>
    wake({ queue, log }, 'erase', { webhook_id: webhookId }, delaySeconds > 0 ? { delaySeconds } : {});
  while (clock.now() < untilMs) {
    const nowMs = clock.now();
    const begunMs = await deliveryRows(store).beginErasure(webhookId, nowMs, nowMs + workerLifeMs);
    if (begunMs === undefined) return;
    if ((await deliveryRows(store).eraseSome(webhookId, rowsPerStep)) > 0) continue;
    const leftMs = begunMs + workerLifeMs - nowMs;
    return leftMs > 0 ? again(Math.ceil(leftMs / 1000)) : deliveryRows(store).erased(webhookId);
  }
  await again(0);
}
