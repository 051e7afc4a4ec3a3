// What a workout adds to its day: the distance of its sport, and the minutes of exercise. Stated over exactly its span, so that it is replaced when it is sent again.
import { getDistanceMetric, type WorkoutType } from '../../catalog/workout-types.ts';
import type { OptionalNumber, RecordBuilder } from './record-builder.ts';

/** What accrues is added up within a day or so; longer stretches say nothing of the days in them. */
const maxSpanMs = 24 * 3_600_000;

interface WorkoutSpan {
  type: WorkoutType;
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
}

/** `activeMinutes` only where the vendor states no total of exercise for the day. */
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
