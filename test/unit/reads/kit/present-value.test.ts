import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MetricId, metricIds, metricRow } from '../../../../shared/catalog/metrics.ts';
import { presentUnit, presentValue } from '../../../../shared/reads/kit/present-value.ts';

const anyStored = fc.constantFrom(...metricIds).chain((metric) => {
  const [min, max] = metricRow(metric).range;
  return fc.tuple(fc.constant(metric), fc.double({ min, max, noNaN: true }));
});

describe('a presented value', () => {
  test('has at most the decimals of its metric and no float noise, in both unit systems', () => {
    fc.assert(
      fc.property(anyStored, fc.constantFrom('metric' as const, 'imperial' as const), ([metric, value], system) => {
        const shown = presentValue(metric, value, system);
        const row = metricRow(metric);
        const precision = system === 'metric' ? row.precision : row.imperialPrecision;
        expect(String(shown)).toMatch(precision === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+(\\.\\d{1,${precision}})?$`));
        expect(Object.is(shown, -0)).toBe(false);
      }),
      { numRuns: 3_000 },
    );
  });

  test('in metric units differs from the stored one by at most half a step', () => {
    fc.assert(
      fc.property(anyStored, ([metric, value]) => {
        const halfStep = 0.5 * 10 ** -metricRow(metric).precision;
        expect(Math.abs(presentValue(metric, value, 'metric') - value)).toBeLessThanOrEqual(halfStep + 1e-9);
      }),
    );
  });

  test.each<[MetricId, number, number, string]>([
    ['distance', 5, 3.11, 'mi'],
    ['swimming', 100, 0.062, 'mi'],
    ['body_temperature', 36.6, 97.9, '°F'],
    ['weight', 70, 154.32, 'lb'],
    ['steps', 8_000, 8_000, 'count'],
  ])('%s of %d is %d %s in imperial units', (metric, value, imperial, unit) => {
    expect(presentValue(metric, value, 'imperial')).toBe(imperial);
    expect(presentUnit(metric, 'imperial')).toBe(unit);
  });
});
