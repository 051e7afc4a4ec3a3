// The circuit breaker of an endpoint: after several failures in a row it is open, and nothing is sent or written for a
// while; then one request is let through to see whether the endpoint is back. Its state stands in the endpoint's row.

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

/** Until when nothing is sent, given the failures in a row; 0 while the circuit is closed. */
export const openUntilMs = (failures: number, nowMs: number): number =>
  failures < openAfterFailures ? 0 : nowMs + Math.min(maxOpenMs, firstOpenMs * 2 ** (failures - openAfterFailures));

/** Whether the next request only shows whether the endpoint is back: it goes alone. */
export const isOnProbation = ({ failures }: Pick<WebhookRow, 'failures'>): boolean => failures >= openAfterFailures;

/** Undefined: send now. Of those who ask when the time is over, one may. */
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

/** A failure of the endpoint. When it opens the circuit, the endpoint is behind from the end of the feed on. */
export async function countFailure(deps: Deps, hook: WebhookRow): Promise<void> {
  const now = deps.clock.now();
  const untilMs = openUntilMs(hook.failures + 1, now);
  if (untilMs === 0) return webhookRows(deps.store).recordFailure(hook, now);
  // Read before it is written: what is numbered meanwhile is already behind.
  const { next } = await feedRows(deps.store).readEnd(hook);
  await webhookRows(deps.store).recordFailure(hook, now, {
    untilMs,
    sweepMs: untilMs + messageGraceMs,
    behindFrom: next,
  });
  await wakeCatchUp(deps, hook, untilMs - now);
}

/** It is sent nothing for now, so it gets a page's events when it catches up. */
export async function markBehind(deps: Deps, hook: WebhookRow, page: number, untilMs: number): Promise<void> {
  if (await webhookRows(deps.store).fallBehind(hook, page, untilMs + messageGraceMs))
    await wakeCatchUp(deps, hook, untilMs - deps.clock.now());
}

export async function wakeCatchUp(deps: Deps, { account, env, id }: WebhookRow, inMs: number): Promise<void> {
  const job = { webhook_id: id, account_id: account, env, catch_up: true } as const;
  await wakeWorker(deps, 'deliver', job, inMs > 0 ? { delaySeconds: Math.ceil(inMs / 1000) } : {});
}
