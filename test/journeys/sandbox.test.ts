import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { buildSandboxDay } from '../../shared/sandbox/life/sandbox-day.ts';
import { type System, startSystem } from '../harness/system.ts';
import { advanceSandboxUser, daysBefore, readUntilComplete, withoutNulls } from './sandbox-users.ts';

let system: System;
let account: NewAccount;

beforeAll(async () => {
  system = await startSystem();
  account = await system.account();
});
afterAll(() => system.stop());

const call = (method: string, path: string, body?: unknown, token = account.sandbox_key) =>
  system.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const get = async (path: string, token?: string) => {
  const response = await call('GET', path, undefined, token);
  expect([path, response.status]).toEqual([path, 200]);
  return response.body;
};

describe('a new sandbox user', () => {
  let user: string;
  let today: string;
  const week = () => `from_date=${daysBefore(today, 6)}&to_date=${today}`;

  beforeAll(async () => {
    user = await system.user(account.sandbox_key, { timezone: 'Europe/London', external_ref: 'ada' });
    await system.host.drain();
    today = (await get(`/v1/users/${user}/daily?types=steps`)).to_date;
  });

  test('has a ring and a phone that have synced', async () => {
    const { data } = await get(`/v1/users/${user}/devices`);
    expect(data.map(({ provider, status }: Record<string, string>) => [provider, status]).sort()).toEqual([
      ['apple_health', 'active'],
      ['oura', 'active'],
    ]);
    for (const { last_sync_at } of data) expect(last_sync_at).not.toBeNull();
    expect((await get(`/v1/users/${user}`)).last_sync_at).not.toBeNull();
  });

  test('has seven full days of data, and none before', async () => {
    const { dates, series } = await get(
      `/v1/users/${user}/daily?types=steps,heart_rate,resting_energy,resting_heart_rate,asleep,dietary_energy,weight,active_calories,total_calories`,
    );
    for (const [metric, values] of Object.entries<(number | null)[]>(series)) {
      const known = dates.filter((_date: string, at: number) => values[at] !== null);
      expect([metric, known.filter((date: string) => date < daysBefore(today, 7))]).toEqual([metric, []]);
      // Today has only what has happened so far: before the end of the first night there is neither
      // a night nor breakfast.
      expect([metric, known.slice(0, 7)]).toEqual([metric, dates.slice(-8, -1)]);
    }
    for (const at of [0, 1, 2, 3, 4, 5, 6].map((each) => dates.length - 8 + each))
      expect(series.total_calories[at]).toBe(series.active_calories[at] + series.resting_energy[at]);
  });

  test('has the generator’s own values, each from the highest-ranked device', async () => {
    const date = daysBefore(today, 2);
    const simulated = buildSandboxDay({ userId: user, persona: 'average', timezone: 'Europe/London', date });
    const { series, sources } = await get(
      `/v1/users/${user}/daily?types=steps,resting_heart_rate,deep_sleep,dietary_energy&include_sources=true&from_date=${date}&to_date=${date}`,
    );
    const steps = simulated.phone.samples.filter(({ metric }) => metric === 'steps');
    expect(series).toEqual({
      steps: [steps.reduce((sum, { value }) => sum + value, 0)],
      resting_heart_rate: [simulated.ring.daily.find(({ metric }) => metric === 'resting_heart_rate')?.value],
      deep_sleep: [simulated.ring.sleep.reduce((sum, { deep_minutes }) => sum + deep_minutes, 0)],
      dietary_energy: [simulated.phone.daily.find(({ metric }) => metric === 'dietary_energy')?.value],
    });
    expect([sources.steps[0].provider, sources.deep_sleep[0].provider]).toEqual(['apple_health', 'oura']);
  });

  test('has nights whose stages add up, and workouts with a heart rate trace', async () => {
    const nights = (await get(`/v1/users/${user}/sleep?${week()}`)).data;
    const main = nights.filter((night: { is_main_sleep: boolean }) => night.is_main_sleep);
    expect(main.length).toBeGreaterThanOrEqual(6);
    for (const night of nights) {
      expect(night.source).toBe('oura');
      expect(night.deep_minutes + night.light_minutes + night.rem_minutes).toBe(night.asleep_minutes);
      expect(night.asleep_minutes + night.awake_minutes).toBe(night.in_bed_minutes);
    }
    const workouts = (await get(`/v1/users/${user}/workouts?${week()}`)).data;
    expect(workouts.length).toBeGreaterThan(0);
    const detail = await get(`/v1/users/${user}/workouts/${workouts[0].id}`);
    expect(detail.heart_rate.samples.length).toBeGreaterThan(20);
    expect(detail.heart_rate.max_bpm).toBe(workouts[0].max_heart_rate);
  });

  test('has samples throughout the day', async () => {
    const date = daysBefore(today, 1);
    for (const metric of [
      'heart_rate',
      'steps',
      'active_calories',
      'heart_rate_variability_rmssd',
      'heart_rate_variability',
    ]) {
      const { values } = await get(`/v1/users/${user}/timeseries?metric=${metric}&date=${date}&resolution=5m`);
      expect([metric, withoutNulls(values).length > 0]).toEqual([metric, true]);
    }
    const { values } = await get(`/v1/users/${user}/timeseries?metric=heart_rate&date=${date}&resolution=5m`);
    expect(withoutNulls(values)).toHaveLength(values.length);
  });

  test('has all five scores on each of the seven days, and none before', async () => {
    const { series, factors } = await get(`/v1/users/${user}/scores?include_factors=true`);
    expect(Object.keys(series)).toEqual([
      'sleep_score',
      'recovery_score',
      'strain_score',
      'nutrition_score',
      'stress_score',
    ]);
    for (const [id, values] of Object.entries<(number | null)[]>(series)) {
      expect([id, withoutNulls(values.slice(-8, -1)).length]).toEqual([id, 7]);
      expect([id, withoutNulls(values.slice(0, -8))]).toEqual([id, []]);
    }
    // Baselines from before the first day are marked as seeded; factors without a baseline are not.
    for (const id of ['recovery_score', 'strain_score', 'stress_score'])
      for (const factor of factors[id].at(-8))
        expect([factor.name, factor.baseline]).toEqual([factor.name, factor.usual === null ? undefined : 'seeded']);
    expect(factors.recovery_score.at(-8).some(({ baseline }: { baseline?: string }) => baseline === 'seeded')).toBe(
      true,
    );
    for (const factor of factors.sleep_score.at(-8)) expect(factor.baseline).toBeUndefined();
    expect((await get(`/v1/users/${user}`)).score_status).toBe('ready');
  });

  test('publishes its data like any other user’s', async () => {
    const { events } = await get(`/v1/events?user_id=${user}`);
    const types = events.map(({ event_type }: { event_type: string }) => event_type);
    expect(types.filter((type: string) => type === 'device.connected')).toHaveLength(2);
    expect(types.filter((type: string) => type === 'data.updated')).toHaveLength(2);
  });

  test('in the live environment has no data', async () => {
    const live = await system.user(account.live_key);
    await system.host.drain();
    expect((await get(`/v1/users/${live}/devices`, account.live_key)).data).toEqual([]);
    const { series } = await get(`/v1/users/${live}/daily`, account.live_key);
    expect(Object.values<(number | null)[]>(series).flatMap(withoutNulls)).toEqual([]);
  });
});

