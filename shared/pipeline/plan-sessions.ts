// Computes what uploads change for one kind of session. Earlier versions are searched around each
// record, and on the days recorded for its source id.

import {
  type SessionKind,
  type SessionLocation,
  sessionLocationRows,
} from '../measurements/rows/session-location-rows.ts';
import type { SessionDay } from '../measurements/rows/session-rows.ts';
import { datesInRange, mergeDateRanges } from '../platform/time/local-day.ts';
import type { Deps } from '../system/deps.ts';
import type { SessionIdentity } from './known-sessions.ts';
import {
  type MergeableSession,
  mergeSessions,
  type SessionChanges,
  type SessionClaim,
  type SessionContext,
  sessionDates,
} from './merge-sessions.ts';

export interface PlannedSessions<Row> extends SessionChanges<Row> {
  /** The locations to write before the days. */
  locations: SessionLocation[];
}

interface ReportedSessions<Row> {
  kind: SessionKind;
  days: { readBetween(user: string, from: string, to: string): Promise<SessionDay<Row>[]> };
  rows: readonly Row[];
  claims: readonly SessionClaim[];
  dateOf(row: Row): string;
  /** Further days that are needed, and the number of days to read around all of them. */
  extraDates: readonly string[];
  paddingDays: number;
}

export async function planSessions<Row extends MergeableSession>(
  { store }: Deps,
  { userId, device }: SessionContext,
  { kind, days, rows, claims, dateOf, extraDates, paddingDays }: ReportedSessions<Row>,
): Promise<PlannedSessions<Row>> {
  const sourceIds = new Set(rows.flatMap(({ sourceId }) => sourceId ?? []));
  const locations = await sessionLocationRows(store).findBySourceIds(userId, device, kind, sourceIds);
  const dates = [
    ...sessionDates(rows),
    ...extraDates,
    ...claims.flatMap((claim) => datesInRange(claim.days.from, claim.days.to)),
    ...[...locations.values()].flatMap((location) => location.dates),
  ];
  const runs = mergeDateRanges(dates, paddingDays);
  const stored = (await Promise.all(runs.map(({ from, to }) => days.readBetween(userId, from, to)))).flat();
  const changes = mergeSessions(stored, rows, dateOf, claims);
  return { ...changes, locations: findLocationsToRecord(changes, device, sourceIds, locations) };
}

/**
 * A session moves from its old day to its new one: both are recorded, and stay until it moves
 * again.
 */
function findLocationsToRecord<Row extends SessionIdentity>(
  { before, now }: SessionChanges<Row>,
  device: number,
  sourceIds: ReadonlySet<string>,
  known: ReadonlyMap<string, SessionLocation>,
): SessionLocation[] {
  if (sourceIds.size === 0) return [];
  const datesBySourceId = new Map<string, Set<string>>();
  const currentSourceIds = new Set<string>();
  const recordDate = (row: Row, date: string): string | undefined => {
    const { sourceId } = row;
    if (sourceId === undefined || row.device !== device || !sourceIds.has(sourceId)) return undefined;
    datesBySourceId.set(sourceId, (datesBySourceId.get(sourceId) ?? new Set()).add(date));
    return sourceId;
  };
  for (const { date, sessions } of before.values()) for (const row of sessions) recordDate(row, date);
  for (const { date, sessions } of now.values())
    for (const row of sessions) {
      const sourceId = recordDate(row, date);
      if (sourceId !== undefined) currentSourceIds.add(sourceId);
    }
  return [...currentSourceIds].flatMap((sourceId) => {
    const dates = [...(datesBySourceId.get(sourceId) ?? [])].sort();
    const isRecorded = dates.every((date) => known.get(sourceId)?.dates.includes(date));
    return isRecorded ? [] : [{ sourceId, dates }];
  });
}
