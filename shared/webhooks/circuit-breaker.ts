// The circuit breaker of an endpoint: after several failures in a row it opens, and nothing is sent
// or written for a while. Then one request tests whether the endpoint is back. The state is stored
// in the endpoint's row.

import { feedRows } from '../events/feed-rows.ts';
import type { Deps } from '../system/deps.ts';
import { messageGraceMs } from '../system/pending-kinds.ts';
import { wakeWorker } from '../system/wake-worker.ts';
import { type WebhookRow, webhookRows } from './webhook-rows.ts';

const openAfterFailures = 5;
const firstOpenMs = 10_000;
const maxOpenMs = 600_000;
/** Long enough for one attempt. */
const probeMs = 20_000;

/**
 * Until when nothing is sent, by the number of failures in a row; 0 while the circuit is closed.
 */
export const openUntilMs = (failures: number, nowMs: number): number =>
  failures < openAfterFailures ? 0 : nowMs + Math.min(maxOpenMs, firstOpenMs * 2 ** (failures - openAfterFailures));

/** Whether the next request only tests if the endpoint is back; it is sent alone. */
export const isOnProbation = ({ failures }: Pick<WebhookRow, 'failures'>): boolean => failures >= openAfterFailures;

/** Undefined means: send now. If several workers ask after the open period, only one may send. */
export async function checkCircuit(
  deps: Deps,
  hook: WebhookRow,
  nowMs: number,
  forMs = probeMs,
): Promise<number | undefined> {
  if (!isOnProbation(hook)) return undefined;
  if (hook.openUntilMs > nowMs) return hook.openUntilMs;
  return (await webhookRows(deps.store).probe(hook, nowMs + forMs)) ? undefined : nowMs + forMs;
}

/**
 * Counts a failure of the endpoint. If it opens the circuit, the endpoint is behind from the end of
 * the feed on.
 */
export async function countFailure(deps: Deps, hook: WebhookRow): Promise<void> {
  const now = deps.clock.now();
  const untilMs = openUntilMs(hook.failures + 1, now);
  if (untilMs === 0) return webhookRows(deps.store).recordFailure(hook, now);
  // Read before the write, so that events numbered in the meantime are already included.
  const { next } = await feedRows(deps.store).readEnd(hook);
  await webhookRows(deps.store).recordFailure(hook, now, {
    untilMs,
    sweepMs: untilMs + messageGraceMs,
    behindFrom: next,
  });
  await wakeCatchUp(deps, hook, untilMs - now);
}

/** The endpoint is sent nothing for now; it gets the page's events when it catches up. */
export async function markBehind(deps: Deps, hook: WebhookRow, page: number, untilMs: number): Promise<void> {
  if (await webhookRows(deps.store).fallBehind(hook, page, untilMs + messageGraceMs))
    await wakeCatchUp(deps, hook, untilMs - deps.clock.now());
}

export async function wakeCatchUp(deps: Deps, { account, env, id }: WebhookRow, inMs: number): Promise<void> {
  const job = { webhook_id: id, account_id: account, env, catch_up: true } as const;
  await wakeWorker(deps, 'deliver', job, inMs > 0 ? { delaySeconds: Math.ceil(inMs / 1000) } : {});
}
