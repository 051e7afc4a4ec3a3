// Wakes whoever's time has come. Most ticks look only at what has become due since the one before; now and then everything that is still owed is woken again.

import type { Deps } from './deps.ts';
import type { ScheduledKind } from './due.ts';
import { owedRows } from './owed-rows.ts';
import { wakeAll } from './sweep.ts';

const minuteMs = 60_000;
/**
 * Ticks come a little earlier or later than a minute apart: what is due at one of them may not wait
 * for the next.
 */
const jitterMs = minuteMs / 2;
/** A message was lost, or a worker died: by then its message has been worked off, or handed out again. */
const againMs = 3 * minuteMs - jitterMs;
/** Where there is much, it waits in the queue: sent more often, it would only be there more often. */
const muchAgainMs = 14 * minuteMs - jitterMs;
/** Was sent by the tick before. */
const justSentMs = 2 * minuteMs;
/** No message is sent after it: the rest is for the next tick, which goes on there. */
const mostSendingMs = 45_000;
const atOnce = 10_000;

/**
 * Everything is compared with one reading of the clock; another only says whether there is time
 * left.
 */
export async function wakeDue(deps: Deps, kind: ScheduledKind): Promise<void> {
  const { store, clock } = deps;
  const nowMs = clock.now();
  const looked = await owedRows(store).looked(kind);
  // A clock that was ahead has left a time to come, until which nothing would be found.
  const isAhead = looked !== undefined && looked.wholeMs > nowMs + muchAgainMs;
  const last = looked && !isAhead ? looked : { seenMs: 0, wholeMs: 0 };
  const isWhole = nowMs >= last.wholeMs;
  const { woken, seenMs, isThrough } = await wakeSince(deps, kind, {
    nowMs,
    sinceMs: isWhole ? 0 : last.seenMs,
    lastSeenMs: last.seenMs,
  });
  const pauseMs = isThrough && woken <= atOnce ? againMs : muchAgainMs;
  // A look at a part never puts the whole one off: under steady load that one would not come at all.
  const wholeMs = isWhole ? nowMs + pauseMs : last.wholeMs;
  await owedRows(store).lookedTo(kind, { seenMs, wholeMs });
}

interface Woken {
  woken: number;
  /** Everything that has been due since before then was seen. */
  seenMs: number;
  /** False when the time was over before everything was seen. */
  isThrough: boolean;
}

async function wakeSince(
  deps: Deps,
  kind: ScheduledKind,
  { nowMs, sinceMs, lastSeenMs }: { nowMs: number; sinceMs: number; lastSeenMs: number },
): Promise<Woken> {
  const { store, clock } = deps;
  let woken = 0;
  for (let from: string[] | undefined; ; ) {
    const found = await owedRows(store).before(kind, nowMs, { atMost: atOnce, sinceMs, from });
    const owed = found.owed.filter((each) => each.sinceMs < nowMs - justSentMs || each.sinceMs >= lastSeenMs);
    await wakeAll(deps, kind, owed);
    woken += owed.length;
    if (!found.rest) return { woken, seenMs: nowMs, isThrough: true };
    if (clock.now() >= nowMs + mostSendingMs) return { woken, seenMs: found.seenMs, isThrough: false };
    from = found.rest;
  }
}
