import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { pushPath, readPushKeys } from '../../../shared/connections/client/push-keys.ts';
import { type ProviderSystem, startProviderSystem } from '../../harness/provider-system.ts';

const account = '475';
let world: ProviderSystem;
let user: string;
let device: string;

const activity = {
  start_time: '2026-03-11T00:00:00',
  end_time: '2026-03-11T23:59:59',
  active_duration: 'PT4H2M',
  calories: 2410,
  active_calories: 700,
  steps: 9140,
  distance_from_steps: 6480.2,
};
const night = {
  date: '2026-03-11',
  sleep_start_time: '2026-03-10T23:42:30+02:00',
  sleep_end_time: '2026-03-11T07:30:30+02:00',
  light_sleep: 14_000,
  deep_sleep: 5000,
  rem_sleep: 6000,
  unrecognized_sleep_stage: 120,
  total_interruption_duration: 1500,
  sleep_rating: 0,
  hypnogram: { '23:42': 2, '23:58': 6 },
  heart_rate_samples: { '23:44': 56 },
};
const recharge = {
  date: '2026-03-11',
  heart_rate_avg: 55,
  heart_rate_variability_avg: 38,
  breathing_rate_avg: 13.8,
  hrv_samples: { '23:56': 36, '00:41': 34 },
};
const heartRates = {
  date: '2026-03-11',
  heart_rate_samples: [
    { heart_rate: 58, sample_time: '00:03:10' },
    { heart_rate: 98, sample_time: '23:30:00' },
  ],
};
const exercise = {
  id: 'k3Zq9w',
  device: 'Polar Vantage',
  start_time: '2026-03-11T17:20:05',
  start_time_utc_offset: 120,
  duration: 'PT1H2M3.5S',
  calories: 612,
  distance: 9800,
  heart_rate: { average: 141, maximum: 168 },
  sport: 'RUNNING',
  detailed_sport_info: 'RUNNING_TRAIL',
  samples: [{ 'recording-rate': 5, 'sample-type': '0', data: '98,99,101' }],
};
const allResources = {
  activities: [activity, { start_time: '2026-03-10T00:00:00', steps: 4000, distance_from_steps: null }],
  nights: [night],
  recharges: [recharge],
  heart_rates: [heartRates],
  exercises: [exercise],
  spo2: [
    { test_time: 1_773_212_400, time_zone_offset: 120, test_status: 'SPO2_TEST_PASSED', blood_oxygen_percent: 97 },
    { test_time: 1_773_212_500, time_zone_offset: 120, test_status: 'SPO2_TEST_FAILED', blood_oxygen_percent: 60 },
  ],
  skintemperature: [
    { sleep_date: '2026-03-11', sleep_time_skin_temperature_celsius: 34.1, deviation_from_baseline_celsius: -0.2 },
  ],
  physical: [{ created: '2026-03-11T06:00:00.000Z', weight: 71.4, 'weight-source': 'SOURCE_MEASURED', 'vo2-max': 48 }],
};

beforeAll(async () => {
  world = await startProviderSystem({ only: ['polar'] });
  world.fakeProvider.fixtures.write('polar', account, allResources);
  user = await world.user({ timezone: 'Europe/Helsinki' });
  device = await world.connect(user, 'polar', account);
  await world.system.settle();
});
afterAll(() => world?.stop());

const readDaily = async (...types: string[]) =>
  (await world.get(user, `daily?types=${types.join(',')}&from_date=2026-03-10&to_date=2026-03-11`)).body.series;
const range = 'from_date=2026-03-09&to_date=2026-03-12';

describe('Polar, from the link to the daily values', () => {
  test('the user is registered, and four weeks are stored', async () => {
    const registered = world.fakeProvider.requests.filter(
      ({ path, method }) => method === 'POST' && path === '/v3/users',
    );
    expect(registered.map(({ json }) => json)).toEqual([{ 'member-id': expect.stringMatching(/^dev_\w+-475$/) }]);
    const { body } = await world.get(user, 'devices');
    expect(body.data).toMatchObject([
      { id: device, provider: 'polar', status: 'active', error: null, sync: { state: 'current', done: 1 } },
    ]);
  });

  test('a day has what Polar reports for it', async () => {
    expect(await readDaily('steps', 'distance', 'active_calories', 'total_calories', 'running', 'exercise')).toEqual({
      steps: [4000, 9140],
      distance: [null, 6.48],
      active_calories: [null, 700],
      total_calories: [null, 2410],
      running: [null, 9.8],
      // Slightly more than an hour and two minutes.
      exercise: [null, 62],
    });
  });

  test('a night is on the day of its end, in minutes, with its vitals', async () => {
    expect(
      await readDaily(
        'asleep',
        'light_sleep',
        'deep_sleep',
        'rem_sleep',
        'time_awake',
        'time_in_bed',
        'sleep_efficiency',
      ),
    ).toEqual({
      // 25,120 s.
      asleep: [null, 419],
      light_sleep: [null, 233],
      deep_sleep: [null, 83],
      rem_sleep: [null, 100],
      time_awake: [null, 25],
      time_in_bed: [null, 468],
      // 418.67 of 468 minutes.
      sleep_efficiency: [null, 89.5],
    });
    expect(
      await readDaily(
        'sleep_heart_rate',
        'sleep_heart_rate_variability',
        'sleep_respiratory_rate',
        'sleep_skin_temperature',
      ),
    ).toEqual({
      sleep_heart_rate: [null, 55],
      sleep_heart_rate_variability: [null, 38],
      sleep_respiratory_rate: [null, 13.8],
      sleep_skin_temperature: [null, 34.1],
    });
    const { body } = await world.get(user, `sleep?${range}`);
    expect(body.data).toMatchObject([{ date: '2026-03-11', source: 'polar' }]);
  });

  test('samples count on the local day of their clock', async () => {
    expect(
      await readDaily(
        'heart_rate',
        'max_heart_rate',
        'heart_rate_variability_rmssd',
        'blood_oxygen',
        'weight',
        'vo2_max',
      ),
    ).toEqual({
      // 58 just after midnight and 98 half an hour before the next midnight, both on the 11th in
      // Helsinki.
      heart_rate: [null, 78],
      // From the run, because the continuous heart rate leaves the run out.
      max_heart_rate: [null, 168],
      heart_rate_variability_rmssd: [36, 34],
      blood_oxygen: [null, 97],
      weight: [null, 71.4],
      vo2_max: [null, 48],
    });
  });

  test('a workout starts at its own local time', async () => {
    const { body } = await world.get(user, `workouts?${range}`);
    expect(body.data).toMatchObject([
      {
        type: 'trail_running',
        source_type: 'RUNNING_TRAIL',
        start_time: '2026-03-11T17:20:05',
        duration_minutes: 62,
        calories: 612,
        distance_km: 9.8,
        avg_heart_rate: 141,
        max_heart_rate: 168,
        source: 'polar',
      },
    ]);
    const detail = await world.get(user, `workouts/${body.data[0].id}`);
    // 98, 99 and 101 within the first 30 seconds.
    expect(detail.body.heart_rate.samples).toEqual([{ timestamp: '2026-03-11T17:20:05', bpm: 99.3 }]);
  });
});

