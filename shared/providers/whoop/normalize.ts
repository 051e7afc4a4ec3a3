// What WHOOP's records come to. They state no day: a sleep's is the local date of its end, and recoveries and cycles go with their sleep.

import type * as z from 'zod';
import { sumOf } from '../../model/arithmetic.ts';
import type { MetricId } from '../../model/metrics.ts';
import type { Covered } from '../../model/records.ts';
import { workoutDistances } from '../../model/workout-types.ts';
import { type DaysAsked, daysAsked } from '../days-asked.ts';
import { Gathering, isHeartRate, zeroIsNone } from '../gathering.ts';
import type { Normalizer } from '../normalizer.ts';
import { pagesIn, type VendorPage, type VendorPages } from '../pages.ts';
import { newestOfEach, type ReadItem, readResource } from '../read-items.ts';
import { jsonIn } from '../vendor.ts';
import { WhoopCycle, WhoopPage, WhoopRecovery, WhoopSleep, WhoopWorkout } from './items.ts';
import { type DatedSleep, gatherWhoopNight, gatherWhoopRecovery, gatherWhoopSleep, mainSleeps } from './nights.ts';
import { gatherWhoopWorkouts } from './workouts.ts';

const whoopLists = ['sleep', 'recovery', 'cycle', 'workout'];

const ofNight = ['sleep_respiratory_rate', 'sleep_efficiency'] as const satisfies MetricId[];
const ofRecovery = [
  'resting_heart_rate',
  'heart_rate_variability_rmssd',
  'sleep_heart_rate_variability',
  'sleep_blood_oxygen',
  'sleep_skin_temperature',
] as const satisfies MetricId[];
const ofCycle = ['total_calories', 'max_heart_rate'] as const satisfies MetricId[];

export const normalizeWhoop: Normalizer = (raw, facts) => {
  const stored = pagesIn(raw);
  const gathering = new Gathering(facts);
  const days = daysAsked(stored.asked, facts.timeZone);
  const listIn = (page: VendorPage) => WhoopPage.parse(jsonIn(page)).records;
  const read = <Item extends Versioned>(resource: string, schema: z.ZodType<Item>, keyOf: (item: Item) => string) =>
    newestOfEach(
      readResource(gathering, stored.pages, { resource, listIn, schema }),
      keyOf,
      ({ updated_at }) => updated_at,
    );

  const sleeps = read('sleep', WhoopSleep, ({ id }) => id).map((each) => ({
    ...each,
    date: days.dateOf(each.item.end, each.item.timezone_offset),
  }));
  const nights = mainSleeps(sleeps);
  for (const night of sleeps) if (days.holds(night.date)) gatherWhoopSleep(gathering, night);
  for (const night of nights.values()) if (days.holds(night.date)) gatherWhoopNight(gathering, night);
  const recoveries = read('recovery', WhoopRecovery, ({ sleep_id }) => sleep_id);
  for (const { path, item } of recoveries) {
    const night = sleeps.find((each) => each.item.id === item.sleep_id);
    if (night && days.holds(night.date) && nights.get(night.date) === night)
      gatherWhoopRecovery(gathering, path, night.date, item);
  }
  gatherCycles(
    gathering,
    read('cycle', WhoopCycle, ({ id }) => String(id)),
    sleeps,
    days,
  );
  gatherWhoopWorkouts(
    gathering,
    read('workout', WhoopWorkout, ({ id }) => id),
    days,
  );

  if (stored.asked)
    for (const covered of coveredBy(gathering, stored)) gathering.covers({ ...stored.asked, ...covered }, whoopLists);
  return gathering.result;
};

/** A recovery and a cycle are placed by their sleep: without the sleeps nothing is known of their days. */
function coveredBy(gathering: Gathering, { pages }: VendorPages): Omit<Covered, 'from' | 'to'>[] {
  const has = new Set(pages.flatMap(({ resource }) => (gathering.isWhole(resource) ? [resource] : [])));
  return [
    ...(has.has('sleep') ? [{ sleep: true, daily: ofNight } as const] : []),
    ...(has.has('sleep') && has.has('recovery') ? [{ daily: ofRecovery }] : []),
    ...(has.has('sleep') && has.has('cycle') ? [{ daily: ofCycle }] : []),
    ...(has.has('workout')
      ? [{ workouts: true, samples: ['exercise', 'mindfulness', ...workoutDistances] } as const]
      : []),
  ];
}

type Versioned = { updated_at?: string | null | undefined };

/** From one falling asleep to the next: its day is the one its main sleep ends on, else that of half a day after it began. */
function gatherCycles(
  gathering: Gathering,
  cycles: readonly ReadItem<WhoopCycle>[],
  sleeps: readonly DatedSleep[],
  { dateOf, holds }: DaysAsked,
): void {
  const main = new Map<string, DatedSleep>();
  for (const each of sleeps) {
    const cycle = String(each.item.cycle_id ?? '');
    const other = main.get(cycle);
    if (each.item.nap || (other && other.item.end - other.item.start >= each.item.end - each.item.start)) continue;
    main.set(cycle, each);
  }
  const byDate = Map.groupBy(
    cycles,
    ({ item }) => main.get(String(item.id))?.date ?? dateOf(item.start + 12 * 3_600_000, item.timezone_offset),
  );
  for (const [date, ofDay] of byDate) {
    const [first] = ofDay;
    if (!first || !holds(date)) continue;
    const burned = ofDay.flatMap(({ item }) => zeroIsNone(item.score?.kilojoule) ?? []);
    const highest = ofDay.flatMap(({ item }) => item.score?.max_heart_rate ?? []).filter(isHeartRate);
    if (burned.length > 0)
      gathering.daily(`${first.path}.score.kilojoule`, 'total_calories', date, sumOf(burned), 'kJ');
    if (highest.length > 0)
      gathering.daily(`${first.path}.score.max_heart_rate`, 'max_heart_rate', date, Math.max(...highest));
  }
}
