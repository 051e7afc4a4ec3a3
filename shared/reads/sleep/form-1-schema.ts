// Schema of sleep sessions in Form 1.
import * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { SleepStageId } from '../../catalog/sleep-stages.ts';
import { CalendarDate, Timestamp } from '../../platform/time/time.ts';
import { UtcOffset } from '../../platform/time/utc-offset.ts';
import { SleepId } from '../../system/ids.ts';
import { SessionSource } from '../kit/source.ts';
import { mainSleepDescription } from './form-2-schema.ts';

export const nightVitals = [
  'sleep_heart_rate',
  'sleep_heart_rate_variability',
  'sleep_respiratory_rate',
  'sleep_blood_oxygen',
  'sleep_body_temperature',
  'sleep_skin_temperature',
  'sleep_wrist_temperature',
] as const satisfies MetricId[];

const minutesField = (description: string, example: number) =>
  z
    .int()
    .nullable()
    .meta({ description: `${description}, in minutes; null when the source did not report it.`, examples: [example] });

const vitalField = (description: string, example: number) =>
  z
    .number()
    .nullable()
    .meta({
      description: `${description}: the daily value of the session's date, which may come from a different device than the session. Null when there is no value, and for every session except the main sleep.`,
      examples: [example],
    });
const temperatureField = (description: string, example: number) =>
  vitalField(`${description} in °C, or in °F with \`unit_system=imperial\``, example);

export const FlatSleep = z
  .object({
    id: SleepId,
    date: CalendarDate.meta({
      description: 'The day the session counts toward: the day it ends.',
      examples: ['2026-03-14'],
    }),
    is_main_sleep: z.boolean().meta({
      description: mainSleepDescription,
      examples: [true],
    }),
    start: Timestamp.meta({ examples: ['2026-03-13T21:48:00.000Z'] }),
    end: Timestamp.meta({ examples: ['2026-03-14T05:42:00.000Z'] }),
    utc_offset: UtcOffset.meta({
      description:
        'The UTC offset at the place where the user slept, as the record states it for the end of the session; null when it states none. The local time at that place is `start` or `end` plus `utc_offset`.',
      examples: ['+01:00'],
    }),
    asleep: minutesField('Time asleep', 431),
    time_awake: minutesField('Time awake', 43),
    light_sleep: minutesField('Light sleep', 262),
    deep_sleep: minutesField('Deep sleep', 76),
    REM: minutesField('REM sleep', 93),
    restorative_sleep: z
      .int()
      .nullable()
      .meta({ description: 'Deep and REM sleep together, in minutes; null unless both are known.', examples: [169] }),
    time_in_bed: minutesField('Time in bed', 474),
    sleep_efficiency: z
      .number()
      .nullable()
      .meta({
        description: 'Time asleep divided by time in bed, in percent with one decimal; null unless both are known.',
        examples: [90.9],
      }),
    sleep_heart_rate: vitalField('Heart rate during sleep, in bpm', 54.2),
    sleep_heart_rate_variability: vitalField('Heart-rate variability during sleep, in ms', 61.3),
    sleep_respiratory_rate: vitalField('Breaths per minute during sleep', 14.6),
    sleep_blood_oxygen: vitalField('Blood oxygen during sleep, in percent', 96.4),
    sleep_body_temperature: temperatureField('Body temperature during sleep', 36.4),
    sleep_skin_temperature: temperatureField('Skin temperature during sleep', 34.1),
    sleep_wrist_temperature: temperatureField('Wrist temperature during sleep', 35.2),
    stages: z
      .array(
        z
          .object({
            stage: SleepStageId,
            start: Timestamp.meta({ examples: ['2026-03-13T21:48:00.000Z'] }),
            end: Timestamp.meta({ examples: ['2026-03-13T22:13:00.000Z'] }),
          })
          .meta({ id: 'FlatSleepStage', description: 'A period in one stage.' }),
      )
      .nullable()
      .optional()
      .meta({
        description:
          'The stages as the device measured them, in order; there may be gaps. Null when the source does not report when each stage began. Only with `include_stages=true`.',
      }),
    source: SessionSource.optional().meta({
      description:
        'The device that reported the session with its times, minutes and efficiency; only with `include_sources=true`.',
    }),
    vital_sources: z
      .partialRecord(
        z.enum(nightVitals).meta({
          id: 'NightVital',
          description: 'A vital sign measured during sleep.',
          examples: ['sleep_heart_rate'],
        }),
        SessionSource,
      )
      .optional()
      .meta({
        description:
          'The device of each vital that has a value, which may differ from the device of the session; only with `include_sources=true`. ' +
          'For the value as reported, and for every device of a value that combines several, read the daily metrics with `include_sources=true`.',
        examples: [{ sleep_heart_rate: { provider: 'garmin', device_id: 'dev_01k9p3wb2d4f6h8k0m2p4r6t8v' } }],
      }),
  })
  .meta({
    id: 'FlatSleep',
    description: 'A night or a nap. If several devices reported it, the report of the highest-ranked device.',
  });
export type FlatSleep = z.infer<typeof FlatSleep>;

export const FlatSleepList = z.object({ data: z.array(FlatSleep) }).meta({
  id: 'FlatSleepList',
  description: 'The sleep sessions of the range, earliest first: by the day they count toward, then by start.',
});
export type FlatSleepList = z.infer<typeof FlatSleepList>;
