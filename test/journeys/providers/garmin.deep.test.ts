// Tests Garmin from the link to the daily values, with summaries as Garmin pushes them. Daybook can
// only request Garmin to send data.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pushPath } from '../../../shared/connections/client/push-keys.ts';
import { type ProviderSystem, startProviderSystem } from '../../harness/provider-system.ts';
import { catchUp, readDay, readFirstDevice, readSleep, readWorkouts } from './read-back.ts';

let world: ProviderSystem;
beforeAll(async () => {
  world = await startProviderSystem({ only: ['garmin'] });
});
afterAll(() => world.stop());

const toSeconds = (text: string): number => Date.parse(text) / 1000;
const summaryBase = (userId: string, summaryId: string) => ({ userId, summaryId, startTimeOffsetInSeconds: 3600 });

const dailySummary = (userId: string) => ({
  ...summaryBase(userId, 'd1'),
  calendarDate: '2026-03-05',
  startTimeInSeconds: toSeconds('2026-03-05T00:00:00+01:00'),
  durationInSeconds: 86_400,
  steps: 8420,
  distanceInMeters: 6310.5,
  floorsClimbed: 8,
  activeKilocalories: 410,
  bmrKilocalories: 1730,
  moderateIntensityDurationInSeconds: 1800,
  vigorousIntensityDurationInSeconds: 600,
  minHeartRateInBeatsPerMinute: 46,
  maxHeartRateInBeatsPerMinute: 151,
  restingHeartRateInBeatsPerMinute: 52,
  averageHeartRateInBeatsPerMinute: 99,
  timeOffsetHeartRateSamples: { '36000': 61, '36015': 0, '43200': 70 },
  averageStressLevel: -1,
});
/** From 23:00 to 06:40: 440 minutes asleep, 20 awake. */
const sleepSummary = (userId: string) => ({
  ...summaryBase(userId, 'n1'),
  calendarDate: '2026-03-05',
  startTimeInSeconds: toSeconds('2026-03-04T23:00:00+01:00'),
  durationInSeconds: 26_400,
  deepSleepDurationInSeconds: 5400,
  lightSleepDurationInSeconds: 15_600,
  remSleepInSeconds: 5400,
  awakeDurationInSeconds: 1200,
  sleepLevelsMap: {
    awake: [
      {
        startTimeInSeconds: toSeconds('2026-03-05T06:20:00+01:00'),
        endTimeInSeconds: toSeconds('2026-03-05T06:40:00+01:00'),
      },
    ],
  },
  validation: 'ENHANCED_TENTATIVE',
  timeOffsetSleepSpo2: { '60': 95, '120': 96, '180': 0 },
  timeOffsetSleepRespiration: { '60': 14.2, '120': 13.8 },
  naps: [
    {
      napStartTimeInSeconds: toSeconds('2026-03-05T14:00:00+01:00'),
      napDurationInSeconds: 1800,
      napOffsetInSeconds: 3600,
    },
  ],
});
const activityDetails = (userId: string) => ({
  userId,
  summaryId: '123-detail',
  activityId: 123,
  summary: {
    activityType: 'RUNNING',
    activityName: 'Evening run',
    startTimeInSeconds: toSeconds('2026-03-05T17:00:00+01:00'),
    startTimeOffsetInSeconds: 3600,
    durationInSeconds: 3600,
    distanceInMeters: 10_012.3,
    activeKilocalories: 610,
    averageHeartRateInBeatsPerMinute: 151,
    maxHeartRateInBeatsPerMinute: 176,
    steps: 9800,
  },
  samples: [{ startTimeInSeconds: toSeconds('2026-03-05T17:10:00+01:00'), heartRate: 140 }],
});

async function connectUser(account: string): Promise<string> {
  const user = await world.user({ timezone: 'Europe/Berlin' });
  await world.connect(user, 'garmin', account);
  await catchUp(world, 1);
  return user;
}

