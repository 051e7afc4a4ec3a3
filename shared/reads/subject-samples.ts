// The caller's own user together with the samples that may count on some days: one Query for the user and open samples, one for each metric's rows.
import type { Deps } from '../domain/deps.ts';
import { utcDaysOf } from '../domain/measurements/sample-parts.ts';
import { ownSubjectWithOpenSamples } from '../domain/users/own-subject.ts';
import type { Subject } from '../domain/users/subject.ts';
import { userNotFound } from '../domain/users/users.ts';
import type { Caller } from '../model/account.ts';
import { UserId } from '../model/ids.ts';
import type { DateRange } from '../model/local-day.ts';
import type { SampleId } from '../model/metrics.ts';
import { openSampleRows } from '../store/open-samples.ts';
import type { KeptSampleDay } from '../store/sample-day.ts';
import { sampleRows } from '../store/samples.ts';

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
