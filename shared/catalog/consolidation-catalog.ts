// The settings for combining several providers' values into one: their keys, categories and
// methods.
import * as z from 'zod';

export const consolidationMethods = ['merge', 'priority', 'max', 'avg', 'sum'] as const;
export const ConsolidationMethod = z.enum(consolidationMethods).meta({
  description:
    "How the values of several providers become one. `merge`: at each moment the value of the highest-ranked device that was measuring counts, and these values add up; if the highest-ranked device reports a total for the day, that total is the value. `priority`: the highest-ranked device's value for the day. `max`, `avg` and `sum`: the largest value, the mean, and the sum of the enabled providers' values.",
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
      description: 'A `group` applies one setting to several metrics that must come from the same source.',
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

export const ConsolidationSettings = z.object({
  /** Overrides only. The default is included if it was chosen explicitly. */
  methods: z.record(z.string(), ConsolidationMethod),
  /** Providers that are disabled for every metric. */
  disabled: z.array(z.string()),
  /** Providers that are disabled for a key. */
  disabledFor: z.record(z.string(), z.array(z.string())),
});
export type ConsolidationSettings = z.infer<typeof ConsolidationSettings>;
