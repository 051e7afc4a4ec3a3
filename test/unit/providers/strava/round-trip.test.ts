import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProviderPage } from '../../../../shared/providers/kit/provider-pages.ts';
import type { PushKeys } from '../../../../shared/providers/kit/push.ts';
import { stravaFetch } from '../../../../shared/providers/strava/fetch.ts';
import { stravaGrant } from '../../../../shared/providers/strava/grant.ts';
import { stravaPush } from '../../../../shared/providers/strava/push.ts';
import { ensureStravaSubscription } from '../../../../shared/providers/strava/subscription.ts';
import type { SimulatedDay, SimulatedWorkout } from '../../../../shared/sandbox/simulated-providers/simulated-day.ts';
import { stravaSimulator } from '../../../../shared/sandbox/simulated-providers/strava.ts';
import { testCredentials as credentials, normalizePages, runRequestFlow } from '../../../harness/request-flow.ts';
import { itemsOfDays, makeLifeDay, respondAsProvider } from '../../../harness/simulated-provider.ts';
import { trailRun } from './payloads.ts';

const nowMs = Date.parse('2026-10-21T09:00:00Z');
const requestedDays = { from: '2026-10-16', to: '2026-10-20' };
const account = '264621';

const run: SimulatedWorkout = {
  id: 'life-2026-10-18-running',
  sport: 'running',
  name: 'Evening run',
  startMs: Date.parse('2026-10-18T17:00:00Z'),
  endMs: Date.parse('2026-10-18T17:50:00Z'),
  offsetMinutes: 60,
  kcal: 512,
  distanceKm: 8.4,
  avgBpm: 149,
  maxBpm: 171,
  elevationMetres: 63,
  steps: 8200,
  trace: [
    { ms: Date.parse('2026-10-18T17:00:00Z'), bpm: 96 },
    { ms: Date.parse('2026-10-18T17:25:00Z'), bpm: 155 },
  ],
};
const swim: SimulatedWorkout = {
  ...run,
  id: 'life-2026-10-20-swimming',
  sport: 'swimming',
  name: 'Morning swim',
  startMs: Date.parse('2026-10-20T06:15:00Z'),
  endMs: Date.parse('2026-10-20T06:55:00Z'),
  distanceKm: 1.625,
  elevationMetres: null,
  trace: [],
};
const days: SimulatedDay[] = [
  { ...makeLifeDay('2026-10-18'), workouts: [run] },
  { ...makeLifeDay('2026-10-20'), workouts: [swim] },
  {
    ...makeLifeDay('2026-10-21'),
    workouts: [{ ...run, id: 'next', startMs: nowMs - 7_200_000, endMs: nowMs - 3_600_000 }],
  },
];

const fetchRequest = { ...requestedDays, zone: 'Europe/London', account, scopes: null, nowMs, credentials };
const fetched = (written: Record<string, readonly unknown[]> = {}) =>
  runRequestFlow(
    stravaFetch.fetchWindow(fetchRequest),
    respondAsProvider(stravaSimulator, itemsOfDays(stravaSimulator, days, account, written), { account, nowMs }),
  );
const normalized = (pages: readonly ProviderPage[]) =>
  normalizePages('strava', pages, { requested: requestedDays, receivedMs: nowMs, timeZone: 'Europe/London' });

