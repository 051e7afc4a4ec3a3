// Builds records from a provider's payload. An absent value is missing, never zero; an invalid
// value is rejected with its path, and the rest remains valid.
import { createHash } from 'node:crypto';
import {
  acceptedUnits,
  isPlausible,
  type MetricId,
  type SampleId,
  sampleRow,
  toCanonical,
} from '../../catalog/metrics.ts';
import { type WorkoutMeasureKey, type WorkoutMeasures, workoutMeasures } from '../../catalog/workout-measures.ts';
import type {
  CoveredRange,
  HeartRatePoint,
  NightSummary,
  Records,
  SleepRecord,
  StagePeriod,
  WorkoutRecord,
} from '../../measurements/records.ts';
import { separateOverlapping } from '../../measurements/sleep-stages.ts';
import type { Span } from '../../measurements/timeline.ts';
import { isCalendarDate } from '../../platform/time/local-day.ts';
import { isTimeZone } from '../../platform/time/time.ts';
import type { NamedZone, Normalized } from './normalizer.ts';
import { type RejectedSubject, RejectionTally } from './rejection-tally.ts';
import { maxReportedRejections, uploadLimits } from './upload-limits.ts';
import type { Rejection } from './upload-response.ts';

/** A number that a provider may omit. */
export type OptionalNumber = number | null | undefined;

/** Most providers report sleep in seconds. */
export const secondsToMinutes = (seconds: OptionalNumber): number | null =>
  typeof seconds === 'number' ? seconds / 60 : null;

/** For values that are never zero: providers send zero if nothing was measured. */
export const zeroToNull = (value: OptionalNumber): number | null => value || null;

/** Sensors send the highest value of a byte if they measured nothing. */
const missingHeartRate = 255;

const isMeasured = (metric: SampleId, input: OptionalNumber): input is number =>
  typeof input === 'number' && !(sampleRow(metric).unit === 'bpm' && input === missingHeartRate);

/** Whether the heart rate was measured and is humanly possible. */
export const isPlausibleHeartRate = (bpm: number): boolean =>
  bpm !== missingHeartRate && isPlausible('heart_rate', bpm);

const dayMs = 86_400_000;
const minTimeMs = Date.UTC(uploadLimits.firstYear, 0);
const maxSleepMs = 25 * 3_600_000;
const maxWorkoutMs = 7 * dayMs;
const maxSourceIdLength = 200;
const maxSourceTypeLength = 64;
/** Stages are rounded individually. */
const toleranceMinutes = 5;

type SleepInput = Omit<SleepRecord, MinutesKey | 'summary' | 'stages'> &
  Partial<Pick<SleepRecord, MinutesKey>> & { summary?: readonly NightValue[]; stages?: readonly NightStage[] };

/** A stage of a night, with its path in the payload. */
export interface NightStage extends StagePeriod {
  path: string;
}

type MinutesKey = Extract<keyof SleepRecord, `${string}Minutes`>;

/**
 * A value that a provider reports for a night as a whole. The unit defaults to the metric's own.
 */
export interface NightValue {
  path: string;
  metric: MetricId;
  /** Null if the provider reports none, in which case an earlier value is no longer valid. */
  value: OptionalNumber;
  unit?: string;
}
type WorkoutInput = Pick<WorkoutRecord, 'type' | 'startMs' | 'endMs'> &
  Partial<Omit<WorkoutRecord, 'sourceType' | WorkoutMeasureKey>> & {
    sourceType?: string | null | undefined;
  } & { [Key in WorkoutMeasureKey]?: OptionalNumber };

export class RecordBuilder {
  readonly #records: Records = { samples: [], daily: [], sleep: [], workouts: [] };
  readonly #coverageClaims: { covered: CoveredRange; exceptLists: readonly string[] }[] = [];
  readonly #firstRejections: Rejection[] = [];
  readonly #receivedMs: number;
  readonly #tally = new RejectionTally();
  #rejectionCount = 0;
  /** Paths of data that could not be read, about which not everything is known. */
  readonly #unreadPaths: string[] = [];
  #zone: NamedZone | undefined;

