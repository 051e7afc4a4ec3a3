import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { form2ScoreIds } from '../../shared/catalog/score-table.ts';
import { openPhone, type Phone } from '../harness/phone.ts';
import { type System, startSystem } from '../harness/system.ts';
import { lastDays } from './month.ts';

const minute = 60_000;
const weeks = 6;
let system: System;
let account: NewAccount;
let user: string;
let phone: Phone;
let days: string[];

beforeAll(async () => {
  system = await startSystem();
  account = await system.account();
  user = await system.user(account.live_key, { profile: { date_of_birth: '1990-05-17', weight_kg: 70 } });
  phone = await openPhone(system, account.live_key, user);
  days = lastDays(system.clock.now(), weeks * 7);
});
afterAll(() => system.stop());

const get = async (path: string, token = account.live_key) => {
  const response = await system.call('GET', `/v1/users/${user}${path}`, { token });
  expect([path, response.status]).toEqual([path, 200]);
  return response.body;
};
const range = () => `from_date=${days[0]}&to_date=${days.at(-1)}`;
const readScores = () => get(`/scores?include_factors=true&${range()}`);
const listScoreEvents = async () => {
  const response = await system.call('GET', `/v1/events?types=score.updated&user_id=${user}`, {
    token: account.live_key,
  });
  return response.body.events;
};
const varyByDay = (d: number, max: number) => ((d * 7) % 5) * (max / 4);

function makeUpload(which: readonly number[], nights: readonly number[]) {
  const date = (d: number) => days[d] ?? '';
  const dailyTotals = (d: number): [string, number, string][] => [
    ['resting_heart_rate', 55 + varyByDay(d, 6), 'bpm'],
    ['respiratory_rate', 14 + varyByDay(d, 1), 'brpm'],
    ['active_calories', 400 + varyByDay(d, 300), 'kcal'],
    ['steps', 7000 + varyByDay(d, 4000), 'count'],
    ['dietary_energy', 2100, 'kcal'],
    ['protein', 90, 'g'],
    ['fiber', 20 + varyByDay(d, 8), 'g'],
    ['sugar', 80, 'g'],
    ['sodium', 2300, 'mg'],
  ];
  const daily = [
    ...which.flatMap((d) => dailyTotals(d).map(([metric, value, unit]) => ({ date: date(d), metric, value, unit }))),
    ...nights.map((d) => ({
      date: date(d),
      metric: 'sleep_heart_rate_variability',
      value: 45 + varyByDay(d + 1, 20),
      unit: 'ms',
    })),
  ];
  const sleep = nights.map((d) => ({
    start: `${date(d - 1) || '2020-01-01'}T22:30:00Z`,
    end: `${date(d)}T06:30:00Z`,
    asleep_minutes: 400 + Math.round(varyByDay(d, 50)),
    deep_minutes: 70,
    rem_minutes: 90,
    light_minutes: 240 + Math.round(varyByDay(d, 50)),
    in_bed_minutes: 480,
  }));
  const device = { name: 'Watch', model: 'Watch7,1', type: 'wrist' };
  return { time_zone: 'UTC', device, samples: [], daily, sleep, workouts: [] };
}

async function upload(body: object): Promise<void> {
  const response = await phone.upload(body);
  expect([response.status, response.body.rejected]).toEqual([202, []]);
  await system.host.drain();
}
const everyDay = () => days.map((_date, d) => d);
const late = weeks * 7 - 3;

test('a user without data is calibrating and has no scores', async () => {
  expect((await get('')).score_status).toBe('calibrating');
  const { series, latest } = await readScores();
  expect(Object.keys(series)).toEqual([...form2ScoreIds]);
  expect(Object.values(latest)).toEqual([null, null, null, null, null]);
});

test('six weeks of data are scored when the upload is processed', async () => {
  const nights = everyDay().filter((d) => d > 0 && d !== late);
  await upload(makeUpload(everyDay(), nights));
  const { series, latest, factors, dates } = await readScores();
  expect(dates).toEqual(days);
  for (const d of everyDay()) {
    expect([d, series.sleep_score[d] === null]).toEqual([d, !nights.includes(d)]);
    expect([d, series.nutrition_score[d] === null]).toEqual([d, false]);
    expect([d, series.strain_score[d] === null]).toEqual([d, d < 5]);
    expect([d, series.recovery_score[d] === null]).toEqual([d, d < 5]);
    expect([d, series.stress_score[d] === null]).toEqual([d, d < 6 || d === late]);
    for (const id of form2ScoreIds) {
      const response = factors[id][d]?.reduce(
        (sum: number, each: { contribution: number }) => sum + each.contribution,
        0,
      );
      expect([d, id, response ?? null]).toEqual([d, id, series[id][d]]);
    }
  }
  const last = days.length - 1;
  expect(latest.strain_score).toMatchObject({
    date: days[last],
    value: series.strain_score[last],
    previous_value: series.strain_score[last - 1],
  });
  const [event, ...others] = await listScoreEvents();
  expect(others).toEqual([]);
  expect(event).toMatchObject({ event_type: 'score.updated', user_id: user, from_date: days[0], to_date: days[last] });
  expect(event.scores).toEqual([...form2ScoreIds, 'energy_reserve_score']);
  const status = await get('');
  expect([status.score_status, status.last_score_at !== null]).toEqual(['ready', true]);
});

