// What WHOOP's records come to. They state no day: recoveries and cycles have no other than that of
// their sleep, and are told with it.

import type * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { workoutDistances } from '../../catalog/workout-types.ts';
import type { Covered } from '../../measurements/records.ts';
import { type DaysAsked, daysAsked } from '../kit/days-asked.ts';
import { Gathering } from '../kit/gathering.ts';
import type { Normalizer } from '../kit/normalizer.ts';
import { pagesIn, type VendorPage } from '../kit/pages.ts';
import { newestOfEach, readResource } from '../kit/read-items.ts';
import { jsonIn } from '../kit/vendor.ts';
import { WhoopCycle, WhoopPage, WhoopRecovery, WhoopSleep, WhoopWorkout } from './items.ts';
import { type BesideSleeps, cycleTellings, gatherWhoopSleep, mainSleepsOf } from './nights.ts';
import { gatherWhoopWorkouts } from './workouts.ts';

const whoopLists = ['sleep', 'recovery', 'cycle', 'workout'];

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

  const has = (resource: string): boolean =>
    stored.pages.some((page) => page.resource === resource) && gathering.isWhole(resource);
  const sleeps = read('sleep', WhoopSleep, ({ id }) => id);
  const recoveries = read('recovery', WhoopRecovery, ({ sleep_id }) => sleep_id);
  const cycles = read('cycle', WhoopCycle, ({ id }) => String(id));
  const beside: BesideSleeps = {
    recoveries: new Map(recoveries.map((each) => [each.item.sleep_id, each])),
    hasAllRecoveries: has('recovery'),
    cycles: new Map(cycles.map((each) => [String(each.item.id), each])),
    hasAllCycles: has('cycle'),
    mainSleeps: mainSleepsOf(sleeps),
  };
  for (const sleep of sleeps) if (days.holdsInstant(sleep.item.end)) gatherWhoopSleep(gathering, sleep, beside);
  // Where a sleep could not be read it may be the one that a cycle began with.
  if (gathering.isWhole('sleep')) gatherSleepless(gathering, beside, days);
  gatherWhoopWorkouts(
    gathering,
    read('workout', WhoopWorkout, ({ id }) => id),
    days,
  );

  if (stored.asked) for (const covered of coveredBy(has)) gathering.covers({ ...stored.asked, ...covered }, whoopLists);
  return gathering.result;
};

/** What a sleep tells goes with it. A cycle stands alone only where it is known that no sleep is its own. */
function coveredBy(has: (resource: string) => boolean): Omit<Covered, 'from' | 'to'>[] {
  return [
    ...(has('sleep') ? [{ sleep: true } as const] : []),
    ...(has('sleep') && has('cycle') ? [{ samples: ofCycle }] : []),
    ...(has('workout') ? [{ workouts: true, samples: ['exercise', 'mindfulness', ...workoutDistances] } as const] : []),
  ];
}

type Versioned = { updated_at?: string | null | undefined };

/** A cycle that no sleep was found for counts half a day after it began. */
function gatherSleepless(gathering: Gathering, { cycles, mainSleeps }: BesideSleeps, days: DaysAsked): void {
  for (const [id, { path, item }] of cycles) {
    const at = { startMs: item.start + 12 * 3_600_000, offsetMinutes: item.timezone_offset };
    if (mainSleeps.has(id) || !days.holdsInstant(at.startMs)) continue;
    for (const { path: place, metric, value, unit } of cycleTellings(`${path}.score`, item))
      gathering.sample(place, metric, at, value, unit);
  }
}
