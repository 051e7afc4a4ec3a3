// From Polar's pages to records, resource by resource; what was answered in full is claimed, as far back as Polar's lists reach.

import type * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { workoutDistances } from '../../catalog/workout-types.ts';
import { addDays, utcDay } from '../../platform/time/local-day.ts';
import { daysAsked } from '../kit/days-asked.ts';
import { Gathering } from '../kit/gathering.ts';
import type { Normalizer } from '../kit/normalizer.ts';
import { pagesIn, type VendorPage } from '../kit/pages.ts';
import { readItems } from '../kit/read-items.ts';
import { jsonIn } from '../kit/vendor.ts';
import { gatherPolarActivities, gatherPolarOxygen, gatherPolarPhysical, gatherPolarTemperatures } from './daily.ts';
import { gatherPolarExercises } from './exercises.ts';
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
import { gatherPolarNights, type Nights, type PolarList } from './nights.ts';

/** Lists hold the last 28 days: the last of them may be cut. */
const daysListed = 26;

export const normalizePolar: Normalizer = (raw, facts) => {
  const { asked, pages } = pagesIn(raw);
  const gathering = new Gathering(facts);
  const days = daysAsked(asked, facts.timeZone);
  const whole = new Set<string>();
  const listedFrom = addDays(utcDay(facts.receivedMs), -daysListed);
  const listed = <Item>(resource: string, schema: z.ZodType<Item>, key?: string): PolarList<Item> => {
    const list = listOf(gathering, pages, resource, schema, key);
    if (list.isWhole) whole.add(resource);
    return list;
  };
  const all = <Item>(resource: string, schema: z.ZodType<Item>) => listed(resource, schema).items;

  const nights: Nights = {
    nights: listed('sleep', PolarNight, 'nights'),
    recharges: listed('recharge', PolarRecharge, 'recharges'),
    skin: listed('skin_temperature', PolarSkinNight),
    heartRates: listed('heart_rate', PolarHeartRateDay, 'heart_rates'),
    listedFrom,
    zone: facts.timeZone,
    days,
  };
  gatherPolarNights(gathering, nights);
  gatherPolarActivities(gathering, all('activities', PolarActivity), days);
  const details = new Map(
    pages.flatMap(({ resource, of, text }) => (resource === 'exercise' && of ? [[of, text]] : [])),
  );
  gatherPolarExercises(gathering, all('exercises', PolarExercise), details, facts.timeZone, days);
  gatherPolarOxygen(gathering, all('spo2', PolarOxygenTest), days);
  gatherPolarTemperatures(gathering, all('body_temperature', PolarTemperatures), days);
  gatherPolarPhysical(gathering, all('physical', PolarPhysical));

  if (asked) claim(gathering, whole, asked, listedFrom);
  return gathering.result;
};

/**
 * Stated totals and samples, by what they come from. What goes with a night is stated only where
 * Polar tells none of that date.
 */
const told: readonly (readonly [resource: string, daily: readonly MetricId[], samples: readonly MetricId[]])[] = [
  ['activities', ['steps', 'distance', 'active_calories', 'total_calories'], []],
  [
    'recharge',
    ['sleep_heart_rate', 'sleep_heart_rate_variability', 'sleep_respiratory_rate'],
    ['heart_rate_variability_rmssd'],
  ],
  ['heart_rate', [], ['heart_rate', 'min_heart_rate']],
  ['exercises', [], ['exercise', ...workoutDistances]],
  ['spo2', [], ['blood_oxygen']],
  ['body_temperature', [], ['body_temperature', 'skin_temperature']],
  ['skin_temperature', ['sleep_skin_temperature'], []],
];

function claim(
  gathering: Gathering,
  whole: ReadonlySet<string>,
  asked: { from: string; to: string },
  listedFrom: string,
): void {
  const from = asked.from > listedFrom ? asked.from : listedFrom;
  const known = told.filter(([resource]) => whole.has(resource));
  if (from > asked.to || (known.length === 0 && !whole.has('sleep'))) return;
  gathering.covers({
    from,
    to: asked.to,
    ...(whole.has('sleep') ? { sleep: true } : {}),
    ...(whole.has('exercises') ? { workouts: true } : {}),
    daily: known.flatMap(([, daily]) => daily),
    samples: [
      ...known.flatMap(([, , samples]) => samples),
      // Both measure it: either alone is not everything.
      ...(whole.has('heart_rate') && whole.has('exercises') ? (['max_heart_rate'] as const) : []),
    ],
  });
}

/** An empty text is none. */
function listOf<Item>(
  gathering: Gathering,
  pages: readonly VendorPage[],
  resource: string,
  schema: z.ZodType<Item>,
  key: string | undefined,
): PolarList<Item> {
  const bodies = pages.filter((page) => page.resource === resource);
  const lists = bodies.map((page) => (page.text === '' ? [] : listIn(jsonIn(page), key)));
  const items = lists.flatMap((list, at) => {
    if (!list) gathering.reject(`${resource}.${at}`, 'invalid_record', 'This is not what Polar documents.');
    return readItems(gathering, `${resource}.${at}`, list, schema);
  });
  const isAnswered = bodies.length > 0;
  return { items, isAnswered, isWhole: isAnswered && lists.every(Boolean) && lists.flat().length === items.length };
}

/** A list, an object that holds it, or a single item. */
function listIn(json: unknown, key: string | undefined): unknown[] | undefined {
  if (Array.isArray(json)) return json;
  if (typeof json !== 'object' || json === null) return undefined;
  const held = key === undefined ? undefined : new Map(Object.entries(json)).get(key);
  if (Array.isArray(held)) return held;
  return Object.keys(json).some((name) => name !== key) ? [json] : [];
}
