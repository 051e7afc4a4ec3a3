// Canonical days for tests of the scores, written as metric and value.
import fc from 'fast-check';
import { addDays } from '../../../../shared/domain/time/local-day.ts';
import { metricTable } from '../../../../shared/model/metric-table.ts';
import { type MetricId, metricRow } from '../../../../shared/model/metrics.ts';

export type Values = Partial<Record<MetricId, number>>;

export const today = '2026-03-14';
export const daysBefore = (days: number): string => addDays(today, -days);

export function dayOf(values: Values): Float64Array {
  const row = new Float64Array(metricTable.length).fill(Number.NaN);
  for (const { id, index } of metricTable) row[index] = values[id] ?? Number.NaN;
  return row;
}

/** The day itself, and the days before it by how far back they are. */
export function daysWith(
  values: Values,
  before: (back: number) => Values = () => ({}),
  length = 28,
): Map<string, Float64Array> {
  const days = new Map([[today, dayOf(values)]]);
  for (let back = 1; back <= length; back++) days.set(daysBefore(back), dayOf(before(back)));
  return days;
}

/** Values as people have them, each metric there or not. */
export const anyDay = (metrics: readonly MetricId[]): fc.Arbitrary<Values> =>
  fc.record(Object.fromEntries(metrics.map((metric) => [metric, anyValue(metric)])), { requiredKeys: [] });

export function anyValue(metric: MetricId): fc.Arbitrary<number> {
  const [least, most] = metricRow(metric).range;
  const { origin } = metricRow(metric);
  const usual = origin === 0 ? 30 : origin;
  return fc.oneof(
    {
      weight: 9,
      arbitrary: fc.double({ min: Math.max(least, usual / 3), max: Math.min(most, usual * 3), noNaN: true }),
    },
    { weight: 1, arbitrary: fc.double({ min: least, max: most, noNaN: true }) },
  );
}
