// Reads sleep and workouts: a span of time and its values.
import { metricRow } from '../../catalog/metrics.ts';
import { type WorkoutMeasures, workoutMeasures } from '../../catalog/workout-measures.ts';
import type { HeartRatePoint, SleepRecord, StagePeriod, WorkoutRecord } from '../../measurements/records.ts';
import { computeStageMinutes } from '../../measurements/sleep-stages.ts';
import { sumOf } from '../../platform/arithmetic.ts';
import { uploadLimits } from '../kit/upload-limits.ts';
import {
  FieldError,
  type Fields,
  nestFieldError,
  readFields,
  readInstantField,
  readNumberField,
  readOffsetField,
  readOptionalNumberField,
  readOptionalTextField,
  readTextField,
} from './read-fields.ts';
import { outOfScopeError, type ReadContext } from './read-measurement.ts';
import { readSleepStages } from './read-sleep-stages.ts';

const minuteMs = 60_000;
/** The longest calendar day. */
const maxSleepMinutes = 25 * 60;
const maxWorkoutMinutes = 7 * 24 * 60;
/** Stages are rounded individually, and phones disagree slightly about when a night begins. */
const toleranceMinutes = 5;
const elevationRange = [0, 20_000] as const;

const stageFields = ['deep_minutes', 'light_minutes', 'rem_minutes', 'awake_minutes'] as const;

/** Stages are rejected individually, because the night is valid without them. */
export function readSleepRecord(
  record: unknown,
  { scopes, nowMs }: ReadContext,
  reject: (stage: FieldError) => void,
): SleepRecord | FieldError {
  const fields = readFields(record);
  if (fields instanceof FieldError) return fields;
  if (!scopes.has('sleep')) return outOfScopeError('', 'sleep');
  const span = readSpan(fields, nowMs, maxSleepMinutes, 'end');
  if (span instanceof FieldError) return span;
  const maxMinutes = Math.ceil((span.endMs - span.startMs) / minuteMs) + toleranceMinutes;
  const minutes: Record<string, number | null> = {};
  for (const name of [...stageFields, 'asleep_minutes', 'in_bed_minutes']) {
    // Time in bed may begin before the sleep that the record spans.
    const maxFieldMinutes = name === 'in_bed_minutes' ? maxSleepMinutes : maxMinutes;
    const value = readOptionalNumberField(fields, name, [0, maxFieldMinutes]);
    if (value instanceof FieldError) return value;
    minutes[name] = value;
  }
  if (stageFields.reduce((sum, name) => sum + (minutes[name] ?? 0), 0) > maxMinutes)
    return new FieldError('', 'implausible_value', 'The sleep stages add up to more than the session.');
  let hasEveryStage = true;
  const stages = readSleepStages(fields, span, nowMs, (stage) => {
    hasEveryStage = false;
    reject(stage);
  });
  if (stages instanceof FieldError) return stages;
  const stated: StageMinutes = {
    asleepMinutes: minutes['asleep_minutes'] ?? null,
    deepMinutes: minutes['deep_minutes'] ?? null,
    lightMinutes: minutes['light_minutes'] ?? null,
    remMinutes: minutes['rem_minutes'] ?? null,
    awakeMinutes: minutes['awake_minutes'] ?? null,
  };
  return {
    ...span,
    ...(hasEveryStage ? fillStageMinutes(stated, stages, maxMinutes) : stated),
    inBedMinutes: minutes['in_bed_minutes'] ?? null,
    ...(stages.length === 0 ? {} : { stages }),
  };
}

type StageMinutes = ReturnType<typeof computeStageMinutes>;

/**
 * Computes the minutes that the record does not state from its stages. If the stated and the
 * computed ones contradict each other, the unstated ones stay null.
 */
function fillStageMinutes(stated: StageMinutes, stages: readonly StagePeriod[], maxMinutes: number): StageMinutes {
  const computed = computeStageMinutes(stages);
  const filled: StageMinutes = {
    asleepMinutes: stated.asleepMinutes ?? computed.asleepMinutes,
    deepMinutes: stated.deepMinutes ?? computed.deepMinutes,
    lightMinutes: stated.lightMinutes ?? computed.lightMinutes,
    remMinutes: stated.remMinutes ?? computed.remMinutes,
    awakeMinutes: stated.awakeMinutes ?? computed.awakeMinutes,
  };
  const { asleepMinutes: _asleep, ...separate } = filled;
  return sumOf(Object.values(separate).map((each) => each ?? 0)) > maxMinutes ? stated : filled;
}

/**
 * Points of the trace are rejected individually, because the workout is valid without them. Any
 * word is accepted as the type. It is mapped when the upload is normalized, so that code which only
 * accepts uploads does not load the tables.
 */
