// Reads the details of one sleep session: its stages, and the samples that the device of the
// session measured during it.
import type { SampleId } from '../../catalog/metrics.ts';
import { consolidationKey } from '../../consolidation/catalog.ts';
import { isEnabled } from '../../consolidation/settings.ts';
import type { StoredSample } from '../../measurements/codec/stored-sample.ts';
import { type OpenSamples, openSampleRows } from '../../measurements/rows/open-sample-rows.ts';
import { sampleRows } from '../../measurements/rows/sample-rows.ts';
import { type SleepRow, sessionRows } from '../../measurements/rows/session-rows.ts';
import type { Span } from '../../measurements/timeline.ts';
import { meanOf } from '../../platform/arithmetic.ts';
import { datesInRange, utcDay } from '../../platform/time/local-day.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { Failure } from '../../system/failure.ts';
import { SleepId, UserId } from '../../system/ids.ts';
import { getAuthorizedUserContextWithOpenSamples } from '../../users/authorized-user.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import type { UserContext } from '../../users/user-context.ts';
import { userNotFound } from '../../users/users.ts';
import { readDaysAround, selectSession } from '../sessions/find-session.ts';
import { createSleepMapper, rankSleepDevices, type SleepResult } from './read-sleep.ts';

const nightSampleIds = [
  'heart_rate',
  'heart_rate_variability',
  'heart_rate_variability_rmssd',
  'respiratory_rate',
  'blood_oxygen',
] as const satisfies SampleId[];
export type NightSampleId = (typeof nightSampleIds)[number];

export interface NightSamples {
  /** The length of the steps that the samples are averages of; null for samples as measured. */
  stepSeconds: number | null;
  samples: { atMs: number; value: number }[];
}

export interface SleepSessionResult extends SleepResult {
  zone: string | null;
  /** Only the metrics that have samples. */
  samples: ReadonlyMap<NightSampleId, NightSamples>;
}

/** A session lasts at most 25 hours and counts on the day it ends. */
const maxDaysLater = 2;
const stepSeconds = 60;

export async function readSleepSession(
  deps: Deps,
  caller: Caller,
  userId: string,
  sleepId: string,
  { maxSamples }: { maxSamples: number },
): Promise<SleepSessionResult> {
  if (!UserId.safeParse(userId).success) throw userNotFound(userId);
  const isId = SleepId.safeParse(sleepId).success;
  const [{ userContext, items }, days] = await Promise.all([
    getAuthorizedUserContextWithOpenSamples(deps, caller, userId),
    isId ? readDaysAround(sessionRows(deps.store).sleep, userId, sleepId, maxDaysLater) : [],
  ]);
  const found = await selectSession<SleepRow>(days, rankSleepDevices(userContext), sleepId);
  if (!found) throw new Failure('sleep_not_found', `Sleep session ${sleepId.slice(0, 64)} not found.`);
  const open = openSampleRows(deps.store).parseItems(items);
  return {
    ...createSleepMapper(userContext)(found),
    zone: userContext.user.timezone,
    samples: await readNightSamples(deps, userContext, found, open, maxSamples),
  };
}

async function readNightSamples(
  { store }: Deps,
  { user, state }: UserContext,
  { row: night, device: { ordinal, provider } }: { row: Span; device: DeviceRow },
  open: OpenSamples,
  maxSamples: number,
): Promise<Map<NightSampleId, NightSamples>> {
  const enabledIds = nightSampleIds.filter((id) => isEnabled(state.settings, consolidationKey(id), provider));
  const utcDays = datesInRange(utcDay(night.startMs), utcDay(night.endMs));
  const stored = await sampleRows(store).readOfDevice(user.id, ordinal, enabledIds, utcDays, open);
  return new Map(
    enabledIds.flatMap((id): [NightSampleId, NightSamples][] => {
      const samples = stored
        .filter(({ metric }) => metric === id)
        .flatMap((day) => day.samples)
        .filter(({ startMs }) => startMs >= night.startMs && startMs <= night.endMs);
      return samples.length === 0 ? [] : [[id, limitSamples(night, samples, maxSamples)]];
    }),
  );
}

/** More samples than a response should hold are averaged in steps, counted from the start. */
function limitSamples(night: Span, samples: readonly StoredSample[], maxSamples: number): NightSamples {
  const sorted = samples.toSorted((a, b) => a.startMs - b.startMs);
  if (sorted.length <= maxSamples)
    return { stepSeconds: null, samples: sorted.map(({ startMs, value }) => ({ atMs: startMs, value })) };
  const steps = Map.groupBy(sorted, ({ startMs }) => Math.floor((startMs - night.startMs) / (stepSeconds * 1000)));
  return {
    stepSeconds,
    samples: Array.from(steps, ([step, inside]) => ({
      atMs: night.startMs + step * stepSeconds * 1000,
      value: meanOf(inside.map(({ value }) => value)),
    })),
  };
}
