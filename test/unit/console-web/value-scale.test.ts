import fc from 'fast-check';
import { expect, test } from 'vitest';
import { axisOf, countAxis, shareAxis, type ValueAxis } from '../../../functions/api/console/web/charts/value-axis.ts';
import { type ChartKind, chooseScale } from '../../../functions/api/console/web/charts/value-scale.ts';
import { metricCatalog } from '../../../shared/catalog/data-catalog.ts';

const labelsOf = (kind: ChartKind, values: readonly (number | null)[], axis: ValueAxis): string[] => {
  const { ticks, decimals } = chooseScale(kind, values, axis);
  return ticks.map((tick) => axis.format(tick, decimals));
};
const minutesAxis = axisOf({ unit: 'min', precision: 0 });

test.each([
  ['a share far below a percent', 'amount', [0.0001, 0.003, null], shareAxis, ['0%', '1%']],
  ['a share of some percent', 'amount', [0.061], shareAxis, ['0%', '2%', '4%', '6%', '8%']],
  ['nothing at all', 'amount', [null], countAxis, ['0', '1']],
  ['only zeros', 'amount', [0, 0], countAxis, ['0', '1']],
  ['three people', 'rate', [3, 3], countAxis, ['2', '3', '4']],
  ['ten thousand steps', 'amount', [15_685, null, 7_000], countAxis, ['0', '5,000', '10,000', '15,000', '20,000']],
  ['a night', 'amount', [485, 395], minutesAxis, ['0 min', '3 h', '6 h', '9 h']],
  ['a latency', 'rate', [7, 19], minutesAxis, ['5 min', '10 min', '15 min', '20 min']],
  ['a steady weight', 'rate', [67.92, 68.05], axisOf({ unit: 'kg', precision: 2 }), ['67.9', '67.95', '68', '68.05']],
] as const)('the axis of %s is labelled at honest bounds', (_what, kind, values, axis, labels) => {
  expect(labelsOf(kind, values, axis)).toEqual(labels);
});

const axes: ValueAxis[] = [countAxis, shareAxis, ...metricCatalog.metrics.map(axisOf)];

test('every axis covers its values, ends at ticks, and no two ticks read the same', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...axes),
      fc.constantFrom<ChartKind>('amount', 'rate'),
      fc.array(fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { freq: 5 }), { maxLength: 20 }),
      (axis, kind, values) => {
        const { min, max, ticks, step } = chooseScale(kind, values, axis);
        const known = values.filter((value) => value !== null);
        for (const value of known) {
          expect(value).toBeGreaterThanOrEqual(min - 1e-9);
          expect(value).toBeLessThanOrEqual(max + 1e-9);
        }
        if (kind === 'amount') expect(min).toBe(0);
        expect([ticks[0], ticks.at(-1)]).toEqual([min, max]);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(5);
        for (const [at, tick] of ticks.entries()) if (at > 0) expect(tick - (ticks[at - 1] ?? 0)).toBeCloseTo(step, 9);
        const labels = labelsOf(kind, values, axis);
        expect(new Set(labels).size).toBe(labels.length);
      },
    ),
  );
});
