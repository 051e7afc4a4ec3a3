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
  Covered,
  HeartRatePoint,
  NightSummary,
  Records,
  SleepRecord,
  WorkoutRecord,
} from '../../measurements/records.ts';
import { isCalendarDate } from '../../platform/time/local-day.ts';
import { isTimeZone } from '../../platform/time/time.ts';
import type { NamedZone, Normalized } from './normalizer.ts';
import type { Rejection } from './upload-answer.ts';
import { mostRejectionsTold, uploadLimits } from './upload-limits.ts';

/** A number a vendor may leave out. */
export type Maybe = number | null | undefined;

/** Most vendors count sleep in seconds. */
export const minutesOf = (seconds: Maybe): number | null => (typeof seconds === 'number' ? seconds / 60 : null);

/** For what is never zero: providers write a zero where nothing was measured. */
export const zeroIsNone = (value: Maybe): number | null => value || null;

/** Sensors write the highest number of a byte where they measured nothing. */
const unmeasuredBeats = 255;

const isMeasured = (metric: SampleId, given: Maybe): given is number =>
  typeof given === 'number' && !(sampleRow(metric).unit === 'bpm' && given === unmeasuredBeats);

/** Whether a heart can beat so fast, or so slowly, and the number is one that was measured. */
export const isHeartRate = (bpm: number): boolean => bpm !== unmeasuredBeats && isPlausible('heart_rate', bpm);

const dayMs = 86_400_000;
const firstMs = Date.UTC(uploadLimits.firstYear, 0);
const longestNightMs = 25 * 3_600_000;
const longestWorkoutMs = 7 * dayMs;
const longestName = 200;
const longestSourceType = 64;
/** Stages are rounded one by one. */
const toleranceMinutes = 5;

type Night = Omit<SleepRecord, MinutesOf | 'summary'> &
  Partial<Pick<SleepRecord, MinutesOf>> & { summary?: readonly NightValue[] };

type MinutesOf = Extract<keyof SleepRecord, `${string}Minutes`>;

/** Something that a vendor tells of a night as a whole. The unit is the metric's own unless told. */
export interface NightValue {
  path: string;
  metric: MetricId;
  /** Null where the vendor tells none, and what it told before is no longer so. */
  value: Maybe;
  unit?: string;
}
type Exercise = Pick<WorkoutRecord, 'type' | 'startMs' | 'endMs'> &
  Partial<Omit<WorkoutRecord, 'sourceType' | WorkoutMeasureKey>> & {
    sourceType?: string | null | undefined;
  } & { [Key in WorkoutMeasureKey]?: Maybe };

export class Gathering {
  readonly #records: Records = { samples: [], daily: [], sleep: [], workouts: [] };
  readonly #claims: { covered: Covered; besides: readonly string[] }[] = [];
  readonly #first: Rejection[] = [];
  readonly #receivedMs: number;
  #rejections = 0;
  /** Where something could not be read: what the vendor says of it is not all known. */
  readonly #unread: string[] = [];
  #zone: NamedZone | undefined;

  constructor({ receivedMs }: { receivedMs: number }) {
    this.#receivedMs = receivedMs;
  }

