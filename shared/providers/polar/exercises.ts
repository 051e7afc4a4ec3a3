// Polar's workouts: listed without their traces, and told in full one by one.
import type { DaysAsked } from '../kit/days-asked.ts';
import { type Gathering, zeroIsNone } from '../kit/gathering.ts';
import { lastOfEach, type ReadItem } from '../kit/read-items.ts';
import { jsonIn } from '../kit/vendor.ts';
import { addWorkoutToDay } from '../kit/workout-day.ts';
import { clockAround } from './clock.ts';
import { PolarExercise } from './items.ts';
import { type ExerciseSpan, gatherHighestInTraining, polarTrace } from './training-heart-rate.ts';
import { polarWorkoutType } from './workout-types.ts';

/** `details` by id; an empty one is of a workout that is gone since it was listed. */
export function gatherPolarExercises(
  gathering: Gathering,
  listed: readonly ReadItem<PolarExercise>[],
  details: ReadonlyMap<string, string>,
  zone: string | null,
  days: DaysAsked,
): void {
  for (const { path, item } of lastOfEach(listed, ({ id }) => id)) {
    const detail = details.get(item.id);
    const exercise = detailed(item, detail);
    if (detail === '') continue;
    const span = polarSpan(exercise, zone);
    if (days.holdsInstant(span.startMs)) gatherExercise(gathering, path, exercise, span);
    gatherHighestInTraining(gathering, path, exercise, span, days);
  }
}

/** Details that cannot be read leave what the list said. */
function detailed(listed: PolarExercise, text: string | undefined): PolarExercise {
  const detail = text ? PolarExercise.safeParse(jsonIn({ text })).data : undefined;
  return detail?.id === listed.id ? { ...listed, ...detail } : listed;
}

export function polarSpan(exercise: PolarExercise, zone: string | null): ExerciseSpan {
  const offsetMinutes = exercise.start_time_utc_offset ?? null;
  const startMs =
    offsetMinutes === null
      ? clockAround(undefined, zone).instant(exercise.start_time)
      : exercise.start_time - offsetMinutes * 60_000;
  return { startMs, endMs: startMs + (exercise.duration ?? 0) * 1000, offsetMinutes };
}

function gatherExercise(gathering: Gathering, path: string, exercise: PolarExercise, at: ExerciseSpan): void {
  const type = polarWorkoutType(exercise.detailed_sport_info, exercise.sport);
  const span = { type, ...at };
  const metres = zeroIsNone(exercise.distance);
  gathering.workout(path, {
    ...span,
    sourceId: exercise.id,
    sourceType: exercise.detailed_sport_info ?? exercise.sport,
    calories: zeroIsNone(exercise.calories),
    distanceKm: metres === null ? null : metres / 1000,
    avgHeartRate: zeroIsNone(exercise.heart_rate?.average),
    maxHeartRate: zeroIsNone(exercise.heart_rate?.maximum),
    heartRate: polarTrace(exercise, at.startMs),
  });
  addWorkoutToDay(gathering, path, span, { metres, activeMinutes: (exercise.duration ?? 0) / 60 });
}