async function sendPush(
  body: object,
  clientId = world.fakeProvider.credentials('garmin').clientId,
  path?: string,
): Promise<number> {
  const { host } = world.system;
  const headers = { 'garmin-client-id': clientId, 'content-type': 'application/json' };
  const url = host.baseUrl + (path ?? pushPath(host.deps, 'garmin', 'live'));
  const result = await world.fakeProvider.push(url, { headers, body: JSON.stringify(body) });
  await catchUp(world, 1);
  return result.status;
}

test('connecting requests a backfill of at most 30 days per call, and reads no data', async () => {
  const user = await connectUser('asker');
  expect(await readFirstDevice(world, user)).toMatchObject({ status: 'active', sync: { state: 'current', done: 1 } });
  const requests = world.fakeProvider.requests.filter(({ path }) => path.startsWith('/wellness-api/'));
  expect(requests.every(({ path }) => path.startsWith('/wellness-api/rest/backfill/'))).toBe(true);
  const dailies = requests.filter(({ path }) => path.endsWith('/dailies')).map(({ query }) => query);
  const [newest, oldest] = dailies;
  expect(Number(newest?.['summaryEndTimeInSeconds'])).toBeLessThanOrEqual(world.system.clock.now() / 1000);
  expect(oldest?.['summaryStartTimeInSeconds']).toBe(String(toSeconds('2026-02-10T00:00:00+01:00')));
  expect(oldest?.['summaryEndTimeInSeconds']).toBe(newest?.['summaryStartTimeInSeconds']);
});

test('a Garmin day is read back in canonical units, on the day it names', async () => {
  const user = await connectUser('ann');
  const night = {
    ...summaryBase('ann', 'h1'),
    calendarDate: '2026-03-05',
    startTimeInSeconds: toSeconds('2026-03-04T23:00:00+01:00'),
    durationInSeconds: 26_400,
  };
  const weighed = {
    ...summaryBase('ann', 'b1'),
    measurementTimeInSeconds: toSeconds('2026-03-05T07:00:00+01:00'),
    measurementTimeOffsetInSeconds: 3600,
  };
  const status = await sendPush({
    dailies: [{ ...dailySummary('ann'), steps: 5 }, dailySummary('ann'), { userId: 'ann', steps: 'many' }],
    sleeps: [sleepSummary('ann')],
    hrv: [{ ...night, lastNightAvg: 47, hrvValues: { '7200': 45 } }],
    pulseox: [{ ...night, onDemand: false, timeOffsetSpo2Values: { '7200': 96, '7260': 0 } }],
    allDayRespiration: [{ ...night, timeOffsetEpochToBreaths: { '7200': 14.6, '7260': -1 } }],
    bodyComps: [{ ...weighed, weightInGrams: 71_230, bodyFatInPercent: 18.4, muscleMassInGrams: null }],
    bloodPressures: [{ ...weighed, systolic: 118, diastolic: 76, pulse: 58, sourceType: 'NEW_KIND' }],
    userMetrics: [{ userId: 'ann', summaryId: 'u1', calendarDate: '2026-03-05', vo2Max: 46 }],
    activityDetails: [activityDetails('ann')],
    stressDetails: [{ userId: 'ann' }],
  });
  expect(status).toBe(200);
  expect(await readDay(world, user, '2026-03-05')).toEqual({
    steps: 8420,
    distance: 6.31,
    exercise: 40,
    flights_climbed: 8,
    running: 10.01,
    // 26,400 s plus a nap of 1,800 s.
    asleep: 470,
    longest_sleep: 440,
    time_in_bed: 490,
    time_awake: 20,
    light_sleep: 260,
    deep_sleep: 90,
    rem_sleep: 90,
    restorative_sleep: 180,
    // 440 of 460 minutes.
    sleep_efficiency: 95.7,
    sleep_heart_rate_variability: 47,
    sleep_respiratory_rate: 14,
    sleep_blood_oxygen: 95.5,
    heart_rate: 65.5,
    resting_heart_rate: 52,
    min_heart_rate: 46,
    max_heart_rate: 151,
    heart_rate_variability_rmssd: 45,
    respiratory_rate: 14.6,
    blood_oxygen: 96,
    blood_pressure_systolic: 118,
    blood_pressure_diastolic: 76,
    vo2_max: 46,
    weight: 71.23,
    body_fat_percentage: 18.4,
    active_calories: 410,
    resting_energy: 1730,
    total_calories: 2140,
  });
  expect(await readSleep(world, user)).toMatchObject([
    {
      date: '2026-03-05',
      start_time: '2026-03-04T23:00:00',
      end_time: '2026-03-05T06:40:00',
      is_main_sleep: true,
      asleep_minutes: 440,
      in_bed_minutes: 460,
    },
    { start_time: '2026-03-05T14:00:00', is_main_sleep: false, asleep_minutes: 30, deep_minutes: null },
  ]);
  expect(await readWorkouts(world, user)).toMatchObject([
    {
      type: 'running',
      start_time: '2026-03-05T17:00:00',
      duration_minutes: 60,
      calories: 610,
      distance_km: 10.01,
      avg_heart_rate: 151,
      max_heart_rate: 176,
    },
  ]);
});

