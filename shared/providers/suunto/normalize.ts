// Suunto's answers and pushes as records. A window says what it covers by the resources that were answered.
import * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import type { Covered } from '../../measurements/records.ts';
import { dateRuns, datesInRange } from '../../platform/time/local-day.ts';
import { type DaysAsked, daysAsked } from '../kit/days-asked.ts';
import { Gathering } from '../kit/gathering.ts';
import type { Normalizer, RawFacts } from '../kit/normalizer.ts';
import { type DayWindow, pagesIn, type VendorPage } from '../kit/pages.ts';
import { type ReadItem, readItems } from '../kit/read-items.ts';
import { jsonIn } from '../kit/vendor.ts';
import { SuuntoActivity, SuuntoSleep, SuuntoWorkout } from './items.ts';
import { gatherSuuntoActivity, suuntoActivityMetrics } from './normalize-activity.ts';
import { gatherSuuntoNights } from './normalize-sleep.ts';
import { gatherSuuntoStatistics, suuntoTotals } from './normalize-statistics.ts';
import { gatherSuuntoWorkouts, suuntoWorkoutMetrics } from './normalize-workouts.ts';

const Page = z.looseObject({ payload: z.array(z.unknown()) });

interface PageOf extends VendorPage {
  path: string;
}

export const normalizeSuunto: Normalizer = (raw, facts) => {
  const gathering = new Gathering(facts);
  const { asked, pages } = pagesIn(raw);
  const days = daysAsked(asked, facts.timeZone);
  const of = (resource: string): PageOf[] =>
    pages.flatMap((page, at) => (page.resource === resource ? [{ ...page, path: `pages.${at}` }] : []));
  const all = { sleep: of('sleep'), activity: of('activity'), statistics: of('statistics'), workouts: of('workouts') };

  const interim = gatherSuuntoNights(gathering, itemsOf(gathering, all.sleep, SuuntoSleep), days);
  const walked = gatherSuuntoActivity(gathering, itemsOf(gathering, all.activity, SuuntoActivity), days);
  for (const page of all.statistics) gatherTotals(gathering, page, { days, facts, walked });
  gatherSuuntoWorkouts(gathering, itemsOf(gathering, all.workouts, SuuntoWorkout), days);
  if (asked) claim(gathering, asked, all, interim);
  return gathering.result;
};

function itemsOf<Item>(gathering: Gathering, pages: readonly PageOf[], schema: z.ZodType<Item>): ReadItem<Item>[] {
  return pages.flatMap(({ path, text }) => {
    const json = jsonIn({ text });
    return readItems(gathering, path, Page.safeParse(json).data?.payload ?? json, schema);
  });
}

const gatherTotals = (
  gathering: Gathering,
  { path, text, of }: PageOf,
  { days, facts, walked }: { days: DaysAsked; facts: RawFacts; walked: ReadonlySet<string> },
): void =>
  gatherSuuntoStatistics(gathering, path, jsonIn({ text }), {
    zone: of ?? facts.timeZone,
    days,
    receivedMs: facts.receivedMs,
    walked,
  });

type Answered = Readonly<Record<'sleep' | 'activity' | 'statistics' | 'workouts', readonly PageOf[]>>;

function claim(gathering: Gathering, asked: DayWindow, answered: Answered, interim: ReadonlySet<string>): void {
  const has = (resource: keyof Answered): boolean =>
    answered[resource].length > 0 && answered[resource].every(({ path }) => gathering.isWhole(path));
  // Which totals are told depends on the days that the samples told of.
  const hasTotals = has('statistics') && answered.activity.every(({ path }) => gathering.isWhole(path));
  const when = (isAnswered: boolean, metrics: readonly MetricId[]) => (isAnswered ? metrics : []);
  const paths = Object.values(answered).flatMap((pages) => pages.map(({ path }) => path));
  if (paths.length === 0) return;
  const claimOf = (days: DayWindow, hasNights: boolean): Covered => ({
    ...days,
    ...(hasNights ? { sleep: true } : {}),
    ...(has('workouts') ? { workouts: true } : {}),
    daily: when(hasTotals, suuntoTotals),
    samples: [
      ...when(has('activity'), suuntoActivityMetrics),
      // The lowest heart rate comes from nights and from days.
      ...when(has('activity') && hasNights, ['min_heart_rate']),
      ...when(has('workouts'), suuntoWorkoutMetrics),
    ],
  });
  const dates = datesInRange(asked.from, asked.to);
  const whole = dateRuns(dates.filter((date) => !interim.has(date))).map((days) => claimOf(days, has('sleep')));
  const open = dateRuns(dates.filter((date) => interim.has(date))).map((days) => claimOf(days, false));
  for (const covered of [...whole, ...open]) gathering.covers(covered, paths);
}
