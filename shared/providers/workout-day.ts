// What a workout adds to its day: the distance of its sport, and the minutes of exercise. Stated over exactly its span, so that it is replaced when it is sent again.
import type { MetricId } from '../model/metrics.ts';
import type { Gathering, Maybe } from './gathering.ts';

const distanceMetrics: Readonly<Record<string, MetricId>> = {
  running: 'running',
  trail_running: 'running',
  track_running: 'running',
  indoor_running: 'indoor_running',
  walking: 'walking',
  hiking: 'walking',
  nordic_walking: 'walking',
  indoor_walking: 'indoor_walking',
  cycling: 'cycling',
  mountain_biking: 'cycling',
  gravel_cycling: 'cycling',
  indoor_cycling: 'indoor_cycling',
  swimming: 'swimming',
  open_water_swimming: 'swimming',
};

/** Every metric that a workout's distance may count in. */
export const workoutDistances: readonly MetricId[] = [...new Set(Object.values(distanceMetrics))];

/** Which metric a sport's distance counts in; undefined for sports whose distance no metric adds up. */
export const distanceMetricOf = (type: string): MetricId | undefined =>
  Object.hasOwn(distanceMetrics, type) ? distanceMetrics[type] : undefined;

/** What accrues is added up within a day or so; longer stretches say nothing of the days in them. */
const longestMs = 24 * 3_600_000;

interface Exercised {
  type: string;
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
