// Canonical days for the score tests, written as metric and value.
import fc from 'fast-check';
import { metricTable } from '../../../shared/catalog/metric-table.ts';
import { type MetricId, metricRow } from '../../../shared/catalog/metrics.ts';
import type { CanonicalRow } from '../../../shared/measurements/codec/canonical-day.ts';
import { addDays } from '../../../shared/platform/time/local-day.ts';

export type Values = Partial<Record<MetricId, number>>;
/** The ordinal of the device of all values, or of each metric; 0 where it is not given. */
export type Sources = number | Partial<Record<MetricId, number>>;
export type Row = Pick<CanonicalRow, 'values' | 'sources'>;
export type Days = Map<string, Row>;

export const today = '2026-03-14';
export const daysBefore = (days: number): string => addDays(today, -days);

export function dayOf(values: Values, from: Sources = 0): Row {
  const row = { values: new Float64Array(metricTable.length), sources: new Uint16Array(metricTable.length) };
  for (const { id, index } of metricTable) {
    row.values[index] = values[id] ?? Number.NaN;
    row.sources[index] = typeof from === 'number' ? from : (from[id] ?? 0);
  }
  return row;
}

/**
 * Builds the day itself, and the days before it by how far back they are; `from` says which device
 * the values of a day come from.
 */
export function daysWith(
  values: Values,
  before: (back: number) => Values = () => ({}),
  length = 28,
  from: (back: number) => Sources = () => 0,
): Days {
  const days: Days = new Map([[today, dayOf(values, from(0))]]);
  for (let back = 1; back <= length; back++) days.set(daysBefore(back), dayOf(before(back), from(back)));
  return days;
}

/** Realistic values, with each metric present or not. */
export const anyDay = (metrics: readonly MetricId[]): fc.Arbitrary<Values> =>
  fc.record(Object.fromEntries(metrics.map((metric) => [metric, anyValue(metric)])), { requiredKeys: [] });

export function anyValue(metric: MetricId): fc.Arbitrary<number> {
  const [minValue, maxValue] = metricRow(metric).range;
  const { origin } = metricRow(metric);
  const usual = origin === 0 ? 30 : origin;
  return fc.oneof(
    {
      weight: 9,
      arbitrary: fc.double({ min: Math.max(minValue, usual / 3), max: Math.min(maxValue, usual * 3), noNaN: true }),
    },
    { weight: 1, arbitrary: fc.double({ min: minValue, max: maxValue, noNaN: true }) },
  );
}
