// What a phone uploads. The envelope is checked as a whole; the records in it are judged one by one.
import * as z from 'zod';
import { MetricId } from './metrics.ts';
import { DeviceType } from './provider.ts';
import { CalendarDate, TimeZone } from './time.ts';

/** What an upload may have: each is far more than a person's phone gathers between two uploads. Lambda takes 6 MB with the body in base64. */
export const uploadLimits = {
  wireBytes: 4_000_000,
  unpackedBytes: 25_000_000,
  records: 50_000,
  /** Of one workout: a day and more at one a second. */
  tracePoints: 100_000,
  /** Nights, and workouts, of one device that count on one day. */
  sessionsADay: 200,
  firstYear: 2000,
  /** Of lists and objects within each other; a record needs five. */
  depth: 32,
  /** Of objects, lists and their members in the whole body. */
  values: 1_500_000,
} as const;

const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => value.isWellFormed(), 'must be valid Unicode');

export const UploadDevice = z
  .strictObject({
    name: text(255).meta({ description: "The owner's name for it.", examples: ['Ada’s Watch'] }),
    model: text(255)
      .min(1)
      .meta({ description: 'The model; each model of a provider is one device of the user.', examples: ['Watch7,5'] }),
    type: DeviceType,
  })
  .meta({ id: 'UploadDevice', description: 'The device that took the measurements.' });
export type UploadDevice = z.infer<typeof UploadDevice>;

const envelope = { time_zone: TimeZone, device: UploadDevice };
const records = z.array(z.unknown()).default([]);

/** The envelope as it is checked: whatever stands in the lists. */
export const UploadBody = z.strictObject({
  ...envelope,
  samples: records,
  daily: records,
  sleep: records,
  workouts: records,
});
export type UploadBody = z.infer<typeof UploadBody>;

const Instant = z.iso
  .datetime({ offset: true })
  .meta({ description: 'ISO 8601 with `Z` or an offset.', examples: ['2026-03-14T06:58:00Z'] });
const utc_offset = z
  .string()
  .regex(/^[+-]\d{2}:\d{2}$/)
  .optional()
  .meta({ description: 'The local offset where it was recorded.', examples: ['+01:00'] });
const unit = (example: string) =>
  z
    .string()
    .meta({ description: 'The unit of the value; it is converted to the unit of the metric.', examples: [example] });
const minutes = (what: string, example: number) =>
  z
    .number()
    .min(0)
    .optional()
    .meta({ description: what, examples: [example] });
const measured = (what: string, example: number) =>
  z
    .number()
    .optional()
    .meta({ description: what, examples: [example] });

const UploadSample = z
  .object({
    metric: MetricId.meta({ description: 'What was measured.', examples: ['heart_rate'] }),
    start: Instant,
    end: Instant.optional().meta({
      description:
        'The end, for what covers a span. What accrues (steps, distance, energy, minutes) is split where the person’s day ends, and spans at most 25 hours.',
      examples: ['2026-03-14T06:59:00Z'],
    }),
    value: z.number().meta({ description: 'The value, in `unit`.', examples: [62] }),
    unit: unit('bpm'),
    utc_offset,
  })
  .meta({ id: 'UploadSample', description: 'One measurement.' });

const UploadDailyTotal = z
  .object({
    date: CalendarDate,
    metric: MetricId.meta({ description: 'What is totalled.', examples: ['steps'] }),
    value: z.number().meta({ description: 'The value, in `unit`.', examples: [9_412] }),
    unit: unit('count'),
  })
  .meta({
    id: 'UploadDailyTotal',
    description: "A day's total as the device states it; it takes precedence over the sum of the samples.",
  });

const UploadSleep = z
  .object({
    start: Instant.meta({ examples: ['2026-03-13T22:41:00Z'] }),
    end: Instant.meta({ examples: ['2026-03-14T06:32:00Z'] }),
    utc_offset,
    asleep_minutes: minutes('Minutes asleep.', 432),
    deep_minutes: minutes('Minutes of deep sleep.', 74),
    light_minutes: minutes('Minutes of light sleep.', 251),
    rem_minutes: minutes('Minutes of REM sleep.', 107),
    awake_minutes: minutes('Minutes awake.', 39),
    in_bed_minutes: minutes('Minutes in bed.', 471),
  })
  .meta({ id: 'UploadSleep', description: 'A sleep session, with what is known about its stages.' });

const UploadWorkout = z
  .object({
    type: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: 'The kind of sport.', examples: ['running'] }),
    name: z
      .string()
      .max(255)
      .optional()
      .meta({ description: 'A title.', examples: ['Morning run'] }),
    start: Instant.meta({ examples: ['2026-03-14T05:30:00Z'] }),
    end: Instant.meta({ examples: ['2026-03-14T06:14:00Z'] }),
    utc_offset,
    calories: measured('Active energy, kcal.', 412),
    distance_km: measured('Distance, km.', 7.42),
    avg_heart_rate: measured('Average heart rate, bpm.', 148),
    max_heart_rate: measured('Highest heart rate, bpm.', 171),
    elevation_meters: measured('Metres climbed.', 86),
    steps: measured('Steps.', 6_730),
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

/** The body as the OpenAPI document shows it. */
export const Upload = z
  .strictObject({
    ...envelope,
    samples: z.array(UploadSample).optional(),
    daily: z.array(UploadDailyTotal).optional(),
    sleep: z.array(UploadSleep).optional(),
    workouts: z.array(UploadWorkout).optional(),
  })
  .meta({ id: 'Upload', description: 'A batch of records from one device. Every list is optional.' });

export const RejectionCode = z
  .enum([
    'unknown_metric',
    'invalid_unit',
    'implausible_value',
    'invalid_time',
    'invalid_record',
    'insufficient_scope',
    'limit_exceeded',
  ])
  .meta({ description: 'Why the record was rejected.', examples: ['implausible_value'] });
export type RejectionCode = z.infer<typeof RejectionCode>;

export const Rejection = z
  .object({
    path: z
      .string()
      .meta({ description: 'The path of the record’s first problem in the body.', examples: ['samples.12.value'] }),
    code: RejectionCode,
    message: z.string().meta({
      description: 'What to do about it.',
      examples: ['heart_rate must be between 20 and 300 bpm.'],
    }),
  })
  .meta({ id: 'Rejection', description: 'A record, or a point of a trace, that was not stored.' });
export type Rejection = z.infer<typeof Rejection>;

export const mostRejectionsTold = 100;

export const UploadAccepted = z
  .object({
    batch_id: z.string().meta({
      description: 'Identifies what was stored; sending the same batch again returns the same id.',
      examples: ['bat_Zk1wQ0t5b2R4UjB2d3d3dw'],
    }),
    accepted: z
      .int()
      .min(0)
      .meta({ description: 'How many records are stored.', examples: [997] }),
    rejected_count: z
      .int()
      .min(0)
      .meta({ description: 'How many records, or points of a trace, were rejected.', examples: [0] }),
    rejected: z
      .array(Rejection)
      .meta({ description: `The first ${mostRejectionsTold} rejections; everything else is stored.` }),
  })
  .meta({ id: 'UploadAccepted', description: 'The outcome of an upload.' });
export type UploadAccepted = z.infer<typeof UploadAccepted>;
