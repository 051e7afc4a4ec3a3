// Finds one session by its id. A record that a higher-ranked device's record replaces does not
// exist for callers.
import { adjacencyDays } from '../../consolidation/adjacent-days.ts';
import type { Session } from '../../measurements/deduplicate-sessions.ts';
import type { SessionDay } from '../../measurements/rows/session-rows.ts';
import { dayMs, utcDay } from '../../platform/time/local-day.ts';
import { parseIdTime } from '../../system/ids.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import { createSelection } from './find-sessions.ts';
import { deduplicateSessionDays } from './session-page.ts';

const maxStartMs = Date.UTC(9999, 0, 1);

interface SessionDays<Row> {
  iterateNewestFirst(user: string, from: string, to: string, daysPerPage: number): AsyncGenerator<SessionDay<Row>>;
}

/**
 * The id contains the start time, so only the days around it are read. The session counts at most
 * `maxDaysLater` days after its start. Its local day may be one day before or after the UTC day,
 * and a duplicate may be on an adjacent day of that.
 */
export async function readDaysAround<Row>(
  sessionDays: SessionDays<Row>,
  userId: string,
  sessionId: string,
  maxDaysLater: number,
): Promise<SessionDay<Row>[]> {
  const startMs = parseIdTime(sessionId);
  if (startMs >= maxStartMs) return [];
  const margin = 1 + adjacencyDays;
  const from = utcDay(startMs - margin * dayMs);
  const to = utcDay(startMs + (maxDaysLater + margin) * dayMs);
  const days: SessionDay<Row>[] = [];
  for await (const day of sessionDays.iterateNewestFirst(userId, from, to, maxDaysLater + 2 * margin + 1))
    days.push(day);
  return days;
}

export interface FoundSession<Row> {
  row: Row;
  date: string;
  device: DeviceRow;
  /** Every session of that date. */
  daySessions: readonly Row[];
}

/** `devices` are those that count, highest-ranked first. */
export async function selectSession<Row extends Session & { device: number }>(
  days: readonly SessionDay<Row>[],
  devices: readonly DeviceRow[],
  sessionId: string,
): Promise<FoundSession<Row> | undefined> {
  for await (const { date, rows } of deduplicateSessionDays(days, createSelection<Row>(devices))) {
    const row = rows.find(({ id }) => id === sessionId);
    const device = devices.find(({ ordinal }) => ordinal === row?.device);
    if (row && device) return { row, date, device, daySessions: rows };
  }
  return undefined;
}