test('a tentative night that moved is replaced, by its id or by its overlap, and a day that is sent again is updated', async () => {
  const user = await connectUser('eve');
  await sendPush({ sleeps: [{ ...sleepSummary('eve'), naps: [] }], dailies: [{ ...dailySummary('eve'), steps: 100 }] });
  const moved = {
    ...sleepSummary('eve'),
    naps: [],
    startTimeInSeconds: toSeconds('2026-03-04T23:10:00+01:00'),
    durationInSeconds: 25_800,
    lightSleepDurationInSeconds: 15_000,
    validation: 'ENHANCED_FINAL',
  };
  await sendPush({ sleeps: [moved], dailies: [dailySummary('eve')] });
  expect(await readSleep(world, user)).toMatchObject([{ start_time: '2026-03-04T23:10:00', asleep_minutes: 430 }]);
  expect(await readDay(world, user, '2026-03-05')).toMatchObject({ steps: 8420, asleep: 430, time_in_bed: 450 });
  await sendPush({
    sleeps: [
      {
        ...moved,
        summaryId: 'n2',
        startTimeInSeconds: toSeconds('2026-03-04T23:15:00+01:00'),
        lightSleepDurationInSeconds: 14_700,
      },
    ],
  });
  expect(await readSleep(world, user)).toMatchObject([{ start_time: '2026-03-04T23:15:00', asleep_minutes: 425 }]);
  expect(await readDay(world, user, '2026-03-05')).toMatchObject({ asleep: 425, time_in_bed: 445 });
});

/** A four-hour ride with one complete sample per second, which is larger than a push may be. */
const longRide = (userId: string) => {
  const startTimeInSeconds = toSeconds('2026-03-05T09:00:00+01:00');
  const summary = {
    activityId: 777,
    activityType: 'CYCLING',
    activityName: 'Over the pass',
    startTimeInSeconds,
    startTimeOffsetInSeconds: 3600,
    durationInSeconds: 14_400,
    distanceInMeters: 98_250,
    averageHeartRateInBeatsPerMinute: 139,
  };
  const samples = Array.from({ length: 14_400 }, (_, second) => ({
    startTimeInSeconds: startTimeInSeconds + second,
    latitudeInDegree: 48.137_154_321 + second / 100_000,
    longitudeInDegree: 11.576_124_321 + second / 100_000,
    elevationInMeters: 519.400_024_414_062_5,
    airTemperatureCelcius: 14,
    heartRate: 120 + (second % 40),
    speedMetersPerSecond: 7.802_000_045_776_367,
    totalDistanceInMeters: second * 7.8,
    powerInWatts: 210,
    bikeCadenceInRPM: 88,
    timerDurationInSeconds: second,
    clockDurationInSeconds: second,
    movingDurationInSeconds: second,
  }));
  return {
    summary: { userId, summaryId: '777', ...summary },
    details: { userId, summaryId: '777-detail', activityId: 777, summary, samples },
  };
};

