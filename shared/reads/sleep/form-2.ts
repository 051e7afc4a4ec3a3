// Renders a page of the sleep list.

import type { Presenter } from '../../platform/presenter.ts';
import { formatLocalTime } from '../../platform/time/local-day.ts';
import { presentDevice } from '../kit/source.ts';
import type { SessionsRequest, SessionsResult } from '../sessions/find-sessions.ts';
import { requestedSessions, type SessionsQuery } from '../sessions/requested-sessions.ts';
import { durationInMinutes, presentInstants, roundOrNull } from '../sessions/session-fields.ts';
import type { SleepList, SleepSession } from './form-2-schema.ts';
import type { SleepResult } from './read-sleep.ts';

export const form2Sleep: Presenter<
  SessionsQuery,
  SessionsRequest,
  SessionsResult<SleepResult>,
  Omit<SleepList, 'next_cursor'>
> = {
  parse: requestedSessions,
  render: ({ range, zone, sessions }, { include_sources }) => ({
    from_date: range.from,
    to_date: range.to,
    data: sessions.map((session) => presentSleep(session, zone, include_sources)),
  }),
};

function presentSleep(
  { row, date, device, isMainSleep, efficiencyPct }: SleepResult,
  zone: string | null,
  includeSources: boolean,
): SleepSession {
  return {
    id: row.id,
    date,
    start_time: formatLocalTime(row.startMs, zone),
    end_time: formatLocalTime(row.endMs, zone),
    ...presentInstants(row),
    duration_minutes: durationInMinutes(row),
    is_main_sleep: isMainSleep,
    source: device.provider,
    asleep_minutes: roundOrNull(0, row.asleepMinutes),
    deep_minutes: roundOrNull(0, row.deepMinutes),
    light_minutes: roundOrNull(0, row.lightMinutes),
    rem_minutes: roundOrNull(0, row.remMinutes),
    awake_minutes: roundOrNull(0, row.awakeMinutes),
    in_bed_minutes: roundOrNull(0, row.inBedMinutes),
    efficiency_pct: roundOrNull(1, efficiencyPct),
    ...(includeSources ? { source_detail: presentDevice(device) } : {}),
  };
}
