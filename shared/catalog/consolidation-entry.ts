// The consolidation catalog as returned by the API: every key, with the methods that it allows.
import * as z from 'zod';
import {
  ConsolidationCategory,
  ConsolidationMethod,
  categoryOrder,
  consolidationMethods,
} from './consolidation-catalog.ts';
import { type GroupId, type MetricRow, metricTable } from './metric-table.ts';

/** A grouped metric is configured only through its group. */
export const toConsolidationKey = (row: MetricRow): GroupId | MetricRow['id'] => row.group ?? row.id;

const consolidationKeys = [...new Set(metricTable.map(toConsolidationKey))];
export const ConsolidationKey = z.enum(consolidationKeys).meta({
  id: 'ConsolidationKey',
  description: 'A metric id or the id of a group of metrics. New ids may be added.',
  examples: ['steps'],
});
export type ConsolidationKey = z.infer<typeof ConsolidationKey>;

export const ConsolidationEntry = z
  .object({
    key: ConsolidationKey,
    display_name: z.string().meta({ description: 'The display name.', examples: ['Steps'] }),
    category: ConsolidationCategory,
    kind: z.enum(['metric', 'group']).meta({
      description: 'A `group` applies one setting to several related metrics.',
      examples: ['metric'],
    }),
    default_method: ConsolidationMethod,
    allowed_methods: z
      .array(ConsolidationMethod)
      .meta({ description: 'The methods that can be set for this key.', examples: [[...consolidationMethods]] }),
  })
  .meta({ id: 'ConsolidationEntry', description: 'One consolidation setting.' });
export type ConsolidationEntry = z.infer<typeof ConsolidationEntry>;

export const ConsolidationCatalog = z
  .object({
    category_order: z
      .array(ConsolidationCategory)
      .meta({ description: 'The order in which to display the categories.', examples: [[...categoryOrder]] }),
    metrics: z.array(ConsolidationEntry).meta({ description: 'Every setting, in category order.' }),
  })
  .meta({ id: 'ConsolidationCatalog', description: 'Every consolidation setting and the methods it allows.' });
export type ConsolidationCatalog = z.infer<typeof ConsolidationCatalog>;