test('a four-hour workout arrives with its summary, and its heart rate from the callback URL of the ping', async () => {
  const user = await connectUser('far');
  const { summary, details: own } = longRide('far');
  expect(JSON.stringify({ activityDetails: [own] }).length).toBeGreaterThan(4_500_000);
  expect(await sendPush({ activityDetails: [own] })).toBe(413);
  expect(await sendPush({ activities: [summary] })).toBe(200);
  const result = { type: 'cycling', duration_minutes: 240, distance_km: 98.25, avg_heart_rate: 139 };
  expect(await readWorkouts(world, user)).toMatchObject([result]);

  world.fakeProvider.fixtures.write('garmin', 'far', { activityDetails: [own] });
  const upload = `uploadStartTimeInSeconds=${toSeconds('2026-03-05T12:00:00Z')}&uploadEndTimeInSeconds=${toSeconds('2026-03-05T12:01:00Z')}`;
  const callbackURL = `https://apis.garmin.com/wellness-api/rest/activityDetails?${upload}&token=once`;
  expect(await sendPush({ activityDetails: [{ userId: 'far', callbackURL }] })).toBe(200);
  expect(await sendPush({ activities: [summary] })).toBe(200);
  const [workout, ...others] = await readWorkouts(world, user);
  expect(others).toEqual([]);
  expect(workout).toMatchObject(result);
  const { body } = await world.get(user, `workouts/${workout?.['id']}`);
  // One bucket per minute.
  expect(body).toMatchObject({ name: 'Over the pass', heart_rate: { max_bpm: 159 } });
  expect(body.heart_rate.samples.length).toBe(240);
  expect((await readDay(world, user, '2026-03-05'))['cycling']).toBe(98.25);
});

test('a callback URL that Garmin no longer serves leaves the summary, and later pushes are accepted', async () => {
  const user = await connectUser('stale');
  const callbackURL =
    'https://apis.garmin.com/wellness-api/rest/activityDetails?uploadStartTimeInSeconds=1&uploadEndTimeInSeconds=1000000';
  expect(await sendPush({ activityDetails: [{ userId: 'stale', callbackURL }] })).toBe(200);
  expect(await sendPush({ activities: [longRide('stale').summary] })).toBe(200);
  expect(await readWorkouts(world, user)).toMatchObject([{ type: 'cycling', distance_km: 98.25 }]);
  expect(await readFirstDevice(world, user)).toMatchObject({ status: 'active', sync: { state: 'current' } });
});

test('data announced while Garmin was unavailable is fetched when it is back', async () => {
  const user = await connectUser('waiting');
  const { details: own } = longRide('waiting');
  world.fakeProvider.fixtures.write('garmin', 'waiting', { activityDetails: [own] });
  const back = world.fakeProvider.fault(({ path }) => path.endsWith('/activityDetails'), {
    status: 503,
    headers: {},
    text: '',
  });
  const upload = `uploadStartTimeInSeconds=${toSeconds('2026-03-05T12:00:00Z')}&uploadEndTimeInSeconds=${toSeconds('2026-03-05T12:01:00Z')}`;
  const callbackURL = `https://apis.garmin.com/wellness-api/rest/activityDetails?${upload}&token=again`;
  expect(await sendPush({ activityDetails: [{ userId: 'waiting', callbackURL }] })).toBe(200);
  expect(await readWorkouts(world, user)).toEqual([]);
  back();
  world.system.clock.advance(3_600_000);
  await catchUp(world, 1);
  expect(await readWorkouts(world, user)).toMatchObject([{ type: 'cycling', distance_km: 98.25 }]);
});

