// The metric catalogue as the API shows it, and the arithmetic every value goes through: convert, check, quantize, round.
import * as z from 'zod';
import { aggregations, type CategoryId, categoryNames, type MetricRow, metricTable } from './metric-table.ts';
import { convert, unitsFor } from './units.ts';

export type { CategoryId } from './metric-table.ts';

export const metricIds: readonly MetricRow['id'][] = metricTable.map((row) => row.id);
export const categoryIds = [
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
    display_name: z.string().meta({ description: 'The name to show to people.', examples: ['Steps'] }),
    category: Category,
    unit: z
      .string()
      .meta({ description: 'The unit of every value, unless imperial units are asked for.', examples: ['count'] }),
    imperial_unit: z.string().meta({ description: 'The unit under `unit_system=imperial`.', examples: ['count'] }),
    precision: z
      .int()
      .min(0)
      .meta({ description: 'Decimals that values are rounded to.', examples: [0] }),
    aggregation: z.enum(aggregations).meta({ description: "How a day's samples become one value.", examples: ['sum'] }),
    range: z.tuple([z.number(), z.number()]).meta({
      description: 'The smallest and largest plausible value; others are rejected.',
      examples: [[0, 200_000]],
    }),
  })
  .meta({ id: 'Metric', description: 'A daily metric: what it is called, measured in and rounded to.' });
export type Metric = z.infer<typeof Metric>;

export const MetricCatalogue = z
  .object({ metrics: z.array(Metric).meta({ description: 'Every metric, by category.' }) })
  .meta({ id: 'MetricCatalogue', description: 'Every metric the service knows.' });
export type MetricCatalogue = z.infer<typeof MetricCatalogue>;

export const metricCatalogue: MetricCatalogue = {
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

export const categoryName = (category: CategoryId): string => categoryNames[category];

/** The unit names a value of this metric may arrive in. */
export function acceptedUnits(id: MetricId): string[] {
  return unitsFor(metricRow(id).unit);
}

/** The value in the metric's own unit, at full accuracy; undefined when the unit cannot measure it. */
export function toCanonical(id: MetricId, value: number, unit: string): number | undefined {
  return convert(value, unit, metricRow(id).unit);
}

/** The value in the metric's imperial unit, rounded to the metric's precision. */
export function toImperial(id: MetricId, value: number): number {
  const row = metricRow(id);
  const converted = convert(value, row.unit, row.imperialUnit);
  if (converted === undefined) throw new Error(`${id} has an imperial unit that does not measure the same thing`);
  return roundTo(row.precision, converted);
}

export function isPlausible(id: MetricId, value: number): boolean {
  const [min, max] = metricRow(id).range;
  return value >= min && value <= max;
}

/** The value as it is shown. */
export function round(id: MetricId, value: number): number {
  return roundTo(metricRow(id).precision, value);
}

/** The value as it is stored: everything on its way into a day passes here, so that days pack small and compare equal. */
export function quantize(id: MetricId, value: number): number {
  return roundTo(metricRow(id).scale, value);
}

/** Half away from zero, as people round decimals: 1.005 becomes 1.01 although its double lies a hair below. */
export function roundTo(decimals: number, value: number): number {
  const size = Math.abs(value);
  if (!(size < 1e12)) return value;
  const power = 10 ** decimals;
  const rounded = Math.round(size * power * (1 + 2 ** -50)) / power;
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}
