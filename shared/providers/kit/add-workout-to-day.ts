// What a workout adds to its day: the distance in its sport, and the exercise minutes. The samples
// have exactly the span of the workout, so that they are replaced when it is sent again.
import { getDistanceMetric, type WorkoutType } from '../../catalog/workout-types.ts';
import type { OptionalNumber, RecordBuilder } from './record-builder.ts';

/**
 * Cumulative values are added up within about a day; a longer span cannot be attributed to its
 * days.
 */
const maxSpanMs = 24 * 3_600_000;

interface WorkoutSpan {
  type: WorkoutType;
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
}

/** Pass `activeMinutes` only if the provider reports no exercise total for the day. */
export function addWorkoutToDay(
  builder: RecordBuilder,
  path: string,
  { type, startMs, endMs, offsetMinutes }: WorkoutSpan,
  { metres, activeMinutes }: { metres: OptionalNumber; activeMinutes?: OptionalNumber },
): void {
  if (!(endMs > startMs && endMs - startMs <= maxSpanMs)) return;
  const span = { startMs, endMs, offsetMinutes };
  const metric = getDistanceMetric(type);
  if (metric && metres) builder.addSample(`${path}.distance`, metric, span, metres, 'm');
  if (activeMinutes)
    builder.addSample(`${path}.duration`, 'exercise', span, Math.min(activeMinutes, (endMs - startMs) / 60_000));
}
