// The Form 1 responses over HTTP: their shapes, their pagination during concurrent writes, and
// parameters that Form 1 does not know.
import { beforeAll, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { addDays } from '../../shared/platform/time/local-day.ts';
import { openPhone } from '../harness/phone.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import {
  addCanonical,
  addDevice,
  addNormalized,
  addSleep,
  addWorkouts,
  ring,
  sleepRow,
  watch,
  workoutRow,
} from '../harness/stored-data.ts';
import type { System } from '../harness/system.ts';
import { createMember } from '../harness/team-members.ts';

let system: System;
let account: NewAccount;

beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account({ form: 1 });
});

const get = (path: string, token = account.live_key) => system.call('GET', path, { token });

describe('a user', () => {
  test('is created with a reference_id, returned in an envelope and found by its reference_id', async () => {
    const created = await system.call('POST', '/v1/users', {
      token: account.live_key,
      body: { reference_id: 'ada', timezone: 'Europe/Berlin', profile: { height_cm: 170 } },
    });
    expect(created.body).toMatchObject({ reference_id: 'ada', external_ref: 'ada' });
    const { id, created_at } = created.body;
    const user = {
      id,
      reference_id: 'ada',
      timezone: 'Europe/Berlin',
      status: 'active',
      score_status: 'calibrating',
      last_sync_at: null,
      last_score_at: null,
      created_at,
      profile: { height_cm: 170 },
      timezone_source: 'caller',
      day_rule: 'profile',
    };
    expect((await get(`/v1/users/${id}`)).body).toEqual({ data: user });
    expect((await get('/v1/users?reference_id=ada')).body).toEqual({
      data: [user],
      meta: { page: 1, per_page: 20, total: 1 },
    });
    expect((await get('/v1/users?reference_id=ada&page=2')).body).toEqual({
      data: [],
      meta: { page: 2, per_page: 20, total: 1 },
    });
    expect((await get('/v1/users?reference_id=nobody')).body.meta.total).toBe(0);

    const changed = await system.call('PATCH', `/v1/users/${id}`, {
      token: account.live_key,
      body: { reference_id: 'ada-2' },
    });
    expect(changed.body).toMatchObject({ id, reference_id: 'ada-2', external_ref: 'ada-2' });
    const again = await system.call('POST', '/v1/users', {
      token: account.live_key,
      body: { reference_id: 'ada-2' },
    });
    expect([again.status, again.body.details]).toEqual([409, { user_id: id }]);
    for (const name of ['external_ref', 'reference_id']) expect(again.body.message).toContain(name);
  });

  test('is deleted permanently, and is no longer counted from that response on', async () => {
    const own = await system.account({ form: 1 });
    const id = await system.user(own.live_key);
    expect((await get('/v1/users', own.live_key)).body.meta.total).toBe(1);
    expect((await system.call('DELETE', `/v1/users/${id}`, { token: own.live_key })).status).toBe(202);
    expect((await get(`/v1/users/${id}`, own.live_key)).status).toBe(404);
    expect((await get('/v1/users', own.live_key)).body).toEqual({
      data: [],
      meta: { page: 1, per_page: 20, total: 0 },
    });
    expect((await system.call('DELETE', `/v1/users/${id}`, { token: own.live_key })).status).toBe(404);
    expect((await get('/v1/users', own.live_key)).body.meta.total).toBe(0);
  });

  test('is found by the team member it belongs to', async () => {
    const own = await system.account({ form: 1 });
    await system.user(own.live_key);
    const { member, user } = await createMember(system.host.deps, own.account_id);
    expect((await get(`/v1/users?member=${member}`, own.live_key)).body).toMatchObject({
      data: [{ id: user }],
      meta: { page: 1, per_page: 20, total: 1 },
    });
    await system.call('DELETE', `/v1/team/roster/${member}`, { token: own.live_key });
    expect((await get(`/v1/users?member=${member}`, own.live_key)).body).toMatchObject({
      data: [],
      meta: { total: 0 },
    });
    expect((await get('/v1/users', own.live_key)).body.meta.total).toBe(2);
  });

  test('of the other environment is neither listed nor counted', async () => {
    const own = await system.account({ form: 1 });
    await system.user(own.sandbox_key);
    await system.user(own.live_key);
    expect((await get('/v1/users', own.live_key)).body.meta.total).toBe(1);
    expect((await get('/v1/users', own.sandbox_key)).body.meta.total).toBe(1);
  });
});

