// What can be set about how several providers' values become one: the keys, their categories and their methods.
import * as z from 'zod';

export const consolidationMethods = ['merge', 'priority', 'max', 'avg', 'sum'] as const;
export const ConsolidationMethod = z.enum(consolidationMethods).meta({
  description:
    "`merge` takes, at each moment, what the best-ranked device that measured then says, and adds it up (a total that the best-ranked device states itself is the day's value); `priority` takes the best-ranked device's value of the day, `max` the largest, `avg` the mean and `sum` the sum of the enabled providers' values.",
  examples: ['merge'],
});
export type ConsolidationMethod = z.infer<typeof ConsolidationMethod>;

export const categoryOrder = ['Activity', 'Energy', 'Body Composition', 'Sleep', 'Vitals', 'Nutrition'] as const;
export const ConsolidationCategory = z
  .enum(categoryOrder)
  .meta({ description: "The category's display name.", examples: ['Activity'] });
export type ConsolidationCategory = z.infer<typeof ConsolidationCategory>;

export const ConsolidationEntry = z
  .object({
    key: z.string().meta({ description: 'A metric id or the id of a group of metrics.', examples: ['steps'] }),
    display_name: z.string().meta({ description: 'The display name.', examples: ['Steps'] }),
    category: ConsolidationCategory,
    kind: z.enum(['metric', 'group']).meta({
      description: 'A `group` applies one setting to metrics that must come from one source.',
      examples: ['metric'],
    }),
    default_method: ConsolidationMethod,
    allowed_methods: z
      .array(ConsolidationMethod)
      .meta({ description: 'The methods this key can be set to.', examples: [[...consolidationMethods]] }),
  })
  .meta({ id: 'ConsolidationEntry', description: 'One setting of the consolidation.' });
export type ConsolidationEntry = z.infer<typeof ConsolidationEntry>;

export const ConsolidationCatalog = z
  .object({
    category_order: z
      .array(ConsolidationCategory)
      .meta({ description: 'The order to show the categories in.', examples: [[...categoryOrder]] }),
    metrics: z.array(ConsolidationEntry).meta({ description: 'Every setting, in the order of the categories.' }),
  })
  .meta({ id: 'ConsolidationCatalog', description: 'Every consolidation setting and its methods.' });
export type ConsolidationCatalog = z.infer<typeof ConsolidationCatalog>;
