import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pushPath } from '../../../shared/connections/client/push-keys.ts';
import { type ProviderSystem, startProviderSystem } from '../../harness/provider-system.ts';

const account = '264621';
let world: ProviderSystem;
let user: string;
let device: string;

/** 06:10 to 07:00 in Berlin, including four minutes at traffic lights. */
const run = {
  id: 16_181_800_001,
  athlete: { id: 264_621 },
  name: 'Before work',
  type: 'Run',
  sport_type: 'Run',
  start_date: '2026-03-11T05:10:00Z',
  start_date_local: '2026-03-11T06:10:00Z',
  timezone: '(GMT+01:00) Europe/Berlin',
  utc_offset: 3600,
  elapsed_time: 3000,
  moving_time: 2760,
  distance: 8432.5,
  total_elevation_gain: 61,
  has_heartrate: true,
  average_heartrate: 148.4,
  max_heartrate: 171,
  trainer: false,
  external_id: 'garmin_ping_4922',
  calories: 602,
};
const ride = {
  id: 16_181_800_002,
  name: null,
  sport_type: 'VirtualRide',
  start_date: '2026-03-10T18:00:00Z',
  utc_offset: 3600,
  elapsed_time: 1800,
  moving_time: 1800,
  distance: 15_000,
  total_elevation_gain: 0,
  has_heartrate: false,
  kilojoules: 310.2,
};
const unknown = {
  id: 16_181_800_003,
  sport_type: 'UnderwaterHockey',
  start_date: '2026-03-10T23:30:00Z',
  utc_offset: 3600,
  elapsed_time: 2400,
  moving_time: 2400,
};
/** An activity from months before. */
const old = { ...run, id: 12_000_000_000, start_date: '2025-10-02T05:10:00Z', utc_offset: 7200, has_heartrate: false };

const streams = [{ id: run.id, time: { data: [0, 30, 45] }, heartrate: { data: [101, 140, 149] } }];

const readDevice = async () => (await world.get(user, 'devices')).body.data[0];
const readDaily = async (types: string, range = 'from_date=2026-03-10&to_date=2026-03-11') =>
  (await world.get(user, `daily?types=${types}&${range}`)).body.series;
const readWorkouts = async (range = 'from_date=2026-03-09&to_date=2026-03-12') =>
  (await world.get(user, `workouts?${range}`)).body.data;

/**
 * Advances the clock in steps of 15 minutes, after which Strava's rate limit allows more requests.
 */
async function waitForHistory(): Promise<void> {
  for (let waited = 0; (await readDevice()).sync.state !== 'current'; waited++) {
    if (waited > 20) throw new Error('the history does not complete');
    world.system.clock.advance(15 * 60_000);
    await world.system.settle();
  }
}

beforeAll(async () => {
  world = await startProviderSystem({ only: ['strava'] });
  world.fakeProvider.fixtures.write('strava', account, { activities: [run, ride, unknown, old], streams });
  user = await world.user({ timezone: 'Europe/Berlin' });
  device = await world.connect(user, 'strava', account);
  await world.system.settle();
});
afterAll(() => world?.stop());

