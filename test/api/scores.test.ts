import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { scoreIds } from '../../shared/catalog/score-ids.ts';
import { form2ScoreIds } from '../../shared/catalog/score-table.ts';
import { addDays } from '../../shared/platform/time/local-day.ts';
import { signIn } from '../harness/console-session.ts';
import { openPhone } from '../harness/phone.ts';
import { makeUpload } from '../harness/sdk.ts';
import type { ApiResponse } from '../harness/send-request.ts';
import { type System, startSystem } from '../harness/system.ts';

/** It is noon in UTC, so no day ends during the tests, in UTC or in the zone of the phones. */
const today = '2026-05-20';
let system: System;
let form2Account: NewAccount;
let form1Account: NewAccount;
let form2User: string;
let form1User: string;

beforeAll(async () => {
  system = await startSystem({ startMs: Date.parse(`${today}T12:00:00Z`) });
  form2Account = await system.account();
  form1Account = await system.account({ form: 1 });
  form2User = await createUserWithData(form2Account);
  form1User = await createUserWithData(form1Account);
});
afterAll(() => system.stop());

/** Creates a user with ten days of recovery and strain data, and one night. */
async function createUserWithData({ live_key }: NewAccount): Promise<string> {
  const user = await system.user(live_key);
  const phone = await openPhone(system, live_key, user);
  const daily = Array.from({ length: 10 }, (_none, back) => addDays(today, -back)).flatMap((date) => [
    { date, metric: 'resting_heart_rate', value: 58, unit: 'bpm' },
    { date, metric: 'steps', value: 8000, unit: 'count' },
  ]);
  daily.push({ date: addDays(today, -2), metric: 'asleep', value: 450, unit: 'min' });
  await phone.upload(makeUpload({ daily }));
  await system.host.drain();
  return user;
}

const readScores = (query: string, path = 'scores') =>
  system.call('GET', `/v1/users/${form2User}/${path}${query}`, { token: form2Account.live_key });
const readForm1Scores = (query: string, path = 'scores') =>
  system.call('GET', `/v1/users/${form1User}/${path}${query}`, { token: form1Account.live_key });

const sleepScoreStatus = { status: 'ready', confidence: 'low', formula: 'sleep@2', better: 'higher' };
/** The factor that the score of that one night consists of. */
const durationFactor = {
  name: 'duration',
  contribution: 93,
  direction: 'positive',
  input: 'asleep',
  value: 450,
  usual: null,
  z: null,
  points: 92.5,
  weight: 100,
  source: { provider: 'apple_health', device_id: expect.stringMatching(/^dev_/) },
};

