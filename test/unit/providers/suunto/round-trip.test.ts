import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Records } from '../../../../shared/measurements/records.ts';
import type { PushKeys } from '../../../../shared/providers/kit/push.ts';
import { suuntoFetch } from '../../../../shared/providers/suunto/fetch.ts';
import { normalizeSuunto } from '../../../../shared/providers/suunto/normalize.ts';
import { suuntoPush } from '../../../../shared/providers/suunto/push.ts';
import { suuntoSimulator } from '../../../../shared/sandbox/simulated-providers/suunto.ts';
import { nightSummaries, runRequestFlow } from '../../../harness/request-flow.ts';
import { itemsOfDays, respondAsProvider } from '../../../harness/simulated-provider.ts';
import { makeSimulatedDay, makeSimulatedDays } from '../simulated-day.ts';

const nowMs = Date.parse('2026-03-20T12:00:00Z');
const credentials = { clientId: 'client-7', clientSecret: 'hush', more: { notification_secret: 'n0tify' } };
const who = { account: 'runner42', nowMs };
const zone = 'Europe/Berlin';

function fetched(days: ReturnType<typeof makeSimulatedDays>, window: { from: string; to: string }): Records {
  const fetchRequest = { ...who, ...window, zone, scopes: null, credentials };
  const respond = respondAsProvider(suuntoSimulator, itemsOfDays(suuntoSimulator, days, 'runner42'), who);
  const { result: pages } = runRequestFlow(suuntoFetch.fetchWindow(fetchRequest), respond);
  const raw = Buffer.from(JSON.stringify({ requested: window, pages }));
  const { records, rejected } = normalizeSuunto(raw, { receivedMs: nowMs, scopes: [], timeZone: zone });
  expect(rejected).toEqual({ count: 0, first: [] });
  return records;
}

test('the days of a sandbox persona read back unchanged', () => {
  const records = fetched(makeSimulatedDays('2026-03-05', 12), { from: '2026-03-11', to: '2026-03-11' });
  expect(records.daily.map(({ metric, date, value }) => [metric, date, value])).toEqual([
    ['steps', '2026-03-11', 9000],
    ['active_calories', '2026-03-11', 520],
  ]);
  expect(records.sleep).toMatchObject([
    {
      startMs: Date.parse('2026-03-10T22:30:00+01:00'),
      asleepMinutes: 450,
      deepMinutes: 90,
      lightMinutes: 260,
      remMinutes: 100,
      awakeMinutes: 20,
      inBedMinutes: 480,
    },
    { startMs: Date.parse('2026-03-11T14:00:00+01:00'), asleepMinutes: 30, inBedMinutes: 30 },
  ]);
  expect(nightSummaries(records)).toEqual([
    { sleep_latency: 10, sleep_heart_rate: 54, sleep_heart_rate_variability: 48 },
    { sleep_latency: null, sleep_heart_rate: null, sleep_heart_rate_variability: null },
  ]);
  expect(records.workouts).toMatchObject([
    {
      type: 'running',
      calories: 610,
      distanceKm: 10.5,
      avgHeartRate: 150,
      maxHeartRate: 172,
      steps: 9100,
      elevationMeters: 80,
    },
  ]);
  expect(records.samples.map(({ metric, value }) => [metric, value]).sort()).toEqual([
    ['exercise', 60],
    ['heart_rate', 62],
    ['heart_rate', 78],
    ['heart_rate_variability_rmssd', 46],
    ['max_heart_rate', 62],
    ['max_heart_rate', 78],
    ['min_heart_rate', 45],
    ['min_heart_rate', 62],
    ['min_heart_rate', 78],
    ['running', 10.5],
    ['steps', 4000],
    ['steps', 5000],
  ]);
  expect(records.covered).toMatchObject([{ from: '2026-03-11', to: '2026-03-11', sleep: true, workouts: true }]);
});

test('an empty account is covered and yields no records', () => {
  const records = fetched([], { from: '2026-03-11', to: '2026-03-12' });
  expect(records).toMatchObject({ samples: [], daily: [], sleep: [], workouts: [], covered: [{ sleep: true }] });
});

test('more than a hundred workouts take two pages', () => {
  const run = makeSimulatedDay('2026-03-11').workouts;
  const workouts = Array.from({ length: 120 }, (_, at) =>
    run.map((each) => ({
      ...each,
      id: `w${at}`,
      startMs: each.startMs + at * 60_000,
      endMs: each.endMs + at * 60_000,
    })),
  ).flat();
  const records = fetched([makeSimulatedDay('2026-03-11', { workouts })], { from: '2026-03-11', to: '2026-03-11' });
  expect(new Set(records.workouts.map(({ sourceId }) => sourceId)).size).toBe(120);
});

test('the same days give the same records however they are split into windows', () => {
  const days = makeSimulatedDays('2026-03-08', 8);
  const inOrder = ({ samples, daily, sleep, workouts }: Pick<Records, 'samples' | 'daily' | 'sleep' | 'workouts'>) =>
    [...samples, ...daily, ...sleep, ...workouts].map((record) => JSON.stringify(record)).sort();
  const complete = inOrder(fetched(days, { from: '2026-03-09', to: '2026-03-14' }));
  expect(complete.length).toBeGreaterThan(80);
  fc.assert(
    fc.property(fc.integer({ min: 9, max: 13 }), (last) => {
      const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}`;
      const parts = [
        fetched(days, { from: '2026-03-09', to: day(last) }),
        fetched(days, { from: day(last + 1), to: '2026-03-14' }),
      ];
      expect(parts.flatMap(inOrder).sort()).toEqual(complete);
    }),
    { numRuns: 5 },
  );
});

test('what the sandbox pushes is genuine, and its nights equal the fetched ones', () => {
  const keys: PushKeys = { credentials, pathSecret: '', verificationToken: '', subscriptionSecret: undefined };
  const day = makeSimulatedDay('2026-03-11');
  const pushes = suuntoSimulator.buildPushes?.('runner42', [day], keys, nowMs) ?? [];
  const notes = pushes.flatMap(({ headers, body }) => {
    const request = {
      method: 'POST' as const,
      headers,
      query: {},
      pathSecret: undefined,
      body: Buffer.from(body),
      receivedMs: nowMs,
    };
    expect(suuntoPush.isGenuine(request, keys)).toBe(true);
    return suuntoPush.read(request)?.notifications ?? [];
  });
  expect(notes.map(({ account, what }) => `${account} ${what}`)).toEqual([
    'runner42 data',
    'runner42 days',
    'runner42 data',
    'runner42 object',
  ]);
  const pages = notes.flatMap((note) => (note.what === 'data' ? [note.page] : []));
  const raw = Buffer.from(JSON.stringify({ requested: null, pages }));
  const { records } = normalizeSuunto(raw, { receivedMs: nowMs, scopes: [], timeZone: zone });
  const polled = fetched([day], { from: '2026-03-11', to: '2026-03-11' });
  expect(records.sleep).toEqual(polled.sleep);
  expect(records.covered).toBeUndefined();
  const announced = notes.find((note) => note.what === 'object');
  const { from: _from, to: _to, ...fetchRequest } = { from: '', to: '', ...who, zone, scopes: null, credentials };
  const respond = respondAsProvider(suuntoSimulator, itemsOfDays(suuntoSimulator, [day], 'runner42'), who);
  const located = announced && suuntoFetch.locate?.({ resource: announced.resource, id: announced.id }, fetchRequest);
  expect(located && runRequestFlow(located, respond).result).toEqual({ from: '2026-03-11', to: '2026-03-11' });
});
