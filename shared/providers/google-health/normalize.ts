// Turns Google Health's responses into records.
import * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { workoutDistanceMetrics } from '../../catalog/workout-types.ts';
import type { CoveredRange } from '../../measurements/records.ts';
import type { Normalizer } from '../kit/normalizer.ts';
import { type DayWindow, type ProviderPage, parsePages } from '../kit/provider-pages.ts';
import { RecordBuilder } from '../kit/record-builder.ts';
import { parseResponseJson } from '../kit/request-flow.ts';
import { createRequestedDays } from '../kit/requested-days.ts';
import { addGoogleDaily, addGoogleTotals } from './daily.ts';
import {
  dailyPointMetrics,
  rollupMetrics,
  rollupPageName,
  rollupTypes,
  sampledMetrics,
  settingsPageName,
} from './data-types.ts';
import { addGoogleExercise } from './exercise.ts';
import { addGoogleHeartRate, addGoogleLogs, addGoogleSamples } from './samples.ts';
import { addGoogleSleep } from './sleep.ts';

const Settings = z.looseObject({ timeZone: z.string().nullish() });

function claimGoogleCoverage(builder: RecordBuilder, pages: readonly ProviderPage[], requested: DayWindow): void {
  const lists = new Set(pages.map(({ resource }) => resource));
  const has = (resource: string): boolean => lists.has(resource) && builder.isComplete(resource);
  const totals = rollupTypes.filter((type) => has(rollupPageName(type)));
  const hasBothEnergyTotals = totals.includes('total-calories') && totals.includes('active-energy-burned');
  const resting: MetricId[] = hasBothEnergyTotals ? ['resting_energy'] : [];
  const covered: CoveredRange = {
    ...requested,
    ...(has('sleep') ? { sleep: true } : {}),
    ...(has('exercise') ? { workouts: true } : {}),
    daily: [
      ...totals.flatMap((type) => rollupMetrics[type]),
      ...resting,
      ...Object.entries(dailyPointMetrics).flatMap(([type, metric]) => (has(type) ? [metric] : [])),
    ],
    samples: [...(has('exercise') ? workoutDistanceMetrics : []), ...listCompleteSampleMetrics(has)],
  };
  builder.claimCoverage(covered, [...lists]);
}

function listCompleteSampleMetrics(has: (type: string) => boolean): MetricId[] {
  const types = Object.entries(sampledMetrics);
  const missing = new Set(types.flatMap(([type, metrics]) => (has(type) ? [] : metrics)));
  return [...new Set(types.flatMap(([, metrics]) => metrics))].filter((metric) => !missing.has(metric));
}

export const normalizeGoogleHealth: Normalizer = (raw, context) => {
  const { requested, pages } = parsePages(raw);
  const builder = new RecordBuilder(context);
  const days = createRequestedDays(requested, context.timeZone);
  addGoogleTotals(builder, pages, days);
  addGoogleDaily(builder, pages, days);
  addGoogleHeartRate(builder, pages, days);
  addGoogleSamples(builder, pages, days);
  addGoogleLogs(builder, pages, days);
  addGoogleSleep(builder, pages, days);
  addGoogleExercise(builder, pages, days);
  for (const page of pages.filter(({ resource }) => resource === settingsPageName))
    builder.setZone(Settings.safeParse(parseResponseJson(page)).data?.timeZone, context.receivedMs);
  if (requested && pages.length > 0) claimGoogleCoverage(builder, pages, requested);
  return builder.result;
};
