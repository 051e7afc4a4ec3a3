// Explanations of random days: an explanation states the day's own value.
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { metricIds, metricRow } from '../../../shared/catalog/metrics.ts';
import { explainValue } from '../../../shared/consolidation/explain-value.ts';
import { compileMerge } from '../../../shared/consolidation/merge-day.ts';
import type { LeftOutReason } from '../../../shared/consolidation/merge-recorder.ts';
import { adjacentRowsOf, anyCase, rowsOf } from './any-day.ts';
import { explanationProblems } from './explanation-problems.ts';

/** Returns how often each reason occurred. */
export function explainRandomDays(numRuns: number): Map<LeftOutReason, number> {
  const seen = new Map<LeftOutReason, number>();
  fc.assert(
    fc.property(anyCase, ({ devices, settings, days }) => {
      const merge = compileMerge(devices, settings);
      for (const day of days) {
        const [rows, adjacentRows] = [rowsOf(day), adjacentRowsOf(day)];
        const { values, sources } = merge(rows, adjacentRows);
        const measured = metricIds.filter((id) => rows.some((row) => !Number.isNaN(row.values[metricRow(id).index])));
        for (const metric of new Set([...measured, ...metricIds.slice(0, 1)])) {
          const { index } = metricRow(metric);
          const explained = explainValue(metric, { devices, settings, rows, adjacentRows });
          expect(explained.value ?? Number.NaN).toBe(values[index]);
          if (explained.value !== null) expect(explained.source).toBe(sources[index]);
          expect(explanationProblems(metric, explained)).toEqual([]);
          for (const { reason } of explained.leftOut) seen.set(reason, (seen.get(reason) ?? 0) + 1);
        }
      }
    }),
    { numRuns },
  );
  return seen;
}
