// Turns Oura's documents into records.

import type * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { workoutDistanceMetrics } from '../../catalog/workout-types.ts';
import type { CoveredRange, HeartRatePoint } from '../../measurements/records.ts';
import { addHeartRateExtremes, type HeartRateReading, heartRateExtremeMetrics } from '../kit/heart-rate-extremes.ts';
import type { Normalizer } from '../kit/normalizer.ts';
import { type ProviderPage, parsePages } from '../kit/provider-pages.ts';
import { keepNewestPerKey, type ReadItem, readResource } from '../kit/read-items.ts';
import { isPlausibleHeartRate, RecordBuilder, zeroToNull } from '../kit/record-builder.ts';
import { parseResponseJson } from '../kit/request-flow.ts';
import { createRequestedDays, type RequestedDays } from '../kit/requested-days.ts';
import {
  OuraActivity,
  OuraHeartRate,
  OuraOxygen,
  OuraPage,
  OuraSession,
  OuraSleep,
  OuraVo2Max,
  OuraWorkout,
} from './items.ts';
import { addOuraNights } from './nights.ts';
import { addOuraSessions, addOuraWorkouts } from './workouts.ts';

const activityMetrics = [
  'steps',
  'active_calories',
  'total_calories',
  'resting_energy',
  'distance',
  'exercise',
] as const satisfies MetricId[];

/** What a complete response of each collection covers. */
const coverageByResource: Readonly<Record<string, Omit<CoveredRange, 'from' | 'to'>>> = {
  sleep: { sleep: true, samples: ['heart_rate_variability_rmssd'] },
  daily_activity: { daily: activityMetrics },
  daily_spo2: { daily: ['sleep_blood_oxygen'] },
  vO2_max: { daily: ['vo2_max'] },
  heartrate: { samples: ['heart_rate', ...heartRateExtremeMetrics] },
  workout: { workouts: true, samples: workoutDistanceMetrics },
  session: { samples: ['mindfulness'] },
};

export const normalizeOura: Normalizer = (raw, context) => {
  const stored = parsePages(raw);
  const builder = new RecordBuilder(context);
  const days = createRequestedDays(stored.requested, context.timeZone);
  const listIn = (page: ProviderPage) => OuraPage.parse(parseResponseJson(page)).data;
  const read = <Item>(resource: string, schema: z.ZodType<Item>) =>
    readResource(builder, stored.pages, { resource, listIn, schema });

  addOuraNights(builder, keepNewest(read('sleep', OuraSleep), 'id'), days);
  addActivity(builder, filterByDay(keepNewest(read('daily_activity', OuraActivity), 'day'), days));
  for (const { path, item } of filterByDay(keepNewest(read('daily_spo2', OuraOxygen), 'day'), days))
    builder.addDaily(`${path}.spo2_percentage`, 'sleep_blood_oxygen', item.day, item.spo2_percentage?.average);
  for (const { path, item } of filterByDay(keepNewest(read('vO2_max', OuraVo2Max), 'day'), days))
    builder.addDaily(`${path}.vo2_max`, 'vo2_max', item.day, item.vo2_max);
  const readings = addHeartRate(builder, read('heartrate', OuraHeartRate), days);
  addOuraWorkouts(builder, keepNewest(read('workout', OuraWorkout), 'id'), readings, days);
  addOuraSessions(builder, keepNewest(read('session', OuraSession), 'id'), days);

  const { requested } = stored;
  if (requested)
    for (const resource of new Set(stored.pages.map((page) => page.resource)))
      if (coverageByResource[resource] && builder.isComplete(resource))
        builder.claimCoverage({ ...requested, ...coverageByResource[resource] }, Object.keys(coverageByResource));
  return builder.result;
};

type Versioned = { meta?: { updated_at?: string | null | undefined } | null | undefined };

const keepNewest = <Key extends 'id' | 'day', Item extends Versioned & Record<Key, string>>(
  items: readonly ReadItem<Item>[],
  key: Key,
): ReadItem<Item>[] =>
  keepNewestPerKey(
    items,
    (item) => item[key],
    ({ meta }) => meta?.updated_at,
  );

const filterByDay = <Item extends { day: string }>(items: readonly ReadItem<Item>[], { includes }: RequestedDays) =>
  items.filter(({ item }) => includes(item.day));

/** A ring that was not worn all day counts nothing, which is not the same as zero. */
const wasWorn = ({ steps, active_calories, non_wear_time }: OuraActivity): boolean =>
  Boolean(steps || active_calories) || (non_wear_time ?? 0) < 23 * 3600;

function addActivity(builder: RecordBuilder, items: readonly ReadItem<OuraActivity>[]): void {
  for (const { path, item } of items) {
    if (!wasWorn(item)) continue;
    const { day, active_calories: active } = item;
    const total = zeroToNull(item.total_calories);
    const { high_activity_time: high, medium_activity_time: medium } = item;
    builder.addDaily(`${path}.steps`, 'steps', day, item.steps);
    builder.addDaily(`${path}.active_calories`, 'active_calories', day, active);
    builder.addDaily(`${path}.total_calories`, 'total_calories', day, total);
    if (typeof active === 'number' && total !== null && total >= active)
      builder.addDaily(`${path}.total_calories`, 'resting_energy', day, total - active);
    builder.addDaily(`${path}.equivalent_walking_distance`, 'distance', day, item.equivalent_walking_distance, 'm');
    if (typeof high === 'number' && typeof medium === 'number')
      builder.addDaily(`${path}.high_activity_time`, 'exercise', day, high + medium, 's');
  }
}

/**
 * Returns every reading, and adds those of the requested days as samples with their extremes. Their
 * timestamps are in UTC and do not tell where the user was.
 */
function addHeartRate(
  builder: RecordBuilder,
  items: readonly ReadItem<z.infer<typeof OuraHeartRate>>[],
  { includesInstant }: RequestedDays,
): HeartRatePoint[] {
  const readings = items.flatMap(({ path, item: { bpm, timestamp } }): HeartRateReading[] =>
    typeof bpm === 'number' ? [{ path: `${path}.bpm`, startMs: timestamp.ms, offsetMinutes: null, bpm }] : [],
  );
  const inRange = readings.filter(({ startMs }) => includesInstant(startMs));
  for (const { path, startMs, bpm } of inRange) builder.addSample(path, 'heart_rate', { startMs }, bpm);
  addHeartRateExtremes(builder, inRange);
  return readings.flatMap(({ startMs, bpm }) => (isPlausibleHeartRate(bpm) ? [{ atMs: startMs, bpm }] : []));
}
