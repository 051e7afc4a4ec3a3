// Turns COROS' responses and pushes into records. A window covers the days that COROS returned, as
// far back as its data reaches.
import * as z from 'zod';
import type { CoveredRange } from '../../measurements/records.ts';
import { datesInRange } from '../../platform/time/local-day.ts';
import type { Normalizer } from '../kit/normalizer.ts';
import { type DayWindow, type ProviderPage, parsePages } from '../kit/provider-pages.ts';
import { readItems } from '../kit/read-items.ts';
import { RecordBuilder } from '../kit/record-builder.ts';
import { createRequestedDays, expandToProviderDates } from '../kit/requested-days.ts';
import { CorosDay, CorosWorkout } from './items.ts';
import { addCorosDays, corosDayMetrics, corosHeartMetrics } from './normalize-days.ts';
import { addCorosWorkouts, corosWorkoutMetrics } from './normalize-workouts.ts';
import { parseCorosResponse } from './response.ts';

const DayLists = z.looseObject({ dailyList: z.array(z.unknown()) });

interface ReadList {
  path: string;
  list: unknown[];
  /** The first requested day; undefined if no coverage may be claimed. */
  from: string | undefined;
}

export const normalizeCoros: Normalizer = (raw, context) => {
  const builder = new RecordBuilder(context);
  const { requested, pages } = parsePages(raw);
  const days = createRequestedDays(requested, context.timeZone);
  const sport = readLists(pages, 'sport', (data) => (Array.isArray(data) ? data : undefined));
  const daily = readLists(pages, 'daily', (data) => DayLists.safeParse(data).data?.dailyList);
  const workouts = sport.flatMap(({ path, list }) => readItems(builder, path, list, CorosWorkout));
  const dayItems = daily.flatMap(({ path, list }) => readItems(builder, path, list, CorosDay));
  addCorosWorkouts(builder, workouts, days);
  addCorosDays(builder, dayItems, days, context.timeZone);
  const lists = [...sport, ...daily].map(({ path }) => path);
  const claimCoverage = (own: readonly ReadList[], covered: (window: DayWindow) => CoveredRange) => {
    const window = findCoveredWindow(requested, own, context.timeZone);
    if (window && own.every(({ path }) => builder.isComplete(path))) builder.claimCoverage(covered(window), lists);
  };
  claimCoverage(sport, (window) => ({ ...window, workouts: true, samples: corosWorkoutMetrics }));
  claimCoverage(daily, (window) => ({
    ...window,
    sleep: true,
    daily: corosDayMetrics,
    samples: corosHeartMetrics,
  }));
  return builder.result;
};

/**
 * If one of the lists cannot be read, the first day of the others is unknown, so nothing is
 * claimed.
 */
function readLists(
  pages: readonly ProviderPage[],
  resource: string,
  listIn: (data: unknown) => unknown[] | undefined,
): ReadList[] {
  const own = pages.flatMap((page, at) => (page.resource === resource ? [{ ...page, path: `pages.${at}` }] : []));
  const lists = own.flatMap(({ path, text, parameter }) => {
    const list = listIn(parseCorosResponse(text)?.data);
    return list ? [{ path, list, from: parameter }] : [];
  });
  return lists.length === own.length ? lists : lists.map((each) => ({ ...each, from: undefined }));
}

/**
 * The requested days, as far back as these lists reach. COROS may file a record under an earlier
 * date than its day.
 */
function findCoveredWindow(
  requested: DayWindow | null,
  lists: readonly ReadList[],
  zone: string | null,
): DayWindow | undefined {
  const first = lists.flatMap(({ from }) => from ?? []).sort()[0];
  if (!requested || first === undefined) return undefined;
  const from = datesInRange(requested.from, requested.to).find(
    (date) => expandToProviderDates({ from: date, to: date }, zone).from >= first,
  );
  return from === undefined ? undefined : { from, to: requested.to };
}
