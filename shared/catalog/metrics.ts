// Looks up metrics by id, and converts, checks and rounds their values. A value is stored unrounded
// and is rounded once, in the response.
import * as z from 'zod';
import { roundTo } from '../platform/arithmetic.ts';
import {
  type CategoryId,
  type MetricRow,
  metricTable,
  type SampledScoreId,
  type SampledScoreRow,
  sampledScores,
} from './metric-table.ts';
import { convert, convertWithin, listConvertibleUnits } from './units.ts';

export type { CategoryId } from './metric-table.ts';

export const metricIds: readonly MetricRow['id'][] = metricTable.map((row) => row.id);
const categoryIds = [
  'activity',
  'sleep',
  'vitals',
  'body_composition',
  'energy',
  'nutrition',
  'scores',
] as const satisfies CategoryId[];

export const MetricId = z.enum(metricIds).meta({
  id: 'MetricId',
  description: 'A daily metric. `GET /v1/metrics` describes each. New ids may be added.',
  examples: ['steps'],
});
export type MetricId = z.infer<typeof MetricId>;

/** Everything that can have samples: every metric, and the scores that devices report. */
export const sampleIds: readonly (MetricRow['id'] | SampledScoreId)[] = [
  ...metricIds,
  ...sampledScores.map(({ id }) => id),
];
export const SampleId = z.enum(sampleIds).meta({
  id: 'SampleId',
  description: 'What was measured: a metric, or a score that devices report. New ids may be added.',
  examples: ['heart_rate'],
});
export type SampleId = z.infer<typeof SampleId>;
export type SampleRow = MetricRow | SampledScoreRow;

export const Category = z.enum(categoryIds).meta({
  id: 'MetricCategory',
  description: 'The category of a metric. New categories may be added.',
  examples: ['activity'],
});

const rowsById: ReadonlyMap<string, MetricRow> = new Map(metricTable.map((row) => [row.id, row]));
const scoresById: ReadonlyMap<string, SampledScoreRow> = new Map(sampledScores.map((row) => [row.id, row]));

export function isMetricId(text: string): text is MetricId {
  return rowsById.has(text);
}

export function isSampleId(text: string): text is SampleId {
  return rowsById.has(text) || scoresById.has(text);
}

export function metricRow(id: MetricId): MetricRow {
  const row = rowsById.get(id);
  if (row === undefined) throw new Error(`${id} is not in the metric table`);
  return row;
}

export function sampleRow(id: SampleId): SampleRow {
  const row = rowsById.get(id) ?? scoresById.get(id);
  if (row === undefined) throw new Error(`${id} has no samples`);
  return row;
}

export function listCategories(ids: readonly SampleId[]): CategoryId[] {
  const present = new Set<CategoryId>(ids.map((id) => sampleRow(id).category));
  return categoryIds.filter((category) => present.has(category));
}

/** The unit names in which a value of this metric may arrive. */
export function acceptedUnits(id: SampleId): string[] {
  return listConvertibleUnits(sampleRow(id).unit);
}

/**
 * The value in the metric's own unit, at full precision; undefined if `unit` does not measure this
 * metric.
 */
export function toCanonical(id: SampleId, value: number, unit: string): number | undefined {
  return convert(value, unit, sampleRow(id).unit);
}

/**
 * Converts a value from the metric's own unit to a unit that its source uses; undefined if `unit`
 * does not measure this metric.
 */
export function fromCanonical(id: SampleId, value: number, unit: string): number | undefined {
  const row = sampleRow(id);
  return convertWithin(row.unit, value, row.unit, unit);
}

/** The value in the metric's imperial unit, rounded to that unit's precision. */
export function toImperial(id: SampleId, value: number): number {
  const row = sampleRow(id);
  if (row.imperialUnit === row.unit) return round(id, value);
  const converted = convert(value, row.unit, row.imperialUnit);
  if (converted === undefined)
    throw new Error(`the imperial unit of ${id} measures something else than its metric unit`);
  // A conversion there and back passes through an infinite fraction (97.85 °F is 36.58333… °C), so
  // its last digits are noise.
  return roundTo(row.imperialPrecision, Number(converted.toPrecision(12)));
}

export function isPlausible(id: SampleId, value: number): boolean {
  const [min, max] = sampleRow(id).range;
  return value >= min && value <= max;
}

/** Rounds the value for responses. */
export function round(id: SampleId, value: number): number {
  return roundTo(sampleRow(id).precision, value);
}

/** What sleep sessions state; latency has samples only. */
export const sessionMetrics: ReadonlySet<MetricId> = new Set(
  metricTable.filter(({ group, id }) => group === 'sleep' && id !== 'sleep_latency').map(({ id }) => id),
);

const sessionMetricIds: ReadonlySet<string> = sessionMetrics;
export const isSessionMetric = (id: SampleId): boolean => sessionMetricIds.has(id);
