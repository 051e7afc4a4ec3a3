// COROS' workouts. A multisport workout is a single workout whose segments report the distance per
// sport.
import { workoutDistanceMetrics } from '../../catalog/workout-types.ts';
import { addWorkoutToDay } from '../kit/add-workout-to-day.ts';
import { keepLastPerKey, type ReadItem, readItems } from '../kit/read-items.ts';
import type { RecordBuilder } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import { CorosSegment, type CorosWorkout, corosOffsetMinutes } from './items.ts';
import { corosSourceType, corosWorkoutType } from './workout-types.ts';

export const corosWorkoutMetrics = ['exercise', ...workoutDistanceMetrics] as const;

export function addCorosWorkouts(
  builder: RecordBuilder,
  items: readonly ReadItem<CorosWorkout>[],
  days: RequestedDays,
): void {
  for (const each of keepLastPerKey(items, ({ labelId }) => String(labelId))) {
    const span = readSpan(each.item, corosOffsetMinutes(each.item.startTimezone));
    if (span && days.includesInstant(span.startMs)) addWorkout(builder, each, span);
  }
}

type Span = NonNullable<ReturnType<typeof readSpan>>;

function readSpan({ startTime, endTime, duration }: CorosSegment, offsetMinutes: number | null) {
  if (typeof startTime !== 'number') return undefined;
  const startMs = startTime * 1000;
  return { startMs, endMs: endTime ? endTime * 1000 : startMs + (duration ?? 0) * 1000, offsetMinutes };
}

function addWorkout(builder: RecordBuilder, { path, item }: ReadItem<CorosWorkout>, span: Span): void {
  const type = corosWorkoutType(item);
  const { distance: metres, duration } = item;
  builder.addWorkout(path, {
    ...span,
    sourceId: String(item.labelId),
    type,
    sourceType: corosSourceType(item),
    calories: readKcal(item),
    distanceKm: metres ? metres / 1000 : null,
    steps: item.step || null,
  });
  addWorkoutToDay(builder, path, { ...span, type }, { metres, activeMinutes: duration ? duration / 60 : null });
  for (const segment of readItems(builder, `${path}.triathlonItemList`, item.triathlonItemList, CorosSegment)) {
    const segmentSpan = readSpan(segment.item, span.offsetMinutes);
    if (segmentSpan)
      addWorkoutToDay(
        builder,
        segment.path,
        { ...segmentSpan, type: corosWorkoutType(segment.item) },
        { metres: segment.item.distance },
      );
  }
}

const [minKcalPerMinute, maxKcalPerMinute] = [0.1, 30];

/** The unit is not documented, so only values that a body can burn are accepted. */
function readKcal({ calorie, duration }: CorosWorkout): number | null {
  if (!calorie || !duration) return null;
  const kcal = calorie / 1000;
  const kcalPerMinute = kcal / (duration / 60);
  return kcalPerMinute >= minKcalPerMinute && kcalPerMinute <= maxKcalPerMinute ? kcal : null;
}
