// The caller's own user together with the samples that may count on some days: one Query for the user and open samples, one for each metric's rows.

import type { SampleId } from '../../catalog/metrics.ts';
import { openSampleRows } from '../../measurements/rows/open-sample-rows.ts';
import type { KeptSampleDay } from '../../measurements/rows/sample-day.ts';
import { utcDaysOf } from '../../measurements/rows/sample-parts.ts';
import { sampleRows } from '../../measurements/rows/sample-rows.ts';
import type { DateRange } from '../../platform/time/local-day.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { UserId } from '../../system/ids.ts';
import { ownSubjectWithOpenSamples } from '../../users/own-subject.ts';
import type { Subject } from '../../users/subject.ts';
import { userNotFound } from '../../users/users.ts';

export interface SubjectSamples {
  subject: Subject;
  /** In any zone. */
  samples: Map<SampleId, KeptSampleDay[]>;
}

/** All go out at once, and samples are dropped when the user is not theirs. */
export async function ownSubjectAndSamples(
  deps: Deps,
  caller: Caller,
  userId: string,
  metrics: readonly SampleId[],
  { from, to }: DateRange,
): Promise<SubjectSamples> {
  if (!UserId.safeParse(userId).success) throw userNotFound(userId);
  const { store } = deps;
  const finding = ownSubjectWithOpenSamples(deps, caller, userId);
  const opening = finding.then(({ items }) => openSampleRows(store).among(items));
  const samples = new Map<SampleId, KeptSampleDay[]>();
  const reading = metrics.map(async (metric) => {
    const utcDays = utcDaysOf(metric, from, to);
    samples.set(metric, await sampleRows(store).between(userId, metric, utcDays, { open: opening }));
  });
  const [{ subject }] = await Promise.all([finding, opening, ...reading]);
  return { subject, samples };
}
