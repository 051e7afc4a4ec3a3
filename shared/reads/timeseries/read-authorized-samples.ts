// Reads the authorized user together with the samples that may count on a range of days: one Query
// for the user and the open samples, and one for each metric's rows. A metric of a group also needs
// the rows of the metrics that decide which device it comes from.

import type { SampleId } from '../../catalog/metrics.ts';
import { listDecidingMetrics } from '../../consolidation/catalog.ts';
import { openSampleRows } from '../../measurements/rows/open-sample-rows.ts';
import type { StoredSampleDay } from '../../measurements/rows/sample-day.ts';
import { sampleRows } from '../../measurements/rows/sample-rows.ts';
import { utcDaysAround } from '../../measurements/rows/split-sample.ts';
import type { DateRange } from '../../platform/time/local-day.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { Failure } from '../../system/failure.ts';
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
}

/**
 * All queries run in parallel, and the samples are discarded if the caller may not access the user.
 * Reading stops with a failure at more than `maxStoredSamples` samples of all devices.
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
  let storedSamples = 0;
  const onRow = (count: number): void => {
    storedSamples += count;
    if (storedSamples > maxStoredSamples) throw tooManySamples(maxStoredSamples);
  };
  const pendingReads = [...new Set(metrics.flatMap(listDecidingMetrics))].map(async (metric) => {
    const query = { open: pendingOpenSamples, onRow };
    try {
      samples.set(metric, await sampleRows(store).readBetween(userId, metric, utcDaysAround(metric, from, to), query));
    } catch (error) {
      // A caller who may not access the user must learn nothing about the samples.
      await pendingContext;
      throw error;
    }
  });
  const [{ userContext }] = await Promise.all([pendingContext, pendingOpenSamples, ...pendingReads]);
  return { userContext, samples };
}

const tooManySamples = (maxStoredSamples: number): Failure =>
  new Failure(
    'invalid_request',
    `The devices of this user reported more than ${maxStoredSamples} samples of these metrics on these days, which is too many for one request. Request fewer days or metrics.`,
  );
