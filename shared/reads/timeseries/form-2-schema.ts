// Schemas of samples within a day: individual samples, or a column of equal steps.
import * as z from 'zod';
import { SampleId } from '../../catalog/metrics.ts';
import { Unit } from '../../catalog/units.ts';
import { ClockTime, ShownTimeZone, Timestamp } from '../../platform/time/time.ts';
import { UtcOffset } from '../../platform/time/utc-offset.ts';
import { SessionSource, ValueSource } from '../kit/source.ts';

/** Each metric of a list of samples costs a Query, and one of a group a Query for each member. */
export const maxMetrics = 16;
/**
 * Keeps the response within the size a function may return, even without compression and if every
 * sample is as long as a sample can be.
 */
export const maxSamples = { plain: 40_000, withSources: 19_000 };

export const timeseriesShapesText =
  'Send metrics, start_date and end_date for samples, or metric and date for one day in equal steps.';

const unit = Unit.meta({ description: 'The unit of the values.', examples: ['bpm'] });

export const TimeseriesSample = z
  .object({
    timestamp: Timestamp.meta({
      description:
        'ISO 8601, UTC, with milliseconds: when the sample was measured, or when the part of it that counts began.',
      examples: ['2026-03-14T07:26:53.589Z'],
    }),
    metric: SampleId,
    value: z.number().meta({ description: 'The value, or the part of it that counts.', examples: [68] }),
    unit,
    utc_offset: UtcOffset.meta({
      description:
        'The UTC offset at the place of the measurement, as the sample itself states it; null when it states none, and for a part that combines samples with different offsets. ' +
        'The local time at that place is `timestamp` plus `utc_offset`.',
      examples: ['+01:00'],
    }),
    source: ValueSource.optional(),
  })
  .meta({
    id: 'TimeseriesSample',
    description: 'A sample, or the part of a sample that counts within one day.',
    examples: [
      {
        timestamp: '2026-03-14T07:26:53.589Z',
        metric: 'heart_rate',
        value: 68,
        unit: 'bpm',
        utc_offset: '+01:00',
        source: {
          provider: 'oura',
          device_id: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2',
          original_value: 68,
          original_unit: 'bpm',
        },
      },
    ],
  });
export type TimeseriesSample = z.infer<typeof TimeseriesSample>;

export const TimeseriesSamples = z.object({ data: z.array(TimeseriesSample) }).meta({
  id: 'TimeseriesSamples',
  description: 'Samples sorted by time, then in the order of the requested metrics.',
});

export const TimeseriesColumn = z
  .object({
    metric: SampleId,
    unit,
    start: ClockTime.meta({ description: 'The start of the day.', examples: ['2026-03-14T00:00:00'] }),
    step_seconds: z.int().meta({ description: 'The length of each step in seconds.', examples: [300] }),
    values: z
      .array(z.number().nullable())
      .meta({ description: 'One value per step; null where there is no sample.', examples: [[61, 60.5, null]] }),
    time_zone: ShownTimeZone.meta({
      description: "The time zone of the day and of `start`: the profile's, or UTC if it has none.",
    }),
    start_at: Timestamp.meta({
      description: 'The instant of `start`: ISO 8601, UTC, with milliseconds.',
      examples: ['2026-03-13T23:00:00.000Z'],
    }),
    source: SessionSource.nullable().optional().meta({
      description:
        'The device of the samples, or the one that contributed most; null if there are none. Only with `include_sources=true`.',
    }),
  })
  .meta({ id: 'TimeseriesColumn', description: 'One metric over one local day in equal steps.' });
export type TimeseriesColumn = z.infer<typeof TimeseriesColumn>;

export const Timeseries = z.union([TimeseriesSamples, TimeseriesColumn]);
export type Timeseries = z.infer<typeof Timeseries>;
