// Turns Polar's pages into records, resource by resource. Complete responses are claimed as
// covered, as far back as Polar's lists reach.

import type * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { workoutDistanceMetrics } from '../../catalog/workout-types.ts';
import { addDays, utcDay } from '../../platform/time/local-day.ts';
import type { Normalizer } from '../kit/normalizer.ts';
import { type ProviderPage, parsePages } from '../kit/provider-pages.ts';
import { readItems } from '../kit/read-items.ts';
import { RecordBuilder } from '../kit/record-builder.ts';
import { parseResponseJson } from '../kit/request-flow.ts';
import { createRequestedDays } from '../kit/requested-days.ts';
import { addPolarActivities, addPolarOxygen, addPolarPhysical, addPolarTemperatures } from './daily.ts';
import { addPolarExercises } from './exercises.ts';
import {
  PolarActivity,
  PolarExercise,
  PolarHeartRateDay,
  PolarNight,
  PolarOxygenTest,
  PolarPhysical,
  PolarRecharge,
  PolarSkinNight,
  PolarTemperatures,
} from './items.ts';
import { addPolarNights, type PolarList, type PolarNightLists } from './nights.ts';

/** Lists hold the last 28 days, of which the last may be incomplete. */
const listedDays = 26;

export const normalizePolar: Normalizer = (raw, context) => {
  const { requested, pages } = parsePages(raw);
  const builder = new RecordBuilder(context);
  const days = createRequestedDays(requested, context.timeZone);
  const completeResources = new Set<string>();
  const listedFrom = addDays(utcDay(context.receivedMs), -listedDays);
  const readList = <Item>(resource: string, schema: z.ZodType<Item>, key?: string): PolarList<Item> => {
    const list = readPolarList(builder, pages, resource, schema, key);
    if (list.isComplete) completeResources.add(resource);
    return list;
  };
  const all = <Item>(resource: string, schema: z.ZodType<Item>) => readList(resource, schema).items;

  const nights: PolarNightLists = {
    nights: readList('sleep', PolarNight, 'nights'),
    recharges: readList('recharge', PolarRecharge, 'recharges'),
    skin: readList('skin_temperature', PolarSkinNight),
    heartRates: readList('heart_rate', PolarHeartRateDay, 'heart_rates'),
    listedFrom,
    zone: context.timeZone,
    days,
  };
  addPolarNights(builder, nights);
  addPolarActivities(builder, all('activities', PolarActivity), days);
  const details = new Map(
    pages.flatMap(({ resource, parameter: exerciseId, text }) =>
      resource === 'exercise' && exerciseId ? [[exerciseId, text]] : [],
    ),
  );
  addPolarExercises(builder, all('exercises', PolarExercise), details, context.timeZone, days);
  addPolarOxygen(builder, all('spo2', PolarOxygenTest), days);
  addPolarTemperatures(builder, all('body_temperature', PolarTemperatures), days);
  addPolarPhysical(builder, all('physical', PolarPhysical));

  if (requested) claimPolarCoverage(builder, completeResources, requested, listedFrom);
  return builder.result;
};

/**
 * Daily totals and samples, by resource. The values of a night are daily totals only if Polar
 * reports no night for that date.
 */
const metricsByResource: readonly (readonly [
  resource: string,
  daily: readonly MetricId[],
  samples: readonly MetricId[],
])[] = [
  ['activities', ['steps', 'distance', 'active_calories', 'total_calories'], []],
  [
    'recharge',
    ['sleep_heart_rate', 'sleep_heart_rate_variability', 'sleep_respiratory_rate'],
    ['heart_rate_variability_rmssd'],
  ],
  ['heart_rate', [], ['heart_rate', 'min_heart_rate']],
  ['exercises', [], ['exercise', ...workoutDistanceMetrics]],
  ['spo2', [], ['blood_oxygen']],
  ['body_temperature', [], ['body_temperature', 'skin_temperature']],
  ['skin_temperature', ['sleep_skin_temperature'], []],
];

function claimPolarCoverage(
  builder: RecordBuilder,
  completeResources: ReadonlySet<string>,
  requested: { from: string; to: string },
  listedFrom: string,
): void {
  const from = requested.from > listedFrom ? requested.from : listedFrom;
  const covered = metricsByResource.filter(([resource]) => completeResources.has(resource));
  if (from > requested.to || (covered.length === 0 && !completeResources.has('sleep'))) return;
  builder.claimCoverage({
    from,
    to: requested.to,
    ...(completeResources.has('sleep') ? { sleep: true } : {}),
    ...(completeResources.has('exercises') ? { workouts: true } : {}),
    daily: covered.flatMap(([, daily]) => daily),
    samples: [
      ...covered.flatMap(([, , samples]) => samples),
      // Both resources measure it, so one alone is incomplete.
      ...(completeResources.has('heart_rate') && completeResources.has('exercises')
        ? (['max_heart_rate'] as const)
        : []),
    ],
  });
}

/** An empty text means that there are no items. */
function readPolarList<Item>(
  builder: RecordBuilder,
  pages: readonly ProviderPage[],
  resource: string,
  schema: z.ZodType<Item>,
  key: string | undefined,
): PolarList<Item> {
  const bodies = pages.filter((page) => page.resource === resource);
  const lists = bodies.map((page) => (page.text === '' ? [] : extractList(parseResponseJson(page), key)));
  const items = lists.flatMap((list, at) => {
    if (!list)
      builder.reject(`${resource}.${at}`, 'invalid_record', "The response does not match Polar's documentation.");
    return readItems(builder, `${resource}.${at}`, list, schema);
  });
  const hasResponse = bodies.length > 0;
  return {
    items,
    hasResponse,
    isComplete: hasResponse && lists.every(Boolean) && lists.flat().length === items.length,
  };
}

/** A list, an object that holds it, or a single item. */
function extractList(json: unknown, key: string | undefined): unknown[] | undefined {
  if (Array.isArray(json)) return json;
  if (typeof json !== 'object' || json === null) return undefined;
  const nested = key === undefined ? undefined : new Map(Object.entries(json)).get(key);
  if (Array.isArray(nested)) return nested;
  return Object.keys(json).some((name) => name !== key) ? [json] : [];
}
