// Turns Suunto's responses and pushes into records. A window covers the resources that were
// answered.
import * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import type { CoveredRange } from '../../measurements/records.ts';
import { datesInRange, mergeDateRanges } from '../../platform/time/local-day.ts';
import type { NormalizeContext, Normalizer } from '../kit/normalizer.ts';
import { type DayWindow, type ProviderPage, parsePages } from '../kit/provider-pages.ts';
import { type ReadItem, readItems } from '../kit/read-items.ts';
import { RecordBuilder } from '../kit/record-builder.ts';
import { parseResponseJson } from '../kit/request-flow.ts';
import { createRequestedDays, type RequestedDays } from '../kit/requested-days.ts';
import { SuuntoActivity, SuuntoSleep, SuuntoWorkout } from './items.ts';
import { addSuuntoActivity, suuntoActivityMetrics } from './normalize-activity.ts';
import { addSuuntoNights } from './normalize-sleep.ts';
import { addSuuntoStatistics, suuntoDailyMetrics } from './normalize-statistics.ts';
import { addSuuntoWorkouts, suuntoWorkoutMetrics } from './normalize-workouts.ts';

const Page = z.looseObject({ payload: z.array(z.unknown()) });

interface IndexedPage extends ProviderPage {
  path: string;
}

export const normalizeSuunto: Normalizer = (raw, context) => {
  const builder = new RecordBuilder(context);
  const { requested, pages } = parsePages(raw);
  const days = createRequestedDays(requested, context.timeZone);
  const of = (resource: string): IndexedPage[] =>
    pages.flatMap((page, at) => (page.resource === resource ? [{ ...page, path: `pages.${at}` }] : []));
  const all = { sleep: of('sleep'), activity: of('activity'), statistics: of('statistics'), workouts: of('workouts') };

  const interim = addSuuntoNights(builder, readPageItems(builder, all.sleep, SuuntoSleep), days);
  const daysWithSteps = addSuuntoActivity(builder, readPageItems(builder, all.activity, SuuntoActivity), days);
  for (const page of all.statistics) addTotals(builder, page, { days, context, daysWithSteps });
  addSuuntoWorkouts(builder, readPageItems(builder, all.workouts, SuuntoWorkout), days);
  if (requested) claimSuuntoCoverage(builder, requested, all, interim);
  return builder.result;
};

function readPageItems<Item>(
  builder: RecordBuilder,
  pages: readonly IndexedPage[],
  schema: z.ZodType<Item>,
): ReadItem<Item>[] {
  return pages.flatMap(({ path, text }) => {
    const json = parseResponseJson({ text });
    return readItems(builder, path, Page.safeParse(json).data?.payload ?? json, schema);
  });
}

const addTotals = (
  builder: RecordBuilder,
  { path, text, parameter }: IndexedPage,
  {
    days,
    context,
    daysWithSteps,
  }: { days: RequestedDays; context: NormalizeContext; daysWithSteps: ReadonlySet<string> },
): void =>
  addSuuntoStatistics(builder, path, parseResponseJson({ text }), {
    zone: parameter ?? context.timeZone,
    days,
    receivedMs: context.receivedMs,
    daysWithSteps,
  });

type PagesByResource = Readonly<Record<'sleep' | 'activity' | 'statistics' | 'workouts', readonly IndexedPage[]>>;

function claimSuuntoCoverage(
  builder: RecordBuilder,
  requested: DayWindow,
  pagesByResource: PagesByResource,
  interim: ReadonlySet<string>,
): void {
  const has = (resource: keyof PagesByResource): boolean =>
    pagesByResource[resource].length > 0 && pagesByResource[resource].every(({ path }) => builder.isComplete(path));
  // Which totals are added depends on the days that have samples.
  const hasTotals = has('statistics') && pagesByResource.activity.every(({ path }) => builder.isComplete(path));
  const metricsIf = (isAnswered: boolean, metrics: readonly MetricId[]) => (isAnswered ? metrics : []);
  const paths = Object.values(pagesByResource).flatMap((pages) => pages.map(({ path }) => path));
  if (paths.length === 0) return;
  const buildCoverage = (days: DayWindow, hasNights: boolean): CoveredRange => ({
    ...days,
    ...(hasNights ? { sleep: true } : {}),
    ...(has('workouts') ? { workouts: true } : {}),
    daily: metricsIf(hasTotals, suuntoDailyMetrics),
    samples: [
      ...metricsIf(has('activity'), suuntoActivityMetrics),
      // The minimum heart rate comes from nights and from days.
      ...metricsIf(has('activity') && hasNights, ['min_heart_rate']),
      ...metricsIf(has('workouts'), suuntoWorkoutMetrics),
    ],
  });
  const dates = datesInRange(requested.from, requested.to);
  const completeRuns = mergeDateRanges(dates.filter((date) => !interim.has(date))).map((days) =>
    buildCoverage(days, has('sleep')),
  );
  const interimRuns = mergeDateRanges(dates.filter((date) => interim.has(date))).map((days) =>
    buildCoverage(days, false),
  );
  for (const covered of [...completeRuns, ...interimRuns]) builder.claimCoverage(covered, paths);
}
