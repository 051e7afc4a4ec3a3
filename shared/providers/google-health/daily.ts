// What Google Health says of whole days: totals of its devices together, and values of the night or of rest.
import * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { withoutNoise } from '../../platform/arithmetic.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import type { Gathering, Maybe } from '../kit/gathering.ts';
import type { VendorPage } from '../kit/pages.ts';
import { dailyPointMetrics, rollupPage, rollupTypes } from './data-types.ts';
import { GoogleDate, GoogleNumber, googleValues } from './points.ts';

const OfDay = z.looseObject({ civilStartTime: z.looseObject({ date: GoogleDate }) });

const Sums = z.looseObject({
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
type Sums = z.infer<typeof Sums>;

/** A day that was counted and came to nothing has no number. */
const orZero = (value: Maybe): number => value ?? 0;

/** Light activity is no exercise. */
const exerciseMinutes = ({ activeMinutesRollupByActivityLevel: levels }: Sums): number =>
  (levels ?? [])
    .filter(({ activityLevel }) => activityLevel === 'MODERATE' || activityLevel === 'VIGOROUS')
    .reduce((sum, { activeMinutesSum }) => sum + orZero(activeMinutesSum), 0);

interface Total {
  metric: MetricId;
  unit?: string;
  of(sums: Sums): Maybe;
}

const totals: Readonly<Record<(typeof rollupTypes)[number], readonly Total[]>> = {
  steps: [{ metric: 'steps', of: ({ countSum }) => orZero(countSum) }],
  distance: [{ metric: 'distance', unit: 'mm', of: ({ millimetersSum }) => orZero(millimetersSum) }],
  floors: [{ metric: 'flights_climbed', of: ({ countSum }) => orZero(countSum) }],
  'active-energy-burned': [{ metric: 'active_calories', of: ({ kcalSum }) => orZero(kcalSum) }],
  // Nobody burns nothing.
  'total-calories': [{ metric: 'total_calories', of: ({ kcalSum }) => kcalSum || null }],
  'active-minutes': [{ metric: 'exercise', of: exerciseMinutes }],
  'heart-rate': [
    { metric: 'min_heart_rate', of: ({ beatsPerMinuteMin }) => beatsPerMinuteMin },
    { metric: 'max_heart_rate', of: ({ beatsPerMinuteMax }) => beatsPerMinuteMax },
  ],
};

export function gatherGoogleTotals(gathering: Gathering, pages: readonly VendorPage[], days: DaysAsked): void {
  const energy = new Map<string, Partial<Record<MetricId, number>>>();
  for (const type of rollupTypes)
    for (const { path, point, value } of googleValues(gathering, pages, {
      resource: rollupPage(type),
      type,
      schema: Sums,
    })) {
      const date = OfDay.safeParse(point).data?.civilStartTime.date;
      if (date === undefined) gathering.reject(path, 'invalid_time', 'A total has the day that it is of.');
      if (date === undefined || !days.holds(date)) continue;
      for (const { metric, unit, of } of totals[type]) {
        const total = of(value);
        gathering.daily(path, metric, date, total, unit);
        if (typeof total === 'number') energy.set(date, { ...energy.get(date), [metric]: total });
      }
    }
  for (const [date, { total_calories: all, active_calories: active }] of energy)
    if (all !== undefined && active !== undefined && all > active)
      gathering.daily(rollupPage('total-calories'), 'resting_energy', date, withoutNoise(all - active));
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

export function gatherGoogleDaily(gathering: Gathering, pages: readonly VendorPage[], days: DaysAsked): void {
  for (const [type, metric] of Object.entries(dailyPointMetrics))
    for (const { path, value } of googleValues(gathering, pages, { resource: type, schema: Daily })) {
      if (!days.holds(value.date)) continue;
      const stated =
        value.beatsPerMinute ??
        value.averageHeartRateVariabilityMilliseconds ??
        value.averagePercentage ??
        value.breathsPerMinute ??
        value.nightlyTemperatureCelsius ??
        value.vo2Max;
      gathering.daily(path, metric, value.date, stated);
    }
}