  reject(path: string, code: Rejection['code'], message: string): void {
    this.#rejections++;
    if (code !== 'implausible_value') this.#unread.push(path);
    if (this.#first.length < mostRejectionsTold) this.#first.push({ path, code, message });
  }

  /** What the vendor states of its own calendar day. The unit is the metric's own unless told. */
  daily(path: string, metric: MetricId, date: string, value: Maybe, unit?: string): void {
    const measured = this.#measured(path, metric, value, unit);
    if (!measured) return;
    if (!isCalendarDate(date) || this.#isOffTime(Date.parse(date))) {
      this.reject(path, 'invalid_time', `${metric} is stated of ${date.slice(0, 32)}, which is no day it can be of.`);
      return;
    }
    this.#records.daily.push({ ...measured, date });
  }

  sample(
    path: string,
    metric: SampleId,
    {
      startMs,
      endMs = startMs,
      offsetMinutes = null,
    }: { startMs: number; endMs?: number; offsetMinutes?: number | null },
    value: Maybe,
    unit?: string,
  ): void {
    const measured = this.#measured(path, metric, value, unit);
    if (!measured) return;
    if (!this.#isSpan(startMs, endMs, sampleRow(metric).accrues ? longestNightMs : Number.POSITIVE_INFINITY)) {
      this.reject(path, 'invalid_time', `${metric} has no time it can be of.`);
      return;
    }
    this.#records.samples.push({ ...measured, startMs, endMs, offsetMinutes: sane(offsetMinutes) });
  }

  /** A night or a nap. Minutes that were not reported stay null. */
  sleep(path: string, night: Night): void {
    const { startMs, endMs, sourceId } = night;
    if (startMs === endMs || !this.#isSpan(startMs, endMs, longestNightMs)) {
      this.reject(path, 'invalid_time', 'A sleep must end after it starts, within 25 hours.');
      return;
    }
    const most = Math.ceil((endMs - startMs) / 60_000) + toleranceMinutes;
    const minutes = (given: Maybe): number | null =>
      typeof given === 'number' && Number.isFinite(given) && given >= 0 ? given : null;
    const record: SleepRecord = {
      startMs,
      endMs,
      offsetMinutes: sane(night.offsetMinutes),
      asleepMinutes: minutes(night.asleepMinutes),
      deepMinutes: minutes(night.deepMinutes),
      lightMinutes: minutes(night.lightMinutes),
      remMinutes: minutes(night.remMinutes),
      awakeMinutes: minutes(night.awakeMinutes),
      inBedMinutes: minutes(night.inBedMinutes),
      ...(night.summary ? { summary: this.#summary(night.summary) } : {}),
      ...(sourceId === undefined ? {} : { sourceId: nameOf(sourceId) }),
      ...(night.interim ? { interim: true } : {}),
    };
    const { asleepMinutes, deepMinutes, lightMinutes, remMinutes, awakeMinutes } = record;
    const stages = [deepMinutes, lightMinutes, remMinutes, awakeMinutes].reduce<number>(
      (sum, each) => sum + (each ?? 0),
      0,
    );
    if (stages > most || (asleepMinutes ?? 0) > most) {
      this.reject(path, 'implausible_value', 'The sleep stages add up to more than the session.');
      this.#unread.push(path);
      return;
    }
    this.#records.sleep.push(record);
  }

  /** What is not plausible of it is left out of it. A trace keeps the points inside the workout. */
  workout(path: string, given: Exercise): void {
    const { startMs, endMs, sourceId, sourceType } = given;
    if (startMs === endMs || !this.#isSpan(startMs, endMs, longestWorkoutMs)) {
      this.reject(path, 'invalid_time', 'A workout must end after it starts, within a week.');
      return;
    }
    const plausible = (name: string, metric: MetricId, value: Maybe): number | null =>
      this.#measured(`${path}.${name}`, metric, value)?.value ?? null;
    const trace = given.heartRate?.filter(({ atMs, bpm }) => atMs >= startMs && atMs <= endMs && isHeartRate(bpm));
    this.#records.workouts.push({
      type: given.type,
      name: given.name?.slice(0, 255) || null,
      startMs,
      endMs,
      offsetMinutes: sane(given.offsetMinutes),
      calories: plausible('calories', 'active_calories', given.calories),
      distanceKm: plausible('distance', 'distance', given.distanceKm),
      avgHeartRate: plausible('avg_heart_rate', 'heart_rate', given.avgHeartRate),
      maxHeartRate: plausible('max_heart_rate', 'heart_rate', given.maxHeartRate),
      elevationMeters: within(given.elevationMeters, 0, 20_000),
      steps: plausible('steps', 'steps', given.steps),
      ...this.#measures(path, given),
      heartRate: trace && trace.length > 0 ? inOrder(trace).slice(0, uploadLimits.tracePoints) : null,
      ...(sourceType ? { sourceType: sourceType.slice(0, longestSourceType) } : {}),
      ...(sourceId === undefined ? {} : { sourceId: nameOf(sourceId) }),
      ...(given.outline ? { outline: true } : {}),
    });
  }

  /** The vendor names the zone in which the person was at that time. The latest one counts; an offset is no zone. */
  zone(name: string | null | undefined, atMs: number): void {
    if (name && atMs >= (this.#zone?.atMs ?? Number.NEGATIVE_INFINITY) && isTimeZone(name)) this.#zone = { name, atMs };
  }

  #measures(path: string, given: Exercise): WorkoutMeasures {
    const told: WorkoutMeasures = {};
    for (const { key, name, range } of workoutMeasures) {
      const value = given[key];
      if (value === null || value === undefined) continue;
      const [min, max] = range;
      if (value >= min && value <= max) told[key] = value;
      else this.reject(`${path}.${name}`, 'implausible_value', `${name} must be between ${min} and ${max}.`);
    }
    return told;
  }

  /** Everything in this list could be read: `sleep` is whole when `sleep.3.end` was fine, and so was all beside it. */
  isWhole(list: string): boolean {
    return !this.#unread.some((path) => isWithin(path, list));
  }

  /**
   * The vendor was asked for these days and has answered in full. What was said before of something that cannot be read now is better than nothing: the claim
   * falls with whatever could not be read, but for the lists that it was made in knowledge of (`isWhole`).
   */
  covers(covered: Covered, besides: readonly string[] = []): void {
    this.#claims.push({ covered, besides });
  }

  get result(): Normalized {
    const records = this.#records;
    const covered = this.#claims.flatMap((claim) =>
      this.#unread.every((path) => claim.besides.some((list) => isWithin(path, list))) ? [claim.covered] : [],
    );
    return {
      records: covered.length === 0 ? records : { ...records, covered },
      rejected: { count: this.#rejections, first: this.#first },
      ...(this.#zone ? { zone: this.#zone } : {}),
    };
  }

  /** What cannot be is left out: what the night told before stands. */
  #summary(values: readonly NightValue[]): NightSummary {
    const summary: NightSummary = {};
    for (const { path, metric, value, unit } of values) {
      if (!isMeasured(metric, value)) summary[metric] = null;
      const measured = this.#measured(path, metric, value, unit);
      if (!measured) continue;
      const { metric: _metric, ...of } = measured;
      summary[metric] = of;
    }
    return summary;
  }

  #measured<Id extends SampleId>(path: string, metric: Id, given: Maybe, unit?: string) {
    if (!isMeasured(metric, given)) return undefined;
    const row = sampleRow(metric);
    const value = unit === undefined ? given : toCanonical(metric, given, unit);
    if (value === undefined)
      throw new Error(`${metric} is measured in ${acceptedUnits(metric).join(', ')}, not in ${unit}`);
    if (!Number.isFinite(value) || !isPlausible(metric, value)) {
      const [min, max] = row.range;
      this.reject(path, 'implausible_value', `${metric} must be between ${min} and ${max} ${row.unit}.`);
      return undefined;
    }
    return unit === undefined || unit === row.unit
      ? { metric, value }
      : { metric, value, original: { value: given, unit } };
  }

  #isOffTime = (ms: number): boolean => !(ms >= firstMs && ms <= this.#receivedMs + dayMs);

  #isSpan = (startMs: number, endMs: number, mostMs: number): boolean =>
    endMs >= startMs && endMs - startMs <= mostMs && !this.#isOffTime(startMs) && !this.#isOffTime(endMs);
}

/** It is kept with the session, and may be of any length. */
const nameOf = (sourceId: string): string =>
  sourceId.length > longestName ? createHash('sha256').update(sourceId).digest('base64url') : sourceId;

const isWithin = (path: string, list: string): boolean => path === list || path.startsWith(`${list}.`);

/** Offsets lie within 14 hours; anything else says nothing. */
const sane = (minutes: Maybe): number | null =>
  typeof minutes === 'number' && Number.isFinite(minutes) && Math.abs(minutes) <= 14 * 60 ? Math.round(minutes) : null;

const within = (value: Maybe, min: number, max: number): number | null =>
  typeof value === 'number' && value >= min && value <= max ? value : null;

const inOrder = (trace: readonly HeartRatePoint[]): HeartRatePoint[] => trace.toSorted((a, b) => a.atMs - b.atMs);