test('a night that arrives late changes its day and the later days it affects, and publishes one event', async () => {
  const before = await readScores();
  system.clock.advance(minute);
  await upload(makeUpload([], [late]));
  const after = await readScores();
  const changed = (id: string) =>
    everyDay().filter((d) => JSON.stringify(before.factors[id][d]) !== JSON.stringify(after.factors[id][d]));
  expect(changed('sleep_score')).toEqual([late]);
  expect(changed('strain_score')).toEqual([]);
  expect(changed('nutrition_score')).toEqual([]);
  for (const id of ['recovery_score', 'stress_score']) {
    expect(changed(id)).toContain(late);
    expect(changed(id).filter((d) => d < late)).toEqual([]);
  }
  const response = await listScoreEvents();
  expect(response).toHaveLength(2);
  expect(response[1]).toMatchObject({
    from_date: days[late],
    scores: expect.arrayContaining(['sleep_score', 'recovery_score', 'stress_score']),
  });
  expect(response[1].scores).not.toContain('strain_score');
});

test('changes to yesterday within five minutes of each other are written together afterwards', async () => {
  const before = await readScores();
  const response = (await listScoreEvents()).length;
  for (const steps of [20_000, 25_000])
    await upload({
      ...makeUpload([], []),
      daily: [{ date: days.at(-1), metric: 'steps', value: steps, unit: 'count' }],
    });
  const meanwhile = await readScores();
  expect([meanwhile.series, meanwhile.latest]).toEqual([before.series, before.latest]);
  // The inputs of the stored score are no longer available; those of the other days are.
  expect(meanwhile.factors.strain_score.at(-1)[0]).toEqual({
    name: 'active_energy',
    contribution: expect.any(Number),
    direction: expect.any(String),
  });
  expect(meanwhile.factors.strain_score.at(-2)).toEqual(before.factors.strain_score.at(-2));
  system.clock.advance(minute);
  await system.host.runSchedule('sweep');
  await system.host.drain();
  expect((await readScores()).series).toEqual(before.series);
  system.clock.advance(4 * minute);
  await system.host.runSchedule('sweep');
  await system.host.drain();
  const { series, factors } = await readScores();
  expect(factors.strain_score.at(-1).at(-1)).toMatchObject({ input: 'steps', value: 25_000 });
  expect(series.strain_score.at(-1)).toBeGreaterThan(before.series.strain_score.at(-1));
  expect(await listScoreEvents()).toHaveLength(response + 1);
});

test('the same data again computes nothing and publishes nothing', async () => {
  const response = (await listScoreEvents()).length;
  const { last_score_at } = await get('');
  system.clock.advance(minute);
  await upload(makeUpload([3], [3]));
  expect((await get('')).last_score_at).toBe(last_score_at);
  expect(await listScoreEvents()).toHaveLength(response);
});

test('a changed profile recomputes the scores of every day', async () => {
  const before = await readScores();
  system.clock.advance(minute);
  const body = { profile: { weight_kg: 140 } };
  await system.call('PATCH', `/v1/users/${user}`, { token: account.live_key, body });
  await system.host.drain();
  const { series } = await readScores();
  for (const d of everyDay()) expect(series.nutrition_score[d]).toBeLessThan(before.series.nutrition_score[d]);
  expect(series.strain_score).toEqual(before.series.strain_score);
  expect((await listScoreEvents()).at(-1)).toMatchObject({
    scores: ['nutrition_score'],
    from_date: days[0],
    to_date: days.at(-1),
  });
});

test('a lost message is recovered by the sweep', async () => {
  const before = await readScores();
  system.clock.advance(minute);
  const { deps } = system.host;
  const body = { profile: { weight_kg: 70 } };
  const caller = { kind: 'api_key', account: account.account_id, env: 'live', form: 2 } as const;
  const { updateUser } = await import('../../shared/users/users.ts');
  const silent = { send: async () => {}, sendAll: async () => {}, postpone: async () => {} };
  await updateUser({ ...deps, queue: silent }, caller, user, body);
  await system.host.drain();
  expect((await readScores()).series).toEqual(before.series);
  system.clock.advance(minute);
  await system.host.runSchedule('sweep');
  await system.host.drain();
  expect((await readScores()).series.nutrition_score).not.toEqual(before.series.nutrition_score);
});

describe('other reads of scores', () => {
  test('return the same in rows as in columns', async () => {
    const { series } = await readScores();
    const rows = (await get(`/scores/history?start_date=${days[0]}&end_date=${days.at(-1)}`)).data;
    const wanted = days.flatMap((date, d) =>
      form2ScoreIds.flatMap((type) => (series[type][d] === null ? [] : [{ date, type, value: series[type][d] }])),
    );
    expect(rows.map(({ date, type, value }: (typeof wanted)[number]) => ({ date, type, value }))).toEqual(wanted);
  });

  test('return the previous value of the calendar day before, within the range', async () => {
    const alone = await get(`/scores?types=strain_score&from_date=${days.at(-1)}&to_date=${days.at(-1)}`);
    expect(alone.latest.strain_score.previous_value).toBeNull();
    const gap = await get(`/scores?types=sleep_score&from_date=${days[0]}&to_date=${days[1]}`);
    expect(gap.latest.sleep_score).toMatchObject({ date: days[1], previous_value: null });
    expect(gap.factors).toBeUndefined();
  });

  test('accept a user token for its own scores', async () => {
    const token = await system.userToken(account.live_key, user);
    expect(await get(`/scores?include_factors=true&${range()}`, token)).toEqual(await readScores());
  });
});

test('a disconnected device takes its scores with it', async () => {
  const response = (await listScoreEvents()).length;
  system.clock.advance(minute);
  const [device] = (await get('/devices')).data;
  await system.call('DELETE', `/v1/users/${user}/devices/${device.id}`, { token: account.live_key });
  await system.host.drain();
  const { latest } = await readScores();
  expect(Object.values(latest)).toEqual([null, null, null, null, null]);
  expect((await get('')).score_status).toBe('calibrating');
  expect(await listScoreEvents()).toHaveLength(response + 1);
});
