// Withings' workouts. Exercise minutes are in the daily totals already; the distance per sport is
// not.
import * as z from 'zod';
import { addWorkoutToDay } from '../kit/add-workout-to-day.ts';
import { namedZoneOffsetMinutes } from '../kit/local-day-of-instant.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import { type OptionalNumber, type RecordBuilder, zeroToNull } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import {
  keepLatestVersions,
  readWithingsItems,
  WithingsId,
  WithingsSeconds,
  withingsNumber,
  withingsText,
} from './items.ts';
import { poolCategory, withingsWorkoutType } from './workout-types.ts';

const WorkoutItem = z.looseObject({
  id: WithingsId.nullish(),
  category: withingsNumber,
  timezone: withingsText,
  startdate: WithingsSeconds,
  enddate: WithingsSeconds,
  modified: withingsNumber,
  data: z
    .looseObject({
      calories: withingsNumber,
      distance: withingsNumber,
      steps: withingsNumber,
      hr_average: withingsNumber,
      hr_max: withingsNumber,
      manual_calories: withingsNumber,
      manual_distance: withingsNumber,
      pool_laps: withingsNumber,
      pool_length: withingsNumber,
      strokes: withingsNumber,
    })
    .nullish()
    .catch(null),
});
type WorkoutItem = z.infer<typeof WorkoutItem>;

/** In a pool, lengths are counted; otherwise the distance is measured, or entered by the user. */
function readMetres({ category, data }: WorkoutItem): OptionalNumber {
  const { pool_laps, pool_length, distance, manual_distance } = data ?? {};
  if (category === poolCategory && pool_laps && pool_length) return pool_laps * pool_length;
  return zeroToNull(distance) ?? zeroToNull(manual_distance);
}

export function addWithingsWorkouts(builder: RecordBuilder, pages: readonly ProviderPage[], days: RequestedDays): void {
  const workouts = keepLatestVersions(
    readWithingsItems(builder, pages, { resource: 'workouts', list: 'series', schema: WorkoutItem }),
    ({ id, startdate }) => id ?? `from ${startdate}`,
  );
  for (const { path, item } of workouts) {
    const { data } = item;
    const [startMs, endMs] = [item.startdate * 1000, item.enddate * 1000];
    if (!days.includesInstant(startMs)) continue;
    const offsetMinutes = namedZoneOffsetMinutes(item.timezone, startMs);
    builder.setZone(item.timezone, startMs);
    const type = withingsWorkoutType(item.category);
    const distance = readMetres(item);
    builder.addWorkout(path, {
      type,
      sourceType: item.category?.toString(),
      startMs,
      endMs,
      offsetMinutes,
      calories: zeroToNull(data?.calories) ?? zeroToNull(data?.manual_calories),
      distanceKm: typeof distance === 'number' ? distance / 1000 : null,
      avgHeartRate: zeroToNull(data?.hr_average),
      maxHeartRate: zeroToNull(data?.hr_max),
      steps: zeroToNull(data?.steps),
      swimmingStrokeCount: zeroToNull(data?.strokes),
      swimmingLapLengthM: zeroToNull(data?.pool_length),
      ...(item.id ? { sourceId: item.id } : {}),
    });
    addWorkoutToDay(builder, `${path}.data`, { type, startMs, endMs, offsetMinutes }, { metres: distance });
  }
}
