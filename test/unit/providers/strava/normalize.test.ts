import { describe, expect, test } from 'vitest';
import { normalizeStrava } from '../../../../shared/providers/strava/normalize.ts';
import { trailRun, trailRunInFull } from './payloads.ts';

const facts = { receivedMs: Date.parse('2026-10-25T00:00:00Z'), scopes: [], timeZone: null };
const requestedDays = { from: '2026-10-16', to: '2026-10-20' };

type Page = { resource: string; text: string; parameter?: string };
const list = (...items: unknown[]): Page => ({ resource: 'activities', text: JSON.stringify(items) });
const part = (resource: string, parameter: string, body: unknown): Page => ({
  resource,
  parameter,
  text: typeof body === 'string' ? body : JSON.stringify(body),
});
const normalize = (...pages: Page[]) =>
  normalizeStrava(Buffer.from(JSON.stringify({ requested: requestedDays, pages })), facts);

const startMs = Date.parse('2026-10-18T12:49:52Z');

describe('an activity', () => {
  test('is a workout with the source’s id, from its start for its elapsed time, in our units', () => {
    const { records, rejected } = normalize(
      list(trailRun),
      part('activity', '16181800001', trailRunInFull),
      part('streams', '16181800001', ''),
    );
    expect(rejected).toEqual({ count: 0, first: [] });
    expect(records.workouts).toEqual([
      {
        sourceId: '16181800001',
        type: 'trail_running',
        sourceType: 'TrailRun',
        name: 'Morning run',
        startMs,
        endMs: startMs + 7_792_000,
        offsetMinutes: -240,
        calories: 1530,
        distanceKm: 22.6013,
        avgHeartRate: 159.6,
        maxHeartRate: 174,
        elevationMeters: 202,
        steps: null,
        heartRate: null,
      },
    ]);
  });

  test('adds its distance and its moving minutes to the day, over its whole span', () => {
    const { records } = normalize(list(trailRun));
    expect(records.samples).toEqual([
      {
        metric: 'running',
        startMs,
        endMs: startMs + 7_792_000,
        offsetMinutes: -240,
        value: 22.6013,
        original: { value: 22601.3, unit: 'm' },
      },
      {
        metric: 'exercise',
        startMs,
        endMs: startMs + 7_792_000,
        offsetMinutes: -240,
        // 7772 of 7792 seconds were moving.
        value: 129.53333333333333,
      },
    ]);
    expect(records.daily).toEqual([]);
    expect(records.sleep).toEqual([]);
  });

  test('keeps every digit of an id that a JavaScript number cannot hold', () => {
    const text = JSON.stringify([trailRun]).replace('16181800001', '9223372036854775807');
    const details = JSON.stringify(trailRunInFull).replace('16181800001', '9223372036854775807');
    const { records } = normalize({ resource: 'activities', text }, part('activity', '9223372036854775807', details));
    expect(records.workouts.map(({ sourceId, calories }) => [sourceId, calories])).toEqual([
      ['9223372036854775807', 1530],
    ]);
  });

  test('of swimming adds meters to the day, and its workout distance is in kilometers', () => {
    const swim = { ...trailRun, sport_type: 'Swim', type: 'Swim', distance: 1500.5 };
    const { records } = normalize(list(swim));
    expect(records.workouts[0]).toMatchObject({ type: 'swimming', distanceKm: 1.5005 });
    expect(records.samples[0]).toMatchObject({ metric: 'swimming', value: 1500.5 });
  });

  test.each([
    ['Run', false, 'running', 'running'],
    ['Run', true, 'indoor_running', 'indoor_running'],
    ['VirtualRun', false, 'indoor_running', 'indoor_running'],
    ['EMountainBikeRide', false, 'e_mountain_biking', 'cycling'],
    ['EMountainBikeRide', true, 'indoor_cycling', 'indoor_cycling'],
    ['VirtualRide', false, 'indoor_cycling', 'indoor_cycling'],
    ['Ride', true, 'indoor_cycling', 'indoor_cycling'],
    ['Hike', false, 'hiking', 'walking'],
    ['AlpineSki', false, 'downhill_skiing', undefined],
    ['WeightTraining', false, 'strength_training', undefined],
    ['UnderwaterHockey', false, 'other', undefined],
    ['constructor', false, 'other', undefined],
  ])('%s (trainer: %s) is %s', (sport_type, trainer, type, metric) => {
    const { records } = normalize(list({ ...trailRun, sport_type, trainer }));
    expect(records.workouts[0]?.type).toBe(type);
    expect(records.samples.find((each) => each.metric !== 'exercise')?.metric).toBe(metric);
  });

  test('falls back to the old kind of sport, and to `other` if there is none', () => {
    const { sport_type: _, ...old } = trailRun;
    const { type: __, ...none } = { ...old, id: 2 };
    const { records } = normalize(list(old, none));
    expect(records.workouts.map(({ type }) => type)).toEqual(['running', 'other']);
  });

  test('has no value for absent, null or zero fields, except a climb of zero', () => {
    const bare = {
      id: 3,
      start_date: '2026-10-18T06:00:00Z',
      utc_offset: 0,
      elapsed_time: 600,
      moving_time: null,
      distance: 0,
      total_elevation_gain: 0,
      average_heartrate: 0,
      calories: 0,
      name: null,
    };
    const { records, rejected } = normalize(list(bare));
    expect(rejected.count).toBe(0);
    expect(records.workouts[0]).toMatchObject({
      name: null,
      calories: null,
      distanceKm: null,
      avgHeartRate: null,
      maxHeartRate: null,
      elevationMeters: 0,
    });
    expect(records.samples).toMatchObject([{ metric: 'exercise', value: 10 }]);
  });

  test('of cycling without calories takes its mechanical work', () => {
    const ride = { ...trailRun, sport_type: 'Ride', kilojoules: 780.5 };
    expect(normalize(list(ride)).records.workouts[0]?.calories).toBe(780.5);
    expect(normalize(list({ ...ride, calories: 640 })).records.workouts[0]?.calories).toBe(640);
  });

  test('has the trace of its streams, without invalid points', () => {
    const streams = {
      time: { data: [0, 1, 4, 9000], series_type: 'distance' },
      heartrate: { data: [92, 0, 95, 120], series_type: 'distance' },
    };
    const { records } = normalize(list(trailRun), part('streams', '16181800001', streams));
    expect(records.workouts[0]?.heartRate).toEqual([
      { atMs: startMs, bpm: 92 },
      { atMs: startMs + 4000, bpm: 95 },
    ]);
    const broken = normalize(list(trailRun), part('streams', '16181800001', 'not json'));
    expect(broken.records.workouts[0]?.heartRate).toBeNull();
  });
});

