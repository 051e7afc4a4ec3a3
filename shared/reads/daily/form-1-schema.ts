// Schema of daily metrics in rows: one row per metric and day that has a value.
import * as z from 'zod';
import { MetricOrScoreId } from '../../catalog/metric-catalog.ts';
import { Unit } from '../../catalog/units.ts';
import { CalendarDate } from '../../platform/time/time.ts';
import { ValueSource } from '../kit/source.ts';

const watch = { provider: 'apple_health', device_id: 'dev_01k9p3w5e7g9j1m3p5r7t9w1y3' };

export const DailyRow = z
  .object({
    date: CalendarDate,
    metric: MetricOrScoreId.meta({ description: 'The metric, or a score that was requested.', examples: ['steps'] }),
    value: z.number().meta({ description: 'The value on that day.', examples: [8421] }),
    unit: Unit.meta({
      description: 'The unit of the value in the requested unit system; `score` for scores.',
      examples: ['count'],
    }),
    source: ValueSource.nullable().optional().meta({
      description:
        'The device the value came from; only with `include_sources=true`. Null for scores, which are computed, and briefly after the device was removed.',
    }),
  })
  .meta({
    id: 'DailyRow',
    description: 'The value of one metric on one day.',
    examples: [
      {
        date: '2026-03-14',
        metric: 'steps',
        value: 8421,
        unit: 'count',
        source: {
          ...watch,
          original_value: 4264,
          original_unit: 'count',
          contributors: [
            { ...watch, value: 4264 },
            { provider: 'oura', device_id: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2', value: 4157 },
          ],
        },
      },
    ],
  });
export type DailyRow = z.infer<typeof DailyRow>;

export const DailyRows = z.object({ data: z.array(DailyRow) }).meta({
  id: 'DailyRows',
  description:
    'Daily metrics in rows, earliest day first. Within a day, rows are in the order of the requested metrics. A day without a value has no row.',
});
export type DailyRows = z.infer<typeof DailyRows>;