describe('the maximum heart rate of a day', () => {
  const forbidden = { status: 403, headers: {}, text: '' };
  const withhold = (path: string) => {
    const end = world.fakeProvider.fault((call) => call.path.startsWith(path), forbidden);
    onTestFinished(end);
    return end;
  };
  const paths = { exercises: '/v3/exercises', heartRate: '/v3/users/continuous-heart-rate' };

  test.each([
    ['the workout arrives first', paths.heartRate, paths.exercises, 168],
    ['the workout arrives last', paths.exercises, paths.heartRate, 98],
  ])('is that of the workout when %s, in a separate batch', async (_name, first, second, meanwhile) => {
    const own = `4${meanwhile}`;
    world.fakeProvider.fixtures.write('polar', own, allResources);
    const other = await world.user({ timezone: 'Europe/Helsinki' });
    const types = 'types=min_heart_rate,max_heart_rate';
    const read = async () =>
      (await world.get(other, `daily?${types}&from_date=2026-03-11&to_date=2026-03-11`)).body.series;
    const release = withhold(first);
    await world.connect(other, 'polar', own);
    await world.system.settle();
    expect(await read()).toMatchObject({ max_heart_rate: [meanwhile] });
    release();

    withhold(second);
    world.system.clock.advance(7 * 3_600_000);
    await world.system.host.runSchedule('poll');
    await world.system.settle();
    expect(await read()).toEqual({ min_heart_rate: [58], max_heart_rate: [168] });
  });
});

describe('Polar notifications', () => {
  async function announce(event: object, key?: string): Promise<number> {
    const { deps, baseUrl } = world.system.host;
    const credentials = world.fakeProvider.credentials('polar');
    const { subscriptionSecret = '' } = await readPushKeys(deps, { provider: 'polar', env: 'live', credentials });
    const body = JSON.stringify({
      user_id: 475,
      timestamp: new Date(world.system.clock.now()).toISOString(),
      ...event,
    });
    const signature = createHmac('sha256', key ?? subscriptionSecret)
      .update(body)
      .digest('hex');
    const headers = { 'content-type': 'application/json', 'polar-webhook-signature': signature };
    const response = await world.fakeProvider.push(baseUrl + pushPath(deps, 'polar', 'live'), { headers, body });
    await world.system.settle();
    return response.status;
  }
  const sleep = { event: 'SLEEP', date: '2026-03-11' };

  test('a ping is acknowledged, and a forged push is rejected', async () => {
    expect(await announce({ event: 'PING' }, 'nobody')).toBe(200);
    const requestCount = world.fakeProvider.requests.length;
    expect(await announce(sleep, 'nobody')).toBe(401);
    expect(world.fakeProvider.requests.length).toBe(requestCount);
  });

  test('an edited night whose start moved is the same night', async () => {
    const [before] = (await world.get(user, `sleep?${range}`)).body.data;
    world.fakeProvider.fixtures.write('polar', account, {
      nights: [{ ...night, sleep_start_time: '2026-03-11T00:12:30+02:00', light_sleep: 12_200 }],
    });
    expect(await announce(sleep)).toBe(200);
    const nights = (await world.get(user, `sleep?${range}`)).body.data;
    expect(nights.map(({ id }: { id: string }) => id)).toEqual([before.id]);
    expect(await readDaily('asleep', 'time_in_bed')).toEqual({ asleep: [null, 389], time_in_bed: [null, 438] });
  });

  test('a deleted night and a deleted workout are removed', async () => {
    world.fakeProvider.fixtures.write('polar', account, { nights: [], recharges: [], exercises: [] });
    expect(await announce({ event: 'ACTIVITY_SUMMARY', date: '2026-03-11' })).toBe(200);
    expect(await readDaily('asleep', 'sleep_heart_rate', 'running', 'exercise', 'steps', 'max_heart_rate')).toEqual({
      max_heart_rate: [null, 98],
      asleep: [null, null],
      sleep_heart_rate: [null, null],
      running: [null, null],
      exercise: [null, null],
      steps: [4000, 9140],
    });
    expect((await world.get(user, `workouts?${range}`)).body.data).toEqual([]);
  });
});