/** What differs between users with the same values. */
const namesOfUser = new Set(['id', 'user_id', 'device_id', 'source', 'sources']);

describe('the persona', () => {
  test('is set at creation, returned, simulated, and cannot change', async () => {
    const profile = { sandbox_persona: 'traveller', height_cm: 180 };
    const response = await call('POST', '/v1/users', { profile, timezone: 'Europe/Berlin' });
    expect([response.status, response.body.profile]).toEqual([201, profile]);
    const path = `/v1/users/${response.body.id}`;
    for (const sandbox_persona of ['athlete', null]) {
      const refused = await call('PATCH', path, { profile: { sandbox_persona } });
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_body']);
      expect(refused.body.details.issues[0].path).toBe('profile.sandbox_persona');
    }
    expect((await call('PATCH', path, { profile: { sandbox_persona: 'traveller' } })).status).toBe(200);
    const cleared = await call('PATCH', path, { profile: null });
    expect(cleared.body.profile).toEqual({ sandbox_persona: 'traveller' });
    await system.host.drain();
    const { dates, series } = await get(`${path}/daily?types=steps`);
    expect(dates.slice(-7, -1).map((_date: string, at: number) => series.steps.at(at - 7) !== null)).toEqual(
      Array(6).fill(true),
    );
  });

  test('is rejected where it does not apply', async () => {
    const unknown = await call('POST', '/v1/users', { profile: { sandbox_persona: 'astronaut' } });
    expect([unknown.status, unknown.body.details.issues[0].path]).toEqual([400, 'profile.sandbox_persona']);
    const live = await call('POST', '/v1/users', { profile: { sandbox_persona: 'athlete' } }, account.live_key);
    expect([live.status, live.body.error]).toEqual([400, 'invalid_body']);
    expect(live.body.message).toContain('sandbox');
    const user = await system.user(account.live_key);
    const patched = await call(
      'PATCH',
      `/v1/users/${user}`,
      { profile: { sandbox_persona: 'athlete' } },
      account.live_key,
    );
    expect(patched.status).toBe(400);
  });

  test('has the seed that was set at creation, which is only available there', async () => {
    const profile = { sandbox_seed: 'checkout-test-1' };
    const created = await call('POST', '/v1/users', { profile });
    expect([created.status, created.body.profile]).toEqual([201, profile]);
    const path = `/v1/users/${created.body.id}`;
    for (const sandbox_seed of ['checkout-test-2', null]) {
      const refused = await call('PATCH', path, { profile: { sandbox_seed } });
      expect([refused.status, refused.body.details.issues[0].path]).toEqual([400, 'profile.sandbox_seed']);
    }
    expect((await call('PATCH', path, { profile: null })).body.profile).toEqual(profile);
    for (const sandbox_seed of ['', 'a b', 'ä', 'x'.repeat(65), 7, 'a~b']) {
      const refused = await call('POST', '/v1/users', { profile: { sandbox_seed } });
      expect([sandbox_seed, refused.status, refused.body.details.issues]).toEqual([
        sandbox_seed,
        400,
        [{ path: 'profile.sandbox_seed', message: 'must be 1 to 64 letters, digits, dots, hyphens or underscores' }],
      ]);
    }
    const live = await call('POST', '/v1/users', { profile }, account.live_key);
    expect([live.status, live.body]).toMatchObject([
      400,
      {
        error: 'invalid_body',
        message: 'profile.sandbox_seed cannot be set: it is only available for sandbox users.',
        details: { issues: [{ path: 'profile.sandbox_seed' }] },
      },
    ]);
  });

  test('lives the same life in two accounts with one seed, with ids of its own, and another one without', async () => {
    const other = await system.account();
    const create = (token: string, profile: object) =>
      system.user(token, { timezone: 'Europe/Berlin', profile: { sandbox_persona: 'athlete', ...profile } });
    const seeded = { sandbox_seed: 'checkout-test-1' };
    const users = [
      [await create(account.sandbox_key, seeded), account.sandbox_key],
      [await create(other.sandbox_key, seeded), other.sandbox_key],
      [await create(other.sandbox_key, {}), other.sandbox_key],
    ] as const;
    await system.host.drain();
    const read = async ([user, token]: (typeof users)[number]) => {
      const to = daysBefore((await get(`/v1/users/${user}/daily?types=steps`, token)).to_date, 1);
      const range = `from_date=${daysBefore(to, 6)}&to_date=${to}`;
      const { series } = await get(`/v1/users/${user}/daily?${range}`, token);
      const lists = await Promise.all(
        ['sleep', 'workouts'].map((kind) => get(`/v1/users/${user}/${kind}?${range}`, token)),
      );
      const sessions: { id: string }[] = lists.flatMap(({ data }) => data);
      const values = JSON.stringify([series, sessions], (key, value) => (namesOfUser.has(key) ? undefined : value));
      return { values, ids: sessions.map(({ id }) => id) };
    };
    const [one, two, unseeded] = await Promise.all(users.map(read));
    expect(one?.ids.length).toBeGreaterThan(10);
    expect(two?.values).toBe(one?.values);
    expect(unseeded?.values).not.toBe(one?.values);
    expect(two?.ids.filter((id) => one?.ids.includes(id))).toEqual([]);
    const device = async ([user, token]: (typeof users)[number]) =>
      (await get(`/v1/users/${user}/devices`, token)).data.map(({ status }: { status: string }) => status);
    expect(await Promise.all(users.map(device))).toEqual(users.map(() => ['active', 'active']));
  });

  test('has the number of days that was set at creation, in either form', async () => {
    for (const form of [1, 2] as const) {
      const { sandbox_key: token, live_key } = await system.account({ form });
      const create = (sandbox_days: unknown, key = token) =>
        call('POST', '/v1/users', { profile: { sandbox_days } }, key);
      const response = await create(9);
      const created = response.body.data ?? response.body;
      expect([response.status, created.profile]).toEqual([201, { sandbox_days: 9 }]);
      for (const days of [6, 367, 9.5, '9']) {
        const refused = await create(days);
        expect([days, refused.status, refused.body.details.issues]).toEqual([
          days,
          400,
          [{ path: 'profile.sandbox_days', message: 'must be a whole number of days from 7 to 366' }],
        ]);
      }
      expect([(await create(9, live_key)).status, (await create(null, live_key)).status]).toEqual([400, 201]);
      const path = `/v1/users/${created.id}`;
      for (const sandbox_days of [10, null])
        expect((await call('PATCH', path, { profile: { sandbox_days } }, token)).status).toBe(400);
      const cleared = await call('PATCH', path, { profile: null }, token);
      expect((cleared.body.data ?? cleared.body).profile).toEqual({ sandbox_days: 9 });
    }
  });

  test('sparse has gaps', async () => {
    const user = await system.user(account.sandbox_key, { profile: { sandbox_persona: 'sparse' } });
    await system.host.drain();
    const { series } = await get(`/v1/users/${user}/daily?types=resting_energy,resting_heart_rate`);
    const known = (metric: string) => withoutNulls(series[metric].slice(-7)).length;
    expect(known('resting_energy')).toBeLessThanOrEqual(6);
    expect(known('resting_heart_rate')).toBeLessThanOrEqual(4);
    expect(known('resting_heart_rate')).toBeGreaterThanOrEqual(3);
    const { status } = await get(`/v1/users/${user}/scores?include_status=true`);
    expect(['calibrating', 'missing']).toContain(status.recovery_score.status);
  });
});

test('days follow one another', () => advanceSandboxUser([8, 8, 8]));

test('days and scores of a new user become available without advancing the clock', () =>
  readUntilComplete(system, account.sandbox_key, 'device_swap'));
