// Tests Suunto from the link to the daily values, with items as Suunto sends them.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ProviderSystem, startProviderSystem } from '../../harness/provider-system.ts';
import { catchUp, readDay, readFirstDevice, readSleep, readWorkouts } from './read-back.ts';

let world: ProviderSystem;
beforeAll(async () => {
  world = await startProviderSystem({ only: ['suunto'] });
});
afterAll(() => world.stop());

const night = {
  timestamp: '2026-03-04T23:05:00.000+01:00',
  entryData: {
    SleepId: 1_772_661_900,
    DateTime: '2026-03-04T23:05:00.000+01:00',
    BedtimeStart: '2026-03-04T23:05:00.000+01:00',
    BedtimeEnd: '2026-03-05T06:50:00.000+01:00',
    Duration: 27_900.0,
    DeepSleepDuration: 5400.0,
    LightSleepDuration: 16_500.0,
    REMSleepDuration: 5100.0,
    SleepOnsetLatencyDuration: 540,
    WakeAfterSleepOnsetDuration: 600,
    WakeBeforeOffBedDuration: 120,
    HRAvg: 58.0,
    HRMin: 49.0,
    AvgHRV: 51,
    MaxSpo2: 0.98,
    IsNap: false,
  },
};
const nap = {
  timestamp: '2026-03-05T14:00:00.000+01:00',
  entryData: { SleepId: 1_772_715_600, Duration: 1800, LightSleepDuration: 1500, HRAvg: 80, IsNap: true },
};
const activity = [
  { timestamp: '2026-03-05T10:20:00.000+01:00', entryData: { HR: 74, HRExt: { Min: 66, Max: 91 }, StepCount: 240 } },
  { timestamp: '2026-03-05T10:30:00.000+01:00', entryData: { HR: 1.2, SpO2: 0.96, HRV: 38, StepCount: null } },
  { timestamp: '2026-03-05T10:30:00.000+01:00', entryData: { HR: null, StepCount: 60 } },
  { timestamp: 'some time', entryData: { HR: 70 } },
];
const statistics = [
  {
    Name: 'stepcount',
    Aggregation: 'sum',
    Sources: [
      {
        Name: 'suunto-247-a',
        Samples: [
          { TimeISO8601: '2026-03-04T23:00:00.000', Value: null },
          { TimeISO8601: '2026-03-04T23:00:00.000', Value: '7312' },
        ],
      },
    ],
  },
  {
    Name: 'energyconsumption',
    Aggregation: 'sum',
    Sources: [{ Name: 'suunto-247-a', Samples: [{ TimeISO8601: '2026-03-04T23:00:00.000', Value: 640_580 }] }],
  },
];
/** 55 minutes, of which 52.01 are running. */
const run = {
  workoutId: 0,
  workoutKey: '6a01f3c2d4e5b60718293a4b',
  activityId: 1,
  startTime: Date.parse('2026-03-05T17:20:00+01:00'),
  stopTime: Date.parse('2026-03-05T18:15:00+01:00'),
  totalTime: 3120.6,
  timeOffsetInMinutes: 60,
  totalDistance: 9150.0,
  totalAscent: 84.0,
  stepCount: 8100,
  energyConsumption: 610,
  hrdata: { workoutAvgHR: 148, workoutMaxHR: 171, userMaxHR: 190, avg: 148, hrmax: 171, max: 190 },
};

async function connectUser(account: string, more: Readonly<Record<string, readonly unknown[]>> = {}): Promise<string> {
  const user = await world.user({ timezone: 'Europe/Berlin' });
  const items = { sleep: [nap, night], activity: activity.slice(0, 3), statistics, workouts: [run], ...more };
  world.fakeProvider.fixtures.write('suunto', account, items);
  await world.connect(user, 'suunto', account);
  await catchUp(world);
  return user;
}

async function sendNotification(body: object, secret = 'the notification_secret of suunto'): Promise<number> {
  const text = JSON.stringify(body);
  const headers = { 'x-hmac-sha256-signature': createHmac('sha256', secret).update(text).digest('hex') };
  const response = await world.fakeProvider.push(`${world.system.host.baseUrl}/v1/providers/suunto/push`, {
    headers,
    body: text,
  });
  await catchUp(world, 1);
  return response.status;
}

test('a Suunto day is read back in canonical units, on its own local day', async () => {
  const user = await connectUser('runner42');
  expect(await readFirstDevice(world, user)).toMatchObject({
    provider: 'suunto',
    status: 'active',
    sync: { state: 'current', done: 1 },
  });
  expect(await readDay(world, user, '2026-03-05')).toEqual({
    // The total that Suunto reports, not the 300 of the two samples.
    steps: 7312,
    exercise: 52,
    running: 9.15,
    // 27,000 s plus 1,500 s.
    asleep: 475,
    longest_sleep: 450,
    time_in_bed: 495,
    time_awake: 12,
    light_sleep: 300,
    deep_sleep: 90,
    rem_sleep: 85,
    restorative_sleep: 175,
    sleep_latency: 9,
    // 450 of 465 minutes.
    sleep_efficiency: 96.8,
    sleep_heart_rate: 58,
    sleep_heart_rate_variability: 51,
    // The average of 74 bpm and 1.2 beats per second (72 bpm).
    heart_rate: 73,
    min_heart_rate: 49,
    max_heart_rate: 91,
    heart_rate_variability_rmssd: 38,
    blood_oxygen: 96,
    // 640,580 J.
    active_calories: 153,
  });
  expect(await readSleep(world, user)).toMatchObject([
    {
      date: '2026-03-05',
      start_time: '2026-03-04T23:05:00',
      end_time: '2026-03-05T06:50:00',
      is_main_sleep: true,
      asleep_minutes: 450,
      in_bed_minutes: 465,
    },
    {
      date: '2026-03-05',
      start_time: '2026-03-05T14:00:00',
      is_main_sleep: false,
      asleep_minutes: 25,
      rem_minutes: null,
    },
  ]);
  expect(await readWorkouts(world, user)).toMatchObject([
    {
      type: 'running',
      start_time: '2026-03-05T17:20:00',
      duration_minutes: 55,
      calories: 610,
      distance_km: 9.15,
      avg_heart_rate: 148,
      max_heart_rate: 171,
    },
  ]);
});

