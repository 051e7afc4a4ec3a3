// Tests Google Health over HTTP, from the link to the API responses. Every expected number is
// calculated by hand from the payloads.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPath, isRefresh } from '../../harness/fake-provider-server.ts';
import { type ProviderSystem, startProviderSystem } from '../../harness/provider-system.ts';
import { beat, nap, night, total, walk } from '../../unit/providers/google-health/payloads.ts';
import { findDevice, historyTimeoutMs, readDaily, waitForSync } from './wait-for-sync.ts';

let world: ProviderSystem;
let user: string;
let device: string;
const account = 'h-1';
const march = 'from_date=2026-03-04&to_date=2026-03-07';

/** Unmerged points have their name in another field. */
const withName = ({ dataPointName, ...point }: { dataPointName: string }) => ({ name: dataPointName, ...point });
const date = { year: 2026, month: 3, day: 5 };

beforeAll(async () => {
  world = await startProviderSystem({ startMs: Date.UTC(2026, 2, 7, 12), only: ['google_health'] });
  world.fakeProvider.fixtures.write('google_health', account, {
    'daily:steps': [total(5, { steps: { countSum: '9525' } }), total(6, { steps: {} })],
    'daily:distance': [total(5, { distance: { millimetersSum: '6812345' } })],
    'daily:total-calories': [total(5, { totalCalories: { kcalSum: 2310.75 } })],
    'daily:active-energy-burned': [total(5, { activeEnergyBurned: { kcalSum: 512.5 } })],
    'daily:active-minutes': [
      total(5, {
        activeMinutes: {
          activeMinutesRollupByActivityLevel: [
            { activityLevel: 'LIGHT', activeMinutesSum: '120' },
            { activityLevel: 'MODERATE', activeMinutesSum: '35' },
          ],
        },
      }),
    ],
    sleep: [withName(night), withName(nap)],
    exercise: [withName(walk)],
    'heart-rate': [
      beat('2026-03-05T03:00:00Z', '60'),
      beat('2026-03-05T03:01:00Z', '64'),
      beat('2026-03-05T09:30:00Z', '141'),
    ],
    'daily-resting-heart-rate': [{ dailyRestingHeartRate: { date, beatsPerMinute: '58' } }],
    weight: [
      { weight: { sampleTime: { physicalTime: '2026-03-04T22:50:00Z', utcOffset: '32400s' }, weightGrams: 71350 } },
    ],
  });
  user = await world.user({ timezone: 'Asia/Tokyo' });
  device = await world.connect(user, 'google_health', account);
  await waitForSync(world, user, device);
}, historyTimeoutMs);
afterAll(() => world.stop());

