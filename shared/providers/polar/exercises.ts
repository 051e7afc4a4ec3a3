// Polar's workouts: the list has no traces, and each workout is fetched for its details.

import { addWorkoutToDay } from '../kit/add-workout-to-day.ts';
import { keepLastPerKey, type ReadItem } from '../kit/read-items.ts';
import { type RecordBuilder, zeroToNull } from '../kit/record-builder.ts';
import { parseResponseJson } from '../kit/request-flow.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import { clockForNight } from './clock.ts';
import { PolarExercise } from './items.ts';
import { addMaxTrainingHeartRate, type ExerciseSpan, readPolarTrace } from './training-heart-rate.ts';
import { polarWorkoutType } from './workout-types.ts';

/**
 * `details` is keyed by id; an empty text means that the workout was deleted after it was listed.
 */
export function addPolarExercises(
  builder: RecordBuilder,
  listed: readonly ReadItem<PolarExercise>[],
  details: ReadonlyMap<string, string>,
  zone: string | null,
  days: RequestedDays,
): void {
  for (const { path, item } of keepLastPerKey(listed, ({ id }) => id)) {
    const detail = details.get(item.id);
    const exercise = mergeDetail(item, detail);
    if (detail === '') continue;
    const span = readPolarSpan(exercise, zone);
    if (days.includesInstant(span.startMs)) addExercise(builder, path, exercise, span);
    addMaxTrainingHeartRate(builder, path, exercise, span, days);
  }
}

/** If the details cannot be read, the values of the list remain. */
function mergeDetail(listed: PolarExercise, text: string | undefined): PolarExercise {
  const detail = text ? PolarExercise.safeParse(parseResponseJson({ text })).data : undefined;
  return detail?.id === listed.id ? { ...listed, ...detail } : listed;
}

export function readPolarSpan(exercise: PolarExercise, zone: string | null): ExerciseSpan {
  const offsetMinutes = exercise.start_time_utc_offset ?? null;
  const startMs =
    offsetMinutes === null
      ? clockForNight(undefined, zone).toInstant(exercise.start_time)
      : exercise.start_time - offsetMinutes * 60_000;
  return { startMs, endMs: startMs + (exercise.duration ?? 0) * 1000, offsetMinutes };
}

function addExercise(builder: RecordBuilder, path: string, exercise: PolarExercise, at: ExerciseSpan): void {
  const type = polarWorkoutType(exercise.detailed_sport_info, exercise.sport);
  const span = { type, ...at };
  const metres = zeroToNull(exercise.distance);
  builder.addWorkout(path, {
    ...span,
    sourceId: exercise.id,
    sourceType: exercise.detailed_sport_info ?? exercise.sport,
    calories: zeroToNull(exercise.calories),
    distanceKm: metres === null ? null : metres / 1000,
    avgHeartRate: zeroToNull(exercise.heart_rate?.average),
    maxHeartRate: zeroToNull(exercise.heart_rate?.maximum),
    heartRate: readPolarTrace(exercise, at.startMs),
  });
  addWorkoutToDay(builder, path, span, { metres, activeMinutes: (exercise.duration ?? 0) / 60 });
}
