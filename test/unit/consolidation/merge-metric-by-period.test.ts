import fc from 'fast-check';
import { expect, test } from 'vitest';
import { metricRow } from '../../../shared/catalog/metrics.ts';
import { mergeMetricByPeriod } from '../../../shared/consolidation/merge-metric-by-period.ts';
import { buildTimeline } from '../../../shared/measurements/build-timeline.ts';
import { emptyNormalizedRow, type NormalizedRow } from '../../../shared/measurements/codec/normalized-day.ts';
import { TimelineMap } from '../../../shared/measurements/timeline.ts';
import { roundTo } from '../../../shared/platform/arithmetic.ts';

const { index } = metricRow('active_calories');
const minuteMs = 60_000;

/** Values of one minute each, in thousandths of a kilojoule, stored in kilocalories. */
function rowOf(device: number, fromMinute: number, thousandths: readonly number[]): NormalizedRow {
  const row = emptyNormalizedRow(device);
  const timeline = buildTimeline(
    thousandths.map((value, at) => ({
      startMs: (fromMinute + at) * minuteMs,
      endMs: (fromMinute + at + 1) * minuteMs,
      value: value / 1_000 / 4.184,
    })),
  );
  row.values[index] = timeline.total;
  return { ...row, timelines: new TimelineMap([[index, timeline]]) };
}

const fiveMinutes = fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 5, maxLength: 5 });
/** In thousandths of a kilojoule. */
const halfAKilocalorie = 2_092;

test('shares with endless decimals add up to an exact half, which is rounded up', () => {
  fc.assert(
    fc.property(fiveMinutes, fiveMinutes, fiveMinutes, fc.nat({ max: 20 }), (better, hidden, seen, more) => {
      // The higher-ranked device covers the first five minutes; the other one covers them too, and
      // five more.
      const rest = [...better, ...seen.slice(1)].reduce((sum, value) => sum + value, 0);
      const halves = 2 * (Math.ceil(rest / halfAKilocalorie / 2) + more) + 1;
      const last = halves * halfAKilocalorie - rest;
      const devices = [rowOf(0, 0, better), rowOf(1, 0, [...hidden, last, ...seen.slice(1)])];
      const merged = mergeMetricByPeriod(
        index,
        devices.map((row) => ({ ordinal: row.device, row, adjacentRows: [] })),
      );
      expect(roundTo(0, merged?.value ?? 0)).toBe((halves + 1) / 2);
    }),
    { numRuns: 300 },
  );
});
