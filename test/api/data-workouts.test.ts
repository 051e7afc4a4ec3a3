import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { disconnectDevice } from '../../shared/connections/disconnect.ts';
import { addDays } from '../../shared/platform/time/local-day.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { makeId } from '../../shared/system/ids.ts';
import type { DeviceRow } from '../../shared/users/device-rows.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import { addDevice, addTrace, addWorkouts, changeSettings, ring, watch, workoutRow } from '../harness/stored-data.ts';
import type { System } from '../harness/system.ts';

let system: System;
let deps: Deps;
let account: NewAccount;
let userId: string;
let wrist: DeviceRow;
let finger: DeviceRow;

beforeAll(async () => {
  system = await sharedSystem();
  deps = system.host.deps;
  account = await system.account();
});
beforeEach(async () => {
  userId = await system.user(account.live_key, { timezone: 'Europe/Berlin', profile: { date_of_birth: '1986-03-14' } });
  finger = await addDevice(deps, userId, ring);
  wrist = await addDevice(deps, userId, watch);
});

const march = 'from_date=2026-03-01&to_date=2026-03-31';
const list = (query = march) =>
  system.call('GET', `/v1/users/${userId}/workouts?${query}`, { token: account.live_key });
const get = (id: string, { query = '', token = account.live_key, user = userId } = {}) =>
  system.call('GET', `/v1/users/${user}/workouts/${id}${query}`, { token });
const idsOf = ({ body }: { body: { data: { id: string }[] } }): string[] => body.data.map(({ id }) => id);

describe('the list', () => {
  test('has the fields of the contract, null where the source reports nothing', async () => {
    const row = workoutRow(wrist.ordinal, '2026-03-14T16:05:00Z', 52, {
      calories: 612.4,
      distanceKm: 9.8372,
      avgHeartRate: 151.26,
      maxHeartRate: 176,
    });
    const silent = workoutRow(wrist.ordinal, '2026-03-13T16:05:00Z', 30, { type: 'yoga', sourceType: 'YOGA' });
    await addWorkouts(deps, userId, '2026-03-14', row);
    await addWorkouts(deps, userId, '2026-03-13', silent);
    const response = await list();
    expect(response.body).toMatchObject({ from_date: '2026-03-01', to_date: '2026-03-31', next_cursor: null });
    expect(response.body.data).toEqual([
      {
        id: row.id,
        type: 'running',
        source_type: null,
        start_time: '2026-03-14T17:05:00',
        start_at: '2026-03-14T16:05:00.000Z',
        end_at: '2026-03-14T16:57:00.000Z',
        utc_offset: null,
        duration_minutes: 52,
        calories: 612,
        distance_km: 9.84,
        source: 'garmin',
        avg_heart_rate: 151.3,
        max_heart_rate: 176,
        strain: null,
      },
      {
        id: silent.id,
        type: 'yoga',
        source_type: 'YOGA',
        start_time: '2026-03-13T17:05:00',
        start_at: '2026-03-13T16:05:00.000Z',
        end_at: '2026-03-13T16:35:00.000Z',
        utc_offset: null,
        duration_minutes: 30,
        calories: null,
        distance_km: null,
        source: 'garmin',
        avg_heart_rate: null,
        max_heart_rate: null,
        strain: null,
      },
    ]);
    const detailed = await list(`${march}&include_sources=true&limit=1`);
    expect(detailed.body.data).toEqual([
      { ...response.body.data[0], source_detail: { provider: 'garmin', device_id: wrist.id } },
    ]);
  });

  test('has one of several overlapping reports, regardless of the consolidation settings', async () => {
    const [best, worse] = [
      workoutRow(wrist.ordinal, '2026-03-14T16:00:00Z', 60),
      workoutRow(finger.ordinal, '2026-03-14T16:02:00Z', 60),
    ];
    await addWorkouts(deps, userId, '2026-03-14', worse, best);
    await changeSettings(deps, userId, { disabled: ['garmin'], disabledFor: { exercise: ['garmin'] } });
    expect(idsOf(await list())).toEqual([best.id]);
    expect((await get(best.id)).status).toBe(200);
    const hidden = await get(worse.id);
    expect([hidden.status, hidden.body.error]).toEqual([404, 'workout_not_found']);
    await disconnectDevice(
      deps,
      { kind: 'api_key', account: account.account_id, env: 'live', form: 2 },
      userId,
      wrist.id,
    );
    expect(idsOf(await list())).toEqual([worse.id]);
    expect((await get(best.id)).body.error).toBe('workout_not_found');
    expect((await get(worse.id)).body.source).toBe('oura');
  });

  test('pages contain every workout once, newest first, with many on one day', async () => {
    const addedIds: string[] = [];
    for (let day = 0; day < 6; day++) {
      const date = addDays('2026-03-10', day);
      const rows = Array.from({ length: 7 }, (_, hour) =>
        workoutRow(wrist.ordinal, `${date}T${String(8 + hour).padStart(2, '0')}:00:00Z`, 40),
      );
      await addWorkouts(deps, userId, date, ...rows);
      addedIds.push(...rows.map(({ id }) => id));
    }
    const seen: string[] = [];
    let cursor = '';
    do {
      const response = await list(`${march}&limit=5${cursor && `&cursor=${cursor}`}`);
      seen.push(...idsOf(response));
      cursor = response.body.next_cursor ?? '';
    } while (cursor !== '');
    expect(seen).toEqual(addedIds.reverse());
  });
});

