// The circuit breaker of an endpoint: after several failures in a row it is open, and nothing is sent for a while; then one delivery is
// let through to see whether the endpoint is back. Its state stands in the endpoint's row, so every process sees the same.
import { type WebhookRow, webhookRows } from '../../store/webhooks.ts';
import type { Deps } from '../deps.ts';

const openAfterFailures = 5;
const firstOpenMs = 10_000;
const longestOpenMs = 600_000;
/** Long enough for one attempt. */
const probeMs = 20_000;

/** Until when nothing is sent, given the failures in a row; 0 while the circuit is closed. */
export const openUntilMs = (failures: number, nowMs: number): number =>
  failures < openAfterFailures ? 0 : nowMs + Math.min(longestOpenMs, firstOpenMs * 2 ** (failures - openAfterFailures));

/** Undefined: send now. Of those who ask when the time is over, one may. */
export async function heldBackUntil(deps: Deps, hook: WebhookRow, nowMs: number): Promise<number | undefined> {
  if (hook.failures < openAfterFailures) return undefined;
  if (hook.openUntilMs > nowMs) return hook.openUntilMs;
  return (await webhookRows(deps.store).probe(hook, nowMs + probeMs)) ? undefined : nowMs + probeMs;
}
