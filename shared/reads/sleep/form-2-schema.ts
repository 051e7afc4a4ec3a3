// Sleep sessions as the API lists them.
import * as z from 'zod';
import { ProviderId } from '../../catalog/provider.ts';
import { NextCursor } from '../../platform/page.ts';
import { CalendarDate, ClockTime } from '../../platform/time/time.ts';
import { SleepId } from '../../system/ids.ts';
import { SessionSource } from '../kit/source.ts';

const minutesField = (description: string, example: number) =>
  z
    .int()
    .nullable()
    .meta({ description: `${description}, in minutes; null when the source did not report it.`, examples: [example] });

export const SleepSession = z
  .object({
    id: SleepId,
    date: CalendarDate.meta({
      description: 'The day the session counts toward: that of its end.',
      examples: ['2026-03-14'],
    }),
    start_time: ClockTime.meta({ examples: ['2026-03-13T22:48:00'] }),
    end_time: ClockTime.meta({ examples: ['2026-03-14T06:42:00'] }),
    duration_minutes: z.int().meta({ description: 'From start to end.', examples: [474] }),
    is_main_sleep: z.boolean().meta({
      description: 'Whether it is the longest sleep of its day and over three hours; naps are not.',
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
        description: 'Time asleep over time in bed, one decimal; null without both.',
        examples: [90.9],
      }),
    source_detail: SessionSource.optional(),
  })
  .meta({ id: 'SleepSession', description: 'A night or a nap. If several devices reported it, the best report.' });
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
