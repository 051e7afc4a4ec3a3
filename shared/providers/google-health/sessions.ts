// When sessions were, and what they are called: what is needed of them before they are read in full.
import * as z from 'zod';
import type { VendorPage } from '../kit/pages.ts';
import { fieldOfType } from './data-types.ts';
import { GoogleInterval, GoogleNumber, googlePoints, pointId } from './points.ts';

export interface GoogleSession {
  id: string;
  startMs: number;
  endMs: number;
  /** A workout says how far it went. */
  hasDistance: boolean;
}

const WithInterval = z.looseObject({
  interval: GoogleInterval,
  metricsSummary: z.looseObject({ distanceMillimeters: GoogleNumber }).nullish().catch(null),
});

/** Undefined for what has no name or no time. */
export function googleSession(type: string, point: unknown): GoogleSession | undefined {
  const id = pointId(point);
  const field = z.looseObject({ [fieldOfType(type)]: WithInterval }).safeParse(point).data?.[fieldOfType(type)];
  if (id === undefined || !field) return undefined;
  const { startTime, endTime } = field.interval;
  return {
    id,
    startMs: startTime,
    endMs: endTime,
    hasDistance: Boolean(field.metricsSummary?.distanceMillimeters),
  };
}

/** Each once. */
export function googleSessions(pages: readonly VendorPage[], type: string): GoogleSession[] {
  const sessions = googlePoints(pages, type).flatMap(({ points }) =>
    points.flatMap((point) => googleSession(type, point) ?? []),
  );
  return [...new Map(sessions.map((session) => [session.id, session])).values()];
}
