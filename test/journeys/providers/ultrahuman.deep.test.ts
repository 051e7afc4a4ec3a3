// Tests Ultrahuman from the link to the daily values, with days as Ultrahuman sends them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ProviderSystem, startProviderSystem } from '../../harness/provider-system.ts';
import { metrics, midnight, sleepObject } from '../../unit/providers/ultrahuman/days.ts';
import { catchUp, readDay, readFirstDevice, readSleep, readWorkouts } from './read-back.ts';

let world: ProviderSystem;
beforeAll(async () => {
  world = await startProviderSystem({ only: ['ultrahuman'] });
});
afterAll(() => world.stop());

const providerDay = (date: string, metric_data: readonly unknown[]) => ({ date, metric_data });

async function connectUser(account: string, days: readonly unknown[]): Promise<string> {
  const user = await world.user({ timezone: 'Europe/Berlin' });
  world.fakeProvider.fixtures.write('ultrahuman', account, { metrics: days });
  await world.connect(user, 'ultrahuman', account);
  await catchUp(world);
  return user;
}

const advanceToNextPoll = async (): Promise<void> => {
  world.system.clock.advance(61 * 60_000);
  await catchUp(world);
};

test('an Ultrahuman day is read back in canonical units, on its own local day', async () => {
  const user = await connectUser('ann', [providerDay('2026-03-05', metrics)]);
  expect(await readFirstDevice(world, user)).toMatchObject({
    provider: 'ultrahuman',
    status: 'active',
    sync: { state: 'current', done: 1 },
  });
  expect(await readDay(world, user, '2026-03-05')).toEqual({
    steps: 8452,
    exercise: 38,
    // 24480 s of 26400 s, and so on.
    asleep: 408,
    longest_sleep: 408,
    time_in_bed: 440,
    time_awake: 32,
    light_sleep: 240,
    deep_sleep: 78,
    rem_sleep: 90,
    restorative_sleep: 168,
    sleep_efficiency: 91,
    sleep_heart_rate: 52,
    sleep_heart_rate_variability: 48.5,
    sleep_blood_oxygen: 97,
    sleep_skin_temperature: 36.4,
    heart_rate: 89.5,
    resting_heart_rate: 50,
    min_heart_rate: 58,
    max_heart_rate: 121,
    heart_rate_variability_rmssd: 47,
    blood_oxygen: 97.5,
    skin_temperature: 34.1,
    blood_glucose: 96,
    vo2_max: 44,
  });
  expect(await readDay(world, user, '2026-03-04')).toEqual({});
  expect(await readSleep(world, user)).toMatchObject([
    {
      date: '2026-03-05',
      start_time: '2026-03-04T23:30:00',
      end_time: '2026-03-05T06:50:00',
      is_main_sleep: true,
      asleep_minutes: 408,
      in_bed_minutes: 440,
      source: 'ultrahuman',
    },
  ]);
  expect(await readWorkouts(world, user)).toEqual([]);
});

test('an empty account is connected and has no days', async () => {
  const user = await connectUser('nobody', []);
  expect(await readFirstDevice(world, user)).toMatchObject({ status: 'active', sync: { state: 'current', done: 1 } });
  expect(await readDay(world, user, '2026-03-05')).toEqual({});
  expect(await readSleep(world, user)).toEqual([]);
});

test('a night that is reported differently later is replaced, and one that is gone is removed', async () => {
  // Midnight on 11 March 2026, the day before today.
  const start = midnight + 6 * 86_400;
  const night = { ...sleepObject, bedtime_start: start - 1800, bedtime_end: start + 24600 };
  const day = (object: object) => [
    providerDay('2026-03-11', [{ type: 'Sleep', object: { day_start_timestamp: start, ...object } }]),
  ];
  const user = await connectUser('eve', day(night));
  expect(await readSleep(world, user)).toMatchObject([{ date: '2026-03-11', start_time: '2026-03-10T23:30:00' }]);

  world.fakeProvider.fixtures.write('ultrahuman', 'eve', { metrics: day({ ...night, bedtime_start: start - 3600 }) });
  await advanceToNextPoll();
  expect(await readSleep(world, user)).toMatchObject([{ date: '2026-03-11', start_time: '2026-03-10T23:00:00' }]);

  world.fakeProvider.fixtures.write('ultrahuman', 'eve', { metrics: [] });
  await advanceToNextPoll();
  expect(await readSleep(world, user)).toEqual([]);
  expect(await readDay(world, user, '2026-03-11')).toEqual({});
});