  constructor({ receivedMs }: { receivedMs: number }) {
    this.#receivedMs = receivedMs;
  }

  reject(path: string, code: Rejection['code'], message: string, subject: RejectedSubject = null): void {
    this.#rejectionCount++;
    this.#tally.add({ code, message }, subject);
    if (code !== 'implausible_value') this.#unreadPaths.push(path);
    if (this.#firstRejections.length < maxReportedRejections) this.#firstRejections.push({ path, code, message });
  }

  /**
   * Adds a value that the provider reports for its own calendar day. The unit defaults to the
   * metric's own.
   */
  addDaily(path: string, metric: MetricId, date: string, value: OptionalNumber, unit?: string): void {
    const measured = this.#toMeasurement(path, metric, value, unit);
    if (!measured) return;
    if (!isCalendarDate(date) || this.#isOutOfTimeRange(Date.parse(date))) {
      this.reject(path, 'invalid_time', `The date of ${metric} is not a valid day for it.`, metric);
      return;
    }
    this.#records.daily.push({ ...measured, date });
  }

  addSample(
    path: string,
    metric: SampleId,
    {
      startMs,
      endMs = startMs,
      offsetMinutes = null,
    }: { startMs: number; endMs?: number; offsetMinutes?: number | null },
    value: OptionalNumber,
    unit?: string,
  ): void {
    const measured = this.#toMeasurement(path, metric, value, unit);
    if (!measured) return;
    if (!this.#isValidSpan(startMs, endMs, sampleRow(metric).accrues ? maxSleepMs : Number.POSITIVE_INFINITY)) {
      this.reject(path, 'invalid_time', `${metric} has no valid time.`, metric);
      return;
    }
    this.#records.samples.push({ ...measured, startMs, endMs, offsetMinutes: toValidOffset(offsetMinutes) });
  }

  /** Adds a night or a nap. Minutes that were not reported stay null. */
  addSleep(path: string, night: SleepInput): void {
    const { startMs, endMs, sourceId } = night;
    if (startMs === endMs || !this.#isValidSpan(startMs, endMs, maxSleepMs)) {
      this.reject(path, 'invalid_time', 'A sleep must end after it starts, within 25 hours.', 'sleep');
      return;
    }
    const maxMinutes = Math.ceil((endMs - startMs) / 60_000) + toleranceMinutes;
    const minutes = (input: OptionalNumber): number | null =>
      typeof input === 'number' && Number.isFinite(input) && input >= 0 ? input : null;
    const record: SleepRecord = {
      startMs,
      endMs,
      offsetMinutes: toValidOffset(night.offsetMinutes),
      asleepMinutes: minutes(night.asleepMinutes),
      deepMinutes: minutes(night.deepMinutes),
      lightMinutes: minutes(night.lightMinutes),
      remMinutes: minutes(night.remMinutes),
      awakeMinutes: minutes(night.awakeMinutes),
      inBedMinutes: minutes(night.inBedMinutes),
      ...(night.summary ? { summary: this.#toSummary(night.summary) } : {}),
      ...this.#toStages(night, night.stages ?? []),
      ...(night.keepsStages ? { keepsStages: true } : {}),
      ...(sourceId === undefined ? {} : { sourceId: shortenSourceId(sourceId) }),
      ...(night.interim ? { interim: true } : {}),
    };
    const { asleepMinutes, deepMinutes, lightMinutes, remMinutes, awakeMinutes } = record;
    const stages = [deepMinutes, lightMinutes, remMinutes, awakeMinutes].reduce<number>(
      (sum, each) => sum + (each ?? 0),
      0,
    );
    if (stages > maxMinutes || (asleepMinutes ?? 0) > maxMinutes) {
      this.reject(path, 'implausible_value', 'The sleep stages add up to more than the session.', 'sleep');
      this.#unreadPaths.push(path);
      return;
    }
    this.#records.sleep.push(record);
  }

  /**
   * Implausible values are left out of the workout. A trace keeps the points within the workout.
   */
  addWorkout(path: string, input: WorkoutInput): void {
    const { startMs, endMs, sourceId, sourceType } = input;
    if (startMs === endMs || !this.#isValidSpan(startMs, endMs, maxWorkoutMs)) {
      this.reject(path, 'invalid_time', 'A workout must end after it starts, within a week.', 'workouts');
      return;
    }
    const readPlausible = (name: string, metric: MetricId, value: OptionalNumber): number | null =>
      this.#toMeasurement(`${path}.${name}`, metric, value)?.value ?? null;
    const trace = input.heartRate?.filter(
      ({ atMs, bpm }) => atMs >= startMs && atMs <= endMs && isPlausibleHeartRate(bpm),
    );
    this.#records.workouts.push({
      type: input.type,
      name: input.name?.slice(0, 255) || null,
      startMs,
      endMs,
      offsetMinutes: toValidOffset(input.offsetMinutes),
      calories: readPlausible('calories', 'active_calories', input.calories),
      distanceKm: readPlausible('distance', 'distance', input.distanceKm),
      avgHeartRate: readPlausible('avg_heart_rate', 'heart_rate', input.avgHeartRate),
      maxHeartRate: readPlausible('max_heart_rate', 'heart_rate', input.maxHeartRate),
      elevationMeters: nullIfOutside(input.elevationMeters, 0, 20_000),
      steps: readPlausible('steps', 'steps', input.steps),
      ...this.#readMeasures(path, input),
      heartRate: trace && trace.length > 0 ? sortByTime(trace).slice(0, uploadLimits.tracePoints) : null,
      ...(sourceType ? { sourceType: sourceType.slice(0, maxSourceTypeLength) } : {}),
      ...(sourceId === undefined ? {} : { sourceId: shortenSourceId(sourceId) }),
      ...(input.outline ? { outline: true } : {}),
    });
  }

  /**
   * Records the zone in which the user was at that time, as the provider names it. The latest one
   * counts; an offset is not a zone.
   */
  setZone(name: string | null | undefined, atMs: number): void {
    if (name && atMs >= (this.#zone?.atMs ?? Number.NEGATIVE_INFINITY) && isTimeZone(name)) this.#zone = { name, atMs };
  }

  #readMeasures(path: string, input: WorkoutInput): WorkoutMeasures {
    const measures: WorkoutMeasures = {};
    for (const { key, name, range } of workoutMeasures) {
      const value = input[key];
      if (value === null || value === undefined) continue;
      const [min, max] = range;
      if (value >= min && value <= max) measures[key] = value;
      else
        this.reject(`${path}.${name}`, 'implausible_value', `${name} must be between ${min} and ${max}.`, 'workouts');
    }
    return measures;
  }

  /**
   * Whether everything in this list could be read: `sleep` is incomplete if `sleep.3.end` was
   * rejected.
   */
  isComplete(list: string): boolean {
    return !this.#unreadPaths.some((path) => isWithin(path, list));
  }

  /**
   * Claims that the provider has answered in full for these days. The claim is dropped if anything
   * could not be read, because its earlier version is better than nothing. Lists in `exceptLists`
   * are exempt: the caller has checked them (`isComplete`).
   */
  claimCoverage(covered: CoveredRange, exceptLists: readonly string[] = []): void {
    this.#coverageClaims.push({ covered, exceptLists });
  }

  get result(): Normalized {
    const records = this.#records;
    const covered = this.#coverageClaims.flatMap((claim) =>
      this.#unreadPaths.every((path) => claim.exceptLists.some((list) => isWithin(path, list))) ? [claim.covered] : [],
    );
    return {
      records: covered.length === 0 ? records : { ...records, covered },
      rejected: { count: this.#rejectionCount, first: this.#firstRejections },
      ...(this.#rejectionCount > 0 ? { rejectionCounts: this.#tally.list() } : {}),
      ...(this.#zone ? { zone: this.#zone } : {}),
    };
  }

  /**
   * Cuts stages at the ends of the night. Those outside of it, and those that overlap an earlier
   * one, are left out.
   */
  #toStages({ startMs, endMs }: Span, input: readonly NightStage[]): Pick<SleepRecord, 'stages'> {
    const within: NightStage[] = [];
    for (const stage of input) {
      const cut = { ...stage, startMs: Math.max(startMs, stage.startMs), endMs: Math.min(endMs, stage.endMs) };
      if (cut.startMs < cut.endMs) within.push(cut);
      else
        this.reject(
          stage.path,
          'implausible_value',
          'The stage must lie within the night and last some time.',
          'sleep',
        );
    }
    const { accepted, overlapping } = separateOverlapping(within);
    for (const { path } of overlapping)
      this.reject(path, 'implausible_value', 'The stage overlaps another one of the night.', 'sleep');
    for (const { path } of accepted.splice(uploadLimits.sleepStages))
      this.reject(path, 'implausible_value', `A night has at most ${uploadLimits.sleepStages} stages.`, 'sleep');
    const stages = accepted.map(({ path: _path, ...period }) => period);
    return stages.length === 0 ? {} : { stages };
  }

  /** Implausible values are left out, so the night keeps its previous values for them. */
  #toSummary(values: readonly NightValue[]): NightSummary {
    const summary: NightSummary = {};
    for (const { path, metric, value, unit } of values) {
      if (!isMeasured(metric, value)) summary[metric] = null;
      const measured = this.#toMeasurement(path, metric, value, unit);
      if (!measured) continue;
      const { metric: _metric, ...of } = measured;
      summary[metric] = of;
    }
    return summary;
  }

  #toMeasurement<Id extends SampleId>(path: string, metric: Id, input: OptionalNumber, unit?: string) {
    if (!isMeasured(metric, input)) return undefined;
    const row = sampleRow(metric);
    const value = unit === undefined ? input : toCanonical(metric, input, unit);
    if (value === undefined)
      throw new Error(`${metric} is measured in ${acceptedUnits(metric).join(', ')}, not in ${unit}`);
    if (!Number.isFinite(value) || !isPlausible(metric, value)) {
      const [min, max] = row.range;
      this.reject(path, 'implausible_value', `${metric} must be between ${min} and ${max} ${row.unit}.`, metric);
      return undefined;
    }
    return unit === undefined || unit === row.unit
      ? { metric, value }
      : { metric, value, original: { value: input, unit } };
  }

  #isOutOfTimeRange = (ms: number): boolean => !(ms >= minTimeMs && ms <= this.#receivedMs + dayMs);

  #isValidSpan = (startMs: number, endMs: number, maxMs: number): boolean =>
    endMs >= startMs && endMs - startMs <= maxMs && !this.#isOutOfTimeRange(startMs) && !this.#isOutOfTimeRange(endMs);
}

/** The id is stored with the session and may have any length, so a long one is hashed. */
const shortenSourceId = (sourceId: string): string =>
  sourceId.length > maxSourceIdLength ? createHash('sha256').update(sourceId).digest('base64url') : sourceId;

const isWithin = (path: string, list: string): boolean => path === list || path.startsWith(`${list}.`);

/** Offsets are within 14 hours; anything else is ignored. */
const toValidOffset = (minutes: OptionalNumber): number | null =>
  typeof minutes === 'number' && Number.isFinite(minutes) && Math.abs(minutes) <= 14 * 60 ? Math.round(minutes) : null;

const nullIfOutside = (value: OptionalNumber, min: number, max: number): number | null =>
  typeof value === 'number' && value >= min && value <= max ? value : null;

const sortByTime = (trace: readonly HeartRatePoint[]): HeartRatePoint[] => trace.toSorted((a, b) => a.atMs - b.atMs);
