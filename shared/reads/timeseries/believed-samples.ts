// Which device's samples stand for a metric on each local day: those of the best-ranked enabled device that has any.

import type { SampleId } from '../../catalog/metrics.ts';
import type { KeptSample } from '../../measurements/codec/sample-block.ts';
import type { KeptSampleDay } from '../../measurements/rows/sample-day.ts';
import { dayBounds } from '../../platform/time/local-day.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import type { Subject } from '../../users/subject.ts';
import { rankedAndEnabled } from '../kit/reader.ts';

export interface DaySamples {
  date: string;
  device: DeviceRow;
  /** In order of start. */
  samples: KeptSample[];
}

/** Days without samples are left out. A sample belongs to the day of the profile's zone that its start falls on. */
export function believedSamples(
  subject: Subject,
  metric: SampleId,
  kept: readonly KeptSampleDay[],
  dates: readonly string[],
): DaySamples[] {
  const byDevice = Map.groupBy(kept, ({ device }) => device);
  const sampling = rankedAndEnabled(subject, metric).flatMap((device) => {
    const days = byDevice.get(device.ordinal)?.toSorted((a, b) => (a.utcDay < b.utcDay ? -1 : 1));
    return days ? [{ device, samples: days.flatMap(({ samples }) => samples) }] : [];
  });
  return dates.flatMap((date) => {
    const { startMs, endMs } = dayBounds(date, subject.user.timezone);
    for (const { device, samples } of sampling) {
      const within = samples.slice(firstFrom(samples, startMs), firstFrom(samples, endMs));
      if (within.length > 0) return [{ date, device, samples: within }];
    }
    return [];
  });
}

/** The place of the first sample that starts at that time or later. */
function firstFrom(samples: readonly KeptSample[], ms: number): number {
  let [low, high] = [0, samples.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((samples[middle]?.startMs ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
