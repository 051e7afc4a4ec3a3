// Selects the samples that represent a metric on each local day: those of the highest-ranked
// enabled device that has any. The metrics of a group prefer one device, as the daily values do: the
// highest-ranked one with samples of the lead. Of a night, another device supplies what that one
// lacks; both numbers of a blood pressure come from one device.

import type { SampleId } from '../../catalog/metrics.ts';
import { consolidationKey, listDecidingMetrics } from '../../consolidation/catalog.ts';
import { rankEnabledDevices } from '../../consolidation/rank-devices.ts';
import type { StoredSample } from '../../measurements/codec/sample-block.ts';
import type { StoredSampleDay } from '../../measurements/rows/sample-day.ts';
import { dayBounds } from '../../platform/time/local-day.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import type { UserContext } from '../../users/user-context.ts';

export interface DaySamples {
  date: string;
  device: DeviceRow;
  /** Sorted by start. */
  samples: StoredSample[];
}

interface Candidate {
  device: DeviceRow;
  /** Sorted by start. */
  samplesByMember: ReadonlyMap<SampleId, StoredSample[]>;
}

/**
 * Days without samples are omitted. A sample belongs to the day on which it starts, in the time
 * zone of the profile.
 */
export function selectHighestRankedSamples(
  userContext: UserContext,
  metric: SampleId,
  storedDays: ReadonlyMap<SampleId, readonly StoredSampleDay[]>,
  dates: readonly string[],
): DaySamples[] {
  const members = listDecidingMetrics(metric);
  const isNight = consolidationKey(metric) === 'sleep';
  const [lead = metric] = members;
  const byMember = members.map((member) => [member, groupByDevice(storedDays.get(member) ?? [])] as const);
  const candidates = rankEnabledDevices(userContext, metric).map((device): Candidate => {
    const samples = byMember.map(([member, byDevice]) => [member, byDevice.get(device.ordinal) ?? []] as const);
    return { device, samplesByMember: new Map(samples) };
  });
  return dates.flatMap((date) => {
    const { startMs, endMs } = dayBounds(date, userContext.user.timezone);
    const has = ({ samplesByMember }: Candidate, member: SampleId): boolean => {
      const samples = samplesByMember.get(member) ?? [];
      return (samples[findFirstIndexFrom(samples, startMs)]?.startMs ?? endMs) < endMs;
    };
    const first =
      candidates.find((candidate) => has(candidate, lead)) ??
      candidates.find((candidate) => members.some((member) => has(candidate, member)));
    const chosen = isNight ? [first, ...candidates].find((each) => each && has(each, metric)) : first;
    if (!chosen || !has(chosen, metric)) return [];
    const samples = chosen.samplesByMember.get(metric) ?? [];
    const daySamples = samples.slice(findFirstIndexFrom(samples, startMs), findFirstIndexFrom(samples, endMs));
    return [{ date, device: chosen.device, samples: daySamples }];
  });
}

const groupByDevice = (storedDays: readonly StoredSampleDay[]): Map<number, StoredSample[]> =>
  new Map(
    [...Map.groupBy(storedDays, ({ device }) => device)].map(([device, days]) => [
      device,
      days.toSorted((a, b) => (a.utcDay < b.utcDay ? -1 : 1)).flatMap(({ samples }) => samples),
    ]),
  );

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
