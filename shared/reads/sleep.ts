// The sleep list.
import type { Deps } from '../domain/deps.ts';
import { efficiencyPct, markMainSleep } from '../domain/measurements/sleep.ts';
import { clockIn } from '../domain/time/local-day.ts';
import type { Caller } from '../model/account.ts';
import { roundTo } from '../model/arithmetic.ts';
import type { SleepList, SleepSession } from '../model/sleep.ts';
import { type SleepRow, sessionRows } from '../store/sessions.ts';
import { rankedAndEnabled, sessionSource } from './reader.ts';
import type { PagePlace } from './session-page.ts';
import { type FoundSession, findSessions, type SessionQuery } from './sessions.ts';

export async function readSleep(
  deps: Deps,
  caller: Caller,
  userId: string,
  query: SessionQuery,
): Promise<Omit<SleepList, 'next_cursor'> & { next: PagePlace | undefined }> {
  const { subject, range, found, next } = await findSessions<SleepRow>(deps, caller, userId, query, {
    read: (from, to, daysAtOnce) => sessionRows(deps.store).sleep.newestFirst(userId, from, to, daysAtOnce),
    // Every metric of a night is set through one group, so any of them tells who counts.
    devices: (subject) => rankedAndEnabled(subject, 'asleep'),
  });
  const data = found.map((session) => presentSleep(session, subject.user.timezone, query.include_sources));
  return { from_date: range.from, to_date: range.to, data, next };
}

function presentSleep(
  { row, date, dayOf, device }: FoundSession<SleepRow>,
  zone: string | null,
  includeSources: boolean,
): SleepSession {
  return {
    id: row.id,
    date,
    start_time: clockIn(row.startMs, zone),
    end_time: clockIn(row.endMs, zone),
    duration_minutes: Math.round((row.endMs - row.startMs) / 60_000),
    is_main_sleep: markMainSleep(dayOf).some(({ id, isMainSleep }) => isMainSleep && id === row.id),
    source: device.provider,
    asleep_minutes: whole(row.asleepMinutes),
    deep_minutes: whole(row.deepMinutes),
    light_minutes: whole(row.lightMinutes),
    rem_minutes: whole(row.remMinutes),
    awake_minutes: whole(row.awakeMinutes),
    in_bed_minutes: whole(row.inBedMinutes),
    efficiency_pct: efficiencyPct(row.asleepMinutes, row.inBedMinutes),
    ...(includeSources ? { source_detail: sessionSource(device) } : {}),
  };
}

const whole = (minutes: number | null): number | null => (minutes === null ? null : roundTo(0, minutes));
