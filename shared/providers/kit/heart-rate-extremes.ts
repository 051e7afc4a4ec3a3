// The lowest and the highest heart rate as samples, one of each quarter of an hour. Everywhere on
// earth days begin between two quarters of UTC, so the extremes of a day are right in any zone, and
// stay right when the zone changes.
import { isPlausibleHeartRate, type RecordBuilder } from './record-builder.ts';

export interface HeartRateReading {
  path: string;
  startMs: number;
  bpm: number;
  /** Null where it carries none. */
  offsetMinutes: number | null;
}

const quarterMs = 900_000;

export const heartRateExtremeMetrics = ['min_heart_rate', 'max_heart_rate'] as const;

/** What no heart does is passed over. Of equals the earliest: the same beats are the same samples in any order. */
export function addHeartRateExtremes(
  builder: RecordBuilder,
  readings: readonly HeartRateReading[],
  metrics: readonly (typeof heartRateExtremeMetrics)[number][] = heartRateExtremeMetrics,
): void {
  const sorted = readings.filter(({ bpm }) => isPlausibleHeartRate(bpm)).toSorted((a, b) => a.startMs - b.startMs);
  for (const quarter of Map.groupBy(sorted, ({ startMs }) => Math.floor(startMs / quarterMs)).values())
    for (const metric of metrics) {
      const { path, bpm, ...at } = quarter.reduce((extreme, each) =>
        (metric === 'min_heart_rate' ? each.bpm < extreme.bpm : each.bpm > extreme.bpm) ? each : extreme,
      );
      builder.addSample(path, metric, at, bpm);
    }
}
