// COROS' answers and pushes as records. A window covers the days that were answered, as far back as there are any.
import * as z from 'zod';
import type { Covered } from '../../measurements/records.ts';
import { datesInRange } from '../../platform/time/local-day.ts';
import { datesOfVendor, daysAsked } from '../kit/days-asked.ts';
import { Gathering } from '../kit/gathering.ts';
import type { Normalizer } from '../kit/normalizer.ts';
import { type DayWindow, pagesIn, type VendorPage } from '../kit/pages.ts';
import { readItems } from '../kit/read-items.ts';
import { CorosDay, CorosWorkout } from './items.ts';
import { corosBeatMetrics, corosDayMetrics, gatherCorosDays } from './normalize-days.ts';
import { corosWorkoutMetrics, gatherCorosWorkouts } from './normalize-workouts.ts';
import { corosReply } from './reply.ts';

const DayLists = z.looseObject({ dailyList: z.array(z.unknown()) });

interface ListOf {
  path: string;
  list: unknown[];
  /** The first day that was asked for; undefined where nothing may be claimed. */
  from: string | undefined;
}

export const normalizeCoros: Normalizer = (raw, facts) => {
  const gathering = new Gathering(facts);
  const { asked, pages } = pagesIn(raw);
  const days = daysAsked(asked, facts.timeZone);
  const sport = listsOf(pages, 'sport', (data) => (Array.isArray(data) ? data : undefined));
  const daily = listsOf(pages, 'daily', (data) => DayLists.safeParse(data).data?.dailyList);
  const workouts = sport.flatMap(({ path, list }) => readItems(gathering, path, list, CorosWorkout));
  const dayItems = daily.flatMap(({ path, list }) => readItems(gathering, path, list, CorosDay));
  gatherCorosWorkouts(gathering, workouts, days);
  gatherCorosDays(gathering, dayItems, days, facts.timeZone);
  const lists = [...sport, ...daily].map(({ path }) => path);
  const claim = (own: readonly ListOf[], covered: (window: DayWindow) => Covered) => {
    const window = windowOf(asked, own, facts.timeZone);
    if (window && own.every(({ path }) => gathering.isWhole(path))) gathering.covers(covered(window), lists);
  };
  claim(sport, (window) => ({ ...window, workouts: true, samples: corosWorkoutMetrics }));
  claim(daily, (window) => ({
    ...window,
    sleep: true,
    daily: corosDayMetrics,
    samples: corosBeatMetrics,
  }));
  return gathering.result;
};

/** Where one of them cannot be read, nothing is known of when the others begin: then nothing is claimed. */
function listsOf(
  pages: readonly VendorPage[],
  resource: string,
  listIn: (data: unknown) => unknown[] | undefined,
): ListOf[] {
  const own = pages.flatMap((page, at) => (page.resource === resource ? [{ ...page, path: `pages.${at}` }] : []));
  const lists = own.flatMap(({ path, text, of }) => {
    const list = listIn(corosReply(text)?.data);
    return list ? [{ path, list, from: of }] : [];
  });
  return lists.length === own.length ? lists : lists.map((each) => ({ ...each, from: undefined }));
}

/** The days asked for, as far back as these lists reach: what happened on one may be filed under a date before. */
function windowOf(asked: DayWindow | null, lists: readonly ListOf[], zone: string | null): DayWindow | undefined {
  const first = lists.flatMap(({ from }) => from ?? []).sort()[0];
  if (!asked || first === undefined) return undefined;
  const from = datesInRange(asked.from, asked.to).find(
    (date) => datesOfVendor({ from: date, to: date }, zone).from >= first,
  );
  return from === undefined ? undefined : { from, to: asked.to };
}
