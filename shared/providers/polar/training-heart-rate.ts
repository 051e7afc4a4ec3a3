// The heart rate of workouts, which many watches leave out of the continuous heart rate.
import type { HeartRatePoint } from '../../measurements/records.ts';
import { addHeartRateExtremes } from '../kit/heart-rate-extremes.ts';
import { isPlausibleHeartRate, type RecordBuilder, zeroToNull } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import type { PolarExercise } from './items.ts';

const heartRateType = '0';

/** The values are in order, at the interval in seconds that the trace states. */
export function readPolarTrace({ samples }: PolarExercise, startMs: number): HeartRatePoint[] | null {
  const trace = samples?.find((each) => String(each['sample-type'] ?? each.sample_type) === heartRateType);
  const intervalMs = (trace?.['recording-rate'] ?? trace?.recording_rate ?? 0) * 1000;
  if (!trace?.data || intervalMs <= 0) return null;
  return trace.data.split(',').flatMap((text, at) => {
    const bpm = Number(text);
    return bpm > 0 ? [{ atMs: startMs + at * intervalMs, bpm }] : [];
  });
}

export interface ExerciseSpan {
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
}

/**
 * The maximum of all samples counts, so workouts and continuous heart rate may arrive in any order.
 * Without a trace, the maximum counts for the day on which the workout starts.
 */
export function addMaxTrainingHeartRate(
  builder: RecordBuilder,
  path: string,
  exercise: PolarExercise,
  { startMs, endMs, offsetMinutes }: ExerciseSpan,
  days: RequestedDays,
): void {
  const statedMax = zeroToNull(exercise.heart_rate?.maximum);
  const points = (readPolarTrace(exercise, startMs) ?? []).filter(
    ({ atMs, bpm }) => atMs <= endMs && isPlausibleHeartRate(bpm),
  );
  const peak = findPeak(points);
  if (!peak) {
    if (days.includesInstant(startMs))
      builder.addSample(`${path}.heart_rate.maximum`, 'max_heart_rate', { startMs, endMs, offsetMinutes }, statedMax);
    return;
  }
  const readings = points.map(({ atMs, bpm }) => ({ path: `${path}.samples`, startMs: atMs, offsetMinutes, bpm }));
  // The trace has a value every few seconds; the reported maximum was measured between two of them.
  if (statedMax !== null)
    readings.push({ path: `${path}.heart_rate.maximum`, startMs: peak.atMs, offsetMinutes, bpm: statedMax });
  const inRange = readings.filter((reading) => days.includesInstant(reading.startMs));
  addHeartRateExtremes(builder, inRange, ['max_heart_rate']);
}

const findPeak = (points: readonly HeartRatePoint[]): HeartRatePoint | undefined =>
  points.reduce<HeartRatePoint | undefined>(
    (highest, each) => (highest && highest.bpm >= each.bpm ? highest : each),
    undefined,
  );
