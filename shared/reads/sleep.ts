// The sleep list.
import type { Deps } from '../domain/deps.ts';
import { efficiencyPct, markMainSleep } from '../domain/measurements/sleep.ts';
import type { Caller } from '../model/account.ts';
import { type SleepRow, sessionRows } from '../store/sessions.ts';
import { rankedAndEnabled } from './reader.ts';
import { type FoundSession, findSessions, type SessionsAsked, type SessionsRead } from './sessions.ts';

export interface FoundSleep extends Pick<FoundSession<SleepRow>, 'row' | 'date' | 'device'> {
  isMainSleep: boolean;
  /** Time asleep over time in bed; null without both. */
  efficiencyPct: number | null;
}

export async function readSleep(
  deps: Deps,
  caller: Caller,
  userId: string,
  asked: SessionsAsked,
): Promise<SessionsRead<FoundSleep>> {
  const { found, ...page } = await findSessions<SleepRow>(deps, caller, userId, asked, {
    read: (from, to, daysAtOnce) => sessionRows(deps.store).sleep.newestFirst(userId, from, to, daysAtOnce),
    // Every metric of a night is set through one group, so any of them tells who counts.
    devices: (subject) => rankedAndEnabled(subject, 'asleep'),
  });
  const sessions = found.map(({ row, date, device, dayOf }) => ({
    row,
    date,
    device,
    isMainSleep: markMainSleep(dayOf).some(({ id, isMainSleep }) => isMainSleep && id === row.id),
    efficiencyPct: efficiencyPct(row.asleepMinutes, row.inBedMinutes),
  }));
  return { ...page, sessions };
}
