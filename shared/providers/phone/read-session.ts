// Sleep and workouts: a span of time, and what is known of it.
import { metricRow } from '../../catalog/metrics.ts';
import { type WorkoutMeasures, workoutMeasures } from '../../catalog/workout-measures.ts';
import type { HeartRatePoint, SleepRecord, WorkoutRecord } from '../../measurements/records.ts';
import { uploadLimits } from '../kit/upload-limits.ts';
import {
  type Fields,
  fieldsOf,
  instantIn,
  numberIn,
  offsetIn,
  optionalNumberIn,
  optionalTextIn,
  textIn,
  Unfit,
  within,
} from './read-fields.ts';
import { type Judging, outOfScope } from './read-measurement.ts';

const minuteMs = 60_000;
/** The longest calendar day. */
const longestSleepMinutes = 25 * 60;
const longestWorkoutMinutes = 7 * 24 * 60;
/** Stages are rounded one by one, and phones disagree by a little about where a night begins. */
const toleranceMinutes = 5;
const elevationRange = [0, 20_000] as const;

const stages = ['deep_minutes', 'light_minutes', 'rem_minutes', 'awake_minutes'] as const;

export function readSleepRecord(record: unknown, { scopes, nowMs }: Judging): SleepRecord | Unfit {
  const fields = fieldsOf(record);
  if (fields instanceof Unfit) return fields;
  if (!scopes.has('sleep')) return outOfScope('', 'sleep');
  const span = spanIn(fields, nowMs, longestSleepMinutes, 'end');
  if (span instanceof Unfit) return span;
  const mostMinutes = Math.ceil((span.endMs - span.startMs) / minuteMs) + toleranceMinutes;
  const minutes: Record<string, number | null> = {};
  for (const name of [...stages, 'asleep_minutes', 'in_bed_minutes']) {
    // Time in bed may begin before the sleep that the record spans.
    const most = name === 'in_bed_minutes' ? longestSleepMinutes : mostMinutes;
    const value = optionalNumberIn(fields, name, [0, most]);
    if (value instanceof Unfit) return value;
    minutes[name] = value;
  }
  if (stages.reduce((sum, name) => sum + (minutes[name] ?? 0), 0) > mostMinutes)
    return new Unfit('', 'implausible_value', 'The sleep stages add up to more than the session.');
  return {
    ...span,
    asleepMinutes: minutes['asleep_minutes'] ?? null,
    deepMinutes: minutes['deep_minutes'] ?? null,
    lightMinutes: minutes['light_minutes'] ?? null,
    remMinutes: minutes['rem_minutes'] ?? null,
    awakeMinutes: minutes['awake_minutes'] ?? null,
    inBedMinutes: minutes['in_bed_minutes'] ?? null,
  };
}

/**
 * Single points of the trace are rejected by themselves: the workout is good without them. Any word
 * is good as its type; what it means is said where the upload is worked in, and everybody who only
 * takes it in does without the tables.
 */
export function readWorkoutRecord(
  record: unknown,
  { scopes, nowMs }: Judging,
  reject: (point: Unfit) => void,
): WorkoutRecord | Unfit {
  const fields = fieldsOf(record);
  if (fields instanceof Unfit) return fields;
  if (!scopes.has('activity')) return outOfScope('', 'activity');
  const sourceType = textIn(fields, 'type', 64);
  if (sourceType instanceof Unfit) return sourceType;
  const name = optionalTextIn(fields, 'name', 255);
  if (name instanceof Unfit) return name;
  const span = spanIn(fields, nowMs, longestWorkoutMinutes, 'start');
  if (span instanceof Unfit) return span;
  const calories = measured(fields, 'calories', 'active_calories');
  if (calories instanceof Unfit) return calories;
  const distanceKm = measured(fields, 'distance_km', 'distance');
  if (distanceKm instanceof Unfit) return distanceKm;
  const avgHeartRate = measured(fields, 'avg_heart_rate', 'heart_rate');
  if (avgHeartRate instanceof Unfit) return avgHeartRate;
  const maxHeartRate = measured(fields, 'max_heart_rate', 'heart_rate');
  if (maxHeartRate instanceof Unfit) return maxHeartRate;
  const climbed = optionalNumberIn(fields, 'elevation_meters', elevationRange);
  if (climbed instanceof Unfit) return climbed;
  const steps = measured(fields, 'steps', 'steps');
  if (steps instanceof Unfit) return steps;
  const measures = measuresIn(fields);
  if (measures instanceof Unfit) return measures;
  const heartRate = traceIn(fields, span, nowMs, reject);
  if (heartRate instanceof Unfit) return heartRate;
  return {
    type: 'other',
    sourceType,
    name,
    ...span,
    calories,
    distanceKm,
    avgHeartRate,
    maxHeartRate,
    elevationMeters: climbed,
    steps,
    ...measures,
    heartRate,
  };
}

