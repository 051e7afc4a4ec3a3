// The records of every source in one vocabulary: canonical units, UTC instants, and null for what a
// source does not supply.
import type { MetricId, SampleId } from '../catalog/metrics.ts';
import type { SleepStage } from '../catalog/sleep-stages.ts';
import type { WorkoutMeasures } from '../catalog/workout-measures.ts';
import type { WorkoutType } from '../catalog/workout-types.ts';

/**
 * The value and unit as the source reported them, stored only where the unit is not the metric's
 * own.
 */
export interface Original {
  value: number;
  unit: string;
}

export interface Sample {
  metric: SampleId;
  startMs: number;
  /** Equal to the start for an instant. */
  endMs: number;
  /** In the metric's unit, with the precision the source supplied. */
  value: number;
  original?: Original;
  /** The UTC offset that the record itself states; null when it states none. */
  offsetMinutes: number | null;
}

export interface DailyTotal {
  metric: MetricId;
  /** The calendar day as the source assigns it. */
  date: string;
  value: number;
  original?: Original;
}

/** The source's own id of a session, which stays the same when an edit moves its start. */
interface WithSourceId {
  sourceId?: string;
}

/**
 * Keyed by metric. Null withdraws a value of an earlier version of the night; an omitted metric
 * keeps that version's value.
 */
export type NightSummary = Partial<Record<MetricId, SummaryValue | null>>;
export interface SummaryValue {
  value: number;
  original?: Original;
}

export interface StagePeriod {
  stage: SleepStage;
  startMs: number;
  endMs: number;
}

export interface SleepRecord extends WithSourceId {
  /**
   * The source has not finished analyzing the night: this version never replaces a finished one.
   */
  interim?: true;
  startMs: number;
  /** At most one day after the start. */
  endMs: number;
  offsetMinutes: number | null;
  /** The source's summary values of the whole night; they count on the night's day. */
  summary?: NightSummary;
  asleepMinutes: number | null;
  deepMinutes: number | null;
  lightMinutes: number | null;
  remMinutes: number | null;
  awakeMinutes: number | null;
  inBedMinutes: number | null;
  /**
   * As measured, within the night, sorted and without overlaps; absent if the source does not
   * report when each stage began.
   */
  stages?: readonly StagePeriod[];
  /** The stages were not requested: those of an earlier version with the same times stay. */
  keepsStages?: true;
}

export interface HeartRatePoint {
  atMs: number;
  bpm: number;
}

export interface WorkoutRecord extends WithSourceId, WorkoutMeasures {
  /**
   * The source reports more about the workout in another record: fields that are null here keep
   * that record's values.
   */
  outline?: true;
  type: WorkoutType;
  /** The source's own name for the type; absent if it supplied none. */
  sourceType?: string;
  name: string | null;
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
  calories: number | null;
  distanceKm: number | null;
  avgHeartRate: number | null;
  maxHeartRate: number | null;
  elevationMeters: number | null;
  steps: number | null;
  /** Null when the source supplied no trace. */
  heartRate: HeartRatePoint[] | null;
}

/**
 * A range of days for which the source returned everything it has. Records that the device reported
 * earlier in this range and that are missing here are withdrawn. Nights belong to the day they end
 * on, workouts and samples to the day they start on, in the time zone stored with the raw data
 * (`RawFacts.timeZone`), regardless of the offset they carry and of the day they currently count
 * on. A source that was requested with one extra day on either side may declare the days between as
 * covered.
 */
export interface CoveredRange {
  from: string;
  to: string;
  sleep?: true;
  workouts?: true;
  /** The metrics whose stated totals are covered. */
  daily?: readonly MetricId[];
  /** The metrics whose samples are covered. */
  samples?: readonly SampleId[];
}

export interface Records {
  samples: Sample[];
  daily: DailyTotal[];
  sleep: SleepRecord[];
  workouts: WorkoutRecord[];
  covered?: CoveredRange[];
}
