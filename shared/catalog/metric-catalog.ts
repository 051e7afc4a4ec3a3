// An entry of the data catalog, as returned by GET /v1/metrics.
import * as z from 'zod';
import { aggregations } from './metric-table.ts';
import { Category, metricIds } from './metrics.ts';
import { scoreIds } from './score-ids.ts';
import { Unit } from './units.ts';

/** The paths that return metrics and scores. */
export const catalogPaths = {
  daily: '/v1/users/{id}/daily',
  timeseries: '/v1/users/{id}/timeseries',
  scores: '/v1/users/{id}/scores',
  history: '/v1/users/{id}/scores/history',
} as const;

/** What a row of daily metrics may be about. */
export const MetricOrScoreId = z.enum([...metricIds, ...scoreIds]).meta({
  id: 'MetricOrScoreId',
  description: 'A daily metric or a score. New ids may be added.',
  examples: ['steps'],
});

export const Metric = z
  .object({
    id: MetricOrScoreId.meta({ description: "The metric's id in every request and response.", examples: ['steps'] }),
    display_name: z.string().meta({ description: 'The display name.', examples: ['Steps'] }),
    description: z.string().meta({
      description:
        'What is measured, and how the daily value is computed by default. Consolidation settings can change the latter.',
      examples: [
        'Steps taken, walking or running. The daily value adds up what was measured during the day, with each moment counted once, from the highest-ranked device that was measuring.',
      ],
    }),
    category: Category,
    unit: Unit.meta({
      description: 'The unit of every value, unless imperial units are requested.',
      examples: ['count'],
    }),
    imperial_unit: Unit.meta({ description: 'The unit under `unit_system=imperial`.', examples: ['count'] }),
    precision: z
      .int()
      .min(0)
      .meta({ description: 'The number of decimals that values are rounded to.', examples: [0] }),
    imperial_precision: z
      .int()
      .min(0)
      .meta({ description: 'The number of decimals under `unit_system=imperial`.', examples: [0] }),
    aggregation: z
      .enum(aggregations)
      .meta({ id: 'Aggregation', description: 'How samples are combined into one value.', examples: ['sum'] })
      .nullable()
      .meta({
        description:
          "How a day's samples are combined into one value; null for scores, which are computed from the day's metrics.",
        examples: ['sum'],
      }),
    // Not a tuple: client generators fail on a tuple's schema.
    range: z
      .array(z.number())
      .length(2)
      .meta({
        description: 'The smallest and largest plausible value. Values outside this range are rejected.',
        examples: [[0, 200_000]],
      }),
    read_from: z
      .array(z.enum(Object.values(catalogPaths)).meta({ id: 'CatalogPath', description: 'A path of this API.' }))
      .meta({
        description: 'The endpoints that return it.',
        examples: [[catalogPaths.daily, catalogPaths.timeseries]],
      }),
  })
  .meta({
    id: 'Metric',
    description: 'A daily metric or a score: its name, unit, precision and the endpoints that return it.',
  });
export type Metric = z.infer<typeof Metric>;

export const MetricCatalog = z
  .object({ metrics: z.array(Metric).meta({ description: 'Every metric by category, then the scores.' }) })
  .meta({ id: 'MetricCatalog', description: 'Every metric and score that the service supports.' });
export type MetricCatalog = z.infer<typeof MetricCatalog>;
