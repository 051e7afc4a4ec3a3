// Asks for scores where data changed: the write that goes out with the change, and the message that follows it.
import type { Write } from '../../engine/ports.ts';
import { scoreRunRows } from '../../store/score-runs.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../new-id.ts';
import { wake } from '../work/wake.ts';

export interface DateSpan {
  from: string;
  to: string;
}

export const everyDay: DateSpan = { from: '0000-01-01', to: '9999-12-31' };
/** Asks only that somebody looks at the user: nothing is so old. */
export const noDay: DateSpan = { from: '0000-01-01', to: '0000-01-01' };

/** Nothing to write when no day changed. */
export function askingForScores(
  deps: Deps,
  userId: string,
  from: string | null,
  to: string | null,
  /** Settings changed, and not what was measured: scores change with them and do not wait for their turn. */
  { atOnce = false }: { atOnce?: boolean } = {},
): Write[] {
  if (from === null || to === null) return [];
  const ask = { from, to, asked: newId(deps, 'ask'), ...(atOnce ? { atOnce } : {}) };
  return [scoreRunRows(deps.store).asking(userId, ask, deps.clock.now())];
}

export const wakeScoring = (deps: Deps, userId: string, delaySeconds = 0): Promise<void> =>
  wake(deps, 'score', { user_id: userId }, delaySeconds > 0 ? { delaySeconds } : {});
