// An entry of the data catalog, as GET /v1/metrics shows it.
import * as z from 'zod';
import { aggregations } from './metric-table.ts';
import { Category, metricIds } from './metrics.ts';
import { scoreIds } from './score-ids.ts';

/** Where metrics and scores are read. */
export const catalogPaths = {
  daily: '/v1/users/{id}/daily',
  timeseries: '/v1/users/{id}/timeseries',
  scores: '/v1/users/{id}/scores',
  history: '/v1/users/{id}/scores/history',
} as const;

export const Metric = z
  .object({
    id: z.enum([...metricIds, ...scoreIds]).meta({ description: 'Its id in every read.', examples: ['steps'] }),
    display_name: z.string().meta({ description: 'The display name.', examples: ['Steps'] }),
    description: z.string().meta({
      description: 'What is measured, and how a day is made of it unless consolidation settings say otherwise.',
      examples: [
        'Steps taken, walking or running. A day adds up what was measured on it, each moment once, by the highest-ranked device that was measuring.',
      ],
    }),
    category: Category,
    unit: z
      .string()
      .meta({ description: 'The unit of every value, unless imperial units are requested.', examples: ['count'] }),
    imperial_unit: z.string().meta({ description: 'The unit under `unit_system=imperial`.', examples: ['count'] }),
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
      .nullable()
      .meta({
        description:
          "How a day's samples are combined into one value; null for scores, which are computed from the day's metrics.",
        examples: ['sum'],
      }),
    // Not a tuple: client generators fail on the schema that one becomes.
    range: z
      .array(z.number())
      .length(2)
      .meta({
        description: 'The smallest and largest plausible value; others are rejected.',
        examples: [[0, 200_000]],
      }),
    read_from: z
      .array(z.enum(Object.values(catalogPaths)))
      .meta({ description: 'The calls that return it.', examples: [[catalogPaths.daily, catalogPaths.timeseries]] }),
  })
  .meta({ id: 'Metric', description: 'A daily metric or a score: its name, unit, precision and where it is read.' });
export type Metric = z.infer<typeof Metric>;

export const MetricCatalog = z
  .object({ metrics: z.array(Metric).meta({ description: 'Every metric by category, then the scores.' }) })
  .meta({ id: 'MetricCatalog', description: 'Every metric and score that the service knows.' });
export type MetricCatalog = z.infer<typeof MetricCatalog>;
