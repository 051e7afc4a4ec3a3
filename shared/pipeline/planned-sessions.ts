// What uploads do to one kind of session. Earlier versions are looked for around each report, and where its source's name for it is known to stand.

import { type SessionKind, type SessionPlace, sessionPlaces } from '../measurements/rows/session-places.ts';
import type { SessionDay } from '../measurements/rows/session-rows.ts';
import { dateRuns, datesInRange } from '../platform/time/local-day.ts';
import type { Deps } from '../system/deps.ts';
import type { Identified } from './known-sessions.ts';
import {
  intoDays,
  type Known,
  type SessionChanges,
  type SessionClaim,
  type SessionContext,
  sessionDates,
} from './session-changes.ts';

export interface PlannedSessions<Row> extends SessionChanges<Row> {
  /** Those that are to be known before the days are written. */
  places: SessionPlace[];
}

interface Reported<Row> {
  kind: SessionKind;
  days: { between(user: string, from: string, to: string): Promise<SessionDay<Row>[]> };
  rows: readonly Row[];
  claims: readonly SessionClaim[];
  dateOf(row: Row): string;
  /** Further days that are needed, and how many around all of them. */
  more: readonly string[];
  aside: number;
}

export async function plannedSessions<Row extends Known>(
  { store }: Deps,
  { userId, device }: SessionContext,
  { kind, days, rows, claims, dateOf, more, aside }: Reported<Row>,
): Promise<PlannedSessions<Row>> {
  const named = new Set(rows.flatMap(({ sourceId }) => sourceId ?? []));
  const places = await sessionPlaces(store).of(userId, device, kind, named);
  const dates = [
    ...sessionDates(rows),
    ...more,
    ...claims.flatMap((claim) => datesInRange(claim.days.from, claim.days.to)),
    ...[...places.values()].flatMap((place) => place.dates),
  ];
  const runs = dateRuns(dates, aside);
  const stored = (await Promise.all(runs.map(({ from, to }) => days.between(userId, from, to)))).flat();
  const changes = intoDays(stored, rows, dateOf, claims);
  return { ...changes, places: placesToNote(changes, device, named, places) };
}

/** A session is on its way from where it stood to where it will: both are noted, and stay until it moves again. */
function placesToNote<Row extends Identified>(
  { before, now }: SessionChanges<Row>,
  device: number,
  named: ReadonlySet<string>,
  known: ReadonlyMap<string, SessionPlace>,
): SessionPlace[] {
  if (named.size === 0) return [];
  const standing = new Map<string, Set<string>>();
  const alive = new Set<string>();
  const note = (row: Row, date: string): string | undefined => {
    const { sourceId } = row;
    if (sourceId === undefined || row.device !== device || !named.has(sourceId)) return undefined;
    standing.set(sourceId, (standing.get(sourceId) ?? new Set()).add(date));
    return sourceId;
  };
  for (const { date, sessions } of before.values()) for (const row of sessions) note(row, date);
  for (const { date, sessions } of now.values())
    for (const row of sessions) {
      const sourceId = note(row, date);
      if (sourceId !== undefined) alive.add(sourceId);
    }
  return [...alive].flatMap((sourceId) => {
    const dates = [...(standing.get(sourceId) ?? [])].sort();
    const enough = dates.every((date) => known.get(sourceId)?.dates.includes(date));
    return enough ? [] : [{ sourceId, dates }];
  });
}