export function readWorkoutRecord(
  record: unknown,
  { scopes, nowMs }: ReadContext,
  reject: (point: FieldError) => void,
): WorkoutRecord | FieldError {
  const fields = readFields(record);
  if (fields instanceof FieldError) return fields;
  if (!scopes.has('activity')) return outOfScopeError('', 'activity');
  const sourceType = readTextField(fields, 'type', 64);
  if (sourceType instanceof FieldError) return sourceType;
  const name = readOptionalTextField(fields, 'name', 255);
  if (name instanceof FieldError) return name;
  const span = readSpan(fields, nowMs, maxWorkoutMinutes, 'start');
  if (span instanceof FieldError) return span;
  const calories = readMetricField(fields, 'calories', 'active_calories');
  if (calories instanceof FieldError) return calories;
  const distanceKm = readMetricField(fields, 'distance_km', 'distance');
  if (distanceKm instanceof FieldError) return distanceKm;
  const avgHeartRate = readMetricField(fields, 'avg_heart_rate', 'heart_rate');
  if (avgHeartRate instanceof FieldError) return avgHeartRate;
  const maxHeartRate = readMetricField(fields, 'max_heart_rate', 'heart_rate');
  if (maxHeartRate instanceof FieldError) return maxHeartRate;
  const elevationMeters = readOptionalNumberField(fields, 'elevation_meters', elevationRange);
  if (elevationMeters instanceof FieldError) return elevationMeters;
  const steps = readMetricField(fields, 'steps', 'steps');
  if (steps instanceof FieldError) return steps;
  const measures = readMeasures(fields);
  if (measures instanceof FieldError) return measures;
  const heartRate = readTrace(fields, span, nowMs, reject);
  if (heartRate instanceof FieldError) return heartRate;
  return {
    type: 'other',
    sourceType,
    name,
    ...span,
    calories,
    distanceKm,
    avgHeartRate,
    maxHeartRate,
    elevationMeters: elevationMeters,
    steps,
    ...measures,
    heartRate,
  };
}

function readMeasures(fields: Fields): WorkoutMeasures | FieldError {
  const result: WorkoutMeasures = {};
  for (const { key, name, range } of workoutMeasures) {
    const value = readOptionalNumberField(fields, name, range);
    if (value instanceof FieldError) return value;
    if (value !== null) result[key] = value;
  }
  return result;
}

interface SessionTimes {
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
}

/**
 * The offset is that of the instant that determines the day: the end of a sleep, the start of a
 * workout.
 */
function readSpan(
  fields: Fields,
  nowMs: number,
  maxMinutes: number,
  offsetFrom: 'start' | 'end',
): SessionTimes | FieldError {
  const start = readInstantField(fields, 'start', nowMs);
  if (start instanceof FieldError) return start;
  const end = readInstantField(fields, 'end', nowMs);
  if (end instanceof FieldError) return end;
  if (end.ms <= start.ms) return new FieldError('end', 'invalid_time', 'end must be after start.');
  if (end.ms - start.ms > maxMinutes * minuteMs)
    return new FieldError('end', 'implausible_value', `The session must not last more than ${maxMinutes / 60} hours.`);
  const offsetMinutes = readOffsetField(fields, offsetFrom === 'start' ? start : end);
  return offsetMinutes instanceof FieldError ? offsetMinutes : { startMs: start.ms, endMs: end.ms, offsetMinutes };
}

type WorkoutMetric = 'active_calories' | 'distance' | 'heart_rate' | 'steps';

function readMetricField(fields: Fields, name: string, metric: WorkoutMetric): number | null | FieldError {
  return readOptionalNumberField(fields, name, metricRow(metric).range);
}

/** Null if there is no trace, or if none of its points is valid. */
function readTrace(
  fields: Fields,
  span: SessionTimes,
  nowMs: number,
  reject: (point: FieldError) => void,
): HeartRatePoint[] | null | FieldError {
  const raw = fields['heart_rate'];
  if (raw === undefined || raw === null) return null;
  if (!Array.isArray(raw))
    return new FieldError('heart_rate', 'invalid_record', 'heart_rate must be an array of points.');
  if (raw.length > uploadLimits.tracePoints)
    return new FieldError(
      'heart_rate',
      'limit_exceeded',
      `heart_rate must not have more than ${uploadLimits.tracePoints} points.`,
    );
  const points: HeartRatePoint[] = [];
  for (const [index, each] of raw.entries()) {
    const point = readPoint(each, span, nowMs);
    if (point instanceof FieldError) reject(nestFieldError(`heart_rate.${index}`, point));
    else points.push(point);
  }
  return points.length === 0 ? null : points.sort((a, b) => a.atMs - b.atMs);
}

function readPoint(raw: unknown, span: SessionTimes, nowMs: number): HeartRatePoint | FieldError {
  const fields = readFields(raw);
  if (fields instanceof FieldError) return fields;
  const at = readInstantField(fields, 'timestamp', nowMs);
  if (at instanceof FieldError) return at;
  const toleranceMs = toleranceMinutes * minuteMs;
  if (at.ms < span.startMs - toleranceMs || at.ms > span.endMs + toleranceMs)
    return new FieldError('timestamp', 'invalid_time', 'timestamp must be within the workout.');
  const bpm = readNumberField(fields, 'bpm');
  if (bpm instanceof FieldError) return bpm;
  const [min, max] = metricRow('heart_rate').range;
  return bpm >= min && bpm <= max
    ? { atMs: at.ms, bpm }
    : new FieldError('bpm', 'implausible_value', `bpm must be between ${min} and ${max}.`);
}
