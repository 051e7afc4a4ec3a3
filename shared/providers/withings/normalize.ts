// Turns Withings' responses into records.
import type { MetricId } from '../../catalog/metrics.ts';
import { workoutDistanceMetrics } from '../../catalog/workout-types.ts';
import type { CoveredRange } from '../../measurements/records.ts';
import type { Normalizer } from '../kit/normalizer.ts';
import { type DayWindow, type ProviderPage, parsePages } from '../kit/provider-pages.ts';
import { RecordBuilder } from '../kit/record-builder.ts';
import { createRequestedDays } from '../kit/requested-days.ts';
import { addWithingsActivity, withingsActivityMetrics } from './activity.ts';
import { addWithingsIntraday, findIntradayWindow, withingsIntradayMetrics } from './intraday.ts';
import { addWithingsMeasures, withingsMeasureMetrics } from './measures.ts';
import { addWithingsSleep } from './sleep.ts';
import { addWithingsWorkouts } from './workouts.ts';

const withingsLists = ['activity', 'sleep', 'stages', 'workouts', 'measures', 'intraday'];

/** Two resources measure these, so one alone is incomplete. */
const sharedMetrics: readonly MetricId[] = withingsMeasureMetrics.filter((metric) =>
  withingsIntradayMetrics.some((other) => other === metric),
);
const exclude = (metrics: readonly MetricId[], others: readonly MetricId[]): MetricId[] =>
  metrics.filter((metric) => !others.includes(metric));

function claimWithingsCoverage(
  builder: RecordBuilder,
  pages: readonly ProviderPage[],
  requested: DayWindow,
  zone: string | null,
): void {
  const has = (resource: string): boolean =>
    pages.some((page) => page.resource === resource) && builder.isComplete(resource);
  const covered: CoveredRange = {
    ...requested,
    ...(has('sleep') ? { sleep: true } : {}),
    ...(has('workouts') ? { workouts: true } : {}),
    daily: has('activity') ? withingsActivityMetrics : [],
    samples: [
      ...(has('workouts') ? workoutDistanceMetrics : []),
      ...(has('measures') ? exclude(withingsMeasureMetrics, withingsIntradayMetrics) : []),
    ],
  };
  builder.claimCoverage(covered, withingsLists);
  const measuredDays = has('intraday') ? findIntradayWindow(pages, requested, zone) : undefined;
  if (!measuredDays) return;
  const samples = has('measures') ? withingsIntradayMetrics : exclude(withingsIntradayMetrics, sharedMetrics);
  builder.claimCoverage({ ...measuredDays, samples }, withingsLists);
}

export const normalizeWithings: Normalizer = (raw, context) => {
  const { requested, pages } = parsePages(raw);
  const builder = new RecordBuilder(context);
  const days = createRequestedDays(requested, context.timeZone);
  addWithingsActivity(builder, pages, days);
  addWithingsSleep(builder, pages, days);
  addWithingsWorkouts(builder, pages, days);
  addWithingsMeasures(builder, pages, days);
  addWithingsIntraday(builder, pages, days);
  if (requested && pages.length > 0) claimWithingsCoverage(builder, pages, requested, context.timeZone);
  return builder.result;
};
