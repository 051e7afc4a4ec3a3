// Withings over HTTP, from the link to what the API tells: every number is worked out by hand from the payloads.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connected, startConnected } from '../../harness/connected.ts';
import { isRefresh } from '../../harness/vendor-server.ts';
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
import { dailyOf, deviceOf, synced, wholeHistoryMs } from './synced.ts';

let connected: Connected;
let user: string;
let device: string;
const account = '12345';
const march = 'from_date=2026-03-04&to_date=2026-03-07';

beforeAll(async () => {
  connected = await startConnected({ startMs: Date.UTC(2026, 2, 7, 12), only: ['withings'] });
  connected.vendor.fixtures.write('withings', account, {
    activity: [watchDay, echoedDay, { date: '2026-03-06', steps: 4100, distance: null, brand: 1, is_tracker: true }],
    sleep: [night, nap],
    workouts: [walk, swim],
    measures: [{ ...weighing, timezone: 'Europe/Paris' }],
    intraday: [
      { at: 1772700060, heart_rate: 57 },
      { at: 1772700120, heart_rate: 63 },
    ],
  });
  user = await connected.user({ timezone: 'Europe/Paris' });
  device = await connected.connect(user, 'withings', account);
  await synced(connected, user, device);
}, wholeHistoryMs);
afterAll(() => connected.stop());

const fixtures = (resource: string) => connected.vendor.fixtures.of('withings', account, resource);
const actions = (name: string) => connected.vendor.requests.filter(({ form }) => form['action'] === name);
const pushUrl = () => String(actions('subscribe')[0]?.form['callbackurl']);
const push = (url: string, body: string) =>
  connected.vendor.push(url, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body });
const sleeps = async () => (await connected.get(user, `sleep?${march}`)).body.data;

describe('what was connected', () => {
  test('is read back a year, and tells days, nights and workouts in our units', async () => {
    expect(await deviceOf(connected, user, device)).toMatchObject({
      status: 'active',
      sync: { state: 'current', from: '2025-03-07', to: '2026-03-07', done: 1 },
    });
    expect(await dailyOf(connected, user, march)).toEqual({
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
    expect(await sleeps()).toMatchObject([
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
    expect((await connected.get(user, `workouts?${march}`)).body.data).toMatchObject([
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

  test('is subscribed to every kind, once', () => {
    expect(actions('subscribe').map(({ form }) => form['appli'])).toEqual(['1', '2', '4', '16', '44', '46']);
    expect(pushUrl()).toMatch(/\/v1\/providers\/withings\/push\/.{16,}$/);
  });

  test(
    'leaves an account that has nothing without anything',
    async () => {
      const other = await connected.user({ timezone: 'Europe/Paris' });
      const empty = await connected.connect(other, 'withings', '99');
      await synced(connected, other, empty);
      expect(await dailyOf(connected, other, march)).toEqual({});
      expect((await connected.get(other, `sleep?${march}`)).body.data).toEqual([]);
    },
    wholeHistoryMs,
  );
});

describe('a push', () => {
  test('has the night that was edited moved, and the nap that was deleted gone', async () => {
    const [before] = (await sleeps()).filter(({ is_main_sleep }: { is_main_sleep: boolean }) => is_main_sleep);
    const edited = { ...night, startdate: night.startdate + 600, modified: night.modified + 900 };
    fixtures('sleep').splice(0, 2, {
      item: { ...edited, data: { ...night.data, total_timeinbed: 26400, wakeupduration: 2100 } },
    });
    const told = await push(pushUrl(), `userid=${account}&appli=44&startdate=1772747000&enddate=1772774000`);
    expect(told.status).toBe(200);
    await synced(connected, user, device);
    const after = await sleeps();
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({ id: before.id, start_time: '2026-03-05T22:53:20', in_bed_minutes: 440 });
    expect((await dailyOf(connected, user, march))['2026-03-06']).toMatchObject({ asleep: 405, time_in_bed: 440 });
  });

  test('of a weight that was typed in an hour later changes the weight, and not the fat that the scale measured', async () => {
    fixtures('measures').push({ item: { ...typedWeight, timezone: 'Europe/Paris' } });
    const reply = await push(pushUrl(), `userid=${account}&appli=1&startdate=1772783600&enddate=1772783601`);
    expect(reply.status).toBe(200);
    await synced(connected, user, device);
    const day = (await dailyOf(connected, user, march))['2026-03-06'];
    expect(day).toMatchObject({ weight: 67, body_fat_percentage: 21.4 });
    expect(Object.keys(day ?? {})).not.toContain('lean_body_mass');
    expect(Object.keys(day ?? {})).not.toContain('fat_mass');
  });

  test('without the secret of the address is refused, and nothing is asked for', async () => {
    const asked = connected.vendor.requests.length;
    const wrong = `${pushUrl().slice(0, -1)}${pushUrl().endsWith('A') ? 'B' : 'A'}`;
    expect((await push(wrong, `userid=${account}&appli=16&date=2026-03-05`)).status).toBe(401);
    await connected.system.host.drain();
    expect(connected.vendor.requests).toHaveLength(asked);
  });

  test('for somebody who is not connected is taken and forgotten', async () => {
    const asked = connected.vendor.requests.length;
    expect((await push(pushUrl(), 'userid=777&appli=16&date=2026-03-05')).status).toBe(200);
    await connected.system.host.drain();
    expect(connected.vendor.requests).toHaveLength(asked);
  });

  test('is preceded by a question whether the address is ours', async () => {
    expect((await fetch(pushUrl(), { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${pushUrl()}x`, { method: 'HEAD' })).status).toBe(401);
  });
});

describe('an answer of 200 that is none', () => {
  test('says that the token ran out: it is renewed once, and what was asked for is asked again', async () => {
    const refreshed = connected.vendor.requests.filter(isRefresh).length;
    fixtures('activity').splice(1, 2, { item: { ...watchDay, date: '2026-03-06', steps: 4444 } });
    connected.vendor.fault(({ form }) => form['action'] === 'getactivity', 'expired', 1);
    await push(pushUrl(), `userid=${account}&appli=16&date=2026-03-06`);
    await synced(connected, user, device);
    expect(connected.vendor.requests.filter(isRefresh).length).toBe(refreshed + 1);
    expect((await dailyOf(connected, user, march))['2026-03-06']).toMatchObject({ steps: 4444 });
  });

  test('says twice, half an hour apart, that the refresh token is dead: only then the device is disconnected', async () => {
    const end = connected.vendor.fault(({ form }) => form['action'] === 'getactivity', 'expired');
    const dead = connected.vendor.fault(isRefresh, 'dead');
    await push(pushUrl(), `userid=${account}&appli=16&date=2026-03-06`);
    await connected.system.host.drain();
    expect(await deviceOf(connected, user, device)).toMatchObject({ status: 'active' });
    for (let round = 0; round < 4; round++) {
      connected.system.clock.advance(31 * 60_000);
      await connected.system.host.runSchedule('poll');
      await connected.system.settle();
    }
    expect(await deviceOf(connected, user, device)).toMatchObject({ status: 'disconnected' });
    expect((await dailyOf(connected, user, march))['2026-03-05']).toMatchObject({ steps: 6200 });
    end();
    dead();
  });
});
