// Schema of sleep sessions in Form 2.
import * as z from 'zod';
import { ProviderId } from '../../catalog/provider.ts';
import { SleepStageId } from '../../catalog/sleep-stages.ts';
import { Unit } from '../../catalog/units.ts';
import { NextCursor } from '../../platform/page.ts';
import { CalendarDate, ClockTime, Timestamp } from '../../platform/time/time.ts';
import { UtcOffset } from '../../platform/time/utc-offset.ts';
import { SleepId } from '../../system/ids.ts';
import { SessionSource } from '../kit/source.ts';
import type { NightSampleId } from './read-sleep-session.ts';

const minutesField = (description: string, example: number) =>
  z
    .int()
    .nullable()
    .meta({ description: `${description}, in minutes; null when the source did not report it.`, examples: [example] });

export const mainSleepDescription =
  "True for the main sleep: the longest session of the day, if it lasts more than three hours, or at least one hour with its middle between 22:00 and 07:00 in the profile's time zone. False for naps.";

const SleepStagePeriod = z
  .object({
    stage: SleepStageId,
    start: ClockTime.meta({ examples: ['2026-03-13T22:48:00'] }),
    end: ClockTime.meta({ examples: ['2026-03-13T23:13:00'] }),
  })
  .meta({
    id: 'SleepStagePeriod',
    description:
      'A period in one stage. In the night in which clocks go back, a later period may show an earlier time.',
  });
export type SleepStagePeriod = z.infer<typeof SleepStagePeriod>;

const stagesDescription =
  'The stages as the device measured them, in order; there may be gaps. Null when the source does not report when each stage began.';

export const SleepSession = z
  .object({
    id: SleepId,
    date: CalendarDate.meta({
      description: 'The day the session counts toward: the day it ends.',
      examples: ['2026-03-14'],
    }),
    start_time: ClockTime.meta({ examples: ['2026-03-13T22:48:00'] }),
    end_time: ClockTime.meta({ examples: ['2026-03-14T06:42:00'] }),
    start_at: Timestamp.meta({
      description: 'The start as an instant: ISO 8601, UTC, with milliseconds.',
      examples: ['2026-03-13T21:48:00.000Z'],
    }),
    end_at: Timestamp.meta({
      description: 'The end as an instant: ISO 8601, UTC, with milliseconds.',
      examples: ['2026-03-14T05:42:00.000Z'],
    }),
    utc_offset: UtcOffset.meta({
      description:
        'The UTC offset at the place where the user slept, as the record states it for the end of the session; null when it states none. ' +
        "It does not belong to `start_time` and `end_time`, which are in the profile's time zone: the local time at that place is `start_at` or `end_at` plus `utc_offset`.",
      examples: ['+01:00'],
    }),
    duration_minutes: z.int().meta({ description: 'The time from start to end.', examples: [474] }),
    is_main_sleep: z.boolean().meta({
      description: mainSleepDescription,
      examples: [true],
    }),
    source: ProviderId,
    asleep_minutes: minutesField('Time asleep', 431),
    deep_minutes: minutesField('Deep sleep', 76),
    light_minutes: minutesField('Light sleep', 262),
    rem_minutes: minutesField('REM sleep', 93),
    awake_minutes: minutesField('Time awake', 43),
    in_bed_minutes: minutesField('Time in bed', 474),
    efficiency_pct: z
      .number()
      .nullable()
      .meta({
        description: 'Time asleep divided by time in bed, in percent with one decimal; null unless both are known.',
        examples: [90.9],
      }),
    source_detail: SessionSource.optional(),
    stages: z
      .array(SleepStagePeriod)
      .nullable()
      .optional()
      .meta({ description: `Only with \`include_stages=true\`. ${stagesDescription}` }),
  })
  .meta({
    id: 'SleepSession',
    description: 'A night or a nap. If several devices reported it, the report of the highest-ranked device.',
  });
export type SleepSession = z.infer<typeof SleepSession>;

export const SleepList = z
  .object({
    from_date: CalendarDate,
    to_date: CalendarDate,
    data: z.array(SleepSession),
    next_cursor: NextCursor,
  })
  .meta({ id: 'SleepList', description: 'One page of sleep sessions, newest first.' });
export type SleepList = z.infer<typeof SleepList>;

/** Of one metric: a night at one sample every three seconds. */
export const maxNightSamples = 10_000;

const SleepSamples = z
  .object({
    unit: Unit.meta({ description: 'The unit of the values.', examples: ['bpm'] }),
    step_seconds: z
      .int()
      .nullable()
      .meta({
        description: `Null for samples as measured. If there are more than ${maxNightSamples}, each entry is the average of a step of this length.`,
        examples: [null],
      }),
    samples: z.array(
      z.object({
        timestamp: ClockTime.meta({ examples: ['2026-03-13T23:04:00'] }),
        value: z.number().meta({ description: 'The value, in `unit`.', examples: [52] }),
      }),
    ),
  })
  .meta({ id: 'SleepSamples', description: 'The samples of one metric during the session.' });
export type SleepSamples = z.infer<typeof SleepSamples>;

const samplesField = (content: string) =>
  SleepSamples.nullable().meta({
    description: `${content} that the device of the session measured during it; null when it measured none.`,
  });

export const SleepDetail = SleepSession.extend({
  stages: z.array(SleepStagePeriod).nullable().meta({ description: stagesDescription }),
  heart_rate: samplesField('The heart rate'),
  heart_rate_variability: samplesField('The heart-rate variability (SDNN)'),
  heart_rate_variability_rmssd: samplesField('The heart-rate variability (RMSSD)'),
  respiratory_rate: samplesField('The breaths per minute'),
  blood_oxygen: samplesField('The blood oxygen'),
} satisfies Record<NightSampleId | 'stages', z.ZodType>).meta({
  id: 'SleepDetail',
  description: 'A night or a nap with its stages and samples.',
});
export type SleepDetail = z.infer<typeof SleepDetail>;
