// Tests Withings over HTTP, from the link to the API responses. Every expected number is calculated
// by hand from the payloads.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefresh } from '../../harness/fake-provider-server.ts';
import { type ProviderSystem, startProviderSystem } from '../../harness/provider-system.ts';
import {
  echoedDay,
  nap,
  night,
  swim,
  typedWeight,
  walk,
  watchDay,
  weighing,
} from '../../unit/providers/withings/payloads.ts';
import { findDevice, historyTimeoutMs, readDaily, waitForSync } from './wait-for-sync.ts';

let world: ProviderSystem;
let user: string;
let device: string;
const account = '12345';
const march = 'from_date=2026-03-04&to_date=2026-03-07';

beforeAll(async () => {
  world = await startProviderSystem({ startMs: Date.UTC(2026, 2, 7, 12), only: ['withings'] });
  world.fakeProvider.fixtures.write('withings', account, {
    activity: [watchDay, echoedDay, { date: '2026-03-06', steps: 4100, distance: null, brand: 1, is_tracker: true }],
    sleep: [night, nap],
    workouts: [walk, swim],
    measures: [{ ...weighing, timezone: 'Europe/Paris' }],
    intraday: [
      { at: 1772700060, heart_rate: 57 },
      { at: 1772700120, heart_rate: 63 },
    ],
  });
  user = await world.user({ timezone: 'Europe/Paris' });
  device = await world.connect(user, 'withings', account);
  await waitForSync(world, user, device);
}, historyTimeoutMs);
afterAll(() => world.stop());

const fixtures = (resource: string) => world.fakeProvider.fixtures.of('withings', account, resource);
const requestsWithAction = (name: string) => world.fakeProvider.requests.filter(({ form }) => form['action'] === name);
const pushUrl = () => String(requestsWithAction('subscribe')[0]?.form['callbackurl']);
const push = (url: string, body: string) =>
  world.fakeProvider.push(url, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body });
const readSleeps = async () => (await world.get(user, `sleep?${march}`)).body.data;

describe('a connected account', () => {
  test('is backfilled for a year, with days, nights and workouts in canonical units', async () => {
    expect(await findDevice(world, user, device)).toMatchObject({
      status: 'active',
      sync: { state: 'current', from: '2025-03-07', to: '2026-03-07', done: 1 },
    });
    expect(await readDaily(world, user, march)).toEqual({
      '2026-03-05': {
        steps: 6200,
        distance: 4.81,
        exercise: 26,
        flights_climbed: 6,
        walking: 0.68,
        swimming: 1000,
        heart_rate: 60,
        min_heart_rate: 49,
        max_heart_rate: 141,
        active_calories: 305,
        resting_energy: 2150,
        total_calories: 2455,
      },
      '2026-03-06': {
        steps: 4100,
        asleep: 430,
        longest_sleep: 405,
        time_in_bed: 450,
        time_awake: 45,
        light_sleep: 225,
        deep_sleep: 90,
        rem_sleep: 90,
        restorative_sleep: 180,
        sleep_latency: 9,
        sleep_efficiency: 90,
        sleep_heart_rate: 56,
        sleep_respiratory_rate: 14,
        sleep_body_temperature: 36.6,
        weight: 80.25,
        body_fat_percentage: 21.4,
        body_water_percentage: 55,
      },
    });
    expect(await readSleeps()).toMatchObject([
      {
        date: '2026-03-06',
        start_time: '2026-03-06T13:00:00',
        is_main_sleep: false,
        asleep_minutes: 25,
        deep_minutes: null,
      },
      {
        date: '2026-03-06',
        start_time: '2026-03-05T22:43:20',
        is_main_sleep: true,
        asleep_minutes: 405,
        deep_minutes: 90,
      },
    ]);
    expect((await world.get(user, `workouts?${march}`)).body.data).toMatchObject([
      { type: 'swimming', start_time: '2026-03-05T15:13:20', duration_minutes: 40, distance_km: 1, calories: 210 },
      {
        type: 'walking',
        start_time: '2026-03-05T09:40:00',
        duration_minutes: 15,
        distance_km: 0.68,
        max_heart_rate: 95,
      },
    ]);
  });

  test('is subscribed to every notification category, once', () => {
    expect(requestsWithAction('subscribe').map(({ form }) => form['appli'])).toEqual(['1', '2', '4', '16', '44', '46']);
    expect(pushUrl()).toMatch(/\/v1\/providers\/withings\/push\/.{16,}$/);
  });

  test(
    'without data produces no values',
    async () => {
      const other = await world.user({ timezone: 'Europe/Paris' });
      const empty = await world.connect(other, 'withings', '99');
      await waitForSync(world, other, empty);
      expect(await readDaily(world, other, march)).toEqual({});
      expect((await world.get(other, `sleep?${march}`)).body.data).toEqual([]);
    },
    historyTimeoutMs,
  );
});

