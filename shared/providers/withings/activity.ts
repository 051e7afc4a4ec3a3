// Withings' daily totals.
import * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { withoutNoise } from '../../platform/arithmetic.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import { type Gathering, zeroIsNone } from '../kit/gathering.ts';
import type { VendorPage } from '../kit/pages.ts';
import { latestVersions, withingsItems, withingsNumber, withingsText } from './items.ts';

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

/** What other health stores have told Withings, and tell us themselves. */
const echoBrand = 18;

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

const ofTracker = ({ is_tracker }: Activity): string => (is_tracker === true ? 'tracker' : 'other');

export function gatherWithingsActivity(gathering: Gathering, pages: readonly VendorPage[], days: DaysAsked): void {
  const told = withingsItems(gathering, pages, { resource: 'activity', list: 'activities', schema: Activity }).filter(
    ({ item }) => item.brand !== echoBrand && days.holds(item.date),
  );
  const versions = latestVersions(told, (item) => `${item.date} ${ofTracker(item)}`);
  const tracked = new Set(versions.filter(({ item }) => ofTracker(item) === 'tracker').map(({ item }) => item.date));
  for (const { path, item } of versions) {
    // What a phone counted on a day that a watch was worn is the same walk again.
    if (ofTracker(item) === 'other' && tracked.has(item.date)) continue;
    const { date, calories, totalcalories } = item;
    gathering.zone(item.timezone, Date.parse(date));
    const say = (field: string, metric: MetricId, value: number | null | undefined, unit?: string): void =>
      gathering.daily(`${path}.${field}`, metric, date, value, unit);
    say('steps', 'steps', item.steps);
    say('distance', 'distance', item.distance, 'm');
    say('elevation', 'flights_climbed', item.elevation);
    say('active', 'exercise', item.active, 's');
    say('calories', 'active_calories', calories);
    say('totalcalories', 'total_calories', zeroIsNone(totalcalories));
    if (typeof calories === 'number' && typeof totalcalories === 'number' && totalcalories >= calories)
      say('totalcalories', 'resting_energy', zeroIsNone(withoutNoise(totalcalories - calories)));
    say('hr_min', 'min_heart_rate', zeroIsNone(item.hr_min));
    say('hr_max', 'max_heart_rate', zeroIsNone(item.hr_max));
  }
}