describe('Strava, from the link to the daily values', () => {
  test('the device is connected, and the newest days arrive first', async () => {
    expect(await readDevice()).toMatchObject({ id: device, provider: 'strava', status: 'active', error: null });
    expect(await readWorkouts()).toEqual([
      {
        id: expect.stringMatching(/^wrk_/),
        type: 'running',
        source_type: 'Run',
        start_time: '2026-03-11T06:10:00',
        start_at: '2026-03-11T05:10:00.000Z',
        end_at: '2026-03-11T06:00:00.000Z',
        utc_offset: '+01:00',
        duration_minutes: 50,
        calories: 602,
        distance_km: 8.43,
        source: 'strava',
        avg_heart_rate: 148.4,
        max_heart_rate: 171,
        strain: expect.toSatisfy((strain) => strain === null || typeof strain === 'number'),
      },
      expect.objectContaining({ type: 'other', start_time: '2026-03-11T00:30:00', distance_km: null, calories: null }),
      expect.objectContaining({
        type: 'indoor_cycling',
        start_time: '2026-03-10T19:00:00',
        distance_km: 15,
        calories: 310,
      }),
    ]);
  });

  test('days add up the moving minutes, and each sport separately', async () => {
    expect(await readDaily('exercise,running,indoor_cycling,cycling')).toEqual({
      // 30 minutes of cycling; 46 of the run's 50 minutes plus the 40 that started half an hour
      // after midnight in Berlin.
      exercise: [30, 86],
      running: [null, 8.43],
      indoor_cycling: [15, null],
      cycling: [null, null],
    });
  });

  test('a workout has its name, its elevation gain and its trace', async () => {
    const [first] = await readWorkouts();
    const { body } = await world.get(user, `workouts/${first.id}`);
    expect(body).toMatchObject({ name: 'Before work', metrics: { elevation_meters: 61 } });
    expect(body.heart_rate.samples).toEqual([
      { timestamp: '2026-03-11T06:10:00', bpm: 101 },
      { timestamp: '2026-03-11T06:10:30', bpm: 140 },
      { timestamp: '2026-03-11T06:10:45', bpm: 149 },
    ]);
  });

  test('the whole history is read, as fast as Strava allows', async () => {
    await waitForHistory();
    expect((await readDevice()).sync).toMatchObject({ state: 'current', from: '2025-09-13', done: 1 });
    expect(await readWorkouts('from_date=2025-10-02&to_date=2025-10-02')).toMatchObject([
      { start_time: '2025-10-02T07:10:00', calories: 602 },
    ]);
  });
});

describe('Strava notifications', () => {
  async function announce(event: object): Promise<Response> {
    const { deps, baseUrl } = world.system.host;
    const seconds = Math.floor(world.system.clock.now() / 1000);
    const body = JSON.stringify({
      owner_id: 264_621,
      subscription_id: 131_300,
      event_time: seconds,
      updates: {},
      ...event,
    });
    const { more } = world.fakeProvider.credentials('strava');
    const v1 = createHmac('sha256', more['signing_secret'] ?? '')
      .update(`${seconds}.${body}`)
      .digest('hex');
    const headers = { 'content-type': 'application/json', 'x-strava-signature': `t=${seconds},v1=${v1}` };
    return world.fakeProvider.push(baseUrl + pushPath(deps, 'strava', 'live'), { headers, body });
  }
  const list = () => world.fakeProvider.fixtures.of('strava', account, 'activities');

  test('a changed activity is read again, and stays the same workout when its start moves', async () => {
    const [before] = await readWorkouts();
    list()[0] = { item: { ...run, name: 'Moved', start_date: '2026-03-12T05:00:00Z', distance: 5000 } };
    expect((await announce({ object_type: 'activity', object_id: run.id, aspect_type: 'update' })).status).toBe(200);
    await world.system.settle();
    const [moved, ...others] = await readWorkouts();
    expect(moved).toMatchObject({ id: before.id, start_time: '2026-03-12T06:00:00', distance_km: 5 });
    expect(others.map(({ type }: { type: string }) => type)).toEqual(['other', 'indoor_cycling']);
    expect(await readDaily('exercise,running', 'from_date=2026-03-11&to_date=2026-03-12')).toEqual({
      exercise: [40, 46],
      running: [null, 5],
    });
  });

  test('a deleted activity is removed from its day', async () => {
    list().splice(1, 1);
    expect((await announce({ object_type: 'activity', object_id: ride.id, aspect_type: 'delete' })).status).toBe(200);
    await world.system.settle();
    expect((await readWorkouts()).map(({ type }: { type: string }) => type)).toEqual(['running', 'other']);
    expect(await readDaily('indoor_cycling')).toEqual({ indoor_cycling: [null, null] });
  });
});