describe('scores in columns', () => {
  test('cover the thirty days up to today by default, with all five scores', async () => {
    const { body } = await readScores('');
    expect([body.from_date, body.to_date, body.dates.length]).toEqual([addDays(today, -29), today, 30]);
    expect(Object.keys(body)).toEqual(['from_date', 'to_date', 'dates', 'series', 'latest', 'status']);
    expect(Object.keys(body.series)).toEqual([...form2ScoreIds]);
    expect(Object.keys(body.latest)).toEqual([...form2ScoreIds]);
    for (const id of form2ScoreIds) expect(body.series[id]).toHaveLength(30);
    expect(body.series.strain_score.slice(-6)).toEqual([null, 50, 50, 50, 50, 50]);
  });

  test('come in the requested order, without duplicates, ignoring spaces', async () => {
    const { body } = await readScores('?types=strain_score,%20recovery_score%20,strain_score');
    expect(Object.keys(body.series)).toEqual(['strain_score', 'recovery_score']);
  });

  test('have as latest the newest value in the range, with the value of the day before', async () => {
    const { latest } = (await readScores('')).body;
    expect(latest.strain_score).toEqual({
      date: today,
      value: 50,
      previous_value: 50,
      status: 'provisional',
      confidence: 'low',
      formula: 'strain@2',
      better: 'none',
    });
    expect(latest.sleep_score).toEqual({
      date: addDays(today, -2),
      value: 93,
      previous_value: null,
      ...sleepScoreStatus,
    });
    expect(latest.stress_score).toBeNull();
    const [from, to] = [addDays(today, -2), addDays(today, -2)];
    const one = (await readScores(`?types=strain_score&from_date=${from}&to_date=${to}`)).body.latest;
    expect(one.strain_score).toMatchObject({ date: from, value: 50, previous_value: null, status: 'ready' });
  });

  test('include their factors on request', async () => {
    const { body } = await readScores('?types=sleep_score,stress_score&include_factors=true');
    expect(body.factors.sleep_score.at(-3)).toEqual([durationFactor]);
    expect(body.factors.sleep_score.at(-1)).toBeNull();
    expect(body.factors.stress_score).toEqual(body.dates.map(() => null));
  });

  test.each([
    ['?types=', 422, 'invalid_types'],
    ['?types=steps', 422, 'invalid_types'],
    ['?types=sleep_score,steps', 422, 'invalid_types'],
    ['?types=energy_reserve_score', 422, 'invalid_types'],
    ['?types=sleep_score,,stress_score', 422, 'invalid_types'],
    ['?from_date=2026-02-30', 400, 'invalid_request'],
    ['?from_date=2026-03-02&to_date=2026-03-01', 400, 'invalid_request'],
    ['?from_date=2025-01-01&to_date=2026-01-02', 400, 'invalid_request'],
    ['?start_date=2026-03-01', 400, 'invalid_request'],
    ['?end_date=2026-03-01', 400, 'invalid_request'],
    ['?include_factors=maybe', 400, 'invalid_request'],
    ['?include_status=1', 400, 'invalid_request'],
  ])('for %s return %i %s', async (query, status, code) => {
    const response = await readScores(query);
    expect([response.status, response.body.error]).toEqual([status, code]);
  });

  test('report the status on the last day of the range, or why there is no value', async () => {
    const { status } = (await readScores('')).body;
    expect(status).toEqual({
      sleep_score: { status: 'missing', reason: 'no_data', inputs: ['asleep'] },
      recovery_score: { status: 'ready' },
      strain_score: { status: 'provisional' },
      nutrition_score: { status: 'missing', reason: 'no_data', inputs: ['dietary_energy'] },
      stress_score: expect.objectContaining({ status: 'missing', reason: 'no_data' }),
    });
    const { statuses, series } = (await readScores('?include_status=true')).body;
    expect(Object.keys(statuses)).toEqual([...form2ScoreIds]);
    for (const id of form2ScoreIds)
      expect(
        statuses[id].map(({ status: each }: { status: string }) => ['ready', 'provisional'].includes(each)),
      ).toEqual(series[id].map((value: number | null) => value !== null));
    const first = addDays(today, -9);
    const days = statuses.recovery_score.slice(-10);
    expect(days.slice(0, 5)).toEqual([0, 1, 2, 3, 4].map((each) => ({ status: 'calibrating', days: each, needed: 5 })));
    const alone = (await readScores(`?to_date=${first}&types=recovery_score`)).body;
    expect([alone.latest.recovery_score, alone.status.recovery_score]).toEqual([null, days[0]]);
  });

  test('cover up to 366 days at once', async () => {
    expect((await readScores('?from_date=2025-01-01&to_date=2026-01-01')).body.dates).toHaveLength(366);
  });

  test('are rejected by the daily read', async () => {
    const response = await readScores('?types=sleep_score', 'daily');
    expect([response.status, response.body.error]).toEqual([422, 'invalid_types']);
  });
});

