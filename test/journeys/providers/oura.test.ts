// Tests Oura from the link to the daily values, with documents as Oura sends them.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ProviderSystem, startProviderSystem } from '../../harness/provider-system.ts';
import { activity, fragment, longSleep, nap, run } from '../../unit/providers/oura/documents.ts';
import { readDay, readFirstDevice, readSleep, readWorkouts } from './read-back.ts';

let world: ProviderSystem;
beforeAll(async () => {
  world = await startProviderSystem({ only: ['oura'] });
});
afterAll(() => world.stop());

const heartrate = [
  { bpm: 51, source: 'sleep', timestamp: '2026-03-05T03:00:00+00:00' },
  { bpm: 140, source: 'workout', timestamp: '2026-03-05T17:05:00+00:00' },
  { bpm: 161, source: 'workout', timestamp: '2026-03-05T17:30:00+00:00' },
];

/** Creates a user in Berlin and connects an account with all data types. */
async function connectUser(account: string, more: Readonly<Record<string, readonly unknown[]>> = {}): Promise<string> {
  const user = await world.user({ timezone: 'Europe/Berlin' });
  world.fakeProvider.fixtures.write('oura', account, {
    sleep: [nap, longSleep],
    daily_activity: [activity],
    daily_spo2: [{ id: 'o', day: '2026-03-05', spo2_percentage: { average: 96.153 } }],
    vO2_max: [{ id: 'v', day: '2026-03-05', timestamp: '2026-03-05T00:00:00+00:00', vo2_max: 42 }],
    workout: [run],
    heartrate,
    ...more,
  });
  await world.connect(user, 'oura', account);
  await world.system.host.drain();
  return user;
}

async function sendNotification(account: string, notification: object): Promise<number> {
  const body = JSON.stringify({
    event_time: new Date(world.system.clock.now()).toISOString(),
    user_id: account,
    ...notification,
  });
  const stamp = String(Math.floor(world.system.clock.now() / 1000));
  const key = world.fakeProvider.credentials('oura').clientSecret;
  const signature = createHmac('sha256', key)
    .update(stamp + body)
    .digest('hex')
    .toUpperCase();
  const headers = { 'x-oura-timestamp': stamp, 'x-oura-signature': signature, 'content-type': 'application/json' };
  const response = await world.fakeProvider.push(`${world.system.host.baseUrl}/v1/providers/oura/push`, {
    headers,
    body,
  });
  await world.system.host.drain();
  return response.status;
}

test('an Oura day is read back in canonical units, on its own local day', async () => {
  const user = await connectUser('ann');
  expect(await readFirstDevice(world, user)).toMatchObject({
    provider: 'oura',
    status: 'active',
    sync: { state: 'current', done: 1 },
  });
  expect(await readDay(world, user, '2026-03-05')).toEqual({
    steps: 9120,
    distance: 8.3,
    exercise: 50,
    running: 5.27,
    // 24300 s plus 1800 s, and so on.
    asleep: 435,
    longest_sleep: 405,
    time_in_bed: 502,
    time_awake: 67,
    light_sleep: 265,
    deep_sleep: 73,
    rem_sleep: 97,
    restorative_sleep: 170,
    sleep_latency: 9,
    // 405 of 461.5 minutes.
    sleep_efficiency: 87.8,
    sleep_heart_rate: 56.3,
    sleep_heart_rate_variability: 52,
    sleep_respiratory_rate: 14.5,
    sleep_blood_oxygen: 96.2,
    heart_rate: 117.3,
    resting_heart_rate: 49,
    min_heart_rate: 51,
    max_heart_rate: 161,
    heart_rate_variability_rmssd: 47.5,
    vo2_max: 42,
    active_calories: 420,
    resting_energy: 2060,
    total_calories: 2480,
  });
  expect(await readDay(world, user, '2026-03-04')).toEqual({ heart_rate_variability_rmssd: 41 });
  expect(await readSleep(world, user)).toMatchObject([
    {
      date: '2026-03-05',
      start_time: '2026-03-04T23:41:10',
      end_time: '2026-03-05T07:22:40',
      is_main_sleep: true,
      asleep_minutes: 405,
      in_bed_minutes: 462,
      source: 'oura',
    },
    {
      date: '2026-03-05',
      start_time: '2026-03-05T14:00:00',
      is_main_sleep: false,
      asleep_minutes: 30,
      deep_minutes: null,
    },
  ]);
  expect(await readWorkouts(world, user)).toMatchObject([
    {
      type: 'running',
      start_time: '2026-03-05T18:00:00',
      duration_minutes: 30,
      calories: 288,
      distance_km: 5.27,
      avg_heart_rate: 150.5,
      max_heart_rate: 161,
    },
  ]);
});

