// Values that Garmin measures during a day or at one moment.

import type * as z from 'zod';
import type { MetricId, SampleId } from '../../catalog/metrics.ts';
import { dayMs } from '../../platform/time/local-day.ts';
import { isValidInstant, localDayOfInstant } from '../kit/local-day-of-instant.ts';
import type { ReadItem } from '../kit/read-items.ts';
import type { OptionalNumber, RecordBuilder } from '../kit/record-builder.ts';
import type { GarminBloodPressure, GarminBodyComposition, GarminDaily, GarminHrv, GarminUserMetrics } from './items.ts';
import { type GarminSpan, readGarminMoment, readGarminPoints, readGarminSpan } from './times.ts';

type OffsetSeries = Readonly<Record<string, OptionalNumber>> | null | undefined;

export function addGarminSeries(
  builder: RecordBuilder,
  path: string,
  metric: SampleId,
  { startMs, offsetMinutes }: GarminSpan,
  series: OffsetSeries,
): void {
  for (const { afterMs, value } of readGarminPoints(series))
    builder.addSample(`${path}.${afterMs / 1000}`, metric, { startMs: startMs + afterMs, offsetMinutes }, value);
}

const sumOrNull = (...amounts: readonly OptionalNumber[]): number | null => {
  const numbers = amounts.filter((each) => typeof each === 'number');
  return numbers.length === 0 ? null : numbers.reduce((sum, each) => sum + each, 0);
};

/** Garmin's own daily totals; those of the current day are sent again as they grow. */
export function addGarminDaily(
  builder: RecordBuilder,
  { path, item }: ReadItem<GarminDaily>,
  zone: string | null,
): void {
  const span = readGarminSpan(item);
  // If Garmin names no date, the day is the one that contains its middle.
  const date = item.calendarDate ?? localDayOfInstant(span.startMs + dayMs / 2, zone);
  const addDailyValue = (field: string, metric: MetricId, value: OptionalNumber, unit?: string) =>
    builder.addDaily(`${path}.${field}`, metric, date, value, unit);
  const active = item.activeKilocalories;
  // Resting energy is never zero, so zero means missing.
  const resting = item.bmrKilocalories || null;
  addDailyValue('steps', 'steps', item.steps);
  addDailyValue('distanceInMeters', 'distance', item.distanceInMeters, 'm');
  addDailyValue('floorsClimbed', 'flights_climbed', item.floorsClimbed);
  addDailyValue('activeKilocalories', 'active_calories', active);
  addDailyValue('bmrKilocalories', 'resting_energy', resting);
  if (typeof active === 'number' && typeof resting === 'number')
    addDailyValue('activeKilocalories', 'total_calories', active + resting);
  addDailyValue(
    'moderateIntensityDurationInSeconds',
    'exercise',
    sumOrNull(item.moderateIntensityDurationInSeconds, item.vigorousIntensityDurationInSeconds),
    's',
  );
  addDailyValue(
    'restingHeartRateInBeatsPerMinute',
    'resting_heart_rate',
    item.restingHeartRateInBeatsPerMinute || null,
  );
  addDailyValue('minHeartRateInBeatsPerMinute', 'min_heart_rate', item.minHeartRateInBeatsPerMinute || null);
  addDailyValue('maxHeartRateInBeatsPerMinute', 'max_heart_rate', item.maxHeartRateInBeatsPerMinute || null);
  addGarminSeries(builder, `${path}.timeOffsetHeartRateSamples`, 'heart_rate', span, item.timeOffsetHeartRateSamples);
}

/**
 * HRV belongs to a night that arrives in another list or another push. It is therefore a sample at
 * the end of the night, or a value of the day that Garmin names if the end is unknown. When it is
 * sent again with a later end, it replaces the previous value of that day.
 */
export function addGarminHrv(
  builder: RecordBuilder,
  { path, item }: ReadItem<z.infer<typeof GarminHrv>>,
  zone: string | null,
): void {
  const span = readGarminSpan(item);
  const { startMs, offsetMinutes } = span;
  const endMs = Math.max(span.endMs, ...readGarminPoints(item.hrvValues).map(({ afterMs }) => startMs + afterMs));
  const [field, metric] = [`${path}.lastNightAvg`, 'sleep_heart_rate_variability'] as const;
  const average = item.lastNightAvg || null;
  if (endMs === startMs && item.calendarDate) builder.addDaily(field, metric, item.calendarDate, average);
  else if (average !== null && isValidInstant(endMs)) {
    const day = localDayOfInstant(endMs, zone);
    builder.addSample(field, metric, { startMs: endMs, offsetMinutes }, average);
    builder.claimCoverage({ from: day, to: day, samples: [metric] }, ['pages']);
  }
  addGarminSeries(builder, `${path}.hrvValues`, 'heart_rate_variability_rmssd', span, item.hrvValues);
}

/** Only the weight can be entered by hand. */
export function addGarminBodyComposition(
  builder: RecordBuilder,
  { path, item }: ReadItem<z.infer<typeof GarminBodyComposition>>,
): void {
  const moment = readGarminMoment(item.measurementTimeInSeconds, item.measurementTimeOffsetInSeconds);
  const addMeasurement = (field: string, metric: MetricId, value: OptionalNumber, unit?: string) =>
    builder.addSample(`${path}.${field}`, metric, moment, value || null, unit);
  addMeasurement('weightInGrams', 'weight', item.weightInGrams, 'g');
  addMeasurement('bodyFatInPercent', 'body_fat_percentage', item.bodyFatInPercent);
  addMeasurement('bodyWaterInPercent', 'body_water_percentage', item.bodyWaterInPercent);
  addMeasurement('bodyMassIndex', 'body_mass_index', item.bodyMassIndex);
  addMeasurement('muscleMassInGrams', 'muscle_mass', item.muscleMassInGrams, 'g');
  addMeasurement('boneMassInGrams', 'bone_mass', item.boneMassInGrams, 'g');
}

export function addGarminBloodPressure(
  builder: RecordBuilder,
  { path, item }: ReadItem<z.infer<typeof GarminBloodPressure>>,
): void {
  const moment = readGarminMoment(item.measurementTimeInSeconds, item.measurementTimeOffsetInSeconds);
  builder.addSample(`${path}.systolic`, 'blood_pressure_systolic', moment, item.systolic);
  builder.addSample(`${path}.diastolic`, 'blood_pressure_diastolic', moment, item.diastolic);
}

export const addGarminUserMetrics = (
  builder: RecordBuilder,
  { path, item }: ReadItem<z.infer<typeof GarminUserMetrics>>,
): void => builder.addDaily(`${path}.vo2Max`, 'vo2_max', item.calendarDate, item.vo2Max || null);
