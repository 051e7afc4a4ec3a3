// Schema of workouts in Form 1.
import * as z from 'zod';
import { SourceType, WorkoutTypeId } from '../../catalog/workout-type-catalog.ts';
import { OffsetPage } from '../../platform/offset-page.ts';
import { Timestamp } from '../../platform/time/time.ts';
import { UtcOffset } from '../../platform/time/utc-offset.ts';
import { WorkoutId } from '../../system/ids.ts';
import { SessionSource } from '../kit/source.ts';

const measuredField = (description: string, example: number) =>
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
const zoneMinutesField = (zone: number, example: number) =>
  z.number().meta({ description: `Minutes in zone ${zone}, with one decimal.`, examples: [example] });

export const ZoneMinutes = z
  .object({
    zone_1: zoneMinutesField(1, 4),
    zone_2: zoneMinutesField(2, 9.5),
    zone_3: zoneMinutesField(3, 14.5),
    zone_4: zoneMinutesField(4, 20),
    zone_5: zoneMinutesField(5, 3.8),
  })
  .meta({
    id: 'ZoneMinutes',
    description:
      "The minutes in each heart-rate zone, from 1 (lightest) to 5. Zones are shares of the maximum heart rate, which is estimated from the user's age if it is known.",
  });
export type ZoneMinutes = z.infer<typeof ZoneMinutes>;

export const FlatWorkout = z
  .object({
    id: WorkoutId,
    sport_type: WorkoutTypeId,
    source_type: SourceType,
    start: Timestamp.meta({ examples: ['2026-03-14T16:05:00.000Z'] }),
    end: Timestamp.meta({ examples: ['2026-03-14T16:57:00.000Z'] }),
    utc_offset: UtcOffset.meta({
      description:
        'The UTC offset at the place of the workout, as the record states it for the start; null when it states none. The local time at that place is `start` or `end` plus `utc_offset`.',
      examples: ['+01:00'],
    }),
    duration: z.int().meta({ description: 'The time from start to end, in minutes.', examples: [52] }),
    distance: measuredField('Distance in kilometres, or in miles with `unit_system=imperial`', 9.84),
    active_calories: measuredField('Active energy in kcal', 612),
    heart_rate_avg: heartRateField('Average heart rate in bpm', 151),
    heart_rate_max: heartRateField('Highest heart rate in bpm', 176),
    heart_rate_zones: ZoneMinutes.nullable().meta({
      description: 'The minutes in each heart-rate zone; null when the source supplied no trace.',
    }),
    elevation_gain: measuredField('Metres climbed, or feet with `unit_system=imperial`', 84),
    source: SessionSource.optional().meta({
      description: 'The device that reported the workout; only with `include_sources=true`.',
    }),
  })
  .meta({
    id: 'FlatWorkout',
    description: 'A workout. If several devices reported it, the report of the highest-ranked device.',
  });
export type FlatWorkout = z.infer<typeof FlatWorkout>;

export const WorkoutOffsetPage = OffsetPage(
  'WorkoutOffsetPage',
  FlatWorkout,
  'One page of the workouts in the range, earliest first. Workouts that start while you page appear at the end. A workout that arrives late or is deleted shifts the ones after it by one.',
);
export type WorkoutOffsetPage = z.infer<typeof WorkoutOffsetPage>;
