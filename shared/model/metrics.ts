// The metric catalog as the API shows it, and the way of every value: converted, checked, kept as it is, and rounded once when it is shown.
import * as z from 'zod';
import { roundTo } from './arithmetic.ts';
import { aggregations, type CategoryId, type MetricRow, metricTable } from './metric-table.ts';
import { convert, convertAs, unitsFor } from './units.ts';

export type { CategoryId } from './metric-table.ts';

export const metricIds: readonly MetricRow['id'][] = metricTable.map((row) => row.id);
const categoryIds = [
  'activity',
  'sleep',
  'vitals',
  'body_composition',
  'energy',
  'nutrition',
] as const satisfies CategoryId[];

export const MetricId = z.enum(metricIds).meta({ description: 'What is measured.', examples: ['steps'] });
export type MetricId = z.infer<typeof MetricId>;
export const Category = z
  .enum(categoryIds)
  .meta({ description: 'The family a metric belongs to.', examples: ['activity'] });

export const Metric = z
  .object({
    id: MetricId,
    display_name: z.string().meta({ description: 'The display name.', examples: ['Steps'] }),
    category: Category,
    unit: z
      .string()
      .meta({ description: 'The unit of every value, unless imperial units are requested.', examples: ['count'] }),
    imperial_unit: z.string().meta({ description: 'The unit under `unit_system=imperial`.', examples: ['count'] }),
    precision: z
      .int()
      .min(0)
      .meta({ description: 'The number of decimals that values are rounded to.', examples: [0] }),
    aggregation: z
      .enum(aggregations)
      .meta({ description: "How a day's samples are combined into one value.", examples: ['sum'] }),
    // Not a tuple: client generators fail on the schema that one becomes.
    range: z
      .array(z.number())
      .length(2)
      .meta({
        description: 'The smallest and largest plausible value; others are rejected.',
        examples: [[0, 200_000]],
      }),
  })
  .meta({ id: 'Metric', description: 'A daily metric: its name, unit and precision.' });
export type Metric = z.infer<typeof Metric>;

export const MetricCatalog = z
  .object({ metrics: z.array(Metric).meta({ description: 'Every metric, by category.' }) })
  .meta({ id: 'MetricCatalog', description: 'Every metric the service knows.' });
export type MetricCatalog = z.infer<typeof MetricCatalog>;

export const metricCatalog: MetricCatalog = {
  metrics: metricTable.map((row) => ({
    id: row.id,
    display_name: row.displayName,
    category: row.category,
    unit: row.unit,
    imperial_unit: row.imperialUnit,
    precision: row.precision,
    aggregation: row.aggregation,
    range: [...row.range],
  })),
};

const rowsById: ReadonlyMap<string, MetricRow> = new Map(metricTable.map((row) => [row.id, row]));

export function isMetricId(text: string): text is MetricId {
  return rowsById.has(text);
}

export function metricRow(id: MetricId): MetricRow {
  const row = rowsById.get(id);
  if (row === undefined) throw new Error(`${id} is not in the metric table`);
  return row;
}

export function metricsIn(category: CategoryId): MetricId[] {
  return metricTable.filter((row) => row.category === category).map((row) => row.id);
}

export function categoriesOf(ids: readonly MetricId[]): CategoryId[] {
  const present = new Set(ids.map((id) => metricRow(id).category));
  return categoryIds.filter((category) => present.has(category));
}

/** The unit names a value of this metric may arrive in. */
export function acceptedUnits(id: MetricId): string[] {
  return unitsFor(metricRow(id).unit);
}

/** The value in the metric's own unit, at full accuracy; undefined when the unit cannot measure it. */
export function toCanonical(id: MetricId, value: number, unit: string): number | undefined {
  return convert(value, unit, metricRow(id).unit);
}

/** A value in the metric's own unit, said in a unit that its source uses; undefined when that unit cannot measure it. */
export function fromCanonical(id: MetricId, value: number, unit: string): number | undefined {
  const row = metricRow(id);
  return convertAs(row.unit, value, row.unit, unit);
}

/** The value in the metric's imperial unit, rounded to the metric's precision. */
export function toImperial(id: MetricId, value: number): number {
  const row = metricRow(id);
  if (row.imperialUnit === row.unit) return round(id, value);
  const converted = convert(value, row.unit, row.imperialUnit);
  if (converted === undefined) throw new Error(`${id} has an imperial unit that does not measure the same thing`);
  // There and back again through an endless fraction (97.85 °F is 36.58333… °C): the last digits are nobody's.
  return roundTo(row.precision, Number(converted.toPrecision(12)));
}

export function isPlausible(id: MetricId, value: number): boolean {
  const [min, max] = metricRow(id).range;
  return value >= min && value <= max;
}

/** The value as it is shown. */
export function round(id: MetricId, value: number): number {
  return roundTo(metricRow(id).precision, value);
}
