// Values, originals and presence marks that a packed day must survive, plausible or not.
import * as fc from 'fast-check';
import { type MetricId, metricIds, metricRow } from '../../../../shared/catalog/metrics.ts';

const everyday = fc.integer({ min: 0, max: 300_000 }).map((hundredths) => hundredths / 100);
const anyFinite = fc.double({ noNaN: true, noDefaultInfinity: true });
const edges = fc.constantFrom(
  0,
  -0,
  -1,
  2 ** 31,
  -(2 ** 31),
  2 ** 53,
  0.1 + 0.2,
  1e-7,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
);

export const anyValue = fc.oneof({ weight: 5, arbitrary: everyday }, anyFinite, edges);

export const anyOriginal = fc.record({
  value: anyValue,
  unit: fc.oneof(fc.constantFrom('s', 'm', 'kJ', '°F', 'lb', 'mmol/L'), fc.string({ unit: 'grapheme', maxLength: 8 })),
});

/** A map over an arbitrary set of metrics, in the table's order. */
export function overMetrics<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Map<MetricId, Value>> {
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...metricIds), value), {
      selector: ([id]) => id,
      maxLength: metricIds.length,
    })
    .map((entries) => new Map(entries.sort(([a], [b]) => metricRow(a).index - metricRow(b).index)));
}

/** Leaves an absent original out instead of setting it to undefined. */
export function withOriginal<Rest extends object>(rest: fc.Arbitrary<Rest>) {
  return fc
    .tuple(rest, fc.option(anyOriginal, { freq: 3 }))
    .map(([fields, original]) => (original === null ? fields : { ...fields, original }));
}
