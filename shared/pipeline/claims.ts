// What sources say they answered in full, with what they said: of those days, what is not said again is taken back.

import type { CoveredRange, Records } from '../measurements/records.ts';
import { datesInRange } from '../platform/time/local-day.ts';
import type { NamedZone } from '../providers/kit/normalizer.ts';
import type { SessionClaim } from './merge-sessions.ts';

export interface UploadRecords {
  receivedMs: number;
  /** In which the source was asked. */
  timeZone: string | null;
  /** It was set aside before: it no longer knows what its days hold. */
  isLate: boolean;
  records: Records;
  /** The latest zone that the provider names in it. */
  zone?: NamedZone | undefined;
}

/** What arrived together: no part of it takes back what another part says. */
export interface Arrival {
  receivedMs: number;
  uploads: readonly UploadRecords[];
  covered: readonly ZonedCoverage[];
}

/** Days of the zone that the source was asked in. */
export interface ZonedCoverage extends CoveredRange {
  zone: string | null;
}

/** In the order of arrival. */
export const groupByArrival = (uploads: readonly UploadRecords[]): Arrival[] =>
  Array.from(
    Map.groupBy(uploads, ({ receivedMs }) => receivedMs),
    ([receivedMs, arrivedTogether]) => ({
      receivedMs,
      uploads: arrivedTogether,
      covered: arrivedTogether.flatMap(({ isLate, timeZone, records }) =>
        isLate ? [] : (records.covered ?? []).map((each) => ({ ...each, zone: timeZone })),
      ),
    }),
  );

export const collectSessionClaims = (
  arrivals: readonly Arrival[],
  kind: 'sleep' | 'workouts',
  device: number,
): SessionClaim[] =>
  arrivals.flatMap(({ receivedMs, covered }) =>
    covered.flatMap((each) =>
      each[kind]
        ? {
            device,
            receivedMs,
            days: { from: each.from, to: each.to },
            zone: each.zone,
            by: kind === 'sleep' ? 'endMs' : 'startMs',
          }
        : [],
    ),
  );

export const coveredDates = ({ from, to }: CoveredRange): string[] => datesInRange(from, to);
