// The times and ids of sessions, which are needed before the sessions are read in full.
import * as z from 'zod';
import type { ProviderPage } from '../kit/provider-pages.ts';
import { toFieldName } from './data-types.ts';
import { GoogleInterval, GoogleNumber, readGooglePoints, readPointId } from './points.ts';

export interface GoogleSession {
  id: string;
  startMs: number;
  endMs: number;
  /** The workout reports its distance. */
  hasDistance: boolean;
}

const WithInterval = z.looseObject({
  interval: GoogleInterval,
  metricsSummary: z.looseObject({ distanceMillimeters: GoogleNumber }).nullish().catch(null),
});

/** Undefined if the point has no id or no time. */
export function readGoogleSession(type: string, point: unknown): GoogleSession | undefined {
  const id = readPointId(point);
  const field = z.looseObject({ [toFieldName(type)]: WithInterval }).safeParse(point).data?.[toFieldName(type)];
  if (id === undefined || !field) return undefined;
  const { startTime, endTime } = field.interval;
  return {
    id,
    startMs: startTime,
    endMs: endTime,
    hasDistance: Boolean(field.metricsSummary?.distanceMillimeters),
  };
}

/** Returns each session once. */
export function readGoogleSessions(pages: readonly ProviderPage[], type: string): GoogleSession[] {
  const sessions = readGooglePoints(pages, type).flatMap(({ points }) =>
    points.flatMap((point) => readGoogleSession(type, point) ?? []),
  );
  return [...new Map(sessions.map((session) => [session.id, session])).values()];
}
