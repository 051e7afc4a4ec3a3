// What Garmin measures along a day or at one moment.

import type * as z from 'zod';
import type { MetricId, SampleId } from '../../catalog/metrics.ts';
import { dayMs } from '../../platform/time/local-day.ts';
import { dayOf, isDated } from '../kit/day-of.ts';
import type { Gathering, Maybe } from '../kit/gathering.ts';
import type { ReadItem } from '../kit/read-items.ts';
import type { GarminBody, GarminDaily, GarminFitness, GarminHrv, GarminPressure } from './items.ts';
import { type GarminSpan, garminMoment, garminPoints, garminSpan } from './when.ts';

type Course = Readonly<Record<string, Maybe>> | null | undefined;

export function gatherGarminCourse(
  gathering: Gathering,
  path: string,
  metric: SampleId,
  { startMs, offsetMinutes }: GarminSpan,
  course: Course,
): void {
  for (const { afterMs, value } of garminPoints(course))
    gathering.sample(`${path}.${afterMs / 1000}`, metric, { startMs: startMs + afterMs, offsetMinutes }, value);
}

const added = (...amounts: readonly Maybe[]): number | null => {
  const given = amounts.filter((each) => typeof each === 'number');
  return given.length === 0 ? null : given.reduce((sum, each) => sum + each, 0);
};

/** Garmin's own totals of a day; one under way is sent again with more. */
export function gatherGarminDaily(
  gathering: Gathering,
  { path, item }: ReadItem<GarminDaily>,
  zone: string | null,
): void {
  const span = garminSpan(item);
  // Where Garmin names no day it is the one that holds its middle.
  const date = item.calendarDate ?? dayOf(span.startMs + dayMs / 2, zone);
  const state = (field: string, metric: MetricId, value: Maybe, unit?: string) =>
    gathering.daily(`${path}.${field}`, metric, date, value, unit);
  const active = item.activeKilocalories;
  // Nobody burns nothing.
  const resting = item.bmrKilocalories || null;
  state('steps', 'steps', item.steps);
  state('distanceInMeters', 'distance', item.distanceInMeters, 'm');
  state('floorsClimbed', 'flights_climbed', item.floorsClimbed);
  state('activeKilocalories', 'active_calories', active);
  state('bmrKilocalories', 'resting_energy', resting);
  if (typeof active === 'number' && typeof resting === 'number')
    state('activeKilocalories', 'total_calories', active + resting);
  state(
    'moderateIntensityDurationInSeconds',
    'exercise',
    added(item.moderateIntensityDurationInSeconds, item.vigorousIntensityDurationInSeconds),
    's',
  );
  state('restingHeartRateInBeatsPerMinute', 'resting_heart_rate', item.restingHeartRateInBeatsPerMinute || null);
  state('minHeartRateInBeatsPerMinute', 'min_heart_rate', item.minHeartRateInBeatsPerMinute || null);
  state('maxHeartRateInBeatsPerMinute', 'max_heart_rate', item.maxHeartRateInBeatsPerMinute || null);
  gatherGarminCourse(
    gathering,
    `${path}.timeOffsetHeartRateSamples`,
    'heart_rate',
    span,
    item.timeOffsetHeartRateSamples,
  );
}

/**
 * It is of a night that comes in another list, or in another push: so it is a sample where the
 * night ends, or a value of the day that Garmin names where it does not say when that was. When it
 * is sent again with a later end, it takes the place of what was told of that day before.
 */
export function gatherGarminHrv(
  gathering: Gathering,
  { path, item }: ReadItem<z.infer<typeof GarminHrv>>,
  zone: string | null,
): void {
  const span = garminSpan(item);
  const { startMs, offsetMinutes } = span;
  const endMs = Math.max(span.endMs, ...garminPoints(item.hrvValues).map(({ afterMs }) => startMs + afterMs));
  const [field, metric] = [`${path}.lastNightAvg`, 'sleep_heart_rate_variability'] as const;
  const average = item.lastNightAvg || null;
  if (endMs === startMs && item.calendarDate) gathering.daily(field, metric, item.calendarDate, average);
  else if (average !== null && isDated(endMs)) {
    const day = dayOf(endMs, zone);
    gathering.sample(field, metric, { startMs: endMs, offsetMinutes }, average);
    gathering.covers({ from: day, to: day, samples: [metric] }, ['pages']);
  }
  gatherGarminCourse(gathering, `${path}.hrvValues`, 'heart_rate_variability_rmssd', span, item.hrvValues);
}

/** By hand only the weight is entered. */
export function gatherGarminBody(gathering: Gathering, { path, item }: ReadItem<z.infer<typeof GarminBody>>): void {
  const moment = garminMoment(item.measurementTimeInSeconds, item.measurementTimeOffsetInSeconds);
  const measure = (field: string, metric: MetricId, value: Maybe, unit?: string) =>
    gathering.sample(`${path}.${field}`, metric, moment, value || null, unit);
  measure('weightInGrams', 'weight', item.weightInGrams, 'g');
  measure('bodyFatInPercent', 'body_fat_percentage', item.bodyFatInPercent);
  measure('bodyWaterInPercent', 'body_water_percentage', item.bodyWaterInPercent);
  measure('bodyMassIndex', 'body_mass_index', item.bodyMassIndex);
  measure('muscleMassInGrams', 'muscle_mass', item.muscleMassInGrams, 'g');
  measure('boneMassInGrams', 'bone_mass', item.boneMassInGrams, 'g');
}

export function gatherGarminPressure(
  gathering: Gathering,
  { path, item }: ReadItem<z.infer<typeof GarminPressure>>,
): void {
  const moment = garminMoment(item.measurementTimeInSeconds, item.measurementTimeOffsetInSeconds);
  gathering.sample(`${path}.systolic`, 'blood_pressure_systolic', moment, item.systolic);
  gathering.sample(`${path}.diastolic`, 'blood_pressure_diastolic', moment, item.diastolic);
}

export const gatherGarminFitness = (
  gathering: Gathering,
  { path, item }: ReadItem<z.infer<typeof GarminFitness>>,
): void => gathering.daily(`${path}.vo2Max`, 'vo2_max', item.calendarDate, item.vo2Max || null);
