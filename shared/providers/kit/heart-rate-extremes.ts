// The lowest and the highest heart rate as samples, one of each quarter of an hour. Everywhere on
// earth days begin between two quarters of UTC, so the extremes of a day are right in any zone, and
// stay right when the zone changes.
import { type Gathering, isHeartRate } from './gathering.ts';

export interface HeartBeat {
  path: string;
  startMs: number;
  bpm: number;
  /** Null where it carries none. */
  offsetMinutes: number | null;
}

const quarterMs = 900_000;

export const heartRateExtremes = ['min_heart_rate', 'max_heart_rate'] as const;

/** What no heart does is passed over. Of equals the earliest: the same beats are the same samples in any order. */
export function gatherExtremes(
  gathering: Gathering,
  beats: readonly HeartBeat[],
  metrics: readonly (typeof heartRateExtremes)[number][] = heartRateExtremes,
): void {
  const inOrder = beats.filter(({ bpm }) => isHeartRate(bpm)).toSorted((a, b) => a.startMs - b.startMs);
  for (const quarter of Map.groupBy(inOrder, ({ startMs }) => Math.floor(startMs / quarterMs)).values())
    for (const metric of metrics) {
      const { path, bpm, ...at } = quarter.reduce((found, each) =>
        (metric === 'min_heart_rate' ? each.bpm < found.bpm : each.bpm > found.bpm) ? each : found,
      );
      gathering.sample(path, metric, at, bpm);
    }
}
