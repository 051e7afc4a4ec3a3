// Google Health's daily values: totals merged from all devices, and values of the night or at rest.
import * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { removeFloatNoise } from '../../platform/arithmetic.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import type { OptionalNumber, RecordBuilder } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import { dailyPointMetrics, rollupPageName, rollupTypes } from './data-types.ts';
import { GoogleDate, GoogleNumber, readGoogleValues } from './points.ts';

const DatedPoint = z.looseObject({ civilStartTime: z.looseObject({ date: GoogleDate }) });

const RollupSums = z.looseObject({
  countSum: GoogleNumber,
  millimetersSum: GoogleNumber,
  kcalSum: GoogleNumber,
  beatsPerMinuteMin: GoogleNumber,
  beatsPerMinuteMax: GoogleNumber,
  activeMinutesRollupByActivityLevel: z
    .array(z.looseObject({ activityLevel: z.string().nullish(), activeMinutesSum: GoogleNumber }))
    .nullish()
    .catch(null),
});
type RollupSums = z.infer<typeof RollupSums>;

/** Google omits the number if a day's total is zero. */
const nullToZero = (value: OptionalNumber): number => value ?? 0;

/** Light activity does not count as exercise. */
const sumExerciseMinutes = ({ activeMinutesRollupByActivityLevel: levels }: RollupSums): number =>
  (levels ?? [])
    .filter(({ activityLevel }) => activityLevel === 'MODERATE' || activityLevel === 'VIGOROUS')
    .reduce((sum, { activeMinutesSum }) => sum + nullToZero(activeMinutesSum), 0);

interface TotalMapping {
  metric: MetricId;
  unit?: string;
  read(sums: RollupSums): OptionalNumber;
}

const totals: Readonly<Record<(typeof rollupTypes)[number], readonly TotalMapping[]>> = {
  steps: [{ metric: 'steps', read: ({ countSum }) => nullToZero(countSum) }],
  distance: [{ metric: 'distance', unit: 'mm', read: ({ millimetersSum }) => nullToZero(millimetersSum) }],
  floors: [{ metric: 'flights_climbed', read: ({ countSum }) => nullToZero(countSum) }],
  'active-energy-burned': [{ metric: 'active_calories', read: ({ kcalSum }) => nullToZero(kcalSum) }],
  // Total calories are never zero, so zero means missing.
  'total-calories': [{ metric: 'total_calories', read: ({ kcalSum }) => kcalSum || null }],
  'active-minutes': [{ metric: 'exercise', read: sumExerciseMinutes }],
  'heart-rate': [
    { metric: 'min_heart_rate', read: ({ beatsPerMinuteMin }) => beatsPerMinuteMin },
    { metric: 'max_heart_rate', read: ({ beatsPerMinuteMax }) => beatsPerMinuteMax },
  ],
};

export function addGoogleTotals(builder: RecordBuilder, pages: readonly ProviderPage[], days: RequestedDays): void {
  const energy = new Map<string, Partial<Record<MetricId, number>>>();
  for (const type of rollupTypes)
    for (const { path, point, value } of readGoogleValues(builder, pages, {
      resource: rollupPageName(type),
      type,
      schema: RollupSums,
    })) {
      const date = DatedPoint.safeParse(point).data?.civilStartTime.date;
      if (date === undefined) builder.reject(path, 'invalid_time', 'A daily total must have a date.');
      if (date === undefined || !days.includes(date)) continue;
      for (const { metric, unit, read } of totals[type]) {
        const total = read(value);
        builder.addDaily(path, metric, date, total, unit);
        if (typeof total === 'number') energy.set(date, { ...energy.get(date), [metric]: total });
      }
    }
  for (const [date, { total_calories: all, active_calories: active }] of energy)
    if (all !== undefined && active !== undefined && all > active)
      builder.addDaily(rollupPageName('total-calories'), 'resting_energy', date, removeFloatNoise(all - active));
}

const Daily = z.looseObject({
  date: GoogleDate,
  beatsPerMinute: GoogleNumber,
  averageHeartRateVariabilityMilliseconds: GoogleNumber,
  averagePercentage: GoogleNumber,
  breathsPerMinute: GoogleNumber,
  nightlyTemperatureCelsius: GoogleNumber,
  vo2Max: GoogleNumber,
});

export function addGoogleDaily(builder: RecordBuilder, pages: readonly ProviderPage[], days: RequestedDays): void {
  for (const [type, metric] of Object.entries(dailyPointMetrics))
    for (const { path, value } of readGoogleValues(builder, pages, { resource: type, schema: Daily })) {
      if (!days.includes(value.date)) continue;
      const dailyValue =
        value.beatsPerMinute ??
        value.averageHeartRateVariabilityMilliseconds ??
        value.averagePercentage ??
        value.breathsPerMinute ??
        value.nightlyTemperatureCelsius ??
        value.vo2Max;
      builder.addDaily(path, metric, value.date, dailyValue);
    }
}