describe('scores in rows', () => {
  test('are sorted earliest first, without the days that have none', async () => {
    const { body } = await readScores(
      `?start_date=${addDays(today, -2)}&end_date=${addDays(today, -1)}`,
      'scores/history',
    );
    const recovery = { status: 'ready', confidence: 'low', formula: 'recovery@2', better: 'higher' };
    const strain = { status: 'ready', confidence: 'low', formula: 'strain@2', better: 'none' };
    expect(body.data).toEqual([
      { date: addDays(today, -2), type: 'sleep_score', value: 93, ...sleepScoreStatus },
      { date: addDays(today, -2), type: 'recovery_score', value: 76, ...recovery },
      { date: addDays(today, -2), type: 'strain_score', value: 50, ...strain },
      { date: addDays(today, -1), type: 'recovery_score', value: 70, ...recovery },
      { date: addDays(today, -1), type: 'strain_score', value: 50, ...strain },
    ]);
  });

  test('include days without a score on request, with the reason', async () => {
    const range = `?start_date=${addDays(today, -2)}&end_date=${addDays(today, -1)}`;
    const { body } = await readScores(`${range}&types=sleep_score,strain_score&include_missing=true`, 'scores/history');
    expect(body.data.map(({ value }: { value: number | null }) => value)).toEqual([93, 50, null, 50]);
    expect(body.data[2]).toEqual({
      date: addDays(today, -1),
      type: 'sleep_score',
      value: null,
      status: 'missing',
      reason: 'no_data',
      inputs: ['asleep'],
      confidence: null,
      formula: null,
      better: 'higher',
    });
  });

  test.each([
    ['', 400, 'invalid_request'],
    ['?start_date=2026-03-01', 400, 'invalid_request'],
    ['?start_date=2026-03-02&end_date=2026-03-01', 400, 'invalid_request'],
    ['?start_date=2024-03-01&end_date=2026-03-01', 400, 'invalid_request'],
    ['?start_date=2026-03-01&end_date=2026-03-01&types=', 422, 'invalid_types'],
    ['?start_date=2026-03-01&end_date=2026-03-01&types=weight', 422, 'invalid_types'],
    ['?start_date=2026-03-01&end_date=2026-03-01&include_missing=yes', 400, 'invalid_request'],
  ])('for %s return %i %s', async (query, status, code) => {
    const response = await readScores(query, 'scores/history');
    expect([response.status, response.body.error]).toEqual([status, code]);
  });
});

describe('scores on Form 1', () => {
  test('include their factors in the current scores', async () => {
    const { data, status } = (await readForm1Scores('')).body;
    expect(data.map(({ type, value }: { type: string; value: number }) => [type, value])).toEqual([
      ['sleep_score', 93],
      ['recovery_score', 70],
      ['strain_score', 50],
      ['energy_reserve_score', 62],
    ]);
    expect(data[0]).toEqual({
      type: 'sleep_score',
      value: 93,
      date: addDays(today, -2),
      computed_at: expect.stringMatching(/^\d{4}-.*Z$/),
      ...sleepScoreStatus,
      factors: [durationFactor],
    });
    expect(Object.keys(status)).toEqual([...scoreIds]);
    expect(status.stress_score.status).toBe('missing');
    expect(data[3].factors.map(({ input }: { input: string }) => input)).toEqual([
      'recovery_score',
      'strain_score',
      'strain_score',
    ]);
  });

  test('include the sixth score in the rows, and accept it as a type', async () => {
    const range = `?start_date=${today}&end_date=${today}`;
    const { data } = (await readForm1Scores(range, 'scores/history')).body;
    expect(data.map(({ type }: { type: string }) => type)).toContain('energy_reserve_score');
    const all = await readForm1Scores(`${range}&types=${scoreIds.join(',')}`, 'scores/history');
    expect(all.body.data).toEqual(data);
  });

  test.each([
    'types=sleep_score',
    'from_date=2026-03-01',
    'to_date=2026-03-01',
    'include_factors=true',
    'include_status=true',
    'start_date=x',
  ])('a parameter of the other form (%s) is rejected, with the one to use instead', async (query) => {
    const response = await readForm1Scores(`?${query}`);
    expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
    expect(response.body.details.issues[0].path).toBe(query.split('=')[0]);
  });
});

