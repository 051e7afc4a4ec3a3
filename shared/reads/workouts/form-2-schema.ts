// Schemas of workouts in Form 2: the list and the details of one workout.
import * as z from 'zod';
import { ProviderId } from '../../catalog/provider.ts';
import { SourceType, WorkoutTypeId } from '../../catalog/workout-type-catalog.ts';
import { NextCursor } from '../../platform/page.ts';
import { CalendarDate, ClockTime, ShownTimeZone, Timestamp } from '../../platform/time/time.ts';
import { UtcOffset } from '../../platform/time/utc-offset.ts';
import { WorkoutId } from '../../system/ids.ts';
import { SessionSource } from '../kit/source.ts';

const measuredField = (description: string, example: number | null) =>
  z
    .number()
    .nullable()
    .meta({ description: `${description}; null when the source did not supply it.`, examples: [example] });
const heartRateField = (description: string, example: number) =>
  z
    .number()
    .nullable()
    .meta({
      description: `${description}, of the trace when the source did not supply it; null when it supplied neither.`,
      examples: [example],
    });

export const Workout = z
  .object({
    id: WorkoutId,
    type: WorkoutTypeId,
    source_type: SourceType,
    start_time: ClockTime.meta({ examples: ['2026-03-14T17:05:00'] }),
    start_at: Timestamp.meta({
      description: 'The start as an instant: ISO 8601, UTC, with milliseconds.',
      examples: ['2026-03-14T16:05:00.000Z'],
    }),
    end_at: Timestamp.meta({
      description: 'The end as an instant: ISO 8601, UTC, with milliseconds.',
      examples: ['2026-03-14T16:57:00.000Z'],
    }),
    utc_offset: UtcOffset.meta({
      description:
        'The UTC offset at the place of the workout, as the record states it for the start; null when it states none. ' +
        "It does not belong to `start_time`, which is in the profile's time zone: the local time at that place is `start_at` or `end_at` plus `utc_offset`.",
      examples: ['+01:00'],
    }),
    duration_minutes: z.int().meta({ description: 'The time from start to end.', examples: [52] }),
    calories: measuredField('Active energy in kcal', 612),
    distance_km: measuredField('Distance in kilometres', 9.84),
    source: ProviderId,
    avg_heart_rate: heartRateField('Average heart rate in bpm', 151),
    max_heart_rate: heartRateField('Highest heart rate in bpm', 176),
    strain: measuredField('The strain of the workout as rated by its source (WHOOP: 0 to 21)', 12.4),
    source_detail: SessionSource.optional(),
  })
  .meta({
    id: 'Workout',
    description: 'A workout. If several devices reported it, the report of the highest-ranked device.',
  });
export type Workout = z.infer<typeof Workout>;

export const WorkoutList = z
  .object({
    from_date: CalendarDate,
    to_date: CalendarDate,
    data: z.array(Workout),
    next_cursor: NextCursor,
  })
  .meta({ id: 'WorkoutList', description: 'One page of workouts, newest first.' });
export type WorkoutList = z.infer<typeof WorkoutList>;

export const WorkoutMetrics = z
  .object({
    elevation_meters: measuredField('Metres climbed', 84),
    steps: measuredField('Steps', 8120),
    avg_speed_kmh: measuredField('Average speed in km/h', 11.35),
    avg_pace_seconds_per_km: measuredField('Average pace in seconds per kilometre', 317),
    avg_mets: measuredField('Average metabolic equivalent as stated by the source', 10.2),
    weather_temperature_c: measuredField('Air temperature in °C', 12),
    weather_humidity_pct: measuredField('Relative humidity of the air in percent', 61),
    swimming_stroke_count: measuredField('Swimming strokes', null),
    swimming_lap_length_m: measuredField('Length of a pool lap in metres', null),
  })
  .meta({ id: 'WorkoutMetrics', description: 'Further measurements of the workout.' });

const bpmField = (description: string, example: number) => z.number().meta({ description, examples: [example] });

export const WorkoutHeartRate = z
  .object({
    avg_bpm: bpmField('Average heart rate.', 151),
    max_bpm: bpmField('Highest heart rate.', 176),
    zones: z
      .array(
        z.object({
          zone: z
            .int()
            .min(1)
            .max(5)
            .meta({ description: 'From 1 (lightest) to 5.', examples: [3] }),
          min_bpm: bpmField('The lowest heart rate of the zone.', 130),
          max_bpm: bpmField('The highest heart rate of the zone.', 148),
          minutes: z.number().meta({ description: 'The minutes spent in the zone.', examples: [14.5] }),
        }),
      )
      .meta({
        description:
          "Heart-rate zones as shares of the maximum heart rate, which is estimated from the user's age if it is known.",
      }),
    samples: z
      .array(
        z.object({
          timestamp: ClockTime.meta({ examples: ['2026-03-14T17:05:15'] }),
          bpm: bpmField('The average heart rate.', 118),
        }),
      )
      .meta({
        description:
          'Averages over 15 seconds for workouts of up to one hour, 30 seconds for up to three hours, otherwise 60 seconds.',
      }),
    time_zone: ShownTimeZone.meta({
      description: "The time zone of the samples: the profile's, or UTC if it has none.",
    }),
    start_at: Timestamp.meta({
      description: 'The instant of the first sample: ISO 8601, UTC, with milliseconds.',
      examples: ['2026-03-14T16:05:15.000Z'],
    }),
  })
  .meta({ id: 'WorkoutHeartRate', description: 'Values computed from the heart-rate trace.' });

export const WorkoutDetail = Workout.extend({
  name: z.string().meta({
    description: "The source's name for the workout, or the display name of its type.",
    examples: ['Evening run'],
  }),
  metrics: WorkoutMetrics,
  heart_rate: WorkoutHeartRate.nullable().meta({ description: 'Null when the source supplied no trace.' }),
}).meta({ id: 'WorkoutDetail', description: 'A workout with all its details.' });
export type WorkoutDetail = z.infer<typeof WorkoutDetail>;
