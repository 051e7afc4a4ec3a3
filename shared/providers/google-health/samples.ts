// What was measured at a moment, or eaten and drunk.
import * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { withoutNoise } from '../../platform/arithmetic.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import type { Gathering, Maybe } from '../kit/gathering.ts';
import type { VendorPage } from '../kit/pages.ts';
import { heartRatePage } from './data-types.ts';
import { GoogleInstant, GoogleInterval, GoogleNumber, GoogleSampleTime, googleValues, offsetOf } from './points.ts';

const Measured = z.looseObject({
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
type Measured = z.infer<typeof Measured>;

interface Kind {
  metric: MetricId;
  unit?: string;
  of(measured: Measured): Maybe;
}

const kinds: Readonly<Record<string, readonly Kind[]>> = {
  'heart-rate-variability': [
    {
      metric: 'heart_rate_variability_rmssd',
      of: ({ rootMeanSquareOfSuccessiveDifferencesMilliseconds }) => rootMeanSquareOfSuccessiveDifferencesMilliseconds,
    },
    { metric: 'heart_rate_variability', of: ({ standardDeviationMilliseconds }) => standardDeviationMilliseconds },
  ],
  'oxygen-saturation': [{ metric: 'blood_oxygen', of: ({ percentage }) => percentage || null }],
  weight: [{ metric: 'weight', unit: 'g', of: ({ weightGrams }) => weightGrams }],
  'body-fat': [{ metric: 'body_fat_percentage', of: ({ percentage }) => percentage || null }],
  height: [{ metric: 'height', unit: 'mm', of: ({ heightMillimeters }) => heightMillimeters }],
  'core-body-temperature': [{ metric: 'body_temperature', of: ({ temperatureCelsius }) => temperatureCelsius }],
  'blood-glucose': [
    {
      metric: 'blood_glucose',
      of: ({ bloodGlucoseMilligramsPerDeciliter, milligramsPerDeciliter }) =>
        bloodGlucoseMilligramsPerDeciliter ?? milligramsPerDeciliter,
    },
  ],
  'vo2-max': [{ metric: 'vo2_max', of: ({ vo2Max }) => vo2Max }],
  'run-vo2-max': [{ metric: 'vo2_max', of: ({ runVo2Max }) => runVo2Max }],
};

export function gatherGoogleSamples(gathering: Gathering, pages: readonly VendorPage[], days: DaysAsked): void {
  for (const [type, measures] of Object.entries(kinds))
    for (const { path, value } of googleValues(gathering, pages, { resource: type, schema: Measured })) {
      const { physicalTime, utcOffset } = value.sampleTime;
      if (!days.holdsInstant(physicalTime)) continue;
      const at = { startMs: physicalTime, offsetMinutes: offsetOf(utcOffset) };
      for (const { metric, unit, of } of measures) gathering.sample(path, metric, at, of(value), unit);
    }
}

const Averaged = z.looseObject({ beatsPerMinuteAvg: GoogleNumber });
const Stretch = z.looseObject({ startTime: GoogleInstant, endTime: GoogleInstant });

/** An average over five minutes stands at their start. */
export function gatherGoogleHeartRate(gathering: Gathering, pages: readonly VendorPage[], days: DaysAsked): void {
  for (const { path, point, value } of googleValues(gathering, pages, { resource: heartRatePage, schema: Averaged })) {
    const stretch = Stretch.safeParse(point).data;
    if (!stretch) gathering.reject(path, 'invalid_time', 'An average has the time that it is of.');
    else if (days.holdsInstant(stretch.startTime))
      gathering.sample(path, 'heart_rate', { startMs: stretch.startTime }, value.beatsPerMinuteAvg);
  }
}

const Grams = z.looseObject({ grams: GoogleNumber }).nullish().catch(null);
const Logged = z.looseObject({
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
type Logged = z.infer<typeof Logged>;

const nutrients: Readonly<Record<string, MetricId>> = {
  PROTEIN: 'protein',
  SATURATED_FAT: 'saturated_fat',
  DIETARY_FIBER: 'fiber',
  SUGAR: 'sugar',
  SODIUM: 'sodium',
  CHOLESTEROL: 'cholesterol',
  CAFFEINE: 'caffeine',
};

interface Portion {
  metric: MetricId;
  value: Maybe;
  unit: string;
}

function portionsOf({ amountConsumed, energy, totalCarbohydrate, totalFat, nutrients: listed }: Logged): Portion[] {
  return [
    { metric: 'water', value: amountConsumed?.milliliters, unit: 'mL' },
    { metric: 'dietary_energy', value: energy?.kcal, unit: 'kcal' },
    { metric: 'carbohydrates', value: totalCarbohydrate?.grams, unit: 'g' },
    { metric: 'fat', value: totalFat?.grams, unit: 'g' },
    ...(listed ?? []).flatMap(({ nutrient, quantity }): Portion[] => {
      const metric = nutrients[nutrient ?? ''];
      return metric ? [{ metric, value: quantity?.grams, unit: 'g' }] : [];
    }),
  ];
}

/** The foods of a meal are logged at one time, and add up. */
export function gatherGoogleLogs(gathering: Gathering, pages: readonly VendorPage[], days: DaysAsked): void {
  const meals = new Map<string, Portion & { value: number; path: string; startMs: number; offset: number | null }>();
  for (const resource of ['hydration-log', 'nutrition-log']) {
    const byName = new Map(
      googleValues(gathering, pages, { resource, schema: Logged }).map((each) => [each.id ?? each.path, each]),
    );
    for (const { path, value: logged } of byName.values())
      for (const { metric, value, unit } of portionsOf(logged)) {
        const { startTime: startMs, startUtcOffset } = logged.interval;
        if (typeof value !== 'number' || !days.holdsInstant(startMs)) continue;
        const before = meals.get(`${metric} ${startMs}`);
        meals.set(`${metric} ${startMs}`, {
          metric,
          unit,
          path,
          startMs,
          offset: offsetOf(startUtcOffset),
          value: withoutNoise((before?.value ?? 0) + value),
        });
      }
  }
  for (const { path, metric, value, unit, startMs, offset } of meals.values())
    gathering.sample(path, metric, { startMs, offsetMinutes: offset }, value, unit);
}
