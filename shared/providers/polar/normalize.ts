// From Polar's pages to records, resource by resource; what was answered in full is claimed, as far back as Polar's lists reach.

import type * as z from 'zod';
import { addDays, utcDay } from '../../model/local-day.ts';
import type { MetricId } from '../../model/metrics.ts';
import { workoutDistances } from '../../model/workout-types.ts';
import { daysAsked } from '../days-asked.ts';
import { Gathering } from '../gathering.ts';
import type { Normalizer } from '../normalizer.ts';
import { pagesIn, type VendorPage } from '../pages.ts';
import { type ReadItem, readItems } from '../read-items.ts';
import { jsonIn } from '../vendor.ts';
import {
  gatherPolarActivities,
  gatherPolarOxygen,
  gatherPolarPhysical,
  gatherPolarSkinNights,
  gatherPolarTemperatures,
} from './daily.ts';
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
import { gatherPolarNights, type Nights } from './nights.ts';

/** Lists hold the last 28 days: the last of them may be cut. */
const daysListed = 26;

export const normalizePolar: Normalizer = (raw, facts) => {
  const { asked, pages } = pagesIn(raw);
  const gathering = new Gathering(facts);
  const days = daysAsked(asked, facts.timeZone);
  const whole = new Set<string>();
  const all = <Item>(resource: string, schema: z.ZodType<Item>, key?: string): ReadItem<Item>[] => {
    const read = itemsOf(gathering, pages, resource, schema, key);
    if (read.isWhole) whole.add(resource);
    return read.items;
  };

  const nights: Nights = {
    nights: all('sleep', PolarNight, 'nights'),
    recharges: all('recharge', PolarRecharge, 'recharges'),
    heartRates: all('heart_rate', PolarHeartRateDay, 'heart_rates'),
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
  gatherPolarSkinNights(gathering, all('skin_temperature', PolarSkinNight), days);
  gatherPolarPhysical(gathering, all('physical', PolarPhysical));

  if (asked) claim(gathering, whole, asked, facts.receivedMs);
  return gathering.result;
};

/** Stated totals and samples, by what they come from. */
const told: readonly (readonly [resource: string, daily: readonly MetricId[], samples: readonly MetricId[]])[] = [
  ['activities', ['steps', 'distance', 'active_calories', 'total_calories'], []],
  [
    'recharge',
    ['sleep_heart_rate', 'sleep_heart_rate_variability', 'sleep_respiratory_rate'],
    ['heart_rate_variability_rmssd'],
  ],
  // A release before stated the highest as well; what it stated is taken back.
  ['heart_rate', ['min_heart_rate', 'max_heart_rate'], ['heart_rate']],
  ['exercises', [], ['exercise', ...workoutDistances]],
  ['spo2', [], ['blood_oxygen']],
  ['body_temperature', [], ['body_temperature', 'skin_temperature']],
  ['skin_temperature', ['sleep_skin_temperature'], []],
];

function claim(
  gathering: Gathering,
  whole: ReadonlySet<string>,
  asked: { from: string; to: string },
  receivedMs: number,
): void {
  const listed = addDays(utcDay(receivedMs), -daysListed);
  const from = asked.from > listed ? asked.from : listed;
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

/** An empty text is none. `isWhole`: it was answered, and everything in it could be read. */
function itemsOf<Item>(
  gathering: Gathering,
  pages: readonly VendorPage[],
  resource: string,
  schema: z.ZodType<Item>,
  key: string | undefined,
): { items: ReadItem<Item>[]; isWhole: boolean } {
  const bodies = pages.filter((page) => page.resource === resource);
  const lists = bodies.map((page) => (page.text === '' ? [] : listIn(jsonIn(page), key)));
  const items = lists.flatMap((list, at) => {
    if (!list) gathering.reject(`${resource}.${at}`, 'invalid_record', 'This is not what Polar documents.');
    return readItems(gathering, `${resource}.${at}`, list, schema);
  });
  const isWhole = bodies.length > 0 && lists.every(Boolean) && lists.flat().length === items.length;
  return { items, isWhole };
}

/** A list, an object that holds it, or a single item. */
function listIn(json: unknown, key: string | undefined): unknown[] | undefined {
  if (Array.isArray(json)) return json;
  if (typeof json !== 'object' || json === null) return undefined;
  const held = key === undefined ? undefined : new Map(Object.entries(json)).get(key);
  if (Array.isArray(held)) return held;
  return Object.keys(json).some((name) => name !== key) ? [json] : [];
}
