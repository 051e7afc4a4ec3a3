import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MetricId, metricIds } from '../../../shared/catalog/metrics.ts';
import { changedMetrics, differs } from '../../../shared/consolidation/merge-day.ts';
import {
  type CanonicalValue,
  encodeCanonicalDay,
  unpackCanonicalRow,
} from '../../../shared/measurements/codec/canonical-day.ts';

/** Few metrics and few values, so that days often agree in some. */
const metrics = ['steps', 'distance', 'heart_rate', 'weight', 'asleep'] as const;
const anyCanonical = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...metrics), fc.constantFrom(1, 2), fc.constantFrom(0, 1)), {
    selector: ([id]) => id,
  })
  .map((entries) => new Map(entries.map(([id, value, source]): [MetricId, CanonicalValue] => [id, { value, source }])));

test('a day differs exactly in the metrics whose value or source differs', () => {
  fc.assert(
    fc.property(anyCanonical, anyCanonical, (one, other) => {
      const a = unpackCanonicalRow(encodeCanonicalDay(one));
      const b = unpackCanonicalRow(encodeCanonicalDay(other));
      const expected = metricIds.filter((id) => JSON.stringify(one.get(id)) !== JSON.stringify(other.get(id)));
      expect(changedMetrics(a, b)).toEqual(expected);
      expect(differs(a, b)).toBe(expected.length > 0);
      expect(differs(a, unpackCanonicalRow(encodeCanonicalDay(one)))).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});
