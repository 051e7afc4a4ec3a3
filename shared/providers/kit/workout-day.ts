// What a workout adds to its day: the distance of its sport, and the minutes of exercise. Stated over exactly its span, so that it is replaced when it is sent again.
import { distanceMetricOf, type WorkoutType } from '../../catalog/workout-types.ts';
import type { Gathering, Maybe } from './gathering.ts';

/** What accrues is added up within a day or so; longer stretches say nothing of the days in them. */
const longestMs = 24 * 3_600_000;

interface Exercised {
  type: WorkoutType;
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
}

/** `activeMinutes` only where the vendor states no total of exercise for the day. */
export function addWorkoutToDay(
  gathering: Gathering,
  path: string,
  { type, startMs, endMs, offsetMinutes }: Exercised,
  { metres, activeMinutes }: { metres: Maybe; activeMinutes?: Maybe },
): void {
  if (!(endMs > startMs && endMs - startMs <= longestMs)) return;
  const span = { startMs, endMs, offsetMinutes };
  const metric = distanceMetricOf(type);
  if (metric && metres) gathering.sample(`${path}.distance`, metric, span, metres, 'm');
  if (activeMinutes)
    gathering.sample(`${path}.duration`, 'exercise', span, Math.min(activeMinutes, (endMs - startMs) / 60_000));
}
