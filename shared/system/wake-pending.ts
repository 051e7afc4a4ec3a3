// Wakes the workers of due work. Most ticks check only what has become due since the previous tick;
// from time to time, a full scan wakes everything that is still pending.

import type { Deps } from './deps.ts';
import type { ScheduledKind } from './pending-kinds.ts';
import { pendingWorkRows } from './pending-work-rows.ts';
import { wakeWorkers } from './sweep.ts';

const minuteMs = 60_000;
/**
 * Ticks are not exactly a minute apart: work that is due at one tick must not wait for the next.
 */
const jitterMs = minuteMs / 2;
/** For lost messages and dead workers: by then, the message has been processed or redelivered. */
const recheckMs = 3 * minuteMs - jitterMs;
/** A large backlog waits in the queue, and sending it more often would only duplicate messages. */
const backlogRecheckMs = 14 * minuteMs - jitterMs;
/** Work in this window was sent by the previous tick. */
const justSentMs = 2 * minuteMs;
/** No message is sent after this time. The next tick continues with the rest. */
const maxSendingMs = 45_000;
const batchSize = 10_000;

/**
 * All comparisons use one reading of the clock; a second reading only checks whether time is left.
 */
export async function wakeDue(deps: Deps, kind: ScheduledKind): Promise<void> {
  const { store, clock } = deps;
  const nowMs = clock.now();
  const lastScan = await pendingWorkRows(store).findWatermark(kind);
  // A clock that was ahead has stored a time in the future, until which nothing would be found.
  const isAhead = lastScan !== undefined && lastScan.fullScanMs > nowMs + backlogRecheckMs;
  const last = lastScan && !isAhead ? lastScan : { seenMs: 0, fullScanMs: 0 };
  const isFullScan = nowMs >= last.fullScanMs;
  const { woken, seenMs, isComplete } = await wakeSince(deps, kind, {
    nowMs,
    sinceMs: isFullScan ? 0 : last.seenMs,
    lastSeenMs: last.seenMs,
  });
  const pauseMs = isComplete && woken <= batchSize ? recheckMs : backlogRecheckMs;
  // A partial scan never delays the full one, which would otherwise never happen under steady load.
  const fullScanMs = isFullScan ? nowMs + pauseMs : last.fullScanMs;
  await pendingWorkRows(store).saveWatermark(kind, { seenMs, fullScanMs });
}

interface WakeResult {
  woken: number;
  /** All work that was due before this time was seen. */
  seenMs: number;
  /** False if time ran out before everything was seen. */
  isComplete: boolean;
}

async function wakeSince(
  deps: Deps,
  kind: ScheduledKind,
  { nowMs, sinceMs, lastSeenMs }: { nowMs: number; sinceMs: number; lastSeenMs: number },
): Promise<WakeResult> {
  const { store, clock } = deps;
  let woken = 0;
  for (let from: string[] | undefined; ; ) {
    const page = await pendingWorkRows(store).listBefore(kind, nowMs, { limit: batchSize, sinceMs, from });
    const pending = page.pending.filter((each) => each.dueMs < nowMs - justSentMs || each.dueMs >= lastSeenMs);
    await wakeWorkers(deps, kind, pending);
    woken += pending.length;
    if (!page.cursor) return { woken, seenMs: nowMs, isComplete: true };
    if (clock.now() >= nowMs + maxSendingMs) return { woken, seenMs: page.seenMs, isComplete: false };
    from = page.cursor;
  }
}
