// Polar's workouts: listed without their traces, and told in full one by one.
import { utcDay } from '../../model/local-day.ts';
import type { HeartRatePoint } from '../../model/records.ts';
import type { DaysAsked } from '../days-asked.ts';
import type { Gathering, Maybe } from '../gathering.ts';
import { lastOfEach, type ReadItem } from '../read-items.ts';
import { jsonIn } from '../vendor.ts';
import { addWorkoutToDay } from '../workout-day.ts';
import { clockAround } from './clock.ts';
import { PolarExercise } from './items.ts';
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
    if (detail !== '' && days.holds(utcDay(exercise.start_time))) gatherExercise(gathering, path, exercise, zone);
  }
}

/** Details that cannot be read leave what the list said. */
function detailed(listed: PolarExercise, text: string | undefined): PolarExercise {
  const detail = text ? PolarExercise.safeParse(jsonIn({ text })).data : undefined;
  return detail?.id === listed.id ? { ...listed, ...detail } : listed;
}

function gatherExercise(gathering: Gathering, path: string, exercise: PolarExercise, zone: string | null): void {
  const offsetMinutes = exercise.start_time_utc_offset ?? null;
  const startMs =
    offsetMinutes === null
      ? clockAround(undefined, zone).instant(exercise.start_time)
      : exercise.start_time - offsetMinutes * 60_000;
  const seconds = exercise.duration ?? 0;
  const type = polarWorkoutType(exercise.detailed_sport_info, exercise.sport);
  const span = { type, startMs, endMs: startMs + seconds * 1000, offsetMinutes };
  const metres = measured(exercise.distance);
  gathering.workout(path, {
    ...span,
    sourceId: exercise.id,
    sourceType: exercise.detailed_sport_info ?? exercise.sport,
    calories: measured(exercise.calories),
    distanceKm: metres === null ? null : metres / 1000,
    avgHeartRate: measured(exercise.heart_rate?.average),
    maxHeartRate: measured(exercise.heart_rate?.maximum),
    heartRate: traceOf(exercise, startMs),
  });
  addWorkoutToDay(gathering, path, span, { metres, activeMinutes: seconds / 60 });
}

/** What is stated as 0 was not measured. */
const measured = (value: Maybe): number | null => (value ? value : null);

const heartRateType = '0';

/** One value after the other, as many seconds apart as the trace says. */
function traceOf({ samples }: PolarExercise, startMs: number): HeartRatePoint[] | null {
  const trace = samples?.find((each) => String(each['sample-type'] ?? each.sample_type) === heartRateType);
  const everyMs = (trace?.['recording-rate'] ?? trace?.recording_rate ?? 0) * 1000;
  if (!trace?.data || everyMs <= 0) return null;
  return trace.data.split(',').flatMap((text, at) => {
    const bpm = Number(text);
    return bpm > 0 ? [{ atMs: startMs + at * everyMs, bpm }] : [];
  });
}
