// Asks for scores where data changed: the write that goes out with the change, and the message that follows it.
import type { Write } from '../../engine/ports.ts';
import { scoreRows } from '../../store/scores.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../new-id.ts';
import { wake } from '../work/wake.ts';

export const everyDay = { from: '0000-01-01', to: '9999-12-31' } as const;

/** Nothing to write when no day changed. */
export function askingForScores(deps: Deps, userId: string, from: string | null, to: string | null): Write[] {
  if (from === null || to === null) return [];
  return [scoreRows(deps.store).asking(userId, { from, to, asked: newId(deps, 'ask') }, deps.clock.now())];
}

export const wakeScoring = (deps: Deps, userId: string, delaySeconds = 0): Promise<void> =>
  wake(deps, 'score', { user_id: userId }, delaySeconds > 0 ? { delaySeconds } : {});
