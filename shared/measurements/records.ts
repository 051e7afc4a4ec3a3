// What every source says, in one vocabulary: canonical units, UTC instants, nothing made up. Absent is null.
import type { MetricId, SampleId } from '../catalog/metrics.ts';
import type { WorkoutMeasures } from '../catalog/workout-measures.ts';
import type { WorkoutType } from '../catalog/workout-types.ts';

/** As the source wrote it, kept only where its unit is not the metric's own. */
export interface Original {
  value: number;
  unit: string;
}

export interface Sample {
  metric: SampleId;
  startMs: number;
  /** Equal to the start for an instant. */
  endMs: number;
  /** In the metric's unit, as exact as the source gave it. */
  value: number;
  original?: Original;
  /** The offset the record itself stated; null when it stated none. */
  offsetMinutes: number | null;
}

export interface DailyTotal {
  metric: MetricId;
  /** The source's own calendar day. */
  date: string;
  value: number;
  original?: Original;
}

/** What an edited session keeps while its start moves: the source's own name for it. */
interface WithSourceId {
  sourceId?: string;
}

/**
 * By metric. Null takes back what an earlier version of the night told; a metric that is left out
 * stays as that version told it.
 */
export type NightSummary = Partial<Record<MetricId, SummaryValue | null>>;
export interface SummaryValue {
  value: number;
  original?: Original;
}

export interface SleepRecord extends WithSourceId {
  /**
   * The source has not worked the night out yet: this version never takes the place of one that it
   * has.
   */
  interim?: true;
  startMs: number;
  /** At most a day later. */
  endMs: number;
  offsetMinutes: number | null;
  /** What the source tells of the night as a whole; it counts on the night's day. */
  summary?: NightSummary;
  asleepMinutes: number | null;
  deepMinutes: number | null;
  lightMinutes: number | null;
  remMinutes: number | null;
  awakeMinutes: number | null;
  inBedMinutes: number | null;
}

export interface HeartRatePoint {
  atMs: number;
  bpm: number;
}

export interface WorkoutRecord extends WithSourceId, WorkoutMeasures {
  /**
   * The source tells more of it in another record: what is null here stays as that record has it.
   */
  outline?: true;
  type: WorkoutType;
  /** The source's own word for the type; absent where it gave none. */
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
  /** Null when no trace was supplied. */
  heartRate: HeartRatePoint[] | null;
}

/**
 * What a source was asked for and answered in full: everything it knows of these days. What the
 * device said of them before and does not say here, it has taken back. Nights lie on the day of
 * their end, workouts and samples on that of their start, in the zone that the raw data is stored
 * with (`RawFacts.timeZone`), whatever offset they carry and wherever they count today. A source
 * that is asked for a day more on either side may say so of the days between.
 */
export interface CoveredRange {
  from: string;
  to: string;
  sleep?: true;
  workouts?: true;
  /** Stated totals of these metrics. */
  daily?: readonly MetricId[];
  /** Samples of these metrics. */
  samples?: readonly SampleId[];
}

export interface Records {
  samples: Sample[];
  daily: DailyTotal[];
  sleep: SleepRecord[];
  workouts: WorkoutRecord[];
  covered?: CoveredRange[];
}
