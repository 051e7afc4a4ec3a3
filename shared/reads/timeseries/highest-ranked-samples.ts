// Selects the samples that represent a metric on each local day: those of the highest-ranked
// enabled device that has any.

import type { SampleId } from '../../catalog/metrics.ts';
import type { StoredSample } from '../../measurements/codec/sample-block.ts';
import type { StoredSampleDay } from '../../measurements/rows/sample-day.ts';
import { dayBounds } from '../../platform/time/local-day.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import type { UserContext } from '../../users/user-context.ts';
import { rankEnabledDevices } from '../kit/reader.ts';

export interface DaySamples {
  date: string;
  device: DeviceRow;
  /** Sorted by start. */
  samples: StoredSample[];
}

/**
 * Days without samples are omitted. A sample belongs to the day on which it starts, in the time
 * zone of the profile.
 */
export function selectHighestRankedSamples(
  userContext: UserContext,
  metric: SampleId,
  storedDays: readonly StoredSampleDay[],
  dates: readonly string[],
): DaySamples[] {
  const byDevice = Map.groupBy(storedDays, ({ device }) => device);
  const candidates = rankEnabledDevices(userContext, metric).flatMap((device) => {
    const days = byDevice.get(device.ordinal)?.toSorted((a, b) => (a.utcDay < b.utcDay ? -1 : 1));
    return days ? [{ device, samples: days.flatMap(({ samples }) => samples) }] : [];
  });
  return dates.flatMap((date) => {
    const { startMs, endMs } = dayBounds(date, userContext.user.timezone);
    for (const { device, samples } of candidates) {
      const daySamples = samples.slice(findFirstIndexFrom(samples, startMs), findFirstIndexFrom(samples, endMs));
      if (daySamples.length > 0) return [{ date, device, samples: daySamples }];
    }
    return [];
  });
}

/** Returns the index of the first sample that starts at that time or later. */
function findFirstIndexFrom(samples: readonly StoredSample[], ms: number): number {
  let [low, high] = [0, samples.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((samples[middle]?.startMs ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
