// Google Health values measured at a moment, and logged food and drink.
import * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { removeFloatNoise } from '../../platform/arithmetic.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import type { OptionalNumber, RecordBuilder } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import { heartRatePageName } from './data-types.ts';
import {
  GoogleInstant,
  GoogleInterval,
  GoogleNumber,
  GoogleSampleTime,
  googleOffsetMinutes,
  readGoogleValues,
} from './points.ts';

const SamplePoint = z.looseObject({
  sampleTime: GoogleSampleTime,
  rootMeanSquareOfSuccessiveDifferencesMilliseconds: GoogleNumber,
  standardDeviationMilliseconds: GoogleNumber,
  weightGrams: GoogleNumber,
  percentage: GoogleNumber,
  heightMillimeters: GoogleNumber,
  temperatureCelsius: GoogleNumber,
  bloodGlucoseMilligramsPerDeciliter: GoogleNumber,
  milligramsPerDeciliter: GoogleNumber,
  vo2Max: GoogleNumber,
  runVo2Max: GoogleNumber,
});
type SamplePoint = z.infer<typeof SamplePoint>;

interface SampleMapping {
  metric: MetricId;
  unit?: string;
  read(measured: SamplePoint): OptionalNumber;
}

const sampleMappings: Readonly<Record<string, readonly SampleMapping[]>> = {
  'heart-rate-variability': [
    {
      metric: 'heart_rate_variability_rmssd',
      read: ({ rootMeanSquareOfSuccessiveDifferencesMilliseconds }) =>
        rootMeanSquareOfSuccessiveDifferencesMilliseconds,
    },
    { metric: 'heart_rate_variability', read: ({ standardDeviationMilliseconds }) => standardDeviationMilliseconds },
  ],
  'oxygen-saturation': [{ metric: 'blood_oxygen', read: ({ percentage }) => percentage || null }],
  weight: [{ metric: 'weight', unit: 'g', read: ({ weightGrams }) => weightGrams }],
  'body-fat': [{ metric: 'body_fat_percentage', read: ({ percentage }) => percentage || null }],
  height: [{ metric: 'height', unit: 'mm', read: ({ heightMillimeters }) => heightMillimeters }],
  'core-body-temperature': [{ metric: 'body_temperature', read: ({ temperatureCelsius }) => temperatureCelsius }],
  'blood-glucose': [
    {
      metric: 'blood_glucose',
      read: ({ bloodGlucoseMilligramsPerDeciliter, milligramsPerDeciliter }) =>
        bloodGlucoseMilligramsPerDeciliter ?? milligramsPerDeciliter,
    },
  ],
  'vo2-max': [{ metric: 'vo2_max', read: ({ vo2Max }) => vo2Max }],
  'run-vo2-max': [{ metric: 'vo2_max', read: ({ runVo2Max }) => runVo2Max }],
};

export function addGoogleSamples(builder: RecordBuilder, pages: readonly ProviderPage[], days: RequestedDays): void {
  for (const [type, mappings] of Object.entries(sampleMappings))
    for (const { path, value } of readGoogleValues(builder, pages, { resource: type, schema: SamplePoint })) {
      const { physicalTime, utcOffset } = value.sampleTime;
      if (!days.includesInstant(physicalTime)) continue;
      const at = { startMs: physicalTime, offsetMinutes: googleOffsetMinutes(utcOffset) };
      for (const { metric, unit, read } of mappings) builder.addSample(path, metric, at, read(value), unit);
    }
}

const HeartRateAverage = z.looseObject({ beatsPerMinuteAvg: GoogleNumber });
const TimeRange = z.looseObject({ startTime: GoogleInstant, endTime: GoogleInstant });

/** A five-minute average is a sample at the start of the five minutes. */
export function addGoogleHeartRate(builder: RecordBuilder, pages: readonly ProviderPage[], days: RequestedDays): void {
  for (const { path, point, value } of readGoogleValues(builder, pages, {
    resource: heartRatePageName,
    schema: HeartRateAverage,
  })) {
    const timeRange = TimeRange.safeParse(point).data;
    if (!timeRange) builder.reject(path, 'invalid_time', 'An average must have a start and an end time.');
    else if (days.includesInstant(timeRange.startTime))
      builder.addSample(path, 'heart_rate', { startMs: timeRange.startTime }, value.beatsPerMinuteAvg);
  }
}

const Grams = z.looseObject({ grams: GoogleNumber }).nullish().catch(null);
const LogEntry = z.looseObject({
  interval: GoogleInterval,
  amountConsumed: z.looseObject({ milliliters: GoogleNumber }).nullish().catch(null),
  energy: z.looseObject({ kcal: GoogleNumber }).nullish().catch(null),
  totalCarbohydrate: Grams,
  totalFat: Grams,
  nutrients: z
    .array(z.looseObject({ nutrient: z.string().nullish(), quantity: Grams }))
    .nullish()
    .catch(null),
});
type LogEntry = z.infer<typeof LogEntry>;

const nutrients: Readonly<Record<string, MetricId>> = {
  PROTEIN: 'protein',
  SATURATED_FAT: 'saturated_fat',
  DIETARY_FIBER: 'fiber',
  SUGAR: 'sugar',
  SODIUM: 'sodium',
  CHOLESTEROL: 'cholesterol',
  CAFFEINE: 'caffeine',
};

interface NutrientAmount {
  metric: MetricId;
  value: OptionalNumber;
  unit: string;
}

function readAmounts({
  amountConsumed,
  energy,
  totalCarbohydrate,
  totalFat,
  nutrients: nutrientList,
}: LogEntry): NutrientAmount[] {
  return [
    { metric: 'water', value: amountConsumed?.milliliters, unit: 'mL' },
    { metric: 'dietary_energy', value: energy?.kcal, unit: 'kcal' },
    { metric: 'carbohydrates', value: totalCarbohydrate?.grams, unit: 'g' },
    { metric: 'fat', value: totalFat?.grams, unit: 'g' },
    ...(nutrientList ?? []).flatMap(({ nutrient, quantity }): NutrientAmount[] => {
      const metric = nutrients[nutrient ?? ''];
      return metric ? [{ metric, value: quantity?.grams, unit: 'g' }] : [];
    }),
  ];
}

/** The foods of a meal are logged at the same time and are added up. */
export function addGoogleLogs(builder: RecordBuilder, pages: readonly ProviderPage[], days: RequestedDays): void {
  const meals = new Map<
    string,
    NutrientAmount & { value: number; path: string; startMs: number; offset: number | null }
  >();
  for (const resource of ['hydration-log', 'nutrition-log']) {
    const byName = new Map(
      readGoogleValues(builder, pages, { resource, schema: LogEntry }).map((each) => [each.id ?? each.path, each]),
    );
    for (const { path, value: entry } of byName.values())
      for (const { metric, value, unit } of readAmounts(entry)) {
        const { startTime: startMs, startUtcOffset } = entry.interval;
        if (typeof value !== 'number' || !days.includesInstant(startMs)) continue;
        const previous = meals.get(`${metric} ${startMs}`);
        meals.set(`${metric} ${startMs}`, {
          metric,
          unit,
          path,
          startMs,
          offset: googleOffsetMinutes(startUtcOffset),
          value: removeFloatNoise((previous?.value ?? 0) + value),
        });
      }
  }
  for (const { path, metric, value, unit, startMs, offset } of meals.values())
    builder.addSample(path, metric, { startMs, offsetMinutes: offset }, value, unit);
}
