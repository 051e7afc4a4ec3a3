// An upload as the OpenAPI document describes it, with the records that its lists may contain.
import * as z from 'zod';
import { MetricId, SampleId } from '../../catalog/metrics.ts';
import { SleepStageId } from '../../catalog/sleep-stages.ts';
import { CalendarDate } from '../../platform/time/time.ts';
import { uploadLimits } from '../kit/upload-limits.ts';
import { uploadEnvelope } from './upload.ts';

const Instant = z.iso
  .datetime({ offset: true })
  .meta({ description: 'ISO 8601 with `Z` or an offset.', examples: ['2026-03-14T06:58:00Z'] });
const utc_offset = z
  .string()
  .regex(/^[+-]\d{2}:\d{2}$/)
  .optional()
  .meta({
    description:
      "The local offset where the record was made. Days follow the profile's time zone, unless the user's `day_rule` is `recorded`.",
    examples: ['+01:00'],
  });
const unitField = (example: string) =>
  z.string().meta({
    description: 'The unit of the value. The value is converted to the unit of the metric.',
    examples: [example],
  });
const minutesField = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .optional()
    .meta({ description: description, examples: [example] });
const measuredField = (description: string, example: number) =>
  z
    .number()
    .optional()
    .meta({ description: description, examples: [example] });

const UploadSample = z
  .object({
    metric: SampleId.meta({
      description:
        'What was measured: a metric, or `stress_score` in `score` from 0 to 100 if the device reports stress through the day.',
      examples: ['heart_rate'],
    }),
    start: Instant,
    end: Instant.optional().meta({
      description:
        'The end, for a value that covers a span. Cumulative values (steps, distance, energy, minutes) are split where the user’s day ends, and span at most 25 hours.',
      examples: ['2026-03-14T06:59:00Z'],
    }),
    value: z.number().meta({ description: 'The value, in `unit`.', examples: [62] }),
    unit: unitField('bpm'),
    utc_offset,
  })
  .meta({ id: 'UploadSample', description: 'One measurement.' });

const UploadDailyTotal = z
  .object({
    date: CalendarDate,
    metric: MetricId.meta({ description: 'What is totalled.', examples: ['steps'] }),
    value: z.number().meta({ description: 'The value, in `unit`.', examples: [9_412] }),
    unit: unitField('count'),
  })
  .meta({
    id: 'UploadDailyTotal',
    description: "A day's total as the device reports it. It takes precedence over the sum of the samples.",
  });

const UploadSleep = z
  .object({
    start: Instant.meta({ examples: ['2026-03-13T22:41:00Z'] }),
    end: Instant.meta({ examples: ['2026-03-14T06:32:00Z'] }),
    utc_offset,
    asleep_minutes: minutesField('Minutes asleep.', 432),
    deep_minutes: minutesField('Minutes of deep sleep.', 74),
    light_minutes: minutesField('Minutes of light sleep.', 251),
    rem_minutes: minutesField('Minutes of REM sleep.', 107),
    awake_minutes: minutesField('Minutes awake.', 39),
    in_bed_minutes: minutesField('Minutes in bed.', 471),
    stages: z
      .array(
        z.object({
          stage: SleepStageId,
          start: Instant.meta({ examples: ['2026-03-13T22:41:00Z'] }),
          end: Instant.meta({ examples: ['2026-03-13T23:06:00Z'] }),
        }),
      )
      .max(uploadLimits.sleepStages)
      .optional()
      .meta({
        description:
          'The stages as the device measured them, within the session and without overlaps; gaps are allowed. ' +
          'Minutes that the session does not state are computed from them: light, deep, REM and unspecified sleep are asleep, and time out of bed is awake. ' +
          'If a stage is rejected, or the computed minutes contradict the stated ones, they stay null.',
      }),
  })
  .meta({ id: 'UploadSleep', description: 'A sleep session, with what is known about its stages.' });

const UploadWorkout = z
  .object({
    type: z
      .string()
      .min(1)
      .max(64)
      .meta({
        description:
          "A workout type from `GET /v1/workout-types`, or the platform's own name for it (`HKWorkoutActivityTypeRunning`, `EXERCISE_TYPE_RUNNING`). Any other word becomes `other`; the word itself is returned as `source_type`.",
        examples: ['running'],
      }),
    name: z
      .string()
      .max(255)
      .optional()
      .meta({ description: 'A title.', examples: ['Morning run'] }),
    start: Instant.meta({ examples: ['2026-03-14T05:30:00Z'] }),
    end: Instant.meta({ examples: ['2026-03-14T06:14:00Z'] }),
    utc_offset,
    calories: measuredField('Active energy, kcal.', 412),
    distance_km: measuredField('Distance, km.', 7.42),
    avg_heart_rate: measuredField('Average heart rate, bpm.', 148),
    max_heart_rate: measuredField('Highest heart rate, bpm.', 171),
    elevation_meters: measuredField('Metres climbed.', 86),
    steps: measuredField('Steps.', 6_730),
    strain: measuredField('The strain of the workout as rated by the source, 0 to 100 (WHOOP: 0 to 21).', 12.4),
    avg_mets: measuredField('Average metabolic equivalent (HealthKit: `HKAverageMETs`), 0 to 50.', 9.6),
    weather_temperature_c: measuredField('Air temperature, °C, -90 to 60.', 12),
    weather_humidity_pct: measuredField('Relative humidity of the air, percent.', 61),
    swimming_stroke_count: measuredField('Swimming strokes.', 640),
    swimming_lap_length_m: measuredField('Length of a lap in the pool, metres, 1 to 1000.', 25),
    heart_rate: z
      .array(
        z.object({
          timestamp: Instant.meta({ examples: ['2026-03-14T05:30:05Z'] }),
          bpm: z.number().meta({ description: 'Heart rate, bpm.', examples: [118] }),
        }),
      )
      .optional()
      .meta({ description: 'The heart rate trace.' }),
  })
  .meta({ id: 'UploadWorkout', description: 'One workout.' });

export const Upload = z
  .object({
    ...uploadEnvelope,
    samples: z.array(UploadSample).optional(),
    daily: z.array(UploadDailyTotal).optional(),
    sleep: z.array(UploadSleep).optional(),
    workouts: z.array(UploadWorkout).optional(),
  })
  .meta({ id: 'Upload', description: 'A batch of records from one device. Every list is optional.' });
