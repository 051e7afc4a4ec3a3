// Schema of daily metrics in columns: one array per metric, parallel to the dates.
import * as z from 'zod';
import { MetricId } from '../../catalog/metrics.ts';
import { Unit } from '../../catalog/units.ts';
import { CalendarDate } from '../../platform/time/time.ts';
import { ValueSource } from '../kit/source.ts';

export const Daily = z
  .object({
    from_date: CalendarDate,
    to_date: CalendarDate,
    dates: z.array(CalendarDate).meta({ description: 'Every day from `from_date` to `to_date`, without gaps.' }),
    series: z.partialRecord(MetricId, z.array(z.number().nullable())).meta({
      description:
        'The values of each metric, keyed by metric id, with one entry per day in the order of `dates`; null where there is none.',
      examples: [{ steps: [8421] }],
    }),
    units: z
      .partialRecord(MetricId, Unit)
      .optional()
      .meta({ description: 'The unit of each metric; only with `unit_system`.', examples: [{ steps: 'count' }] }),
    sources: z
      .partialRecord(MetricId, z.array(ValueSource.nullable()))
      .optional()
      .meta({
        description: 'The source of each value in `series`, keyed by metric id; only with `include_sources=true`.',
        examples: [
          {
            steps: [
              {
                provider: 'apple_health',
                device_id: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2',
                original_value: 8421,
                original_unit: 'count',
              },
            ],
          },
        ],
      }),
  })
  .meta({ id: 'Daily', description: 'Daily metrics in columns.' });
export type Daily = z.infer<typeof Daily>;