interface ListResponse {
  data: { id: string }[];
  meta: { page: number; per_page: number; total: number };
}

describe('250 users in pages', () => {
  let own: NewAccount;
  let ids: string[];
  beforeAll(async () => {
    own = await system.account({ form: 1 });
    ids = [];
    for (let some = 0; some < 25; some++)
      ids.push(...(await Promise.all(Array.from({ length: 10 }, () => system.user(own.live_key)))));
    ids.sort();
  });
  const page = async (number: number, perPage = 100): Promise<ListResponse> =>
    (await get(`/v1/users?page=${number}&per_page=${perPage}`, own.live_key)).body;

  test('are listed in order of creation, each once, with the exact total on every page', async () => {
    const pages = [await page(1), await page(2), await page(3), await page(4)];
    expect(pages.map(({ data }) => data.length)).toEqual([100, 100, 50, 0]);
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(ids);
    for (const [at, { meta }] of pages.entries()) expect(meta).toEqual({ page: at + 1, per_page: 100, total: 250 });
    expect((await get('/v1/users', own.live_key)).body.data.map(({ id }: { id: string }) => id)).toEqual(
      ids.slice(0, 20),
    );
  });

  test('a user created in the meantime is added at the end; a deleted one moves later users up by one', async () => {
    const first = await page(1);
    const added = await system.user(own.live_key);
    const second = await page(2);
    await system.call('DELETE', `/v1/users/${ids[3]}`, { token: own.live_key });
    const third = await page(3);
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 100));
    expect([second.data.map(({ id }) => id), second.meta.total]).toEqual([ids.slice(100, 200), 251]);
    // ids[200] has moved up to index 199, onto the previous page; reading that page again finds it.
    expect([third.data.map(({ id }) => id), third.meta.total]).toEqual([[...ids.slice(201), added], 250]);
    expect((await page(2)).data.at(-1)?.id).toBe(ids[200]);
  });

  test('the total stays exact during thirty concurrent creations and deletions', async () => {
    const before = (await page(1)).meta.total;
    const createdUsers = await Promise.all(Array.from({ length: 30 }, () => system.user(own.live_key)));
    const leaving = createdUsers.slice(0, 17);
    const seen: number[] = [];
    await Promise.all([
      ...leaving.map((id) => system.call('DELETE', `/v1/users/${id}`, { token: own.live_key })),
      ...leaving.map((id) => system.call('DELETE', `/v1/users/${id}`, { token: own.live_key })),
      ...[1, 2, 3].map(async (number) => seen.push((await page(number)).meta.total)),
    ]);
    for (const total of seen) expect(total).toBeGreaterThanOrEqual(before + 13);
    expect((await page(1)).meta.total).toBe(before + 13);
  });

  test.each([
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1.5', 'page'],
    ['page=x', 'page'],
    ['page=', 'page'],
    ['per_page=0', 'per_page'],
    ['per_page=101', 'per_page'],
    ['page=1000000000', 'page'],
    ['page=99999999999999999999', 'page'],
    ['reference_id=', 'reference_id'],
  ])('rejects ?%s and names the parameter', async (query, name) => {
    const response = await get(`/v1/users?${query}`, own.live_key);
    expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
    expect(response.body.details.issues[0].path).toBe(name);
  });
});

