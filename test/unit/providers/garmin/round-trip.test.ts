import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Records } from '../../../../shared/measurements/records.ts';
import { garminFetch } from '../../../../shared/providers/garmin/fetch.ts';
import { normalizeGarmin } from '../../../../shared/providers/garmin/normalize.ts';
import { garminPush } from '../../../../shared/providers/garmin/push.ts';
import type { PushKeys } from '../../../../shared/providers/kit/push.ts';
import { garminSimulator } from '../../../../shared/sandbox/simulated-providers/garmin.ts';
import type { OutgoingPush } from '../../../../shared/sandbox/simulated-providers/simulator.ts';
import { runRequestFlow } from '../../../harness/request-flow.ts';
import { makeSimulatedDay, makeSimulatedDays } from '../simulated-day.ts';

const nowMs = Date.parse('2026-03-14T12:00:00Z');
const credentials = { clientId: 'client-7', clientSecret: 'hush', more: {} };
const keys: PushKeys = { credentials, pathSecret: 'p4th', verificationToken: '', subscriptionSecret: undefined };

function received({ headers, body, secretPath }: OutgoingPush): Records[] {
  const request = {
    method: 'POST' as const,
    headers,
    query: {},
    pathSecret: secretPath ? keys.pathSecret : undefined,
    body: Buffer.from(body),
    receivedMs: nowMs,
  };
  expect(garminPush.isGenuine(request, keys)).toBe(true);
  return (garminPush.read(request)?.notifications ?? []).flatMap((note) => {
    expect(note.account).toBe('ada');
    if (note.what !== 'data') return [];
    const raw = Buffer.from(JSON.stringify({ requested: null, pages: [note.page] }));
    const { records, rejected } = normalizeGarmin(raw, { receivedMs: nowMs, scopes: [], timeZone: null });
    expect(rejected).toEqual({ count: 0, first: [] });
    return [records];
  });
}
const pushesOf = (...days: Parameters<NonNullable<typeof garminSimulator.buildPushes>>[1]) =>
  garminSimulator.buildPushes?.('ada', days, keys, nowMs) ?? [];

test('the days that the sandbox pushes read back unchanged', () => {
  const [records, ...others] = pushesOf(makeSimulatedDay('2026-03-11')).flatMap(received);
  expect(others).toEqual([]);
  const day = Object.fromEntries(records?.daily.map(({ metric, value }) => [metric, value]) ?? []);
  expect(day).toEqual({
    steps: 9000,
    distance: 7.2,
    active_calories: 520,
    resting_energy: 1650,
    total_calories: 2170,
    exercise: 60,
    resting_heart_rate: 52,
    min_heart_rate: 45,
    max_heart_rate: 172,
    vo2_max: 46,
  });
  expect(new Set(records?.daily.map(({ date }) => date))).toEqual(new Set(['2026-03-11']));
  expect(records?.sleep).toMatchObject([
    { asleepMinutes: 30, inBedMinutes: 30, startMs: Date.parse('2026-03-11T14:00:00+01:00') },
    {
      summary: { sleep_blood_oxygen: { value: 96 }, sleep_respiratory_rate: { value: 14.5 } },
      startMs: Date.parse('2026-03-10T22:30:00+01:00'),
      endMs: Date.parse('2026-03-11T06:30:00+01:00'),
      asleepMinutes: 450,
      deepMinutes: 90,
      lightMinutes: 260,
      remMinutes: 100,
      awakeMinutes: 30,
      inBedMinutes: 480,
    },
  ]);
  expect(records?.workouts).toMatchObject([
    {
      type: 'running',
      name: 'Evening run',
      calories: 610,
      distanceKm: 10.5,
      avgHeartRate: 150,
      maxHeartRate: 172,
      steps: 9100,
      elevationMeters: 80,
    },
  ]);
  expect(records?.workouts[0]?.heartRate).toHaveLength(2);
  expect(records?.samples.map(({ metric, value }) => [metric, value]).sort()).toEqual([
    ['blood_oxygen', 96],
    ['body_fat_percentage', 18.5],
    ['heart_rate', 62],
    ['heart_rate', 78],
    ['heart_rate_variability_rmssd', 46],
    ['respiratory_rate', 14.5],
    ['running', 10.5],
    ['sleep_heart_rate_variability', 48],
    ['weight', 71.25],
  ]);
});

test('a day without data is not pushed', () => {
  const blank = makeSimulatedDay('2026-03-11', {
    steps: null,
    minBpm: null,
    weightKg: null,
    vo2Max: null,
    rmssdMs: null,
    oxygenPct: null,
    breathsPerMinute: null,
    sleeps: [],
    workouts: [],
  });
  expect(pushesOf(blank)).toEqual([]);
});

test('a backfill is accepted and returns no data itself', () => {
  const fetchRequest = {
    from: '2026-02-13',
    to: '2026-03-14',
    zone: 'Europe/Berlin',
    account: 'ada',
    scopes: null,
    nowMs,
    credentials,
  };
  const { result, requests } = runRequestFlow(garminFetch.fetchWindow(fetchRequest), ({ method, url, query = {} }) => {
    const { host, pathname: path } = new URL(url);
    const reply = garminSimulator.respond(
      { method, host, path, query, form: {}, json: undefined, account: 'ada', nowMs },
      () => [],
    );
    expect(reply?.status).toBe(202);
    return reply ?? { status: 404, headers: {}, text: '' };
  });
  expect(result).toEqual([]);
  expect(requests).toHaveLength(11);
});

test('a push gives the same records however it is split', () => {
  const [push] = pushesOf(...makeSimulatedDays('2026-03-11', 1));
  const lists: Record<string, unknown[]> = JSON.parse(push?.body ?? '{}');
  const items = Object.entries(lists).flatMap(([list, each]) => each.map((item) => ({ list, item })));
  const inOrder = (all: Records[]) =>
    all
      .flatMap(({ samples, daily, sleep, workouts }) =>
        [...samples, ...daily, ...sleep, ...workouts].map((record) => JSON.stringify(record)),
      )
      .sort();
  const expected = inOrder(push ? received(push) : []);
  expect(expected.length).toBeGreaterThan(15);
  fc.assert(
    fc.property(
      fc.shuffledSubarray(items, { minLength: items.length }),
      fc.integer({ min: 0, max: items.length }),
      (shuffled, at) => {
        const parts = [shuffled.slice(0, at), shuffled.slice(at)].map((part) => {
          const body: Record<string, unknown[]> = {};
          for (const { list, item } of part) body[list] = [...(body[list] ?? []), item];
          return { headers: { 'garmin-client-id': 'client-7' }, body: JSON.stringify(body), secretPath: true };
        });
        expect(inOrder(parts.flatMap(received))).toEqual(expected);
      },
    ),
    { numRuns: 30 },
  );
});