function measuresIn(fields: Fields): WorkoutMeasures | Unfit {
  const told: WorkoutMeasures = {};
  for (const { key, name, range } of workoutMeasures) {
    const value = optionalNumberIn(fields, name, range);
    if (value instanceof Unfit) return value;
    if (value !== null) told[key] = value;
  }
  return told;
}

interface SessionTimes {
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
}

/** The offset is that of the instant which decides the day: the end of a sleep, the start of a workout. */
function spanIn(fields: Fields, nowMs: number, mostMinutes: number, decisive: 'start' | 'end'): SessionTimes | Unfit {
  const start = instantIn(fields, 'start', nowMs);
  if (start instanceof Unfit) return start;
  const end = instantIn(fields, 'end', nowMs);
  if (end instanceof Unfit) return end;
  if (end.ms <= start.ms) return new Unfit('end', 'invalid_time', 'end must be after start.');
  if (end.ms - start.ms > mostMinutes * minuteMs)
    return new Unfit('end', 'implausible_value', `The session must not last more than ${mostMinutes / 60} hours.`);
  const offsetMinutes = offsetIn(fields, decisive === 'start' ? start : end);
  return offsetMinutes instanceof Unfit ? offsetMinutes : { startMs: start.ms, endMs: end.ms, offsetMinutes };
}

type WorkoutMetric = 'active_calories' | 'distance' | 'heart_rate' | 'steps';

function measured(fields: Fields, name: string, metric: WorkoutMetric): number | null | Unfit {
  return optionalNumberIn(fields, name, metricRow(metric).range);
}

/** Null when there is no trace, or no point of it is good. */
function traceIn(
  fields: Fields,
  span: SessionTimes,
  nowMs: number,
  reject: (point: Unfit) => void,
): HeartRatePoint[] | null | Unfit {
  const given = fields['heart_rate'];
  if (given === undefined || given === null) return null;
  if (!Array.isArray(given)) return new Unfit('heart_rate', 'invalid_record', 'heart_rate must be an array of points.');
  if (given.length > uploadLimits.tracePoints)
    return new Unfit(
      'heart_rate',
      'limit_exceeded',
      `heart_rate must not have more than ${uploadLimits.tracePoints} points.`,
    );
  const points: HeartRatePoint[] = [];
  for (const [index, each] of given.entries()) {
    const point = pointIn(each, span, nowMs);
    if (point instanceof Unfit) reject(within(`heart_rate.${index}`, point));
    else points.push(point);
  }
  return points.length === 0 ? null : points.sort((a, b) => a.atMs - b.atMs);
}

function pointIn(given: unknown, span: SessionTimes, nowMs: number): HeartRatePoint | Unfit {
  const fields = fieldsOf(given);
  if (fields instanceof Unfit) return fields;
  const at = instantIn(fields, 'timestamp', nowMs);
  if (at instanceof Unfit) return at;
  const slackMs = toleranceMinutes * minuteMs;
  if (at.ms < span.startMs - slackMs || at.ms > span.endMs + slackMs)
    return new Unfit('timestamp', 'invalid_time', 'timestamp must be within the workout.');
  const bpm = numberIn(fields, 'bpm');
  if (bpm instanceof Unfit) return bpm;
  const [min, max] = metricRow('heart_rate').range;
  return bpm >= min && bpm <= max
    ? { atMs: at.ms, bpm }
    : new Unfit('bpm', 'implausible_value', `bpm must be between ${min} and ${max}.`);
}