test('every data request sends the subscription key, and no request spans more than 28 days', async () => {
  await connectUser('caller');
  const calls = world.fakeProvider.requests.filter(
    ({ path }) => path.startsWith('/247samples') || path.startsWith('/v3'),
  );
  expect(calls.length).toBeGreaterThan(20);
  for (const { headers } of calls) expect(headers['ocp-apim-subscription-key']).toBe('the subscription_key of suunto');
  for (const { query } of calls.filter(({ path }) => path.endsWith('/sleep')))
    expect(Number(query['to']) - Number(query['from'])).toBeLessThan(28 * 86_400_000);
});

test('workouts that fill a page are read to the last, and an invalid item does not affect the others', async () => {
  const workouts = Array.from({ length: 130 }, (_, at) => ({
    ...run,
    workoutKey: `w${at}`,
    activityId: 987,
    startTime: run.startTime - at * 3_600_000,
    stopTime: run.startTime - at * 3_600_000 + 1_800_000,
    totalTime: 1800,
  }));
  const user = await connectUser('busy', { workouts });
  expect(world.fakeProvider.requests.some(({ query }) => query['offset'] === '100')).toBe(true);
  const { body } = await world.get(user, 'daily?types=exercise&from_date=2026-02-25&to_date=2026-03-05');
  const minutes = body.series.exercise.reduce((sum: number, each: number | null) => sum + (each ?? 0), 0);
  expect(minutes).toBe(130 * 30);
});

test('an empty account is connected and has no days', async () => {
  const user = await connectUser('nobody', { sleep: [], activity: [], statistics: [], workouts: [] });
  expect(await readFirstDevice(world, user)).toMatchObject({ status: 'active', sync: { state: 'current', done: 1 } });
  expect(await readDay(world, user, '2026-03-05')).toEqual({});
});

test('an announced workout is read with its days; a deleted workout and a moved night follow', async () => {
  const user = await connectUser('eve');
  const { entryData } = night;
  const moved = {
    ...night,
    entryData: { ...entryData, BedtimeStart: '2026-03-04T23:35:00.000+01:00', DeepSleepDuration: 3600 },
  };
  const ride = { ...run, workoutKey: 'ride1', activityId: 2, totalDistance: 20_000 };
  world.fakeProvider.fixtures.write('suunto', 'eve', { sleep: [moved], workouts: [ride] });
  expect(
    await sendNotification({ type: 'WORKOUT_CREATED', username: 'eve', workout: { workoutKey: 'ride1' }, gear: null }),
  ).toBe(200);
  expect(await readWorkouts(world, user)).toMatchObject([{ type: 'cycling', distance_km: 20 }]);
  expect(await readSleep(world, user)).toMatchObject([{ start_time: '2026-03-04T23:35:00', in_bed_minutes: 435 }]);
  const day = await readDay(world, user, '2026-03-05');
  expect(day).toMatchObject({ cycling: 20, exercise: 52, asleep: 420 });
  expect(Object.keys(day)).not.toContain('running');
});

test('a pushed night is stored immediately, even if it is not listed yet; an unsigned or repeated one changes nothing', async () => {
  const countBefore = world.fakeProvider.requests.length;
  const user = await connectUser('bob', { sleep: [], statistics: [], activity: [], workouts: [] });
  // The users of the tests before this one are polled meanwhile.
  const authorization = world.fakeProvider.requests
    .slice(countBefore)
    .find(({ path }) => path.startsWith('/247samples'))?.headers['authorization'];
  expect(authorization).toBeTypeOf('string');
  const countOwn = () =>
    world.fakeProvider.requests.filter(({ headers }) => headers['authorization'] === authorization).length;
  const pushed = {
    type: 'SUUNTO_247_SLEEP_CREATED',
    username: 'bob',
    samples: [
      {
        timestamp: '2026-03-10T23:00:00.000+01:00',
        entryData: {
          SleepId: 7,
          Duration: 28_800,
          DeepSleepDuration: 7200,
          LightSleepDuration: 14_400,
          REMSleepDuration: 3600,
          HRAvg: 60,
        },
      },
    ],
  };
  expect(await sendNotification(pushed, 'another secret')).toBe(401);
  expect(await readDay(world, user, '2026-03-11')).toEqual({});
  expect(await sendNotification(pushed)).toBe(200);
  expect(await readDay(world, user, '2026-03-11')).toMatchObject({
    asleep: 420,
    time_in_bed: 480,
    sleep_heart_rate: 60,
  });
  const before = countOwn();
  expect(before).toBeGreaterThan(0);
  expect(await sendNotification(pushed)).toBe(200);
  expect(countOwn()).toBe(before);
  expect(await sendNotification({ ...pushed, username: 'a stranger' })).toBe(200);
});
