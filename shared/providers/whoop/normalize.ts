// Turns WHOOP's records into our records. They have no date: recoveries and cycles belong to the
// day of their sleep, and are added with it.

import type * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { workoutDistanceMetrics } from '../../catalog/workout-types.ts';
import type { CoveredRange } from '../../measurements/records.ts';
import type { Normalizer } from '../kit/normalizer.ts';
import { type ProviderPage, parsePages } from '../kit/provider-pages.ts';
import { keepNewestPerKey, readResource } from '../kit/read-items.ts';
import { RecordBuilder } from '../kit/record-builder.ts';
import { parseResponseJson } from '../kit/request-flow.ts';
import { createRequestedDays, type RequestedDays } from '../kit/requested-days.ts';
import { WhoopCycle, WhoopPage, WhoopRecovery, WhoopSleep, WhoopWorkout } from './items.ts';
import { addWhoopSleep, cycleValues, type SleepContext, selectMainSleeps } from './nights.ts';
import { addWhoopWorkouts } from './workouts.ts';

const whoopLists = ['sleep', 'recovery', 'cycle', 'workout'];

const cycleMetrics = ['total_calories', 'max_heart_rate'] as const satisfies MetricId[];

export const normalizeWhoop: Normalizer = (raw, context) => {
  const stored = parsePages(raw);
  const builder = new RecordBuilder(context);
  const days = createRequestedDays(stored.requested, context.timeZone);
  const listIn = (page: ProviderPage) => WhoopPage.parse(parseResponseJson(page)).records;
  const read = <Item extends Versioned>(resource: string, schema: z.ZodType<Item>, keyOf: (item: Item) => string) =>
    keepNewestPerKey(
      readResource(builder, stored.pages, { resource, listIn, schema }),
      keyOf,
      ({ updated_at }) => updated_at,
    );

  const has = (resource: string): boolean =>
    stored.pages.some((page) => page.resource === resource) && builder.isComplete(resource);
  const sleeps = read('sleep', WhoopSleep, ({ id }) => id);
  const recoveries = read('recovery', WhoopRecovery, ({ sleep_id }) => sleep_id);
  const cycles = read('cycle', WhoopCycle, ({ id }) => String(id));
  const sleepContext: SleepContext = {
    recoveries: new Map(recoveries.map((each) => [each.item.sleep_id, each])),
    hasAllRecoveries: has('recovery'),
    cycles: new Map(cycles.map((each) => [String(each.item.id), each])),
    hasAllCycles: has('cycle'),
    mainSleeps: selectMainSleeps(sleeps),
  };
  for (const sleep of sleeps) if (days.includesInstant(sleep.item.end)) addWhoopSleep(builder, sleep, sleepContext);
  // A sleep that could not be read may be the one that a cycle began with.
  if (builder.isComplete('sleep')) addCyclesWithoutSleep(builder, sleepContext, days);
  addWhoopWorkouts(
    builder,
    read('workout', WhoopWorkout, ({ id }) => id),
    days,
  );

  if (stored.requested)
    for (const covered of listCoverage(has)) builder.claimCoverage({ ...stored.requested, ...covered }, whoopLists);
  return builder.result;
};

/**
 * The values of a sleep are covered with it. A cycle is added alone only if it is known to have no
 * sleep.
 */
function listCoverage(has: (resource: string) => boolean): Omit<CoveredRange, 'from' | 'to'>[] {
  return [
    ...(has('sleep') ? [{ sleep: true } as const] : []),
    ...(has('sleep') && has('cycle') ? [{ samples: cycleMetrics }] : []),
    ...(has('workout')
      ? [{ workouts: true, samples: ['exercise', 'mindfulness', ...workoutDistanceMetrics] } as const]
      : []),
  ];
}

type Versioned = { updated_at?: string | null | undefined };

/** A cycle without a sleep counts half a day after its start. */
function addCyclesWithoutSleep(
  builder: RecordBuilder,
  { cycles, mainSleeps }: SleepContext,
  days: RequestedDays,
): void {
  for (const [id, { path, item }] of cycles) {
    const at = { startMs: item.start + 12 * 3_600_000, offsetMinutes: item.timezone_offset };
    if (mainSleeps.has(id) || !days.includesInstant(at.startMs)) continue;
    for (const { path: itemPath, metric, value, unit } of cycleValues(`${path}.score`, item))
      builder.addSample(itemPath, metric, at, value, unit);
  }
}
