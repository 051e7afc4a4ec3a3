// Gathers what a vendor's payload comes to. Absent is nothing, never zero; what cannot be is a rejection with its place, and the rest stays good.
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
  WorkoutRecord,
} from '../../measurements/records.ts';
import { isCalendarDate } from '../../platform/time/local-day.ts';
import { isTimeZone } from '../../platform/time/time.ts';
import type { NamedZone, Normalized } from './normalizer.ts';
import { maxReportedRejections, uploadLimits } from './upload-limits.ts';
import type { Rejection } from './upload-response.ts';

/** A number a vendor may leave out. */
export type OptionalNumber = number | null | undefined;

/** Most vendors count sleep in seconds. */
export const secondsToMinutes = (seconds: OptionalNumber): number | null =>
  typeof seconds === 'number' ? seconds / 60 : null;

/** For what is never zero: providers write a zero where nothing was measured. */
export const zeroToNull = (value: OptionalNumber): number | null => value || null;

/** Sensors write the highest number of a byte where they measured nothing. */
const missingHeartRate = 255;

const isMeasured = (metric: SampleId, input: OptionalNumber): input is number =>
  typeof input === 'number' && !(sampleRow(metric).unit === 'bpm' && input === missingHeartRate);

/** Whether a heart can beat so fast, or so slowly, and the number is one that was measured. */
export const isPlausibleHeartRate = (bpm: number): boolean =>
  bpm !== missingHeartRate && isPlausible('heart_rate', bpm);

const dayMs = 86_400_000;
const minTimeMs = Date.UTC(uploadLimits.firstYear, 0);
const maxSleepMs = 25 * 3_600_000;
const maxWorkoutMs = 7 * dayMs;
const maxSourceIdLength = 200;
const maxSourceTypeLength = 64;
/** Stages are rounded one by one. */
const toleranceMinutes = 5;

type SleepInput = Omit<SleepRecord, MinutesKey | 'summary'> &
  Partial<Pick<SleepRecord, MinutesKey>> & { summary?: readonly NightValue[] };

type MinutesKey = Extract<keyof SleepRecord, `${string}Minutes`>;

/** Something that a vendor tells of a night as a whole. The unit is the metric's own unless told. */
export interface NightValue {
  path: string;
  metric: MetricId;
  /** Null where the vendor tells none, and what it told before is no longer so. */
  value: OptionalNumber;
  unit?: string;
}
type WorkoutInput = Pick<WorkoutRecord, 'type' | 'startMs' | 'endMs'> &
  Partial<Omit<WorkoutRecord, 'sourceType' | WorkoutMeasureKey>> & {
    sourceType?: string | null | undefined;
  } & { [Key in WorkoutMeasureKey]?: OptionalNumber };

export class RecordBuilder {
  readonly #records: Records = { samples: [], daily: [], sleep: [], workouts: [] };
  readonly #coverageClaims: { covered: CoveredRange; besides: readonly string[] }[] = [];
  readonly #firstRejections: Rejection[] = [];
  readonly #receivedMs: number;
  #rejectionCount = 0;
  /** Where something could not be read: what the vendor says of it is not all known. */
  readonly #unreadPaths: string[] = [];
  #zone: NamedZone | undefined;

  constructor({ receivedMs }: { receivedMs: number }) {
    this.#receivedMs = receivedMs;
  }

