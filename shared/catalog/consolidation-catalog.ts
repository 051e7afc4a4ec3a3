// The settings for combining several providers' values into one: their categories and methods.
import * as z from 'zod';

export const consolidationMethods = ['merge', 'priority', 'max', 'avg', 'sum'] as const;
export const ConsolidationMethod = z.enum(consolidationMethods).meta({
  id: 'ConsolidationMethod',
  description:
    "How the values of several providers become one. `merge`: at each moment the value of the highest-ranked device that was measuring counts, and these values add up; if the highest-ranked device reports a total for the day, that total is the value. `priority`: the highest-ranked device's value for the day. `max`, `avg` and `sum`: the largest value, the mean, and the sum of the enabled providers' values. New methods may be added.",
  examples: ['merge'],
});
export type ConsolidationMethod = z.infer<typeof ConsolidationMethod>;

export const categoryOrder = ['Activity', 'Energy', 'Body Composition', 'Sleep', 'Vitals', 'Nutrition'] as const;
export const ConsolidationCategory = z.enum(categoryOrder).meta({
  id: 'ConsolidationCategory',
  description: "The category's display name. New categories may be added.",
  examples: ['Activity'],
});
export type ConsolidationCategory = z.infer<typeof ConsolidationCategory>;

export const ConsolidationSettings = z.object({
  /** Overrides only. The default is included if it was chosen explicitly. */
  methods: z.record(z.string(), ConsolidationMethod),
  /** Providers that are disabled for every metric. */
  disabled: z.array(z.string()),
  /** Providers that are disabled for a key. */
  disabledFor: z.record(z.string(), z.array(z.string())),
});
export type ConsolidationSettings = z.infer<typeof ConsolidationSettings>;