test.each(['scores', `scores/history?start_date=2026-03-01&end_date=2026-03-14`])(
  'may be cached by their caller for five minutes, also when they have not changed: %s',
  async (path) => {
    const account = await system.account();
    const { live_key } = account;
    const url = `/v1/users/${await system.user(live_key)}/${path}`;
    const cacheHeaders = ({ status, headers }: ApiResponse) => [
      status,
      headers.get('cache-control'),
      headers.get('vary')?.split(', ').includes('Authorization') ?? false,
    ];
    const first = await system.call('GET', url, { token: live_key });
    expect(cacheHeaders(first)).toEqual([200, 'private, max-age=300', true]);
    const etag = first.headers.get('etag') ?? '';
    const headers = { 'if-none-match': etag, 'cache-control': 'no-cache' };
    const again = await system.call('GET', url, { token: live_key, headers });
    expect(cacheHeaders(again)).toEqual([304, 'private, max-age=300', true]);
    const missing = await system.call('GET', url.replace(/usr_\w+/, 'usr_nobody'), { token: live_key });
    const unauthorized = await system.call('GET', url);
    const invalid = await system.call('GET', `${url}${url.includes('?') ? '&' : '?'}types=`, { token: live_key });
    const responses = [missing, unauthorized, invalid];
    expect(responses.map(cacheHeaders)).toEqual([404, 401, 422].map((status) => [status, 'no-store', false]));
    const session = await signIn(system, account, 'owner');
    const shown = await system.call('GET', url, { headers: session.headers });
    expect(cacheHeaders(shown)).toEqual([200, 'private, no-store', false]);
    await system.host.drain();
  },
);

test('a warm read waits for the table once', async () => {
  await readScores('');
  const before = system.calls.length;
  await readScores('?from_date=2025-03-01&to_date=2026-02-28');
  const operations = system.calls.slice(before).map(({ operation }) => operation);
  expect(operations.sort()).toEqual(['Query', 'Query', 'UpdateItem']);
});

describe('scores in the daily read of Form 1', () => {
  const range = () => `start_date=${addDays(today, -2)}&end_date=${today}`;

  test('are rows among the metrics, in the requested order, equal to the history', async () => {
    const ids = 'sleep_score,steps,energy_reserve_score,strain_score';
    const { data } = (await readForm1Scores(`?metrics=${ids}&${range()}`, 'daily')).body;
    const history = (
      await readForm1Scores(`?types=sleep_score,energy_reserve_score,strain_score&${range()}`, 'scores/history')
    ).body.data;
    const scored = data.filter(({ metric }: { metric: string }) => metric !== 'steps');
    expect(scored).toEqual(
      history.map(({ date, type, value }: Record<string, unknown>) => ({ date, metric: type, value, unit: 'score' })),
    );
    expect(data.slice(0, 4).map(({ metric }: { metric: string }) => metric)).toEqual(ids.split(','));
  });

  test('have no source, and are omitted unless they are requested', async () => {
    const { data } = (await readForm1Scores(`?metrics=sleep_score&include_sources=true&${range()}`, 'daily')).body;
    expect(data).toEqual([
      { date: addDays(today, -2), metric: 'sleep_score', value: expect.any(Number), unit: 'score', source: null },
    ]);
    const all = (await readForm1Scores(`?${range()}`, 'daily')).body.data;
    expect(all.filter(({ unit }: { unit: string }) => unit === 'score')).toEqual([]);
  });

  test('are still rejected by the daily read of Form 2', async () => {
    const response = await readScores('?types=steps,recovery_score', 'daily');
    expect([response.status, response.body.error]).toEqual([422, 'invalid_types']);
    expect(response.body.message).toContain('scores are read from /scores');
  });
});
