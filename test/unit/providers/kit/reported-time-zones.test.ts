// A provider names the user's time zone: the latest one counts, by its name. An offset is not a
// zone.
import { describe, expect, test } from 'vitest';
import type { CloudProviderId } from '../../../../shared/catalog/provider.ts';
import { googleHealthFetch } from '../../../../shared/providers/google-health/fetch.ts';
import type { ProviderPage } from '../../../../shared/providers/kit/provider-pages.ts';
import { makeResponse, normalizePages, runRequestFlow } from '../../../harness/request-flow.ts';
import { marchFetchRequest } from './march-requests.ts';

const [paris, tokyo] = ['Europe/Paris', 'Asia/Tokyo'];
const seconds = (day: number): number => Date.UTC(2026, 2, day, 12) / 1000;

const withings = (resource: string, list: string, items: readonly object[], more: object = {}): ProviderPage => ({
  resource,
  text: JSON.stringify({ status: 0, body: { [list]: items, ...more } }),
});
const steps = (day: number, timezone?: string) => ({ date: `2026-03-0${day}`, timezone, steps: 4000 });
const weighing = (day: number, timezone?: string) => ({
  grpid: day,
  date: seconds(day),
  timezone,
  measures: [{ value: 70, type: 1, unit: 0 }],
});
const session = (day: number, timezone: string) => ({
  id: day,
  startdate: seconds(day),
  enddate: seconds(day) + 3_600,
  timezone,
});

const run = (day: number, timezone: string | null) => ({
  id: day,
  sport_type: 'Run',
  start_date: `2026-03-0${day}T12:00:00Z`,
  elapsed_time: 1800,
  utc_offset: 3600,
  timezone,
});
const listed = (...runs: object[]): ProviderPage[] => [{ resource: 'activities', text: JSON.stringify(runs) }];

const ringDay = (date: string, latest_time_zone: string | null): ProviderPage => ({
  resource: 'metrics',
  parameter: date,
  text: JSON.stringify({ data: { metrics: { [date]: [] }, latest_time_zone } }),
});

const settings = (body: object): ProviderPage => ({ resource: 'settings', text: JSON.stringify(body) });

const cases: [CloudProviderId, string, ProviderPage[], string | undefined][] = [
  ['withings', 'in daily totals', [withings('activity', 'activities', [steps(5, tokyo), steps(4, paris)])], tokyo],
  ['withings', 'in measures', [withings('measures', 'measuregrps', [weighing(4, paris), weighing(5, tokyo)])], tokyo],
  ['withings', 'around measures', [withings('measures', 'measuregrps', [weighing(4)], { timezone: tokyo })], tokyo],
  ['withings', 'in workouts', [withings('workouts', 'series', [session(5, tokyo), session(4, paris)])], tokyo],
  ['withings', 'in nights', [withings('sleep', 'series', [session(5, tokyo), session(4, paris)])], tokyo],
  [
    'withings',
    'in the latest item',
    [withings('activity', 'activities', [steps(5, paris)]), withings('sleep', 'series', [session(6, tokyo)])],
    tokyo,
  ],
  ['withings', 'by an unknown name', [withings('activity', 'activities', [steps(5, 'Paris')])], undefined],
  ['withings', 'nowhere', [withings('activity', 'activities', [steps(5)])], undefined],
  [
    'strava',
    'after an offset',
    listed(run(4, '(GMT+01:00) Europe/Paris'), run(5, '(GMT+09:00) Asia/Tokyo'), run(3, '(GMT+01:00) Europe/Paris')),
    tokyo,
  ],
  ['strava', 'as an offset alone', listed(run(5, '(GMT+09:00)'), run(4, '+09:00'), run(3, null)), undefined],
  ['ultrahuman', 'with a day', [ringDay('2026-03-05', tokyo), ringDay('2026-03-04', paris)], tokyo],
  ['ultrahuman', 'with no day', [ringDay('2026-03-05', null)], undefined],
  ['google_health', 'in its settings', [settings({ timeZone: tokyo })], tokyo],
  ['google_health', 'in no settings', [settings({})], undefined],
];

test.each(cases)('%s names a zone %s', (provider, _where, pages, zone) => {
  expect(normalizePages(provider, pages).zone?.name).toBe(zone);
});

test('a doubtful weighing and a goal do not name a time zone', () => {
  const doubtful = [
    { ...weighing(4, tokyo), attrib: 1 },
    { ...weighing(5, tokyo), category: 2 },
  ];
  expect(normalizePages('withings', [withings('measures', 'measuregrps', doubtful)]).zone?.name).toBeUndefined();
});

describe('Google Health', () => {
  const fetchWith = (zone: string | null, status = 200) =>
    runRequestFlow(googleHealthFetch.fetchWindow(marchFetchRequest({ zone })), ({ url }) =>
      url.endsWith('/users/me/settings') ? makeResponse({ timeZone: tokyo }, status) : makeResponse({}),
    );
  const ofSettings = ({ requests }: ReturnType<typeof fetchWith>) =>
    requests.filter(({ url }) => url === 'https://health.googleapis.com/v4/users/me/settings');

  test("is queried for settings only when the user's profile has no zone", () => {
    const without = fetchWith(null);
    expect(ofSettings(without)).toEqual([{ method: 'GET', url: expect.any(String) }]);
    expect(normalizePages('google_health', without.result).zone?.name).toBe(tokyo);
    expect(ofSettings(fetchWith('UTC'))).toEqual([]);
  });

  test.each([403, 404, 400])('may refuse the settings with %i, and everything else is read', (status) => {
    const { result } = fetchWith(null, status);
    expect(result.length).toBeGreaterThan(0);
    expect(normalizePages('google_health', result).zone?.name).toBeUndefined();
  });
});
