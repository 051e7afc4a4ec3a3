// COROS' workouts. A multisport one is a single workout whose parts say what was covered in which sport.
import { workoutDistances } from '../../catalog/workout-types.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import type { Gathering } from '../kit/gathering.ts';
import { lastOfEach, type ReadItem, readItems } from '../kit/read-items.ts';
import { addWorkoutToDay } from '../kit/workout-day.ts';
import { CorosPart, type CorosWorkout, corosOffset } from './items.ts';
import { corosSourceType, corosWorkoutType } from './workout-types.ts';

export const corosWorkoutMetrics = ['exercise', ...workoutDistances] as const;

export function gatherCorosWorkouts(
  gathering: Gathering,
  items: readonly ReadItem<CorosWorkout>[],
  days: DaysAsked,
): void {
  for (const each of lastOfEach(items, ({ labelId }) => String(labelId))) {
    const span = spanOf(each.item, corosOffset(each.item.startTimezone));
    if (span && days.holdsInstant(span.startMs)) gatherWorkout(gathering, each, span);
  }
}

type Span = NonNullable<ReturnType<typeof spanOf>>;

function spanOf({ startTime, endTime, duration }: CorosPart, offsetMinutes: number | null) {
  if (typeof startTime !== 'number') return undefined;
  const startMs = startTime * 1000;
  return { startMs, endMs: endTime ? endTime * 1000 : startMs + (duration ?? 0) * 1000, offsetMinutes };
}

function gatherWorkout(gathering: Gathering, { path, item }: ReadItem<CorosWorkout>, span: Span): void {
  const type = corosWorkoutType(item);
  const { distance: metres, duration } = item;
  gathering.workout(path, {
    ...span,
    sourceId: String(item.labelId),
    type,
    sourceType: corosSourceType(item),
    calories: kcalOf(item),
    distanceKm: metres ? metres / 1000 : null,
    steps: item.step || null,
  });
  addWorkoutToDay(gathering, path, { ...span, type }, { metres, activeMinutes: duration ? duration / 60 : null });
  for (const part of readItems(gathering, `${path}.triathlonItemList`, item.triathlonItemList, CorosPart)) {
    const own = spanOf(part.item, span.offsetMinutes);
    if (own)
      addWorkoutToDay(
        gathering,
        part.path,
        { ...own, type: corosWorkoutType(part.item) },
        { metres: part.item.distance },
      );
  }
}

const [leastAMinute, mostAMinute] = [0.1, 30];

/** Their unit is not documented: only what a body can burn is believed. */
function kcalOf({ calorie, duration }: CorosWorkout): number | null {
  if (!calorie || !duration) return null;
  const kcal = calorie / 1000;
  const aMinute = kcal / (duration / 60);
  return aMinute >= leastAMinute && aMinute <= mostAMinute ? kcal : null;
}
