// Withings' workouts. Minutes of exercise are in the daily totals already; the distance of the sport is not.
import * as z from 'zod';
import type { DaysAsked } from '../kit/days-asked.ts';
import { type Gathering, type Maybe, zeroIsNone } from '../kit/gathering.ts';
import type { VendorPage } from '../kit/pages.ts';
import { statedOffsetMinutes } from '../kit/stated-offset.ts';
import { addWorkoutToDay } from '../kit/workout-day.ts';
import { latestVersions, WithingsId, WithingsSeconds, withingsItems, withingsNumber, withingsText } from './items.ts';
import { poolCategory, withingsWorkoutType } from './workout-types.ts';

const Session = z.looseObject({
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
type Session = z.infer<typeof Session>;

/** A pool's lengths are counted; everywhere else the distance is measured, or typed in by the person. */
function metres({ category, data }: Session): Maybe {
  const { pool_laps, pool_length, distance, manual_distance } = data ?? {};
  if (category === poolCategory && pool_laps && pool_length) return pool_laps * pool_length;
  return zeroIsNone(distance) ?? zeroIsNone(manual_distance);
}

export function gatherWithingsWorkouts(gathering: Gathering, pages: readonly VendorPage[], days: DaysAsked): void {
  const told = latestVersions(
    withingsItems(gathering, pages, { resource: 'workouts', list: 'series', schema: Session }),
    ({ id, startdate }) => id ?? `from ${startdate}`,
  );
  for (const { path, item } of told) {
    const { data } = item;
    const [startMs, endMs] = [item.startdate * 1000, item.enddate * 1000];
    if (!days.holdsInstant(startMs)) continue;
    const offsetMinutes = statedOffsetMinutes(item.timezone, startMs);
    gathering.zone(item.timezone, startMs);
    const type = withingsWorkoutType(item.category);
    const distance = metres(item);
    gathering.workout(path, {
      type,
      sourceType: item.category?.toString(),
      startMs,
      endMs,
      offsetMinutes,
      calories: zeroIsNone(data?.calories) ?? zeroIsNone(data?.manual_calories),
      distanceKm: typeof distance === 'number' ? distance / 1000 : null,
      avgHeartRate: zeroIsNone(data?.hr_average),
      maxHeartRate: zeroIsNone(data?.hr_max),
      steps: zeroIsNone(data?.steps),
      swimmingStrokeCount: zeroIsNone(data?.strokes),
      swimmingLapLengthM: zeroIsNone(data?.pool_length),
      ...(item.id ? { sourceId: item.id } : {}),
    });
    addWorkoutToDay(gathering, `${path}.data`, { type, startMs, endMs, offsetMinutes }, { metres: distance });
  }
}
