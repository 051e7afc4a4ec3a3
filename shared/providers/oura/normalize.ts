// What Oura's documents come to.

import type * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { workoutDistances } from '../../catalog/workout-types.ts';
import type { Covered, HeartRatePoint } from '../../measurements/records.ts';
import { type DaysAsked, daysAsked } from '../kit/days-asked.ts';
import { Gathering, isHeartRate, zeroIsNone } from '../kit/gathering.ts';
import { gatherExtremes, type HeartBeat, heartRateExtremes } from '../kit/heart-rate-extremes.ts';
import type { Normalizer } from '../kit/normalizer.ts';
import { pagesIn, type VendorPage } from '../kit/pages.ts';
import { newestOfEach, type ReadItem, readResource } from '../kit/read-items.ts';
import { jsonIn } from '../kit/vendor.ts';
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
import { gatherNights } from './nights.ts';
import { gatherSessions, gatherWorkouts } from './workouts.ts';

const ofActivity = [
  'steps',
  'active_calories',
  'total_calories',
  'resting_energy',
  'distance',
  'exercise',
] as const satisfies MetricId[];

/** What each collection is all there is to know of. */
const covering: Readonly<Record<string, Omit<Covered, 'from' | 'to'>>> = {
  sleep: { sleep: true, samples: ['heart_rate_variability_rmssd'] },
  daily_activity: { daily: ofActivity },
  daily_spo2: { daily: ['sleep_blood_oxygen'] },
  vO2_max: { daily: ['vo2_max'] },
  heartrate: { samples: ['heart_rate', ...heartRateExtremes] },
  workout: { workouts: true, samples: workoutDistances },
  session: { samples: ['mindfulness'] },
};

export const normalizeOura: Normalizer = (raw, facts) => {
  const stored = pagesIn(raw);
  const gathering = new Gathering(facts);
  const days = daysAsked(stored.asked, facts.timeZone);
  const listIn = (page: VendorPage) => OuraPage.parse(jsonIn(page)).data;
  const read = <Item>(resource: string, schema: z.ZodType<Item>) =>
    readResource(gathering, stored.pages, { resource, listIn, schema });

  gatherNights(gathering, newest(read('sleep', OuraSleep), 'id'), days);
  gatherActivity(gathering, ofDays(newest(read('daily_activity', OuraActivity), 'day'), days));
  for (const { path, item } of ofDays(newest(read('daily_spo2', OuraOxygen), 'day'), days))
    gathering.daily(`${path}.spo2_percentage`, 'sleep_blood_oxygen', item.day, item.spo2_percentage?.average);
  for (const { path, item } of ofDays(newest(read('vO2_max', OuraVo2Max), 'day'), days))
    gathering.daily(`${path}.vo2_max`, 'vo2_max', item.day, item.vo2_max);
  const beats = gatherBeats(gathering, read('heartrate', OuraHeartRate), days);
  gatherWorkouts(gathering, newest(read('workout', OuraWorkout), 'id'), beats, days);
  gatherSessions(gathering, newest(read('session', OuraSession), 'id'), days);

  const { asked } = stored;
  if (asked)
    for (const resource of new Set(stored.pages.map((page) => page.resource)))
      if (covering[resource] && gathering.isWhole(resource))
        gathering.covers({ ...asked, ...covering[resource] }, Object.keys(covering));
  return gathering.result;
};

type Versioned = { meta?: { updated_at?: string | null | undefined } | null | undefined };

const newest = <Key extends 'id' | 'day', Item extends Versioned & Record<Key, string>>(
  items: readonly ReadItem<Item>[],
  key: Key,
): ReadItem<Item>[] =>
  newestOfEach(
    items,
    (item) => item[key],
    ({ meta }) => meta?.updated_at,
  );

const ofDays = <Item extends { day: string }>(items: readonly ReadItem<Item>[], { holds }: DaysAsked) =>
  items.filter(({ item }) => holds(item.day));

/** A ring that lay in a drawer all day has counted nothing, which is not the same as none. */
const wasWorn = ({ steps, active_calories, non_wear_time }: OuraActivity): boolean =>
  Boolean(steps || active_calories) || (non_wear_time ?? 0) < 23 * 3600;

function gatherActivity(gathering: Gathering, items: readonly ReadItem<OuraActivity>[]): void {
  for (const { path, item } of items) {
    if (!wasWorn(item)) continue;
    const { day, active_calories: active } = item;
    const total = zeroIsNone(item.total_calories);
    const { high_activity_time: high, medium_activity_time: medium } = item;
    gathering.daily(`${path}.steps`, 'steps', day, item.steps);
    gathering.daily(`${path}.active_calories`, 'active_calories', day, active);
    gathering.daily(`${path}.total_calories`, 'total_calories', day, total);
    if (typeof active === 'number' && total !== null && total >= active)
      gathering.daily(`${path}.total_calories`, 'resting_energy', day, total - active);
    gathering.daily(`${path}.equivalent_walking_distance`, 'distance', day, item.equivalent_walking_distance, 'm');
    if (typeof high === 'number' && typeof medium === 'number')
      gathering.daily(`${path}.high_activity_time`, 'exercise', day, high + medium, 's');
  }
}

/** Every reading that there is, and of the days asked for the samples with their extremes. Their stamps are in UTC and say nothing of where the person was. */
function gatherBeats(
  gathering: Gathering,
  items: readonly ReadItem<z.infer<typeof OuraHeartRate>>[],
  { holdsInstant }: DaysAsked,
): HeartRatePoint[] {
  const beats = items.flatMap(({ path, item: { bpm, timestamp } }): HeartBeat[] =>
    typeof bpm === 'number' ? [{ path: `${path}.bpm`, startMs: timestamp.ms, offsetMinutes: null, bpm }] : [],
  );
  const ofDays = beats.filter(({ startMs }) => holdsInstant(startMs));
  for (const { path, startMs, bpm } of ofDays) gathering.sample(path, 'heart_rate', { startMs }, bpm);
  gatherExtremes(gathering, ofDays);
  return beats.flatMap(({ startMs, bpm }) => (isHeartRate(bpm) ? [{ atMs: startMs, bpm }] : []));
}
