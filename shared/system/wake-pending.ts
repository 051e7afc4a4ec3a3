// Wakes whoever's time has come. Most ticks look only at what has become due since the one before; now and then everything that is still owed is woken again.

import type { Deps } from './deps.ts';
import type { ScheduledKind } from './pending-kinds.ts';
import { pendingWorkRows } from './pending-work-rows.ts';
import { wakeWorkers } from './sweep.ts';

const minuteMs = 60_000;
/**
 * Ticks come a little earlier or later than a minute apart: what is due at one of them may not wait
 * for the next.
 */
const jitterMs = minuteMs / 2;
/** A message was lost, or a worker died: by then its message has been worked off, or handed out again. */
const recheckMs = 3 * minuteMs - jitterMs;
/** Where there is much, it waits in the queue: sent more often, it would only be there more often. */
const backlogRecheckMs = 14 * minuteMs - jitterMs;
/** Was sent by the tick before. */
const justSentMs = 2 * minuteMs;
/** No message is sent after it: the rest is for the next tick, which goes on there. */
const maxSendingMs = 45_000;
const batchSize = 10_000;

/**
 * Everything is compared with one reading of the clock; another only says whether there is time
 * left.
 */
export async function wakeDue(deps: Deps, kind: ScheduledKind): Promise<void> {
  const { store, clock } = deps;
  const nowMs = clock.now();
  const lastScan = await pendingWorkRows(store).findWatermark(kind);
  // A clock that was ahead has left a time to come, until which nothing would be found.
  const isAhead = lastScan !== undefined && lastScan.fullScanMs > nowMs + backlogRecheckMs;
  const last = lastScan && !isAhead ? lastScan : { seenMs: 0, fullScanMs: 0 };
  const isFullScan = nowMs >= last.fullScanMs;
  const { woken, seenMs, isComplete } = await wakeSince(deps, kind, {
    nowMs,
    sinceMs: isFullScan ? 0 : last.seenMs,
    lastSeenMs: last.seenMs,
  });
  const pauseMs = isComplete && woken <= batchSize ? recheckMs : backlogRecheckMs;
  // A look at a part never puts the whole one off: under steady load that one would not come at all.
  const fullScanMs = isFullScan ? nowMs + pauseMs : last.fullScanMs;
  await pendingWorkRows(store).saveWatermark(kind, { seenMs, fullScanMs });
}

interface WakeResult {
  woken: number;
  /** Everything that has been due since before then was seen. */
  seenMs: number;
  /** False when the time was over before everything was seen. */
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
    const page = await pendingWorkRows(store).listBefore(kind, nowMs, { atMost: batchSize, sinceMs, from });
    const pending = page.pending.filter((each) => each.dueMs < nowMs - justSentMs || each.dueMs >= lastSeenMs);
    await wakeWorkers(deps, kind, pending);
    woken += pending.length;
    if (!page.cursor) return { woken, seenMs: nowMs, isComplete: true };
    if (clock.now() >= nowMs + maxSendingMs) return { woken, seenMs: page.seenMs, isComplete: false };
    from = page.cursor;
  }
}
