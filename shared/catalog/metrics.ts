// The metrics by name, and the way of every value: converted, checked, kept as it is, and rounded once when it is shown.
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

export const MetricId = z.enum(metricIds).meta({ description: 'What is measured.', examples: ['steps'] });
export type MetricId = z.infer<typeof MetricId>;

/** What may have samples: every metric, and the scores that devices tell. */
export const sampleIds: readonly (MetricRow['id'] | SampledScoreId)[] = [
  ...metricIds,
  ...sampledScores.map(({ id }) => id),
];
export const SampleId = z.enum(sampleIds).meta({ description: 'What was measured.', examples: ['heart_rate'] });
export type SampleId = z.infer<typeof SampleId>;
export type SampleRow = MetricRow | SampledScoreRow;

export const Category = z
  .enum(categoryIds)
  .meta({ description: 'The family a metric belongs to.', examples: ['activity'] });

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

/** The unit names a value of this metric may arrive in. */
export function acceptedUnits(id: SampleId): string[] {
  return listConvertibleUnits(sampleRow(id).unit);
}

/** The value in the metric's own unit, at full accuracy; undefined when the unit cannot measure it. */
export function toCanonical(id: SampleId, value: number, unit: string): number | undefined {
  return convert(value, unit, sampleRow(id).unit);
}

/** A value in the metric's own unit, said in a unit that its source uses; undefined when that unit cannot measure it. */
export function fromCanonical(id: SampleId, value: number, unit: string): number | undefined {
  const row = sampleRow(id);
  return convertWithin(row.unit, value, row.unit, unit);
}

/** The value in the metric's imperial unit, rounded to the precision it has there. */
export function toImperial(id: SampleId, value: number): number {
  const row = sampleRow(id);
  if (row.imperialUnit === row.unit) return round(id, value);
  const converted = convert(value, row.unit, row.imperialUnit);
  if (converted === undefined) throw new Error(`${id} has an imperial unit that does not measure the same thing`);
  // There and back again through an endless fraction (97.85 °F is 36.58333… °C): the last digits are nobody's.
  return roundTo(row.imperialPrecision, Number(converted.toPrecision(12)));
}

export function isPlausible(id: SampleId, value: number): boolean {
  const [min, max] = sampleRow(id).range;
  return value >= min && value <= max;
}

/** The value as it is shown. */
export function round(id: SampleId, value: number): number {
  return roundTo(sampleRow(id).precision, value);
}
