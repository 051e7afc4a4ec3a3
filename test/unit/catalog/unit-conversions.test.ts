// Compares every conversion with the oracle's, whose factors were written by hand as exact fractions.
import { expect, test } from 'vitest';
import { metricIds, metricRow } from '../../../shared/catalog/metrics.ts';
import { convert, listConvertibleUnits, type Unit } from '../../../shared/catalog/units.ts';
import { fromNumber, toNumber } from '../../oracle/rational.ts';
import { convert as convertExactly } from '../../oracle/units.ts';

const units = [...new Set(metricIds.flatMap((id): Unit[] => [metricRow(id).unit, metricRow(id).imperialUnit]))];

/** A body mass index is also sent without a unit; the oracle has no such conversion. */
const isPlainIndex = (from: string, to: Unit): boolean => to === 'kg/m²' && from === 'count';

test.each(units)('every unit that converts to %s converts as the oracle converts it', (to) => {
  for (const from of listConvertibleUnits(to).filter((name) => !isPlainIndex(name, to)))
    for (const value of [0, 1, 37.25, 12_345.678]) {
      const exact = toNumber(convertExactly(fromNumber(value), from, to));
      const difference = Math.abs((convert(value, from, to) ?? Number.NaN) - exact);
      expect(difference, `${value} ${from}`).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(exact)));
    }
});
