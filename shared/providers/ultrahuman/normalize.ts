// Turns Ultrahuman's days into records.

import type { MetricId } from '../../catalog/metrics.ts';
import { datesInRange, mergeDateRanges } from '../../platform/time/local-day.ts';
import { addHeartRateExtremes, type HeartRateReading, heartRateExtremeMetrics } from '../kit/heart-rate-extremes.ts';
import type { Normalizer } from '../kit/normalizer.ts';
import { parsePages } from '../kit/provider-pages.ts';
import { readItems } from '../kit/read-items.ts';
import { RecordBuilder, zeroToNull } from '../kit/record-builder.ts';
import {
  createRequestedDays,
  expandToProviderDates,
  latestDateWorldwide,
  type RequestedDays,
} from '../kit/requested-days.ts';
import { readUltrahumanDays, type UltrahumanDay } from './days.ts';
import { UltrahumanReading } from './items.ts';
import { addUltrahumanNight, readUltrahumanNight, readUltrahumanNights, summaryOfNight } from './nights.ts';

/** Metrics that have a series of readings. */
const sampleSeries = [
  ['hr', 'heart_rate'],
  ['hrv', 'heart_rate_variability_rmssd'],
  ['temp', 'skin_temperature'],
  ['glucose', 'blood_glucose'],
  ['steps', 'steps'],
] as const satisfies [string, MetricId][];

const dailyMetrics = [
  'steps',
  'exercise',
  'blood_oxygen',
  'vo2_max',
  // For days without a sleep.
  'resting_heart_rate',
  'sleep_heart_rate_variability',
  'sleep_skin_temperature',
] as const satisfies MetricId[];

export const normalizeUltrahuman: Normalizer = (raw, context) => {
  const { requested, pages } = parsePages(raw);
  const builder = new RecordBuilder(context);
  const days = readUltrahumanDays(builder, pages, context.timeZone);
  const requestedDays = createRequestedDays(requested, context.timeZone);

  addSeries(builder, days, requestedDays);
  for (const night of readUltrahumanNights(days))
    if (requestedDays.includesInstant(night.endMs)) addUltrahumanNight(builder, night);
  for (const day of days) if (requestedDays.includes(day.date)) addDailyValues(builder, day);

  if (!requested) return builder.result;
  const receivedDates = new Set(days.map(({ date }) => date));
  const latestDate = latestDateWorldwide(context.receivedMs);
  for (const { from, to } of mergeDateRanges(
    datesInRange(requested.from, requested.to).filter((date) => {
      const dates = expandToProviderDates({ from: date, to: date }, context.timeZone);
      return datesInRange(dates.from, dates.to).every((each) => receivedDates.has(each) || each > latestDate);
    }),
  ))
    builder.claimCoverage({
      from,
      to,
      sleep: true,
      daily: dailyMetrics,
      samples: [...sampleSeries.map(([, metric]) => metric), ...heartRateExtremeMetrics],
    });
  return builder.result;
};

/** A zero means that nobody walked, and for all other metrics that nothing was measured. */
function addSeries(builder: RecordBuilder, days: readonly UltrahumanDay[], { includesInstant }: RequestedDays): void {
  const readings: HeartRateReading[] = [];
  for (const day of days)
    for (const [type, metric] of sampleSeries) {
      const values = day.objects[type]?.values;
      for (const { path, item } of readItems(builder, `metrics.${day.date}.${type}`, values, UltrahumanReading)) {
        const startMs = item.timestamp * 1000;
        const { value } = item;
        if (!includesInstant(startMs) || !value) continue;
        const offsetMinutes = day.offsetAt(startMs);
        builder.addSample(path, metric, { startMs, offsetMinutes }, value);
        if (metric === 'heart_rate') readings.push({ path, startMs, offsetMinutes, bpm: value });
      }
    }
  addHeartRateExtremes(builder, readings);
}

function addDailyValues(builder: RecordBuilder, day: UltrahumanDay): void {
  const { date, objects } = day;
  const addDailyValue = (type: string, metric: MetricId, value: number | null | undefined) =>
    builder.addDaily(`metrics.${date}.${type}`, metric, date, value);
  addDailyValue('steps', 'steps', objects.steps?.total);
  addDailyValue('active_minutes', 'exercise', objects.active_minutes?.value);
  addDailyValue('spo2', 'blood_oxygen', zeroToNull(objects.spo2?.avg));
  addDailyValue('vo2_max', 'vo2_max', zeroToNull(objects.vo2_max?.value));
  if (!readUltrahumanNight(day))
    for (const { path, metric, value } of summaryOfNight(day)) builder.addDaily(path, metric, date, value);
}
