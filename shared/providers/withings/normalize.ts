// Withings' answers as records.
import type { MetricId } from '../../catalog/metrics.ts';
import { workoutDistances } from '../../catalog/workout-types.ts';
import type { Covered } from '../../measurements/records.ts';
import { daysAsked } from '../kit/days-asked.ts';
import { Gathering } from '../kit/gathering.ts';
import type { Normalizer } from '../kit/normalizer.ts';
import { type DayWindow, pagesIn, type VendorPage } from '../kit/pages.ts';
import { gatherWithingsActivity, withingsActivityMetrics } from './activity.ts';
import { gatherWithingsIntraday, intradayWindow, withingsIntradayMetrics } from './intraday.ts';
import { gatherWithingsMeasures, withingsMeasureMetrics } from './measures.ts';
import { gatherWithingsSleep } from './sleep.ts';
import { gatherWithingsWorkouts } from './workouts.ts';

const withingsLists = ['activity', 'sleep', 'workouts', 'measures', 'intraday'];

/** Two resources measure these; either alone is not everything. */
const inBoth: readonly MetricId[] = withingsMeasureMetrics.filter((metric) =>
  withingsIntradayMetrics.some((other) => other === metric),
);
const without = (metrics: readonly MetricId[], others: readonly MetricId[]): MetricId[] =>
  metrics.filter((metric) => !others.includes(metric));

function claim(gathering: Gathering, pages: readonly VendorPage[], asked: DayWindow, zone: string | null): void {
  const has = (resource: string): boolean =>
    pages.some((page) => page.resource === resource) && gathering.isWhole(resource);
  const covered: Covered = {
    ...asked,
    ...(has('sleep') ? { sleep: true } : {}),
    ...(has('workouts') ? { workouts: true } : {}),
    daily: has('activity') ? withingsActivityMetrics : [],
    samples: [
      ...(has('workouts') ? workoutDistances : []),
      ...(has('measures') ? without(withingsMeasureMetrics, withingsIntradayMetrics) : []),
    ],
  };
  gathering.covers(covered, withingsLists);
  const measuredDays = has('intraday') ? intradayWindow(pages, asked, zone) : undefined;
  if (!measuredDays) return;
  const samples = has('measures') ? withingsIntradayMetrics : without(withingsIntradayMetrics, inBoth);
  gathering.covers({ ...measuredDays, samples }, withingsLists);
}

export const normalizeWithings: Normalizer = (raw, facts) => {
  const { asked, pages } = pagesIn(raw);
  const gathering = new Gathering(facts);
  const days = daysAsked(asked, facts.timeZone);
  gatherWithingsActivity(gathering, pages, days);
  gatherWithingsSleep(gathering, pages, days);
  gatherWithingsWorkouts(gathering, pages, days);
  gatherWithingsMeasures(gathering, pages, days);
  gatherWithingsIntraday(gathering, pages, days);
  if (asked && pages.length > 0) claim(gathering, pages, asked, facts.timeZone);
  return gathering.result;
};