describe('the data of a user', () => {
  let userId: string;
  const read = (path: string) => get(`/v1/users/${userId}/${path}`);
  const march = 'start_date=2026-03-01&end_date=2026-03-31';

  beforeAll(async () => {
    const { deps } = system.host;
    userId = await system.user(account.live_key, { timezone: 'Europe/Berlin' });
    const finger = await addDevice(deps, userId, ring);
    const wrist = await addDevice(deps, userId, watch);
    await addCanonical(
      deps,
      userId,
      '2026-03-14',
      { steps: 8421, distance: 6.4373, sleep_skin_temperature: 34.12 },
      wrist.ordinal,
    );
    await addNormalized(deps, userId, '2026-03-14', {
      [wrist.ordinal]: { steps: { value: 8421 }, distance: { value: 6.4373, original: { value: 6437.3, unit: 'm' } } },
    });
    await addCanonical(deps, userId, '2026-03-12', { steps: 12 }, finger.ordinal);
    await addSleep(
      deps,
      userId,
      '2026-03-14',
      sleepRow(finger.ordinal, '2026-03-13T21:48:00Z', 474, { deepMinutes: 76, remMinutes: 93 }),
      sleepRow(finger.ordinal, '2026-03-14T12:00:00Z', 30),
    );
    for (let day = 0; day < 25; day++)
      await addWorkouts(
        deps,
        userId,
        addDays('2026-01-01', day),
        ...Array.from({ length: 10 }, (_, hour) =>
          workoutRow(wrist.ordinal, `${addDays('2026-01-01', day)}T${String(hour + 6).padStart(2, '0')}:00:00Z`, 30),
        ),
      );
  });

  test('is returned as rows of days, in the requested units', async () => {
    expect((await read(`daily?metrics=distance,steps&${march}`)).body).toEqual({
      data: [
        { date: '2026-03-12', metric: 'steps', value: 12, unit: 'count' },
        { date: '2026-03-14', metric: 'distance', value: 6.44, unit: 'km' },
        { date: '2026-03-14', metric: 'steps', value: 8421, unit: 'count' },
      ],
    });
    const imperial = await read(`daily?metrics=distance&${march}&unit_system=imperial&include_sources=true`);
    expect(imperial.body.data).toEqual([
      {
        date: '2026-03-14',
        metric: 'distance',
        value: 4,
        unit: 'mi',
        source: expect.objectContaining({ provider: 'garmin', original_value: 6437.3, original_unit: 'm' }),
      },
    ]);
  });

  test('spans at most 90 days of rows', async () => {
    expect((await read('daily?start_date=2026-01-01&end_date=2026-03-31')).status).toBe(200);
    const response = await read('daily?start_date=2026-01-01&end_date=2026-04-01');
    expect([response.status, response.body.details.issues[0].path]).toEqual([400, 'start_date']);
    expect(response.body.message).toContain('91 days, but the maximum is 90; read it in windows of 90 days');
    expect((await read('daily?start_date=2026-02-02&end_date=2026-02-01')).status).toBe(400);
    for (const day of ['2026-02-30', '11/10/2026'])
      expect((await read(`daily?start_date=${day}&end_date=2026-03-01`)).body).toMatchObject({
        error: 'invalid_request',
        message: 'A query parameter is invalid: start_date: must be an existing date, such as 2026-03-01.',
      });
    expect((await read('workouts?start_date=2026-01-01&end_date=2027-01-01')).status).toBe(200);
    expect((await read('sleep?start_date=2017-01-01&end_date=2026-12-31')).status).toBe(200);
    expect((await read('sleep?start_date=2016-01-01&end_date=2026-12-31')).status).toBe(400);
  });

  test.each(['daily', 'sleep', 'workouts', 'scores/history'])('requires both dates for %s', async (path) => {
    const response = await read(path);
    expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
    expect(response.body.details.issues.map(({ path: name }: { path: string }) => name)).toEqual([
      'start_date',
      'end_date',
    ]);
  });

  test('has nights and naps with the field names of the contract, earliest first', async () => {
    const { data } = (await read(`sleep?${march}`)).body;
    expect(
      data.map(({ start, is_main_sleep }: { start: string; is_main_sleep: boolean }) => [start, is_main_sleep]),
    ).toEqual([
      ['2026-03-13T21:48:00.000Z', true],
      ['2026-03-14T12:00:00.000Z', false],
    ]);
    expect(data[0]).toMatchObject({
      end: '2026-03-14T05:42:00.000Z',
      deep_sleep: 76,
      REM: 93,
      restorative_sleep: 169,
      sleep_skin_temperature: 34.1,
    });
    expect([data[1].sleep_skin_temperature, data[1].restorative_sleep]).toEqual([null, null]);
    const imperial = (await read(`sleep?${march}&unit_system=imperial&include_sources=true`)).body.data[0];
    expect(imperial.sleep_skin_temperature).toBe(93.4);
    expect(imperial.source).toEqual({ provider: 'oura', device_id: expect.stringMatching(/^dev_/) });
  });

  test('has vitals that name their own device, regardless of which device reported the night', async () => {
    const id = await system.user(account.live_key, { timezone: 'UTC' });
    const finger = await openPhone(system, account.live_key, id, 'apple_health');
    const wrist = await openPhone(system, account.live_key, id, 'health_connect');
    const ofDay = (metric: string, value: number, unit: string) => ({ date: '2026-03-10', metric, value, unit });
    const slept = (from: string, to: string, asleep_minutes: number) => ({ start: from, end: to, asleep_minutes });
    const rung = await finger.upload({
      time_zone: 'UTC',
      device: { name: 'Ring', model: 'Ring', type: 'ring' },
      sleep: [
        slept('2026-03-09T22:00:00Z', '2026-03-10T06:00:00Z', 430),
        slept('2026-03-10T13:00:00Z', '2026-03-10T13:40:00Z', 35),
      ],
      daily: [ofDay('sleep_blood_oxygen', 97, '%')],
    });
    const watched = await wrist.upload({
      time_zone: 'UTC',
      device: { name: 'Watch', model: 'Watch', type: 'wrist' },
      sleep: [slept('2026-03-09T22:10:00Z', '2026-03-10T06:10:00Z', 420)],
      daily: [ofDay('sleep_heart_rate', 54, 'bpm'), ofDay('sleep_blood_oxygen', 95, '%')],
    });
    expect([rung.status, watched.status]).toEqual([202, 202]);
    await system.settle();
    const devices: { id: string; provider: string }[] = (await get(`/v1/users/${id}/devices`)).body.data;
    const deviceOf = (provider: string) => ({
      provider,
      device_id: devices.find((device) => device.provider === provider)?.id,
    });
    const sleepPath = `/v1/users/${id}/sleep?start_date=2026-03-10&end_date=2026-03-10`;
    const { data } = (await get(`${sleepPath}&include_sources=true`)).body;
    const [ring, watch] = [deviceOf('apple_health'), deviceOf('health_connect')];
    expect(data).toMatchObject([
      { asleep: 430, sleep_heart_rate: 54, sleep_blood_oxygen: 97, source: ring },
      { asleep: 35, sleep_heart_rate: null, source: ring },
    ]);
    expect(data.map((night: { vital_sources: object }) => night.vital_sources)).toEqual([
      { sleep_heart_rate: watch, sleep_blood_oxygen: ring },
      {},
    ]);
    expect((await get(sleepPath)).body.data[0]).not.toHaveProperty('vital_sources');
  });

  test('has 250 workouts in pages, while others are added and removed', async () => {
    const year = 'start_date=2026-01-01&end_date=2026-12-31&per_page=100';
    const page = async (number: number) => (await read(`workouts?${year}&page=${number}`)).body;
    const starts = ({ data }: { data: { start: string }[] }) => data.map(({ start }) => start);
    const all = [await page(1), await page(2), await page(3), await page(4)];
    expect(all.map(({ data }) => data.length)).toEqual([100, 100, 50, 0]);
    const inOrder = all.flatMap(starts);
    expect(inOrder).toEqual(inOrder.toSorted());
    expect(new Set(inOrder).size).toBe(250);
    for (const { meta } of all) expect(meta.total).toBe(250);

    const { deps } = system.host;
    await addWorkouts(deps, userId, '2026-06-01', workoutRow(1, '2026-06-01T06:00:00Z', 30));
    const later = await page(3);
    expect([later.meta.total, later.data.length, starts(later).at(-1)]).toEqual([251, 51, '2026-06-01T06:00:00.000Z']);
    expect(starts(await page(2))).toEqual(starts(all[1]));
  });

  test('can be read with a user token, in the same form', async () => {
    const token = await system.userToken(account.live_key, userId);
    expect((await get(`/v1/users/${userId}/daily?metrics=steps&${march}`, token)).body.data).toHaveLength(2);
    expect((await get(`/v1/users/${userId}/workouts?${march}`, token)).body.meta).toEqual({
      page: 1,
      per_page: 20,
      total: 0,
    });
  });

  test('has a status for each of the six scores that says why there is none', async () => {
    const { data, status } = (await read('scores')).body;
    expect([data, Object.keys(status)]).toEqual([[], expect.arrayContaining(['energy_reserve_score'])]);
    expect((await read(`scores/history?types=energy_reserve_score&${march}`)).body).toEqual({ data: [] });
  });
});