describe('what the sandbox returns as Strava', () => {
  test('reads back unchanged', () => {
    const { records, rejected } = normalized(fetched().result);
    expect(rejected.count).toBe(0);
    expect(records.workouts).toEqual([
      {
        sourceId: expect.stringMatching(/^\d{11}$/),
        type: 'running',
        sourceType: 'Run',
        name: 'Evening run',
        startMs: run.startMs,
        endMs: run.endMs,
        offsetMinutes: 60,
        calories: 512,
        distanceKm: 8.4,
        avgHeartRate: 149,
        maxHeartRate: 171,
        elevationMeters: 63,
        steps: null,
        heartRate: [
          { atMs: run.startMs, bpm: 96 },
          { atMs: run.startMs + 1_500_000, bpm: 155 },
        ],
      },
      expect.objectContaining({ type: 'swimming', distanceKm: 1.625, avgHeartRate: null, heartRate: null }),
    ]);
    expect(records.samples.map(({ metric, value }) => [metric, value])).toEqual([
      ['running', 8.4],
      ['exercise', 50],
      ['swimming', 1625],
      ['exercise', 40],
    ]);
  });

  test('takes two pages when there are more activities than one page holds', () => {
    const many = Array.from({ length: 130 }, (_, at) => ({
      ...trailRun,
      id: 1000 + at,
      has_heartrate: false,
      start_date: new Date(Date.parse('2026-10-16T08:00:00Z') + at * 1_800_000).toISOString().replace('.000Z', 'Z'),
    }));
    const { result } = fetched({ activities: many });
    expect(result.filter(({ resource }) => resource === 'activities')).toHaveLength(2);
    expect(normalized(result).records.workouts).toHaveLength(130);
  });

  test('retracts an activity that is gone, and keeps the id of one that was renamed and moved', () => {
    const before = normalized(fetched({ activities: [trailRun, { ...trailRun, id: 2 }], streams: [] }).result);
    expect(before.records.workouts.map(({ sourceId }) => sourceId)).toEqual(['16181800001', '2']);
    const moved = { ...trailRun, start_date: '2026-10-18T12:40:00Z', name: 'Long run' };
    const { records } = normalized(fetched({ activities: [moved], streams: [] }).result);
    expect(records.workouts.map(({ sourceId, name }) => [sourceId, name])).toEqual([['16181800001', 'Long run']]);
    expect(records.covered).toMatchObject([{ from: '2026-10-16', to: '2026-10-20', workouts: true }]);
  });

  test('gives the same workouts in any split into pages and any order', () => {
    const items = Array.from({ length: 7 }, (_, at) => ({
      ...trailRun,
      id: 10 + at,
      start_date: `2026-10-1${at + 3}T12:00:00Z`,
    }));
    const sorted = (pages: readonly ProviderPage[]) =>
      normalized(pages).records.workouts.toSorted((a, b) => a.startMs - b.startMs);
    const expected = sorted([{ resource: 'activities', text: JSON.stringify(items) }]);
    expect(expected).toHaveLength(4);
    fc.assert(
      fc.property(
        fc.shuffledSubarray(items, { minLength: items.length }),
        fc.array(fc.integer({ min: 0, max: items.length }), { maxLength: 4 }),
        (shuffled, cuts) => {
          const bounds = [0, ...cuts.toSorted((a, b) => a - b), shuffled.length];
          const pages = bounds.slice(1).map((end, at) => ({
            resource: 'activities',
            text: JSON.stringify(shuffled.slice(bounds[at], end)),
          }));
          expect(sorted(pages)).toEqual(expected);
        },
      ),
    );
  });
});

describe('what the sandbox pushes as Strava', () => {
  const keys: PushKeys = {
    credentials: { ...credentials, more: { signing_secret: 'sign' } },
    pathSecret: 'path',
    verificationToken: 'verify',
    subscriptionSecret: '131300',
  };

  test('is genuine, and names the day of the workout', () => {
    const [push] = stravaSimulator.buildPushes?.(account, days.slice(0, 1), keys, nowMs) ?? [];
    if (!push) return expect.unreachable();
    const request = {
      method: 'POST' as const,
      headers: push.headers,
      query: {},
      pathSecret: 'path',
      body: Buffer.from(push.body),
      receivedMs: nowMs,
    };
    expect(push.secretPath).toBe(true);
    expect(stravaPush.isGenuine(request, keys)).toBe(true);
    const [note] = stravaPush.read(request)?.notifications ?? [];
    if (note?.what !== 'object') return expect.unreachable();
    expect(note.account).toBe(account);
    const flow = stravaFetch.locate?.(note, fetchRequest);
    if (!flow) return expect.unreachable();
    const items = itemsOfDays(stravaSimulator, days, account);
    expect(runRequestFlow(flow, respondAsProvider(stravaSimulator, items, { account, nowMs })).result).toEqual({
      from: '2026-10-18',
      to: '2026-10-18',
    });
  });

  test('needs a subscription, which is created', () => {
    const subscriptionRequest = {
      credentials,
      callbackUrl: 'https://daybook.test/push',
      verificationToken: 'v',
      known: undefined,
      nowMs,
    };
    const flow = ensureStravaSubscription(subscriptionRequest);
    const respond = respondAsProvider(stravaSimulator, () => [], { account: '', nowMs });
    expect(runRequestFlow(flow, respond).result).toMatchObject({ secret: '131300' });
  });

  test("comes with valid and invalid tokens in Strava's format", () => {
    const issued = {
      accessToken: 'a',
      refreshToken: 'r',
      expiresInSeconds: 21_600,
      account,
      scopes: [],
      isFirst: true,
    };
    const tokenResponse = stravaSimulator.renderTokens?.(issued);
    const codeExchange = {
      credentials,
      redirectUri: 'https://daybook.test',
      code: 'c',
      verifier: '',
      externalId: '',
      nowMs,
      query: {},
    };
    const flow = stravaGrant.exchange(codeExchange);
    flow.next();
    expect(tokenResponse && flow.next(tokenResponse).value).toMatchObject({
      account,
      accessToken: 'a',
      refreshToken: 'r',
    });
    const dead = stravaSimulator.renderInvalidGrant?.();
    const context = {
      credentials,
      account,
      nowMs,
      grant: { accessToken: 'a', refreshToken: 'r', expiresMs: null, scopes: null },
    };
    expect(dead && stravaGrant.refresh?.interpret(dead, context)).toBe('dead');
    expect(stravaSimulator.renderInvalidAccessToken?.().status).toBe(401);
    const athlete = { method: 'GET' as const, url: 'https://www.strava.com/api/v3/athlete' };
    const { text } = respondAsProvider(stravaSimulator, () => [], { account, nowMs })(athlete);
    expect(JSON.parse(text)).toMatchObject({ id: 264_621 });
  });
});