test('a paginated collection is read to the last page', async () => {
  const days = Array.from({ length: 20 }, (_none, at) => `2026-02-${String(at + 9).padStart(2, '0')}`);
  const user = await connectUser('max', {
    daily_activity: days.map((day, at) => ({ ...activity, day, timestamp: `${day}T04:00:00+01:00`, steps: 1000 + at })),
  });
  const { body } = await world.get(user, 'daily?types=steps&from_date=2026-02-09&to_date=2026-02-28');
  expect(body.series.steps).toEqual(days.map((_day, at) => 1000 + at));
  expect(world.fakeProvider.requests.some(({ query }) => query['next_token'] !== undefined)).toBe(true);
});

test('an empty account is connected and has no days', async () => {
  const user = await world.user({ timezone: 'Europe/Berlin' });
  await world.connect(user, 'oura', 'nobody');
  await world.system.host.drain();
  expect(await readFirstDevice(world, user)).toMatchObject({ status: 'active', sync: { state: 'current', done: 1 } });
  expect(await readDay(world, user, '2026-03-05')).toEqual({});
  expect(await readSleep(world, user)).toEqual([]);
});

test('a night whose start was edited moves, a deleted one disappears, and their days follow', async () => {
  const user = await connectUser('eve');
  const edited = { ...longSleep, bedtime_start: '2026-03-04T23:11:10+01:00', time_in_bed: 29490, latency: 600 };
  world.fakeProvider.fixtures.write('oura', 'eve', { sleep: [edited, { ...nap, type: 'deleted' }] });
  expect(await sendNotification('eve', { event_type: 'update', data_type: 'sleep', object_id: longSleep.id })).toBe(
    200,
  );
  expect(await readSleep(world, user)).toMatchObject([{ start_time: '2026-03-04T23:11:10', in_bed_minutes: 492 }]);
  expect(await readDay(world, user, '2026-03-05')).toMatchObject({ asleep: 405, time_in_bed: 492, sleep_latency: 10 });

  world.fakeProvider.fixtures.write('oura', 'eve', { sleep: [] });
  expect(await sendNotification('eve', { event_type: 'delete', data_type: 'sleep', object_id: longSleep.id })).toBe(
    200,
  );
  expect(await readSleep(world, user)).toEqual([]);
  const left = await readDay(world, user, '2026-03-05');
  expect(Object.keys(left)).not.toContain('asleep');
  expect(Object.keys(left)).not.toContain('resting_heart_rate');
  expect(left).toMatchObject({ steps: 9120, max_heart_rate: 161 });
});

test('a sleep fragment counts once Oura counts it, and no longer when Oura reverts that', async () => {
  const user = await connectUser('fay', { sleep: [longSleep, fragment] });
  const update = { event_type: 'update', data_type: 'sleep', object_id: fragment.id };
  const alone = { asleep: 405, time_in_bed: 462, time_awake: 57, light_sleep: 235, sleep_latency: 9 };
  expect(await readSleep(world, user)).toHaveLength(1);
  expect(await readDay(world, user, '2026-03-05')).toMatchObject(alone);

  world.fakeProvider.fixtures.write('oura', 'fay', { sleep: [longSleep, { ...fragment, sleep_score_delta: 2 }] });
  expect(await sendNotification('fay', update)).toBe(200);
  expect(await readSleep(world, user)).toHaveLength(2);
  // 24300 s plus 390 s asleep, 27690 s plus 1530 s in bed.
  expect(await readDay(world, user, '2026-03-05')).toMatchObject({ asleep: 412, time_in_bed: 487 });

  world.fakeProvider.fixtures.write('oura', 'fay', { sleep: [longSleep, fragment] });
  expect(await sendNotification('fay', update)).toBe(200);
  expect(await readSleep(world, user)).toHaveLength(1);
  expect(await readDay(world, user, '2026-03-05')).toMatchObject(alone);
});

test('an announced document is read again, and an unsigned notification is ignored', async () => {
  const user = await connectUser('bob');
  world.fakeProvider.fixtures.write('oura', 'bob', { daily_activity: [{ ...activity, steps: 12001 }] });
  const notification = { event_type: 'update', data_type: 'daily_activity', object_id: activity.id };
  const body = JSON.stringify({ ...notification, user_id: 'bob' });
  const url = `${world.system.host.baseUrl}/v1/providers/oura/push`;
  const stamp = String(Math.floor(world.system.clock.now() / 1000));
  const refused = await world.fakeProvider.push(url, {
    headers: { 'x-oura-timestamp': stamp, 'x-oura-signature': '0'.repeat(64) },
    body,
  });
  await world.system.host.drain();
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect((await readDay(world, user, '2026-03-05'))['steps']).toBe(9120);
  expect(await sendNotification('bob', notification)).toBe(200);
  expect((await readDay(world, user, '2026-03-05'))['steps']).toBe(12001);
});
