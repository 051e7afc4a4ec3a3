// Tests COROS from the link to the daily values, with data as COROS sends it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefresh } from '../../harness/fake-provider-server.ts';
import { type ProviderSystem, startProviderSystem } from '../../harness/provider-system.ts';
import { catchUp, readDay, readFirstDevice, readSleep, readWorkouts } from './read-back.ts';

let world: ProviderSystem;
beforeAll(async () => {
  world = await startProviderSystem({ only: ['coros'] });
});
afterAll(() => world.stop());

const day = {
  happenDay: 20_260_305,
  sleepStartTime: '2026-03-04 22:40:00',
  sleepEndTime: '2026-03-05 06:55:00',
  startTimezone: 4,
  endTimezone: 4,
  calorie: 1_812_000,
  step: 5200,
  rhr: 52,
  ppgHrv: 47,
  sleepAvgHr: 55,
  hrvList: [
    { hrv: 45, hr: 56, timestamp: Date.parse('2026-03-05T02:00:00Z') / 1000 },
    { hrv: 0, timestamp: Date.parse('2026-03-05T02:10:00Z') / 1000 },
  ],
};
/** 3,100 s, of which 3,000 s are running. The id exceeds the integer range of a double. */
const run = {
  labelId: '437265198870126595',
  mode: 8,
  subMode: 1,
  distance: 10_012.0,
  duration: 3000,
  startTime: Date.parse('2026-03-05T17:00:00+01:00') / 1000,
  endTime: Date.parse('2026-03-05T17:51:40+01:00') / 1000,
  startTimezone: 4,
  endTimezone: 4,
  calorie: 604_000,
  step: 8500,
};

async function connectUser(account: string, more: Readonly<Record<string, readonly unknown[]>> = {}): Promise<string> {
  const user = await world.user({ timezone: 'Europe/Berlin' });
  world.fakeProvider.fixtures.write('coros', account, { sport: [run], daily: [day], ...more });
  await world.connect(user, 'coros', account);
  await catchUp(world);
  return user;
}

async function sendPush(body: string, secret = world.fakeProvider.credentials('coros').clientSecret) {
  const headers = { client: world.fakeProvider.credentials('coros').clientId, secret };
  const response = await world.fakeProvider.push(`${world.system.host.baseUrl}/v1/providers/coros/push`, {
    headers,
    body,
  });
  await catchUp(world, 1);
  return { status: response.status, body: await response.json() };
}

test('a COROS day is read back in canonical units, on its own local day', async () => {
  const user = await connectUser('open-ann');
  expect(await readFirstDevice(world, user)).toMatchObject({
    provider: 'coros',
    status: 'active',
    sync: { state: 'current', done: 1 },
  });
  expect(await readDay(world, user, '2026-03-05')).toEqual({
    steps: 5200,
    exercise: 50,
    running: 10.01,
    // COROS does not report the time asleep.
    time_in_bed: 495,
    sleep_heart_rate: 55,
    sleep_heart_rate_variability: 47,
    heart_rate: 56,
    resting_heart_rate: 52,
    heart_rate_variability_rmssd: 45,
  });
  expect(await readSleep(world, user)).toMatchObject([
    {
      date: '2026-03-05',
      start_time: '2026-03-04T22:40:00',
      end_time: '2026-03-05T06:55:00',
      in_bed_minutes: 495,
      asleep_minutes: null,
    },
  ]);
  expect(await readWorkouts(world, user)).toMatchObject([
    {
      type: 'running',
      start_time: '2026-03-05T17:00:00',
      duration_minutes: 52,
      calories: 604,
      distance_km: 10.01,
      avg_heart_rate: null,
    },
  ]);
});

test('no request spans more than 30 days or goes back more than three months, and each sends token and account', async () => {
  await connectUser('open-caller');
  const calls = world.fakeProvider.requests.filter(
    ({ query }) => query['openId'] === 'open-caller' && query['startDate'],
  );
  expect(calls).toHaveLength(8);
  const dayOf = (text = '') => Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')) / 86_400_000;
  for (const { query } of calls) {
    expect(dayOf(query['endDate']) - dayOf(query['startDate'])).toBeLessThan(30);
    expect(query['token']).toBeTruthy();
  }
  expect(Math.min(...calls.map(({ query }) => Number(query['startDate'])))).toBe(20_251_214);
});

test('an empty account is connected, and has no days', async () => {
  const user = await connectUser('open-nobody', { sport: [], daily: [] });
  expect(await readFirstDevice(world, user)).toMatchObject({ status: 'active', sync: { state: 'current', done: 1 } });
  expect(await readDay(world, user, '2026-03-05')).toEqual({});
});

