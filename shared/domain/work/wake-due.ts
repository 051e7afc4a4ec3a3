// Wakes whoever's time has come. Most ticks look only at what has become due since the one before; now and then everything that is still owed is woken again.
import type { ScheduledKind } from '../../store/due.ts';
import { owedRows } from '../../store/owed.ts';
import type { Deps } from '../deps.ts';
import { tellBacklog, wakeAll } from './sweep.ts';

const minuteMs = 60_000;
/** A message was lost, or a worker died: by then whoever took it up has given it back, or lost the lease. */
const againMs = 3 * minuteMs;
/** Where there is much, it waits in the queue: sent more often, it would only be there more often. */
const muchAgainMs = 15 * minuteMs;
/** Was sent by the tick before. */
const justSentMs = 2 * minuteMs;
const overdueMs = 15 * minuteMs;
/** No message is sent after it: the rest is for the next tick, which goes on there. */
const mostSendingMs = 45_000;
const atOnce = 10_000;

export async function wakeDue(deps: Deps, kind: ScheduledKind): Promise<void> {
  const { store, clock } = deps;
  const now = clock.now();
  const last = (await owedRows(store).looked(kind)) ?? { seenMs: 0, wholeMs: 0 };
  const isWhole = now >= last.wholeMs;
  const { woken, seenMs } = await wakeSince(deps, kind, isWhole ? 0 : last.seenMs, last.seenMs);
  const isThrough = seenMs === now;
  const pauseMs = isThrough && woken <= atOnce ? againMs : muchAgainMs;
  const wholeMs = isWhole || !isThrough ? now + pauseMs : last.wholeMs;
  await owedRows(store).lookedTo(kind, { seenMs, wholeMs });
  const oldestMs = await owedRows(store).oldest(kind);
  if (oldestMs !== undefined && now - oldestMs >= overdueMs)
    tellBacklog(deps, kind, { owed: woken, isPart: !isWhole || !isThrough, oldestMs });
}

/** Until when everything was seen: until now, unless the time was over before. */
async function wakeSince(
  deps: Deps,
  kind: ScheduledKind,
  sinceMs: number,
  lastSeenMs: number,
): Promise<{ woken: number; seenMs: number }> {
  const { store, clock } = deps;
  const now = clock.now();
  let woken = 0;
  for (let from: string[] | undefined; ; ) {
    const found = await owedRows(store).before(kind, now, { atMost: atOnce, sinceMs, from });
    const owed = found.owed.filter((each) => each.sinceMs < now - justSentMs || each.sinceMs >= lastSeenMs);
    await wakeAll(deps, kind, owed);
    woken += owed.length;
    if (!found.rest) return { woken, seenMs: now };
    if (clock.now() >= now + mostSendingMs) return { woken, seenMs: found.seenMs };
    from = found.rest;
  }
}