describe('a push', () => {
  test('moves the edited night, and removes the deleted nap', async () => {
    const [before] = (await readSleeps()).filter(({ is_main_sleep }: { is_main_sleep: boolean }) => is_main_sleep);
    const edited = { ...night, startdate: night.startdate + 600, modified: night.modified + 900 };
    fixtures('sleep').splice(0, 2, {
      item: { ...edited, data: { ...night.data, total_timeinbed: 26400, wakeupduration: 2100 } },
    });
    const response = await push(pushUrl(), `userid=${account}&appli=44&startdate=1772747000&enddate=1772774000`);
    expect(response.status).toBe(200);
    await waitForSync(world, user, device);
    const after = await readSleeps();
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({ id: before.id, start_time: '2026-03-05T22:53:20', in_bed_minutes: 440 });
    expect((await readDaily(world, user, march))['2026-03-06']).toMatchObject({ asleep: 405, time_in_bed: 440 });
  });

  test('of a weight entered manually an hour later changes the weight, but not the fat that the scale measured', async () => {
    fixtures('measures').push({ item: { ...typedWeight, timezone: 'Europe/Paris' } });
    const reply = await push(pushUrl(), `userid=${account}&appli=1&startdate=1772783600&enddate=1772783601`);
    expect(reply.status).toBe(200);
    await waitForSync(world, user, device);
    const day = (await readDaily(world, user, march))['2026-03-06'];
    expect(day).toMatchObject({ weight: 67, body_fat_percentage: 21.4 });
    expect(Object.keys(day ?? {})).not.toContain('lean_body_mass');
    expect(Object.keys(day ?? {})).not.toContain('fat_mass');
  });

  test('without the secret in the address is rejected, and causes no request', async () => {
    const requestCount = world.fakeProvider.requests.length;
    const wrong = `${pushUrl().slice(0, -1)}${pushUrl().endsWith('A') ? 'B' : 'A'}`;
    expect((await push(wrong, `userid=${account}&appli=16&date=2026-03-05`)).status).toBe(401);
    await world.system.host.drain();
    expect(world.fakeProvider.requests).toHaveLength(requestCount);
  });

  test('for a user who is not connected is acknowledged and ignored', async () => {
    const requestCount = world.fakeProvider.requests.length;
    expect((await push(pushUrl(), 'userid=777&appli=16&date=2026-03-05')).status).toBe(200);
    await world.system.host.drain();
    expect(world.fakeProvider.requests).toHaveLength(requestCount);
  });

  test('is preceded by a verification of the address', async () => {
    expect((await fetch(pushUrl(), { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${pushUrl()}x`, { method: 'HEAD' })).status).toBe(401);
  });
});

describe('a 200 response with an error status', () => {
  test('that reports an expired token causes one refresh, and the request is repeated', async () => {
    const refreshed = world.fakeProvider.requests.filter(isRefresh).length;
    fixtures('activity').splice(1, 2, { item: { ...watchDay, date: '2026-03-06', steps: 4444 } });
    world.fakeProvider.fault(({ form }) => form['action'] === 'getactivity', 'expired', 1);
    await push(pushUrl(), `userid=${account}&appli=16&date=2026-03-06`);
    await waitForSync(world, user, device);
    expect(world.fakeProvider.requests.filter(isRefresh).length).toBe(refreshed + 1);
    expect((await readDaily(world, user, march))['2026-03-06']).toMatchObject({ steps: 4444 });
  });

  test('that rejects the refresh token twice, half an hour apart, disconnects the device only then', async () => {
    const end = world.fakeProvider.fault(({ form }) => form['action'] === 'getactivity', 'expired');
    const dead = world.fakeProvider.fault(isRefresh, 'dead');
    await push(pushUrl(), `userid=${account}&appli=16&date=2026-03-06`);
    await world.system.host.drain();
    expect(await findDevice(world, user, device)).toMatchObject({ status: 'active' });
    for (let round = 0; round < 4; round++) {
      world.system.clock.advance(31 * 60_000);
      await world.system.host.runSchedule('poll');
      await world.system.settle();
    }
    expect(await findDevice(world, user, device)).toMatchObject({ status: 'disconnected' });
    expect((await readDaily(world, user, march))['2026-03-05']).toMatchObject({ steps: 6200 });
    end();
    dead();
  });
});
