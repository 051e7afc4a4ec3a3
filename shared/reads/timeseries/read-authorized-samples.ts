// Reads the authorized user together with the samples that may count on a range of days: one Query
// for the user and the open samples, and one for each metric's rows. A metric of a group also needs
// the rows of the metrics that decide which device it comes from.

import type { SampleId } from '../../catalog/metrics.ts';
import { listDecidingMetrics } from '../../consolidation/catalog.ts';
import { openSampleRows } from '../../measurements/rows/open-sample-rows.ts';
import type { StoredSampleDay } from '../../measurements/rows/sample-day.ts';
import { sampleRows } from '../../measurements/rows/sample-rows.ts';
import { utcDaysAround } from '../../measurements/rows/split-sample.ts';
import { addDays, type DateRange } from '../../platform/time/local-day.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { UserId } from '../../system/ids.ts';
import { getAuthorizedUserContextWithOpenSamples } from '../../users/authorized-user.ts';
import type { UserContext } from '../../users/user-context.ts';
import { userNotFound } from '../../users/users.ts';

export interface UserContextSamples {
  userContext: UserContext;
  /**
   * The samples that may count on these days in any time zone: of the requested metrics, and of the
   * metrics that decide which device they come from.
   */
  samples: ReadonlyMap<SampleId, StoredSampleDay[]>;
  /** The last day of which all samples were read, before the first day if there is none. */
  completeTo: string;
}

/**
 * All queries run in parallel, and the samples are discarded if the caller may not access the user.
 * Reading stops at more than `maxStoredSamples` samples of all devices.
 */
export async function readAuthorizedSamples(
  deps: Deps,
  caller: Caller,
  userId: string,
  metrics: readonly SampleId[],
  { from, to }: DateRange,
  maxStoredSamples = Number.POSITIVE_INFINITY,
): Promise<UserContextSamples> {
  if (!UserId.safeParse(userId).success) throw userNotFound(userId);
  const { store } = deps;
  const pendingContext = getAuthorizedUserContextWithOpenSamples(deps, caller, userId);
  const pendingOpenSamples = pendingContext.then(({ items }) => openSampleRows(store).parseItems(items));
  const samples = new Map<SampleId, StoredSampleDay[]>();
  const limit = createReadLimit(maxStoredSamples);
  const pendingReads = [...new Set(metrics.flatMap(listDecidingMetrics))].map(async (metric) => {
    const query = { open: pendingOpenSamples, onRow: limit.onRow };
    samples.set(metric, await sampleRows(store).readBetween(userId, metric, utcDaysAround(metric, from, to), query));
  });
  const [{ userContext }] = await Promise.all([pendingContext, pendingOpenSamples, ...pendingReads]);
  const { firstUnread } = limit;
  const completeTo = firstUnread === undefined ? to : earlierDay(to, addDays(firstUnread, -maxDaysAfter));
  return { userContext, samples, completeTo };
}

/** Samples up to this many UTC days after a local day may count on it (`utcDaysAround`). */
const maxDaysAfter = 3;
const earlierDay = (a: string, b: string): string => (a < b ? a : b);

/** To read a row costs as much as this many samples. */
const samplesPerRow = 8;

/**
 * Metrics are read in parallel, each from its first day on. Once there are too many samples, no
 * metric is read beyond the day that was reached; days beyond it no longer count.
 */
function createReadLimit(maxStoredSamples: number) {
  const countByDay = new Map<string, number>();
  let total = 0;
  let firstUnread: string | undefined;
  return {
    get firstUnread(): string | undefined {
      return firstUnread;
    },
    onRow({ utcDay, samples }: StoredSampleDay): boolean {
      if (firstUnread !== undefined && utcDay >= firstUnread) return false;
      const count = Math.max(samples.length, samplesPerRow);
      countByDay.set(utcDay, (countByDay.get(utcDay) ?? 0) + count);
      total += count;
      while (total > maxStoredSamples && countByDay.size > 0) {
        const [latest = utcDay] = [...countByDay.keys()].sort().reverse();
        total -= countByDay.get(latest) ?? 0;
        countByDay.delete(latest);
        firstUnread = latest;
      }
      return firstUnread === undefined || utcDay < firstUnread;
    },
  };
}
