// Google Health's answers as records.
import * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { workoutDistances } from '../../catalog/workout-types.ts';
import type { Covered } from '../../measurements/records.ts';
import { daysAsked } from '../kit/days-asked.ts';
import { Gathering } from '../kit/gathering.ts';
import type { Normalizer } from '../kit/normalizer.ts';
import { type DayWindow, pagesIn, type VendorPage } from '../kit/pages.ts';
import { jsonIn } from '../kit/vendor.ts';
import { gatherGoogleDaily, gatherGoogleTotals } from './daily.ts';
import {
  dailyPointMetrics,
  rollupMetrics,
  rollupPage,
  rollupTypes,
  sampledMetrics,
  settingsPage,
} from './data-types.ts';
import { gatherGoogleExercise } from './exercise.ts';
import { gatherGoogleHeartRate, gatherGoogleLogs, gatherGoogleSamples } from './samples.ts';
import { gatherGoogleSleep } from './sleep.ts';

const Settings = z.looseObject({ timeZone: z.string().nullish() });

function claim(gathering: Gathering, pages: readonly VendorPage[], asked: DayWindow): void {
  const lists = new Set(pages.map(({ resource }) => resource));
  const has = (resource: string): boolean => lists.has(resource) && gathering.isWhole(resource);
  const totals = rollupTypes.filter((type) => has(rollupPage(type)));
  const isSplit = totals.includes('total-calories') && totals.includes('active-energy-burned');
  const resting: MetricId[] = isSplit ? ['resting_energy'] : [];
  const covered: Covered = {
    ...asked,
    ...(has('sleep') ? { sleep: true } : {}),
    ...(has('exercise') ? { workouts: true } : {}),
    daily: [
      ...totals.flatMap((type) => rollupMetrics[type]),
      ...resting,
      ...Object.entries(dailyPointMetrics).flatMap(([type, metric]) => (has(type) ? [metric] : [])),
    ],
    samples: [...(has('exercise') ? workoutDistances : []), ...sampledInFull(has)],
  };
  gathering.covers(covered, [...lists]);
}

function sampledInFull(has: (type: string) => boolean): MetricId[] {
  const types = Object.entries(sampledMetrics);
  const missing = new Set(types.flatMap(([type, metrics]) => (has(type) ? [] : metrics)));
  return [...new Set(types.flatMap(([, metrics]) => metrics))].filter((metric) => !missing.has(metric));
}

export const normalizeGoogleHealth: Normalizer = (raw, facts) => {
  const { asked, pages } = pagesIn(raw);
  const gathering = new Gathering(facts);
  const days = daysAsked(asked, facts.timeZone);
  gatherGoogleTotals(gathering, pages, days);
  gatherGoogleDaily(gathering, pages, days);
  gatherGoogleHeartRate(gathering, pages, days);
  gatherGoogleSamples(gathering, pages, days);
  gatherGoogleLogs(gathering, pages, days);
  gatherGoogleSleep(gathering, pages, days);
  gatherGoogleExercise(gathering, pages, days);
  for (const page of pages.filter(({ resource }) => resource === settingsPage))
    gathering.zone(Settings.safeParse(jsonIn(page)).data?.timeZone, facts.receivedMs);
  if (asked && pages.length > 0) claim(gathering, pages, asked);
  return gathering.result;
};