  reject(path: string, code: Rejection['code'], message: string): void {
    this.#rejectionCount++;
    if (code !== 'implausible_value') this.#unreadPaths.push(path);
    if (this.#firstRejections.length < maxReportedRejections) this.#firstRejections.push({ path, code, message });
  }

  /** What the vendor states of its own calendar day. The unit is the metric's own unless told. */
  addDaily(path: string, metric: MetricId, date: string, value: OptionalNumber, unit?: string): void {
    const measured = this.#toMeasurement(path, metric, value, unit);
    if (!measured) return;
    if (!isCalendarDate(date) || this.#isOutOfTimeRange(Date.parse(date))) {
      this.reject(path, 'invalid_time', `${metric} is stated of ${date.slice(0, 32)}, which is no day it can be of.`);
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
      this.reject(path, 'invalid_time', `${metric} has no time it can be of.`);
      return;
    }
    this.#records.samples.push({ ...measured, startMs, endMs, offsetMinutes: toValidOffset(offsetMinutes) });
  }

  /** A night or a nap. Minutes that were not reported stay null. */
  addSleep(path: string, night: SleepInput): void {
    const { startMs, endMs, sourceId } = night;
    if (startMs === endMs || !this.#isValidSpan(startMs, endMs, maxSleepMs)) {
      this.reject(path, 'invalid_time', 'A sleep must end after it starts, within 25 hours.');
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
      ...(sourceId === undefined ? {} : { sourceId: shortenSourceId(sourceId) }),
      ...(night.interim ? { interim: true } : {}),
    };
    const { asleepMinutes, deepMinutes, lightMinutes, remMinutes, awakeMinutes } = record;
    const stages = [deepMinutes, lightMinutes, remMinutes, awakeMinutes].reduce<number>(
      (sum, each) => sum + (each ?? 0),
      0,
    );
    if (stages > maxMinutes || (asleepMinutes ?? 0) > maxMinutes) {
      this.reject(path, 'implausible_value', 'The sleep stages add up to more than the session.');
      this.#unreadPaths.push(path);
      return;
    }
    this.#records.sleep.push(record);
  }

  /** What is not plausible of it is left out of it. A trace keeps the points inside the workout. */
  addWorkout(path: string, input: WorkoutInput): void {
    const { startMs, endMs, sourceId, sourceType } = input;
    if (startMs === endMs || !this.#isValidSpan(startMs, endMs, maxWorkoutMs)) {
      this.reject(path, 'invalid_time', 'A workout must end after it starts, within a week.');
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

  /** The vendor names the zone in which the person was at that time. The latest one counts; an offset is no zone. */
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
      else this.reject(`${path}.${name}`, 'implausible_value', `${name} must be between ${min} and ${max}.`);
    }
    return measures;
  }

  /** Everything in this list could be read: `addSleep` is whole when `sleep.3.end` was fine, and so was all beside it. */
  isComplete(list: string): boolean {
    return !this.#unreadPaths.some((path) => isWithin(path, list));
  }

  /**
   * The vendor was asked for these days and has answered in full. What was said before of something that cannot be read now is better than nothing: the claim
   * falls with whatever could not be read, but for the lists that it was made in knowledge of (`isComplete`).
   */
  claimCoverage(covered: CoveredRange, exceptLists: readonly string[] = []): void {
    this.#coverageClaims.push({ covered, besides: exceptLists });
  }

  get result(): Normalized {
    const records = this.#records;
    const covered = this.#coverageClaims.flatMap((claim) =>
      this.#unreadPaths.every((path) => claim.besides.some((list) => isWithin(path, list))) ? [claim.covered] : [],
    );
    return {
      records: covered.length === 0 ? records : { ...records, covered },
      rejected: { count: this.#rejectionCount, first: this.#firstRejections },
      ...(this.#zone ? { zone: this.#zone } : {}),
    };
  }

  /** What cannot be is left out: what the night told before stands. */
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
      this.reject(path, 'implausible_value', `${metric} must be between ${min} and ${max} ${row.unit}.`);
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

/** It is kept with the session, and may be of any length. */
const shortenSourceId = (sourceId: string): string =>
  sourceId.length > maxSourceIdLength ? createHash('sha256').update(sourceId).digest('base64url') : sourceId;

const isWithin = (path: string, list: string): boolean => path === list || path.startsWith(`${list}.`);

/** Offsets lie within 14 hours; anything else says nothing. */
const toValidOffset = (minutes: OptionalNumber): number | null =>
  typeof minutes === 'number' && Number.isFinite(minutes) && Math.abs(minutes) <= 14 * 60 ? Math.round(minutes) : null;

const nullIfOutside = (value: OptionalNumber, min: number, max: number): number | null =>
  typeof value === 'number' && value >= min && value <= max ? value : null;

const sortByTime = (trace: readonly HeartRatePoint[]): HeartRatePoint[] => trace.toSorted((a, b) => a.atMs - b.atMs);