describe('a window', () => {
  test("contains the activities of its days in the user's zone, and covers its days", () => {
    // 00:00 on the 21st and 23:59 on the 15th in New York, wherever the runs were.
    const late = { ...trailRun, id: 4, start_date: '2026-10-21T04:00:00Z', utc_offset: -36_000 };
    const early = { ...trailRun, id: 5, start_date: '2026-10-16T03:59:59Z', utc_offset: 46_800 };
    // 23:59 on the 20th and 00:00 on the 16th.
    const last = { ...trailRun, id: 6, start_date: '2026-10-21T03:59:59Z', utc_offset: 46_800 };
    const first = { ...trailRun, id: 7, start_date: '2026-10-16T04:00:00Z', utc_offset: null };
    const raw = Buffer.from(JSON.stringify({ requested: requestedDays, pages: [list(late, last, early, first)] }));
    const { records } = normalizeStrava(raw, { ...facts, timeZone: 'America/New_York' });
    expect(records.workouts.map(({ sourceId, offsetMinutes }) => [sourceId, offsetMinutes])).toEqual([
      ['6', 780],
      ['7', null],
    ]);
    expect(records.covered).toEqual([
      {
        from: '2026-10-16',
        to: '2026-10-20',
        workouts: true,
        samples: [
          'exercise',
          'running',
          'indoor_running',
          'walking',
          'indoor_walking',
          'cycling',
          'indoor_cycling',
          'swimming',
        ],
      },
    ]);
  });

  test('of an empty account covers its days without records', () => {
    const { records } = normalize(list());
    expect(records.workouts).toEqual([]);
    expect(records.covered).toMatchObject([{ from: '2026-10-16', to: '2026-10-20', workouts: true }]);
  });

  test('that was not allowed covers nothing', () => {
    expect(normalize().records.covered).toBeUndefined();
  });

  test('with an invalid activity stores the others, and covers nothing', () => {
    const { records, rejected } = normalize(list(trailRun, { id: 8, name: 'no start' }, 'nothing'));
    expect(records.workouts).toHaveLength(1);
    expect(records.covered).toBeUndefined();
    expect(rejected).toMatchObject({
      count: 2,
      first: [{ path: 'activities.0.1.start_date' }, { path: 'activities.0.2' }],
    });
  });

  test('leaves out an activity that was deleted after it was listed', () => {
    const { records } = normalize(list(trailRun), part('activity', '16181800001', ''));
    expect(records.workouts).toEqual([]);
    expect(records.covered).toHaveLength(1);
  });

  test('has the last version of an activity that moved to the next page', () => {
    const { records } = normalize(list(trailRun), list({ ...trailRun, name: 'Renamed' }));
    expect(records.workouts.map(({ name }) => name)).toEqual(['Renamed']);
  });

  test('ignores details of another activity', () => {
    const { records } = normalize(list(trailRun), part('activity', '16181800001', { ...trailRunInFull, id: 9 }));
    expect(records.workouts.map(({ sourceId, calories }) => [sourceId, calories])).toEqual([['16181800001', null]]);
  });
});
