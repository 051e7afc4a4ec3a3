// The circuit breaker of an endpoint: after several failures in a row it opens, and nothing is sent
// or written for a while. Then one request tests whether the endpoint is back. The state is stored
// in the endpoint's row.

import { feedRows } from '../events/feed-rows.ts';
import { EngineUnavailable } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { messageGraceMs } from '../system/pending-kinds.ts';
import { commitConditionally } from '../system/store.ts';
import { wakeWorker } from '../system/wake-worker.ts';
import { addPage, isInGap, isOpen, openGap } from './feed-gaps.ts';
import { type WebhookRow, webhookRows } from './webhook-rows.ts';

const openAfterFailures = 5;
const firstOpenMs = 10_000;
const maxOpenMs = 600_000;
/** Long enough for one attempt. */
const probeMs = 20_000;
const maxConflicts = 10;

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
  const rows = webhookRows(deps.store);
  if (untilMs === 0) {
    await rows.recordFailure(hook, now);
    return;
  }
  const isOpened = await changeWithRetry(deps, hook, async (row) => {
    // Read before the write, so that events numbered in the meantime are already included.
    const gaps = isOpen(row.gaps ?? [])
      ? []
      : openGap(row.gaps ?? [], (await feedRows(deps.store).readEnd(row)).next, now);
    return rows.recordFailure(row, now, { untilMs, sweepMs: untilMs + messageGraceMs, gaps });
  });
  if (isOpened) await wakeCatchUp(deps, hook, untilMs - now);
}

/** The endpoint is sent nothing for now; it gets the page's events when it catches up. */
export async function markBehind(
  deps: Deps,
  hook: WebhookRow,
  page: { first: number; publishedMs: number },
  untilMs: number,
): Promise<void> {
  let isNew = false;
  await changeWithRetry(deps, hook, async (row) => {
    const before = row.gaps ?? [];
    if (isInGap(before, page.first)) return true;
    const gaps = addPage(before, page.first, page.publishedMs);
    // A gap that only became longer has been announced.
    isNew = gaps.length > before.length;
    const change = { gaps, lanes: row.lanes, sweepMs: untilMs + messageGraceMs };
    return commitConditionally(deps.store, [webhookRows(deps.store).buildChangeGaps(row, change)]);
  });
  if (isNew) await wakeCatchUp(deps, hook, untilMs - deps.clock.now());
}

/**
 * Repeats a change that met another one, on the row as it is then. Returns false if the endpoint is
 * no longer active.
 */
async function changeWithRetry(
  deps: Deps,
  hook: WebhookRow,
  change: (row: WebhookRow) => Promise<boolean>,
): Promise<boolean> {
  let row: WebhookRow | undefined = hook;
  for (let conflicts = 0; conflicts <= maxConflicts; conflicts += 1) {
    if (row?.status !== 'active') return false;
    if (await change(row)) return true;
    row = await webhookRows(deps.store).findById(hook.account, hook.env, hook.id);
  }
  throw new EngineUnavailable(`too many concurrent changes to the gaps of ${hook.id}`);
}

/** An endpoint on probation that has accepted a delivery is sent at once what it missed. */
export async function wakeIfBehind(deps: Deps, hook: WebhookRow): Promise<void> {
  if (isOnProbation(hook) && hook.gaps) await wakeCatchUp(deps, hook, 0);
}

export async function wakeCatchUp(
  deps: Deps,
  { account, env, id }: Pick<WebhookRow, 'account' | 'env' | 'id'>,
  inMs: number,
): Promise<void> {
  const due_ms = deps.clock.now() + inMs;
  const job = { webhook_id: id, account_id: account, env, catch_up: true, due_ms } as const;
  await wakeWorker(deps, 'deliver', job, inMs > 0 ? { delaySeconds: Math.ceil(inMs / 1000) } : {});
}
