// An item that cannot be read keeps its own list from covering the requested days. The other lists
// still cover them.
import { describe, expect, test } from 'vitest';
import type { CloudProviderId } from '../../../../shared/catalog/provider.ts';
import type { ProviderPage } from '../../../../shared/providers/kit/provider-pages.ts';
import { RecordBuilder } from '../../../../shared/providers/kit/record-builder.ts';
import { normalizePages } from '../../../harness/request-flow.ts';

const requestedDays = { from: '2026-03-05', to: '2026-03-06' };
const nonsense = ['this is not a record'];

interface ProviderLists {
  provider: CloudProviderId;
  /** Builds a page of this list. */
  page(list: string, items: readonly unknown[]): ProviderPage;
  /**
   * The claim that shows that a list covers the requested days, and the claims that are lost with
   * it.
   */
  lists: Readonly<Record<string, { claims: string; fellWith?: readonly string[] }>>;
}

const withingsLists: Readonly<Record<string, string>> = {
  activity: 'activities',
  sleep: 'series',
  workouts: 'series',
  measures: 'measuregrps',
};

const providers: readonly ProviderLists[] = [
  {
    provider: 'oura',
    page: (resource, data) => ({ resource, text: JSON.stringify({ data }) }),
    lists: {
      sleep: { claims: 'sleep' },
      daily_activity: { claims: 'steps' },
      heartrate: { claims: 'heart_rate' },
      workout: { claims: 'workouts' },
    },
  },
  {
    provider: 'whoop',
    page: (resource, records) => ({ resource, text: JSON.stringify({ records }) }),
    lists: {
      sleep: { claims: 'sleep', fellWith: ['total_calories'] },
      cycle: { claims: 'total_calories' },
      workout: { claims: 'workouts' },
    },
  },
  {
    provider: 'suunto',
    page: (resource, payload) => ({
      resource,
      text: JSON.stringify(resource === 'statistics' ? payload : { payload }),
      parameter: 'UTC',
    }),
    lists: {
      sleep: { claims: 'sleep' },
      activity: { claims: 'heart_rate', fellWith: ['active_calories'] },
      workouts: { claims: 'workouts' },
      statistics: { claims: 'active_calories' },
    },
  },
  {
    provider: 'coros',
    page: (resource, items) => ({
      resource,
      text: JSON.stringify({ result: '0000', data: resource === 'sport' ? items : { dailyList: items } }),
      parameter: requestedDays.from,
    }),
    lists: { sport: { claims: 'workouts' }, daily: { claims: 'sleep' } },
  },
  {
    provider: 'google_health',
    page: (resource, dataPoints) => ({ resource, text: JSON.stringify({ dataPoints }) }),
    lists: {
      sleep: { claims: 'sleep' },
      exercise: { claims: 'workouts' },
      'daily-resting-heart-rate': { claims: 'resting_heart_rate' },
      'daily:total-calories': { claims: 'total_calories', fellWith: ['resting_energy'] },
      'daily:active-energy-burned': { claims: 'active_calories', fellWith: ['resting_energy'] },
      weight: { claims: 'weight' },
    },
  },
  {
    provider: 'withings',
    page: (resource, items) => ({
      resource,
      text: JSON.stringify({ status: 0, body: { [withingsLists[resource] ?? '']: items } }),
    }),
    lists: {
      activity: { claims: 'steps' },
      sleep: { claims: 'sleep' },
      workouts: { claims: 'workouts' },
      measures: { claims: 'weight' },
    },
  },
];

function claimsIn(provider: CloudProviderId, pages: readonly ProviderPage[]): string[] {
  const { covered = [] } = normalizePages(provider, pages, { requested: requestedDays }).records;
  return covered.flatMap(({ sleep, workouts, daily = [], samples = [] }) => [
    ...(sleep ? ['sleep'] : []),
    ...(workouts ? ['workouts'] : []),
    ...daily,
    ...samples,
  ]);
}

describe.each(providers)('$provider', ({ provider, page, lists }) => {
  const names = Object.keys(lists);
  const everything = [...new Set(Object.values(lists).flatMap(({ claims, fellWith = [] }) => [claims, ...fellWith]))];

  test('covers everything when all of it is readable', () => {
    const claims = claimsIn(
      provider,
      names.map((name) => page(name, [])),
    );
    expect(everything.filter((claim) => !claims.includes(claim))).toEqual([]);
  });

  test.each(names)('with an unreadable item in %s does not cover that list alone', (broken) => {
    const pages = names.map((name) => page(name, name === broken ? nonsense : []));
    const claims = claimsIn(provider, pages);
    const { claims: own = '', fellWith = [] } = lists[broken] ?? {};
    expect(everything.filter((claim) => !claims.includes(claim)).sort()).toEqual([own, ...fellWith].sort());
  });
});

describe('a coverage claim', () => {
  const workouts = { ...requestedDays, workouts: true } as const;
  const claimedCoverage = (besides?: readonly string[]) => {
    const builder = new RecordBuilder({ receivedMs: Date.parse('2026-03-10T12:00:00Z') });
    builder.reject('sleep.3.end', 'invalid_record', 'unreadable');
    expect([builder.isComplete('sleep'), builder.isComplete('sle'), builder.isComplete('workout')]).toEqual([
      false,
      true,
      true,
    ]);
    builder.claimCoverage(workouts, besides);
    return builder.result.records.covered;
  };

  test('is dropped with any unreadable item outside the paths it names', () => {
    expect(claimedCoverage()).toBeUndefined();
    expect(claimedCoverage(['workout'])).toBeUndefined();
    expect(claimedCoverage(['sleep', 'workout'])).toEqual([workouts]);
  });
});
