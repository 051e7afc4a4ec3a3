// Withings' daily totals.
import * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { removeFloatNoise } from '../../platform/arithmetic.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import { type RecordBuilder, zeroToNull } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import { keepLatestVersions, readWithingsItems, withingsNumber, withingsText } from './items.ts';

const Activity = z.looseObject({
  date: z.string(),
  timezone: withingsText,
  steps: withingsNumber,
  distance: withingsNumber,
  elevation: withingsNumber,
  active: withingsNumber,
  calories: withingsNumber,
  totalcalories: withingsNumber,
  hr_min: withingsNumber,
  hr_max: withingsNumber,
  brand: withingsNumber,
  is_tracker: z.boolean().nullish().catch(null),
  modified: withingsNumber,
});
type Activity = z.infer<typeof Activity>;

/** Data that Withings imported from other health stores, which send it to us themselves. */
const importedBrand = 18;

export const withingsActivityMetrics = [
  'steps',
  'distance',
  'flights_climbed',
  'exercise',
  'active_calories',
  'total_calories',
  'resting_energy',
  'min_heart_rate',
  'max_heart_rate',
] as const satisfies MetricId[];

const trackerKind = ({ is_tracker }: Activity): string => (is_tracker === true ? 'tracker' : 'other');

export function addWithingsActivity(builder: RecordBuilder, pages: readonly ProviderPage[], days: RequestedDays): void {
  const items = readWithingsItems(builder, pages, {
    resource: 'activity',
    list: 'activities',
    schema: Activity,
  }).filter(({ item }) => item.brand !== importedBrand && days.includes(item.date));
  const versions = keepLatestVersions(items, (item) => `${item.date} ${trackerKind(item)}`);
  const trackedDates = new Set(
    versions.filter(({ item }) => trackerKind(item) === 'tracker').map(({ item }) => item.date),
  );
  for (const { path, item } of versions) {
    // If a watch was worn on that day, the phone counted the same steps again.
    if (trackerKind(item) === 'other' && trackedDates.has(item.date)) continue;
    const { date, calories, totalcalories } = item;
    builder.setZone(item.timezone, Date.parse(date));
    const addDailyValue = (field: string, metric: MetricId, value: number | null | undefined, unit?: string): void =>
      builder.addDaily(`${path}.${field}`, metric, date, value, unit);
    addDailyValue('steps', 'steps', item.steps);
    addDailyValue('distance', 'distance', item.distance, 'm');
    addDailyValue('elevation', 'flights_climbed', item.elevation);
    addDailyValue('active', 'exercise', item.active, 's');
    addDailyValue('calories', 'active_calories', calories);
    addDailyValue('totalcalories', 'total_calories', zeroToNull(totalcalories));
    if (typeof calories === 'number' && typeof totalcalories === 'number' && totalcalories >= calories)
      addDailyValue('totalcalories', 'resting_energy', zeroToNull(removeFloatNoise(totalcalories - calories)));
    addDailyValue('hr_min', 'min_heart_rate', zeroToNull(item.hr_min));
    addDailyValue('hr_max', 'max_heart_rate', zeroToNull(item.hr_max));
  }
}
