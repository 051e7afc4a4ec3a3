// The heart rate of workouts, which many watches leave out of the continuous heart rate.
import type { HeartRatePoint } from '../../measurements/records.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import { type Gathering, isHeartRate, zeroIsNone } from '../kit/gathering.ts';
import { gatherExtremes } from '../kit/heart-rate-extremes.ts';
import type { PolarExercise } from './items.ts';

const heartRateType = '0';

/** One value after the other, as many seconds apart as the trace says. */
export function polarTrace({ samples }: PolarExercise, startMs: number): HeartRatePoint[] | null {
  const trace = samples?.find((each) => String(each['sample-type'] ?? each.sample_type) === heartRateType);
  const everyMs = (trace?.['recording-rate'] ?? trace?.recording_rate ?? 0) * 1000;
  if (!trace?.data || everyMs <= 0) return null;
  return trace.data.split(',').flatMap((text, at) => {
    const bpm = Number(text);
    return bpm > 0 ? [{ atMs: startMs + at * everyMs, bpm }] : [];
  });
}

export interface ExerciseSpan {
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
}

/**
 * The highest of all samples counts, so it does not matter which of workouts and continuous heart
 * rate arrives first. Without a trace the highest counts on the day that the workout starts.
 */
export function gatherHighestInTraining(
  gathering: Gathering,
  path: string,
  exercise: PolarExercise,
  { startMs, endMs, offsetMinutes }: ExerciseSpan,
  days: DaysAsked,
): void {
  const stated = zeroIsNone(exercise.heart_rate?.maximum);
  const points = (polarTrace(exercise, startMs) ?? []).filter(({ atMs, bpm }) => atMs <= endMs && isHeartRate(bpm));
  const peak = highestOf(points);
  if (!peak) {
    if (days.holdsInstant(startMs))
      gathering.sample(`${path}.heart_rate.maximum`, 'max_heart_rate', { startMs, endMs, offsetMinutes }, stated);
    return;
  }
  const beats = points.map(({ atMs, bpm }) => ({ path: `${path}.samples`, startMs: atMs, offsetMinutes, bpm }));
  // The trace has a value every few seconds; the stated maximum was measured between two.
  if (stated !== null)
    beats.push({ path: `${path}.heart_rate.maximum`, startMs: peak.atMs, offsetMinutes, bpm: stated });
  const ofDays = beats.filter((beat) => days.holdsInstant(beat.startMs));
  gatherExtremes(gathering, ofDays, ['max_heart_rate']);
}

const highestOf = (points: readonly HeartRatePoint[]): HeartRatePoint | undefined =>
  points.reduce<HeartRatePoint | undefined>(
    (found, each) => (found && found.bpm >= each.bpm ? found : each),
    undefined,
  );
