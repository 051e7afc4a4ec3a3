// What waits until its scores may change: one row says which days and until when, and one message wakes the worker then.
import type { Write } from '../../engine/ports.ts';
import { type Ask, scoreRunRows } from '../../store/score-runs.ts';
import type { UserRow } from '../../store/users.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../new-id.ts';
import { messageGraceMs } from '../work/wake.ts';
import { wakeScoring } from './ask.ts';
import type { HeldDays } from './score-changes.ts';

/** No message is delayed for longer: later than that the sweep wakes the worker. */
const longestDelayMs = 900_000;

export interface Hold {
  /** The ask of the same days, as it was read. */
  replaced: Ask | undefined;
  /** Undefined where the row says so already. */
  write: Write | undefined;
  /** Undefined where a message is under way, or none can be sent. */
  wakeMs: number | undefined;
}

export function holdOf(
  deps: Deps,
  user: UserRow,
  asks: readonly Ask[],
  held: HeldDays | null,
  nowMs: number,
): Hold | undefined {
  if (!held) return undefined;
  const { from, to, untilMs } = held;
  const replaced = asks.find((ask) => ask.from === from && ask.to === to);
  const isUnderWay = replaced?.wakeMs === untilMs;
  const byMessage = untilMs - nowMs <= longestDelayMs;
  const sweepMs = byMessage ? untilMs : untilMs - messageGraceMs;
  const ask = { from, to, asked: newId(deps, 'ask') };
  return {
    replaced,
    write:
      isUnderWay && replaced.held
        ? undefined
        : scoreRunRows(deps.store).awaiting(user.id, ask, replaced, untilMs, sweepMs),
    wakeMs: byMessage && !isUnderWay ? untilMs : undefined,
  };
}

/** What takes the asks away; each is refused when the same days were asked for meanwhile. */
export function answersTo({ store }: Deps, user: UserRow, asks: readonly Ask[], hold: Hold | undefined): Write[] {
  const answered = asks.filter((ask) => ask !== hold?.replaced);
  return [...answered.map((ask) => scoreRunRows(store).answering(user.id, ask)), ...(hold?.write ? [hold.write] : [])];
}

export async function wakeWhenHeld(deps: Deps, user: UserRow, hold: Hold | undefined, nowMs: number): Promise<void> {
  if (hold?.wakeMs !== undefined) await wakeScoring(deps, user.id, Math.ceil((hold.wakeMs - nowMs) / 1000));
}
