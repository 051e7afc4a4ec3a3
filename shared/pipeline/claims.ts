// Collects the ranges that sources returned completely. Earlier records in such a range that are
// missing from the new data are withdrawn.

import type { CoveredRange, Records } from '../measurements/records.ts';
import { datesInRange } from '../platform/time/local-day.ts';
import type { NamedZone } from '../providers/kit/normalizer.ts';
import type { RejectionCount } from '../providers/kit/rejection-tally.ts';
import type { SessionClaim } from './merge-sessions.ts';

export interface UploadRecords {
  receivedMs: number;
  /** The time zone of the request to the source. */
  timeZone: string | null;
  /**
   * The upload was quarantined, so its claims may no longer match what its days hold and are
   * ignored.
   */
  isLate: boolean;
  records: Records;
  /** How many records the normalizer rejected, and why. */
  rejected: number;
  rejections: readonly RejectionCount[];
  /** The latest time zone that the provider names in the upload. */
  zone?: NamedZone | undefined;
}

/** Uploads that arrived together: none of them withdraws records of another. */
export interface Arrival {
  receivedMs: number;
  uploads: readonly UploadRecords[];
  covered: readonly ZonedCoverage[];
}

/** The days are in the time zone of the request to the source. */
export interface ZonedCoverage extends CoveredRange {
  zone: string | null;
}

/** Returns the groups in the order of arrival. */
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
