// Adds the lowest and the highest heart rate of each quarter hour as samples. In every time zone,
// days start on a quarter hour of UTC, so the extremes of a day are correct in any zone and stay
// correct when the zone changes.
import { isPlausibleHeartRate, type RecordBuilder } from './record-builder.ts';

export interface HeartRateReading {
  path: string;
  startMs: number;
  bpm: number;
  /** Null if the reading has none. */
  offsetMinutes: number | null;
}

const quarterMs = 900_000;

export const heartRateExtremeMetrics = ['min_heart_rate', 'max_heart_rate'] as const;

/**
 * Implausible readings are skipped. Of equal readings, the earliest counts, so the same readings
 * produce the same samples in any order.
 */
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
