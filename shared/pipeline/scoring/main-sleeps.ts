// Reads which session is the main sleep of a day, as the sleep list shows it: of several devices that
// recorded one session, the highest-ranked enabled one counts.
import { rankEnabledDevices } from '../../consolidation/rank-devices.ts';
import { deduplicateSessions } from '../../measurements/deduplicate-sessions.ts';
import { type SleepRow, sessionRows } from '../../measurements/rows/session-rows.ts';
import { findMainSleep } from '../../measurements/sleep.ts';
import type { Deps } from '../../system/deps.ts';
import type { UserContext } from '../../users/user-context.ts';

export interface MainSleeps {
  /** Reads the days that were not read before. */
  load(dates: readonly string[]): Promise<void>;
  /** Returns undefined for a loaded day without a main sleep. */
  get(date: string): SleepRow | undefined;
}

export function createMainSleeps({ store }: Pick<Deps, 'store'>, userContext: UserContext): MainSleeps {
  const { user } = userContext;
  const ranks = new Map(rankEnabledDevices(userContext, 'asleep').map(({ ordinal }, rank) => [ordinal, rank]));
  const rankOf = ({ device }: SleepRow): number => ranks.get(device) ?? 0;
  const loaded = new Map<string, SleepRow | undefined>();
  return {
    async load(dates) {
      const missing = dates.filter((date) => !loaded.has(date));
      if (missing.length === 0) return;
      const days = await sessionRows(store).sleep.readDates(user.id, missing);
      for (const date of missing) {
        const eligible = (days.get(date)?.sessions ?? []).filter(({ device }) => ranks.has(device));
        const shown = deduplicateSessions(eligible, (a, b) => rankOf(a) - rankOf(b));
        loaded.set(date, findMainSleep(shown, user.timezone));
      }
    },
    get: (date) => loaded.get(date),
  };
}
