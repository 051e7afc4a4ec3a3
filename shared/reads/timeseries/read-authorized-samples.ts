// Reads the authorized user together with the samples that may count on a range of days: one Query
// for the user and the open samples, and one for each metric's rows. A metric of a group needs the
// rows of the whole group, because one device supplies all of them.

import type { SampleId } from '../../catalog/metrics.ts';
import { listGroupMembers } from '../../consolidation/catalog.ts';
import { openSampleRows } from '../../measurements/rows/open-sample-rows.ts';
import type { StoredSampleDay } from '../../measurements/rows/sample-day.ts';
import { sampleRows } from '../../measurements/rows/sample-rows.ts';
import { utcDaysAround } from '../../measurements/rows/split-sample.ts';
import type { DateRange } from '../../platform/time/local-day.ts';
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
   * metrics that must come from the same device.
   */
  samples: ReadonlyMap<SampleId, StoredSampleDay[]>;
}

/**
 * All queries run in parallel, and the samples are discarded if the caller may not access the user.
 */
export async function readAuthorizedSamples(
  deps: Deps,
  caller: Caller,
  userId: string,
  metrics: readonly SampleId[],
  { from, to }: DateRange,
): Promise<UserContextSamples> {
  if (!UserId.safeParse(userId).success) throw userNotFound(userId);
  const { store } = deps;
  const pendingContext = getAuthorizedUserContextWithOpenSamples(deps, caller, userId);
  const pendingOpenSamples = pendingContext.then(({ items }) => openSampleRows(store).parseItems(items));
  const samples = new Map<SampleId, StoredSampleDay[]>();
  const pendingReads = [...new Set(metrics.flatMap(listGroupMembers))].map(async (metric) => {
    const utcDays = utcDaysAround(metric, from, to);
    samples.set(metric, await sampleRows(store).readBetween(userId, metric, utcDays, { open: pendingOpenSamples }));
  });
  const [{ userContext }] = await Promise.all([pendingContext, pendingOpenSamples, ...pendingReads]);
  return { userContext, samples };
}
