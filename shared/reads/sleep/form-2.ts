// The sleep list.

import type { Face } from '../../platform/presenter.ts';
import { clockIn } from '../../platform/time/local-day.ts';
import { presentDevice } from '../kit/present-device.ts';
import { askedSessions, type SessionsQuery } from '../sessions/asked-sessions.ts';
import { roundedOrNull, wholeMinutes } from '../sessions/session-fields.ts';
import type { SessionsAsked, SessionsRead } from '../sessions/sessions.ts';
import type { SleepList, SleepSession } from './form-2-schema.ts';
import type { FoundSleep } from './read-sleep.ts';

export const form2Sleep: Face<
  SessionsQuery,
  SessionsAsked,
  SessionsRead<FoundSleep>,
  Omit<SleepList, 'next_cursor'>
> = {
  asked: askedSessions,
  present: ({ range, zone, sessions }, { include_sources }) => ({
    from_date: range.from,
    to_date: range.to,
    data: sessions.map((session) => presentSleep(session, zone, include_sources)),
  }),
};

function presentSleep(
  { row, date, device, isMainSleep, efficiencyPct }: FoundSleep,
  zone: string | null,
  includeSources: boolean,
): SleepSession {
  return {
    id: row.id,
    date,
    start_time: clockIn(row.startMs, zone),
    end_time: clockIn(row.endMs, zone),
    duration_minutes: wholeMinutes(row),
    is_main_sleep: isMainSleep,
    source: device.provider,
    asleep_minutes: roundedOrNull(0, row.asleepMinutes),
    deep_minutes: roundedOrNull(0, row.deepMinutes),
    light_minutes: roundedOrNull(0, row.lightMinutes),
    rem_minutes: roundedOrNull(0, row.remMinutes),
    awake_minutes: roundedOrNull(0, row.awakeMinutes),
    in_bed_minutes: roundedOrNull(0, row.inBedMinutes),
    efficiency_pct: roundedOrNull(1, efficiencyPct),
    ...(includeSources ? { source_detail: presentDevice(device) } : {}),
  };
}