const fixtures = (resource: string) => world.fakeProvider.fixtures.of('google_health', account, resource);
const pushUrl = () => `${world.system.host.baseUrl}/v1/providers/google_health/push`;
const authorization = 'the subscriber_secret of google_health';
const push = (body: unknown, headers: Record<string, string> = { authorization }) =>
  world.fakeProvider.push(pushUrl(), {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const changeNotification = (more: object) => [
  { data: { version: '1', healthUserId: account, operation: 'UPSERT', dataType: 'sleep', ...more } },
];
const fifth = [{ civilIso8601TimeInterval: { startTime: '2026-03-05T00:10:00', endTime: '2026-03-05T07:40:00' } }];
const readSleeps = async () => (await world.get(user, `sleep?${march}`)).body.data;

describe('a connected account', () => {
  test('is backfilled for half a year, with days, nights and workouts in canonical units', async () => {
    expect(await findDevice(world, user, device)).toMatchObject({
      status: 'active',
      sync: { state: 'current', done: 1 },
    });
    expect(await readDaily(world, user, march)).toEqual({
      '2026-03-05': {
        steps: 9525,
        distance: 6.81,
        exercise: 35,
        walking: 3.25,
        asleep: 454,
        longest_sleep: 430,
        time_in_bed: 480,
        time_awake: 26,
        light_sleep: 280,
        deep_sleep: 60,
        rem_sleep: 90,
        restorative_sleep: 150,
        // 430 of 450 minutes.
        sleep_efficiency: 95.6,
        // The average of two five-minute intervals, 62 and 141.
        heart_rate: 101.5,
        resting_heart_rate: 58,
        weight: 71.35,
        active_calories: 513,
        resting_energy: 1798,
        total_calories: 2311,
      },
      '2026-03-06': { steps: 0 },
    });
    expect(await readSleeps()).toMatchObject([
      {
        date: '2026-03-05',
        start_time: '2026-03-05T14:00:00',
        is_main_sleep: false,
        asleep_minutes: 24,
        deep_minutes: null,
      },
      {
        date: '2026-03-05',
        start_time: '2026-03-05T00:10:00',
        is_main_sleep: true,
        asleep_minutes: 430,
        awake_minutes: 20,
      },
    ]);
    expect((await world.get(user, `workouts?${march}`)).body.data).toMatchObject([
      {
        type: 'walking',
        start_time: '2026-03-05T18:00:00',
        duration_minutes: 70,
        calories: 542,
        distance_km: 3.25,
        avg_heart_rate: 126,
        max_heart_rate: 141,
      },
    ]);
  });

  test(
    'without data produces no values',
    async () => {
      const other = await world.user({ timezone: 'Asia/Tokyo' });
      const empty = await world.connect(other, 'google_health', 'h-2');
      await waitForSync(world, other, empty);
      expect(await readDaily(world, other, march)).toEqual({});
    },
    historyTimeoutMs,
  );
});

describe('a push', () => {
  test('is verified with and without the secret before Google uses the endpoint', async () => {
    expect((await push({ type: 'verification' })).status).toBe(200);
    expect((await push({ type: 'verification' }, {})).status).toBe(401);
  });

  test('with another secret is rejected, and causes no request', async () => {
    const requestCount = world.fakeProvider.requests.length;
    expect((await push(changeNotification({ intervals: fifth }), { authorization: `${authorization}.` })).status).toBe(
      401,
    );
    await world.system.host.drain();
    expect(world.fakeProvider.requests).toHaveLength(requestCount);
  });

  test('moves the edited night, and removes the deleted nap', async () => {
    const [before] = (await readSleeps()).filter(({ is_main_sleep }: { is_main_sleep: boolean }) => is_main_sleep);
    const interval = { ...night.sleep.interval, startTime: '2026-03-04T15:20:00Z' };
    const stages = night.sleep.stages.slice(1);
    const edited = { ...night, sleep: { ...night.sleep, interval, stages, updateTime: '2026-03-06T09:00:00Z' } };
    fixtures('sleep').splice(0, 2, { item: withName(edited) });
    const response = await push([
      ...changeNotification({ intervals: fifth }),
      ...changeNotification({ operation: 'DELETE', recordId: '881' }),
    ]);
    expect([response.status, await response.text()]).toEqual([204, '']);
    await waitForSync(world, user, device);
    const after = await readSleeps();
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({
      id: before.id,
      start_time: '2026-03-05T00:20:00',
      awake_minutes: 10,
      in_bed_minutes: 440,
    });
    expect((await readDaily(world, user, march))['2026-03-05']).toMatchObject({ asleep: 430, time_in_bed: 440 });
  });

  test('while Google is unavailable is acknowledged immediately, and its data arrives once Google is back', async () => {
    fixtures('daily:steps').splice(0, 1, { item: total(5, { steps: { countSum: '9999' } }) });
    const end = world.fakeProvider.fault(isPath('/dataTypes/'), { status: 503, headers: {}, text: '' });
    expect((await push(changeNotification({ dataType: 'steps', intervals: fifth }))).status).toBe(204);
    await world.system.settle();
    expect((await readDaily(world, user, march))['2026-03-05']).toMatchObject({ steps: 9525 });
    end();
    world.system.clock.advance(3_600_000);
    await waitForSync(world, user, device);
    expect((await readDaily(world, user, march))['2026-03-05']).toMatchObject({ steps: 9999 });
  });
});

test('a device is disconnected only after Google has reported the end of consent twice', async () => {
  world.fakeProvider.fault(isPath('/dataTypes/'), 'expired');
  world.fakeProvider.fault(isRefresh, 'dead');
  await push(changeNotification({ intervals: fifth }));
  await world.system.host.drain();
  expect(await findDevice(world, user, device)).toMatchObject({ status: 'active' });
  for (let round = 0; round < 4; round++) {
    world.system.clock.advance(11 * 60_000);
    await world.system.host.runSchedule('poll');
    await world.system.settle();
  }
  expect(await findDevice(world, user, device)).toMatchObject({ status: 'disconnected' });
});
