// A window that a provider answered in full covers everything that the provider reports, on every
// requested day. Daybook keeps what is not covered, even after it was deleted at the provider.
import { describe, expect, test } from 'vitest';
import { type CloudProviderId, cloudProviderIds } from '../../../shared/catalog/provider.ts';
import type { CoveredRange, Records } from '../../../shared/measurements/records.ts';
import { datesInRange } from '../../../shared/platform/time/local-day.ts';
import { getProviderAdapter } from '../../../shared/providers/adapters.ts';
import { sleepStageMetrics } from '../../../shared/providers/kit/metric-sets.ts';
import { simulateDays } from '../../../shared/sandbox/provider-server/simulate-days.ts';
import type { SimulatedDay } from '../../../shared/sandbox/simulated-providers/simulated-day.ts';
import { readSimulatedWindow } from './read-simulated-window.ts';
import { demandedSessions, polledProviders } from './travelers.ts';

const nowMs = Date.parse('2026-03-31T15:00:00Z');
const userId = 'usr_01kkgynztjwyzsrk5sgvqhy5d6';
const timeZone = 'Europe/Berlin';
const window = { from: '2026-03-24', to: '2026-03-27' };
const dates = datesInRange(window.from, window.to);

/** The providers that have no windows to cover. */
const unpolledProviders: Partial<Record<CloudProviderId, string>> = {
  garmin: 'Garmin does not allow polling, and a push answers for no window of days.',
};

/** The metrics that a provider reports and deliberately does not cover. */
const uncoveredMetrics: Partial<Record<CloudProviderId, { metrics: readonly string[]; reason: string }>> = {
  polar: {
    metrics: ['vo2_max', 'weight'],
    reason: 'Polar returns the three latest entries, not those of the requested days.',
  },
};

function readAccount(provider: CloudProviderId, days: readonly SimulatedDay[]): Records {
  const { records, rejected } = readSimulatedWindow(provider, days, { window, timeZone, nowMs });
  expect(rejected).toEqual({ count: 0, first: [] });
  return records;
}

const listClaims = ({ sleep, workouts, daily = [], samples = [] }: CoveredRange): string[] => [
  ...(sleep ? ['sleep'] : []),
  ...(workouts ? ['workouts'] : []),
  ...daily.map((metric) => `daily ${metric}`),
  ...samples.map((metric) => `samples ${metric}`),
];

/** Returns what the records cover on every requested day. */
function claimedOnEveryDay({ covered = [] }: Records): Set<string> {
  const claimsByDate = dates.map(
    (date) => new Set(covered.filter(({ from, to }) => from <= date && date <= to).flatMap(listClaims)),
  );
  return new Set([...(claimsByDate[0] ?? [])].filter((claim) => claimsByDate.every((claims) => claims.has(claim))));
}

test('every provider is polled, except for those with a reason', () => {
  const unpolled = cloudProviderIds.filter((provider) => !polledProviders.includes(provider));
  expect(unpolled).toEqual(Object.keys(unpolledProviders));
  expect(Object.keys(uncoveredMetrics).filter((provider) => provider in unpolledProviders)).toEqual([]);
});

describe.each(polledProviders)('%s', (provider) => {
  const { descriptor } = getProviderAdapter(provider);
  const life = { userId, persona: 'athlete', timezone: timeZone, worn: descriptor.deviceType } as const;
  const worn = readAccount(provider, simulateDays(life, { from: '2026-03-18', to: '2026-03-31' }, nowMs));
  const claims = claimedOnEveryDay(worn);

  test('covers nights and workouts exactly if it reports them', () => {
    expect({ sleep: claims.has('sleep'), workouts: claims.has('workouts') }).toEqual(demandedSessions(provider));
  });

  test('covers every metric of its descriptor, except for those with a reason', () => {
    // The values of a night are covered with the night.
    const nightly = new Set<string>([
      ...sleepStageMetrics,
      ...worn.sleep.flatMap(({ summary = {} }) => Object.keys(summary)),
    ]);
    const uncovered = descriptor.metrics.filter(
      (metric) =>
        !claims.has(`daily ${metric}`) &&
        !claims.has(`samples ${metric}`) &&
        !(claims.has('sleep') && nightly.has(metric)),
    );
    expect(uncovered).toEqual(uncoveredMetrics[provider]?.metrics ?? []);
  });

  test('covers daily values as daily values, and samples as samples', () => {
    const reported = new Set([
      ...worn.daily.map(({ metric }) => `daily ${metric}`),
      ...worn.samples.map(({ metric }) => `samples ${metric}`),
    ]);
    expect(reported.size).toBeGreaterThan(0);
    expect([...reported].filter((claim) => !claims.has(claim))).toEqual([]);
  });

  test('covers the same when everything was deleted', () => {
    const empty = readAccount(provider, []);
    expect([...empty.samples, ...empty.daily, ...empty.sleep, ...empty.workouts]).toEqual([]);
    expect([...claimedOnEveryDay(empty)].sort()).toEqual([...claims].sort());
  });
});
