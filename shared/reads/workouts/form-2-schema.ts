// Workouts as the API lists them, and one in full.
import * as z from 'zod';
import { ProviderId } from '../../catalog/provider.ts';
import { SourceType, WorkoutTypeId } from '../../catalog/workout-type-catalog.ts';
import { NextCursor } from '../../platform/page.ts';
import { CalendarDate, ClockTime } from '../../platform/time/time.ts';
import { WorkoutId } from '../../system/ids.ts';
import { SessionSource } from '../kit/source.ts';

const measuredField = (description: string, example: number | null) =>
  z
    .number()
    .nullable()
    .meta({ description: `${description}; null when the source did not supply it.`, examples: [example] });

export const Workout = z
  .object({
    id: WorkoutId,
    type: WorkoutTypeId,
    source_type: SourceType,
    start_time: ClockTime.meta({ examples: ['2026-03-14T17:05:00'] }),
    duration_minutes: z.int().meta({ description: 'From start to end.', examples: [52] }),
    calories: measuredField('Active energy in kcal', 612),
    distance_km: measuredField('Distance in kilometres', 9.84),
    source: ProviderId,
    avg_heart_rate: measuredField('Average heart rate in bpm', 151),
    max_heart_rate: measuredField('Highest heart rate in bpm', 176),
    strain: measuredField('The strain of the workout as its source rates it (WHOOP: 0 to 21)', 12.4),
    source_detail: SessionSource.optional(),
  })
  .meta({ id: 'Workout', description: 'A workout. If several devices reported it, the best report.' });
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
    avg_pace_seconds_per_km: measuredField('Average pace in seconds a kilometre', 317),
    avg_mets: measuredField('Average metabolic equivalent as the source states it', 10.2),
    weather_temperature_c: measuredField('Air temperature in °C', 12),
    weather_humidity_pct: measuredField('Relative humidity of the air in percent', 61),
    swimming_stroke_count: measuredField('Swimming strokes', null),
    swimming_lap_length_m: measuredField('Length of a lap in the pool in metres', null),
  })
  .meta({ id: 'WorkoutMetrics', description: 'What else was measured.' });

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
            .meta({ description: 'From 1, the lightest, to 5.', examples: [3] }),
          min_bpm: bpmField('The lowest heart rate of the zone.', 130),
          max_bpm: bpmField('The highest heart rate of the zone.', 148),
          minutes: z.number().meta({ description: 'The time spent in it.', examples: [14.5] }),
        }),
      )
      .meta({
        description: 'Zones by share of the maximum heart rate, which is estimated from the age when it is known.',
      }),
    samples: z
      .array(
        z.object({
          timestamp: ClockTime.meta({ examples: ['2026-03-14T17:05:15'] }),
          bpm: bpmField('The average.', 118),
        }),
      )
      .meta({ description: 'Averages over 15 seconds for workouts of up to an hour, 30 for up to three, else 60.' }),
  })
  .meta({ id: 'WorkoutHeartRate', description: 'What the heart-rate trace shows.' });

export const WorkoutDetail = Workout.extend({
  name: z.string().meta({
    description: 'What the source calls it, else the display name of its type.',
    examples: ['Evening run'],
  }),
  metrics: WorkoutMetrics,
  heart_rate: WorkoutHeartRate.nullable().meta({ description: 'Null when the source supplied no trace.' }),
}).meta({ id: 'WorkoutDetail', description: 'A workout in full.' });
export type WorkoutDetail = z.infer<typeof WorkoutDetail>;
