// Tests WHOOP from the link to the daily values, with records as WHOOP sends them.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ProviderSystem, startProviderSystem } from '../../harness/provider-system.ts';
import { cycle, nap, recovery, sleep, workout } from '../../unit/providers/whoop/records.ts';
import { catchUp, readDay, readFirstDevice, readSleep, readWorkouts } from './read-back.ts';

let world: ProviderSystem;
beforeAll(async () => {
  world = await startProviderSystem({ only: ['whoop'] });
});
afterAll(() => world.stop());

/** Creates a user in Berlin and connects an account with all data types. */
async function connectUser(account: string, more: Readonly<Record<string, readonly unknown[]>> = {}): Promise<string> {
  const user = await world.user({ timezone: 'Europe/Berlin' });
  world.fakeProvider.fixtures.write('whoop', account, {
    sleep: [nap, sleep],
    cycle: [cycle],
    recovery: [recovery],
    workout: [workout, { ...workout, id: 'b7a0c1f5-76d8-4c3d-9a51-0f1d6c5e7a11', sport_name: 'sauna' }],
    ...more,
  });
  await world.connect(user, 'whoop', account);
  await catchUp(world);
  return user;
}

async function sendNotification(account: string, notification: object): Promise<number> {
  const body = JSON.stringify({
    user_id: Number(account),
    trace_id: `trace ${JSON.stringify(notification)}`,
    ...notification,
  });
  const stamp = String(world.system.clock.now());
  const key = world.fakeProvider.credentials('whoop').clientSecret;
  const headers = {
    'content-type': 'application/json',
    'x-whoop-signature-timestamp': stamp,
    'x-whoop-signature': createHmac('sha256', key)
      .update(stamp + body)
      .digest('base64'),
  };
  const response = await world.fakeProvider.push(`${world.system.host.baseUrl}/v1/providers/whoop/push`, {
    headers,
    body,
  });
  await catchUp(world);
  return response.status;
}

test('a WHOOP day is read back in canonical units, on its own local day', async () => {
  const user = await connectUser('10129');
  expect(await readFirstDevice(world, user)).toMatchObject({
    provider: 'whoop',
    status: 'active',
    sync: { state: 'current', done: 1 },
  });
  expect(await readDay(world, user, '2026-03-05')).toEqual({
    exercise: 40,
    running: 5.21,
    // 27,000,000 ms plus 1,500,000 ms, and so on.
    asleep: 475,
    longest_sleep: 450,
    time_in_bed: 510,
    time_awake: 35,
    light_sleep: 265,
    deep_sleep: 105,
    rem_sleep: 105,
    restorative_sleep: 210,
    sleep_efficiency: 93.8,
    sleep_heart_rate_variability: 52.4,
    sleep_respiratory_rate: 16.1,
    sleep_blood_oxygen: 94,
    sleep_skin_temperature: 35.2,
    resting_heart_rate: 60,
    max_heart_rate: 151,
    heart_rate_variability_rmssd: 52.4,
    // 9120.4 kJ.
    total_calories: 2180,
  });
  expect(await readDay(world, user, '2026-03-04')).toEqual({});
  expect(await readSleep(world, user)).toMatchObject([
    {
      date: '2026-03-05',
      start_time: '2026-03-04T23:21:26',
      end_time: '2026-03-05T07:21:26',
      is_main_sleep: true,
      asleep_minutes: 450,
      in_bed_minutes: 480,
      source: 'whoop',
    },
    { start_time: '2026-03-05T14:00:00', is_main_sleep: false, asleep_minutes: 25, deep_minutes: 0 },
  ]);
  expect(await readWorkouts(world, user)).toMatchObject([
    {
      type: 'running',
      start_time: '2026-03-05T17:00:00',
      duration_minutes: 40,
      calories: 387,
      distance_km: 5.21,
      avg_heart_rate: 123,
      max_heart_rate: 146,
    },
  ]);
});

test('a paginated collection is read to the last page', async () => {
  const hours = Array.from({ length: 28 }, (_none, at) => at);
  const user = await connectUser('20', {
    workout: hours.map((at) => ({
      ...workout,
      id: `4d0c1f5e-76d8-4c3d-9a51-0000000000${String(at).padStart(2, '0')}`,
      start: new Date(Date.UTC(2026, 2, 6, at)).toISOString(),
      end: new Date(Date.UTC(2026, 2, 6, at, 30)).toISOString(),
    })),
  });
  expect(await readWorkouts(world, user)).toHaveLength(28);
  expect(world.fakeProvider.requests.some(({ query }) => query['nextToken'] !== undefined)).toBe(true);
});

test('an empty account is connected and has no days', async () => {
  const user = await world.user({ timezone: 'Europe/Berlin' });
  await world.connect(user, 'whoop', '30');
  await catchUp(world);
  expect(await readFirstDevice(world, user)).toMatchObject({ status: 'active', sync: { state: 'current', done: 1 } });
  expect(await readDay(world, user, '2026-03-05')).toEqual({});
  expect(await readWorkouts(world, user)).toEqual([]);
});

test('a night that is scored later, edited or deleted is updated, and its recovery with it', async () => {
  const pending = { ...sleep, score_state: 'PENDING_SCORE', score: null };
  const user = await connectUser('40', { sleep: [pending], recovery: [] });
  expect(await readSleep(world, user)).toMatchObject([{ asleep_minutes: null, in_bed_minutes: null }]);

  const edited = { ...sleep, start: '2026-03-04T21:51:26.410Z', updated_at: '2026-03-05T09:00:00.000Z' };
  world.fakeProvider.fixtures.write('whoop', '40', { sleep: [edited], recovery: [recovery] });
  expect(await sendNotification('40', { id: sleep.id, type: 'recovery.updated' })).toBe(200);
  expect(await readSleep(world, user)).toMatchObject([{ start_time: '2026-03-04T22:51:26', asleep_minutes: 450 }]);
  expect(await readDay(world, user, '2026-03-05')).toMatchObject({ asleep: 450, resting_heart_rate: 60 });

  world.fakeProvider.fixtures.write('whoop', '40', { sleep: [], recovery: [] });
  expect(await sendNotification('40', { id: sleep.id, type: 'sleep.deleted' })).toBe(200);
  expect(await readSleep(world, user)).toEqual([]);
  const left = Object.keys(await readDay(world, user, '2026-03-05'));
  expect(left).toContain('total_calories');
  for (const metric of ['asleep', 'sleep_efficiency', 'resting_heart_rate', 'sleep_skin_temperature'])
    expect(left).not.toContain(metric);
});

test('an unsigned notification is rejected and causes no request', async () => {
  const before = world.fakeProvider.requests.length;
  const response = await world.fakeProvider.push(`${world.system.host.baseUrl}/v1/providers/whoop/push`, {
    headers: { 'x-whoop-signature-timestamp': String(world.system.clock.now()), 'x-whoop-signature': 'AAAA' },
    body: JSON.stringify({ user_id: 10129, id: sleep.id, type: 'sleep.updated' }),
  });
  await world.system.host.drain();
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(world.fakeProvider.requests.length).toBe(before);
});