describe('a single workout', () => {
  const startMs = Date.parse('2026-03-14T16:05:00Z');
  const points = Array.from({ length: 480 }, (_, at) => ({
    atMs: startMs + at * 5_000,
    bpm: 100 + Math.floor(at / 12),
  }));

  test('has its metrics, zones and a bucketed trace', async () => {
    const row = workoutRow(wrist.ordinal, '2026-03-14T16:05:00Z', 40, {
      name: 'Evening run',
      distanceKm: 8,
      elevationMeters: 84.04,
      steps: 8120,
      trace: 'x',
    });
    await addWorkouts(deps, userId, '2026-03-14', row);
    await addTrace(deps, userId, row.id, points);
    const { body } = await get(row.id);
    expect(body).toMatchObject({
      id: row.id,
      name: 'Evening run',
      start_time: '2026-03-14T17:05:00',
      metrics: {
        elevation_meters: 84,
        steps: 8120,
        avg_speed_kmh: 12,
        avg_pace_seconds_per_km: 300,
        avg_mets: null,
        weather_temperature_c: null,
        weather_humidity_pct: null,
        swimming_stroke_count: null,
        swimming_lap_length_m: null,
      },
      heart_rate: { avg_bpm: 119.5, max_bpm: 139 },
    });
    expect(body.heart_rate.samples).toHaveLength(160);
    expect(body.heart_rate.samples.slice(0, 2)).toEqual([
      { timestamp: '2026-03-14T17:05:00', bpm: 100 },
      { timestamp: '2026-03-14T17:05:15', bpm: 100 },
    ]);
    expect(body.heart_rate.zones.map(({ zone, min_bpm }: Record<string, number>) => [zone, min_bpm])).toEqual([
      [1, 90],
      [2, 108],
      [3, 126],
      [4, 144],
      [5, 162],
    ]);
    const minutes = body.heart_rate.zones.map((zone: { minutes: number }) => zone.minutes);
    expect(minutes.reduce((sum: number, each: number) => sum + each)).toBeCloseTo(40, 0);
    const response = await get(row.id, { query: '?include_sources=true' });
    expect(response.body.source_detail).toEqual({ provider: 'garmin', device_id: wrist.id });
  });

  test('uses only the part of its trace within its own time', async () => {
    const row = workoutRow(wrist.ordinal, '2026-03-14T16:05:00Z', 40, { trace: 'x' });
    await addWorkouts(deps, userId, '2026-03-14', row);
    const around = [-300, -5, 2_405, 2_700].map((second) => ({ atMs: startMs + second * 1_000, bpm: 210 }));
    await addTrace(
      deps,
      userId,
      row.id,
      [...points, ...around].sort((a, b) => a.atMs - b.atMs),
    );
    const { heart_rate } = (await get(row.id)).body;
    expect(heart_rate).toMatchObject({ avg_bpm: 119.5, max_bpm: 139 });
    const minutes = heart_rate.zones.map((zone: { minutes: number }) => zone.minutes);
    expect(minutes.reduce((sum: number, each: number) => sum + each)).toBeLessThanOrEqual(40);
  });

  test('without a trace has no heart rate, and without a name uses its sport', async () => {
    const row = workoutRow(wrist.ordinal, '2026-03-14T16:05:00Z', 40, { type: 'trail_running', avgHeartRate: 150 });
    await addWorkouts(deps, userId, '2026-03-14', row);
    expect((await get(row.id)).body).toMatchObject({ name: 'Trail running', avg_heart_rate: 150, heart_rate: null });
  });

  test.each(['2026-03-13', '2026-03-14', '2026-03-15'])('is found although its local day is %s', async (date) => {
    const row = workoutRow(wrist.ordinal, '2026-03-14T16:05:00Z', 40);
    await addWorkouts(deps, userId, date, row);
    expect((await get(row.id)).status).toBe(200);
  });

  test("that is missing, malformed or another user's is not found", async () => {
    const row = workoutRow(wrist.ordinal, '2026-03-14T16:05:00Z', 40);
    await addWorkouts(deps, userId, '2026-03-14', row);
    const other = await system.user(account.live_key);
    const unknown = makeId('workout', Date.parse('2026-03-14T16:05:00Z'), new Uint8Array(10));
    const responses = await Promise.all([
      get(row.id, { user: other }),
      get(unknown),
      ...['x', 'wrk_', 'wrk_zzzzzzzzzzzzzzzzzzzzzzzzzz', 'wrk_00000000000000000000000000', row.id.toUpperCase()].map(
        (id) => get(id),
      ),
    ]);
    for (const { status, body } of responses) expect([status, body.error]).toEqual([404, 'workout_not_found']);
    expect((await get(row.id, { token: await system.userToken(account.live_key, userId) })).status).toBe(200);
  });
});