test('a push for two users is split by user, and one for an unknown user or from an unknown sender changes nothing', async () => {
  const [bob, max] = [await connectUser('bob'), await connectUser('max')];
  const { pathname } = new URL('/v1/providers/garmin/push/guessed', world.system.host.baseUrl);
  expect(await sendPush({ dailies: [dailySummary('bob')] }, 'another client')).toBe(401);
  expect(await sendPush({ dailies: [dailySummary('bob')] }, undefined, pathname)).toBe(401);
  expect(await sendPush({ dailies: [dailySummary('bob')] }, undefined, '/v1/providers/garmin/push')).toBe(401);
  expect(await readDay(world, bob, '2026-03-05')).toEqual({});
  expect(
    await sendPush({
      dailies: [dailySummary('bob'), { ...dailySummary('max'), steps: 77 }, dailySummary('a stranger')],
    }),
  ).toBe(200);
  expect((await readDay(world, bob, '2026-03-05'))['steps']).toBe(8420);
  expect((await readDay(world, max, '2026-03-05'))['steps']).toBe(77);
});

test('without permission for historical data the connection stays active, and the backfill follows once it is granted', async () => {
  const refuses = world.fakeProvider.fault(({ path }) => path.includes('/backfill/'), {
    status: 403,
    headers: {},
    text: '',
  });
  const before = world.fakeProvider.count('/backfill/');
  const user = await connectUser('late');
  refuses();
  expect(await readFirstDevice(world, user)).toMatchObject({ status: 'active', sync: { state: 'current' } });
  const afterFirst = world.fakeProvider.count('/backfill/');
  expect(afterFirst - before).toBe(2);
  const permissions = ['HEALTH_EXPORT', 'ACTIVITY_EXPORT', 'HISTORICAL_DATA_EXPORT'];
  expect(await sendPush({ userPermissionsChange: [{ userId: 'late', permissions }] })).toBe(200);
  expect(world.fakeProvider.count('/backfill/') - afterFirst).toBe(11);
});

test('a deregistration disconnects a user only if Garmin rejects the refresh token, and the data remains', async () => {
  const user = await connectUser('gone');
  await sendPush({ dailies: [dailySummary('gone')] });
  await sendPush({ deregistrations: [{ userId: 'gone' }] });
  expect(await readFirstDevice(world, user)).toMatchObject({ status: 'active' });
  const dead = world.fakeProvider.fault(({ form }) => form['grant_type'] === 'refresh_token', 'dead');
  await sendPush({ deregistrations: [{ userId: 'gone' }] });
  dead();
  const { body } = await world.get(user, 'devices');
  expect(body.data.filter(({ status }: { status: string }) => status === 'active')).toEqual([]);
  expect((await readDay(world, user, '2026-03-05'))['steps']).toBe(8420);
});

test('stress levels are samples of the day, and produce no daily value', async () => {
  const user = await connectUser('stressed');
  const startTimeInSeconds = toSeconds('2026-03-05T08:00:00+01:00');
  const levels = { '0': 18, '180': 51, '360': -1 };
  const stressDetails = [
    {
      ...summaryBase('stressed', 's1'),
      startTimeInSeconds,
      durationInSeconds: 540,
      timeOffsetStressLevelValues: levels,
    },
  ];
  expect(await sendPush({ stressDetails })).toBe(200);
  const { body } = await world.get(
    user,
    'timeseries?metrics=stress_score&start_date=2026-03-05&end_date=2026-03-05&include_sources=true',
  );
  expect(body.data).toMatchObject([
    { timestamp: '2026-03-05T07:00:00.000Z', value: 18, unit: 'score', source: { provider: 'garmin' } },
    { timestamp: '2026-03-05T07:03:00.000Z', value: 51, unit: 'score', source: { original_value: 51 } },
  ]);
  expect(await readDay(world, user, '2026-03-05')).toEqual({});
});
