import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MetricId, metricIds } from '../../../../shared/catalog/metrics.ts';
import {
  type CanonicalValue,
  decodeCanonicalDay,
  encodeCanonicalDay,
} from '../../../../shared/measurements/codec/canonical-day.ts';
import { addDays, datesInRange } from '../../../../shared/platform/time/local-day.ts';
import { decodeDailyColumns } from '../../../../shared/reads/daily/daily-columns.ts';
import { formatSeries } from '../../../../shared/reads/daily/form-2.ts';
import { presentValue } from '../../../../shared/reads/kit/present-value.ts';
import { anyValue, overMetrics } from '../../measurements/codec/arbitrary-values.ts';
import { realisticDay } from '../../measurements/codec/realistic-day.ts';

const from = '2025-12-25';
const units = fc.constantFrom('metric' as const, 'imperial' as const);

/**
 * Builds the same body the slow way: decodes each day into a map, presents each value, and lets
 * JSON write it.
 */
function plainly(metrics: readonly MetricId[], days: (Uint8Array | undefined)[], unitSystem: 'metric' | 'imperial') {
  const decoded = days.map((bytes) => bytes && decodeCanonicalDay(bytes));
  const to = addDays(from, days.length - 1);
  return JSON.stringify({
    from_date: from,
    to_date: to,
    dates: datesInRange(from, to),
    series: Object.fromEntries(
      metrics.map((metric) => [
        metric,
        decoded.map((day) => {
          const value = day?.get(metric)?.value;
          return value === undefined ? null : presentValue(metric, value, unitSystem);
        }),
      ]),
    ),
  });
}

function directly(metrics: readonly MetricId[], days: (Uint8Array | undefined)[], unitSystem: 'metric' | 'imperial') {
  const dates = datesInRange(from, addDays(from, days.length - 1));
  const byDate = new Map(dates.flatMap((date, at) => (days[at] ? [[date, { packed: days[at] }] as const] : [])));
  const columns = decodeDailyColumns({ from, to: dates.at(-1) ?? from }, metrics, byDate);
  return `{${formatSeries(columns, unitSystem)}}`;
}

const metric = fc.constantFrom(...metricIds);

test('the text is what JSON would write for the presented values, for any values', () => {
  const day = fc.option(
    overMetrics(anyValue.map((value): CanonicalValue => ({ value, source: 0 }))).map(encodeCanonicalDay),
    { nil: undefined },
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(metric, { minLength: 1 }),
      fc.array(day, { minLength: 1, maxLength: 5 }),
      units,
      (ids, days, unit) => {
        expect(directly(ids, days, unit)).toBe(plainly(ids, days, unit));
      },
    ),
  );
});

test('the text is right for a year of everyday values', () => {
  const days = Array.from({ length: 366 }, (_, seed) =>
    seed % 9 === 4 ? undefined : encodeCanonicalDay(realisticDay(seed)),
  );
  for (const unit of ['metric', 'imperial'] as const)
    expect(directly(metricIds, days, unit)).toBe(plainly(metricIds, days, unit));
});
