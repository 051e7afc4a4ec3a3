// Schemas of a preview: what a change of the consolidation settings would do to the last days.
import * as z from 'zod';
import { MetricId } from '../../catalog/metrics.ts';
import { Unit } from '../../catalog/units.ts';
import { CalendarDate } from '../../platform/time/time.ts';

/** The number of days that a preview covers, today included. */
export const previewDays = 30;

const column = (description: string) =>
  z.array(z.number().nullable()).meta({ description, examples: [[8421, null, 10233]] });

const PreviewedChange = z
  .object({
    date: CalendarDate,
    before: z.number().meta({ description: 'The value with the current settings.', examples: [8421] }),
    after: z.number().meta({ description: 'The value with the changed settings.', examples: [10525] }),
  })
  .meta({ id: 'PreviewedChange', description: 'The change of one value on one day.' });

const PreviewedMetric = z
  .object({
    metric: MetricId,
    unit: Unit,
    days_changed: z
      .int()
      .meta({ description: 'The number of days on which the value that is read would change.', examples: [11] }),
    days_gained: z.int().meta({ description: 'How many of them have a value only afterwards.', examples: [0] }),
    days_lost: z.int().meta({ description: 'How many of them have a value only before.', examples: [1] }),
    mean_change: z
      .number()
      .nullable()
      .meta({
        description:
          'The mean distance between the two values, over the changed days that have both; null if there are none.',
        examples: [312],
      }),
    largest_change: PreviewedChange.nullable().meta({
      description: 'The largest of these changes, the earliest of equal ones; null if there are none.',
    }),
    before: column('The values with the current settings, with one entry per day in the order of `dates`.'),
    after: column('The values with the changed settings.'),
  })
  .meta({ id: 'PreviewedMetric', description: 'What the change would do to one metric.' });

export const ConsolidationPreview = z
  .object({
    data: z.object({
      from_date: CalendarDate,
      to_date: CalendarDate,
      dates: z.array(CalendarDate).meta({ description: 'Every day of the preview, earliest first.' }),
      days_changed: z
        .int()
        .meta({ description: 'The number of days on which at least one metric would change.', examples: [11] }),
      metrics: z.array(PreviewedMetric).meta({
        description: 'The metrics that would change, in catalog order; empty if nothing would change.',
      }),
    }),
  })
  .meta({
    id: 'ConsolidationPreview',
    description: 'What a change of the consolidation settings would do. Nothing is stored.',
  });
export type ConsolidationPreview = z.infer<typeof ConsolidationPreview>;