test('a pushed workout and day are stored; a push without the secret is ignored', async () => {
  const user = await connectUser('open-bob', { sport: [], daily: [] });
  const { startTimezone: _, endTimezone: __, ...bare } = day;
  const days = {
    batchDailyList: [
      {
        openId: 'open-bob',
        dailyList: [
          {
            ...bare,
            happenDay: 20_260_311,
            sleepStartTime: '2026-03-10 23:00:00',
            sleepEndTime: '2026-03-11 07:00:00',
            hrvList: null,
            step: 6100,
          },
        ],
      },
    ],
  };
  expect(await sendPush(JSON.stringify(days), 'another secret')).toMatchObject({ status: 401 });
  expect(await readDay(world, user, '2026-03-11')).toEqual({});
  expect(await sendPush(JSON.stringify(days))).toEqual({ status: 200, body: { message: 'ok', result: '0000' } });
  expect(await readDay(world, user, '2026-03-11')).toMatchObject({
    steps: 6100,
    time_in_bed: 480,
    resting_heart_rate: 52,
  });

  const later = { ...run, openId: 'open-bob', startTime: run.startTime + 86_400, endTime: run.endTime + 86_400 };
  const others = ['437265198870126596', '437265198870126597'].map((labelId, at) => ({
    ...later,
    labelId,
    startTime: later.startTime + 7200 * at,
    endTime: later.endTime + 7200 * at,
  }));
  const workouts = JSON.stringify({ sportDataList: [...others, { ...later, openId: 'a stranger' }] }).replaceAll(
    /"(\d{18})"/g,
    '$1',
  );
  expect(await sendPush(workouts)).toMatchObject({ status: 200 });
  expect(await readWorkouts(world, user)).toHaveLength(2);
  expect(await readDay(world, user, '2026-03-06')).toMatchObject({ exercise: 100, running: 20.02 });
  // The same push again, and one edited workout.
  await sendPush(workouts);
  await sendPush(JSON.stringify({ sportDataList: [{ ...others[0], distance: 8000 }] }));
  expect(await readWorkouts(world, user)).toHaveLength(2);
  expect(await readDay(world, user, '2026-03-06')).toMatchObject({ exercise: 100, running: 18.01 });
});

test('an edited night moves and a deleted workout disappears when the last days are read again', async () => {
  const user = await connectUser('open-eve', {
    daily: [
      { ...day, happenDay: 20_260_310, sleepStartTime: '2026-03-09 22:40:00', sleepEndTime: '2026-03-10 06:55:00' },
    ],
    sport: [{ ...run, startTime: run.startTime + 5 * 86_400, endTime: run.endTime + 5 * 86_400 }],
  });
  expect(await readWorkouts(world, user)).toHaveLength(1);
  world.fakeProvider.fixtures.write('coros', 'open-eve', {
    daily: [
      {
        ...day,
        happenDay: 20_260_310,
        sleepStartTime: '2026-03-09 23:10:00',
        sleepEndTime: '2026-03-10 06:55:00',
        step: 7000,
      },
    ],
    sport: [],
  });
  world.system.clock.advance(14 * 3_600_000);
  await catchUp(world, 1);
  expect(await readWorkouts(world, user)).toEqual([]);
  expect(await readSleep(world, user)).toMatchObject([{ start_time: '2026-03-09T23:10:00', in_bed_minutes: 465 }]);
  const left = await readDay(world, user, '2026-03-10');
  expect(left).toMatchObject({ steps: 7000, time_in_bed: 465 });
  expect(Object.keys(left)).not.toContain('running');
});

test('a rejected refresh disconnects a user only if COROS says that they are no longer bound', async () => {
  const user = await connectUser('open-max');
  const refuses = world.fakeProvider.fault(isRefresh, 'dead');
  world.system.clock.advance(21 * 86_400_000);
  for (let tries = 0; tries < 4; tries++) {
    await catchUp(world, 1);
    world.system.clock.advance(2 * 3_600_000);
  }
  expect(world.fakeProvider.count('/coros/bindState')).toBeGreaterThan(0);
  expect(await readFirstDevice(world, user)).toMatchObject({ status: 'active' });
  const unbound = { status: 200, headers: {}, text: '{"result":"0000","message":"OK","data":{"bindState":0}}' };
  world.fakeProvider.fault(({ path }) => path === '/coros/bindState', unbound);
  for (let tries = 0; tries < 3; tries++) {
    await catchUp(world, 1);
    world.system.clock.advance(2 * 3_600_000);
  }
  refuses();
  const { body } = await world.get(user, 'devices');
  expect(body.data.filter(({ status }: { status: string }) => status === 'active')).toEqual([]);
  // The data of the device remains.
  expect(await readDay(world, user, '2026-03-05')).toMatchObject({ steps: 5200 });
});
