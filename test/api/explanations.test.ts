// Why a daily value or a score is what it is.
import { beforeAll, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { avoidMidnight } from '../harness/clock.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import {
  createTestUser,
  hourMs,
  iso,
  march10Ms,
  phoneDevice,
  sleepUpload,
  stepsSample,
  type TestUser,
  travelerProfile,
  watch,
} from '../harness/test-user.ts';

let system: System;
let account: NewAccount;

beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
});

const explain = (user: TestUser, metric: string, date = '2026-03-10', token = account.live_key) =>
  system.call('GET', `/v1/users/${user.id}/daily/${date}/${metric}/explanation`, { token });
async function explainData(user: TestUser, metric: string, date = '2026-03-10') {
  const response = await explain(user, metric, date);
  expect(response.status).toBe(200);
  return response.body.data;
}
const patchSettings = async (user: TestUser, body: object): Promise<void> => {
  const path = `/v1/users/${user.id}/consolidation`;
  expect((await system.call('PATCH', path, { token: account.live_key, body })).status).toBe(202);
};
/** A watch until noon, and a phone that also measured one of its hours. */
async function createWalker(profile: object = { timezone: 'UTC' }): Promise<TestUser> {
  const user = await createTestUser(system, account.live_key, profile);
  await user.send(watch, { samples: [stepsSample(8, 10, 1_000), stepsSample(10, 12, 500)] });
  await user.send(phoneDevice, { samples: [stepsSample(11, 13, 600)] });
  return user;
}

describe('a value merged by period', () => {
  test('is explained by rule, devices, periods, what was left out, and in sentences', async () => {
    const user = await createWalker();
    const data = await explainData(user, 'steps');
    const [first, second] = data.devices;
    expect(data).toEqual({
      kind: 'metric',
      metric: 'steps',
      unit: 'count',
      date: '2026-03-10',
      timezone: 'UTC',
      state: 'closed',
      value: 1_800,
      pending: false,
      explained_value: 1_800,
      source: { provider: 'apple_health', device_id: first.device_id },
      rule: { key: 'steps', method: 'merge', overridden: false, averaged_over: null, sum_of: null },
      devices: [
        { ...deviceOf(first, 'Watch', 'wrist', 1), own_value: 1_500, counted: 1_500 },
        { ...deviceOf(second, 'Phone', 'phone', 2), own_value: 600, counted: 300 },
      ],
      periods: [
        periodOf(first, 8, 10, 1_000, 1_000),
        periodOf(first, 10, 12, 500, 500),
        periodOf(second, 11, 13, 600, 300),
      ],
      left_out: [{ device_id: second.device_id, value: 300, reason: 'measured_by_a_higher_rank', periods: 1 }],
      sentences: [
        'The value is 1,800: 1,500 from Watch, ranked first, and 300 from Phone while no higher-ranked device was measuring.',
        'Of Phone, 300 does not count: a higher-ranked device measured at the same time.',
      ],
      samples_url: `/v1/users/${user.id}/timeseries?metrics=steps&start_date=2026-03-10&end_date=2026-03-10&include_sources=true`,
    });
  });

  const deviceOf = ({ device_id }: { device_id: string }, name: string, type: string, rank: number) => ({
    device_id,
    provider: 'apple_health',
    name,
    type,
    rank,
    enabled: true,
    reported: 'samples',
  });
  const periodOf = (
    { device_id }: { device_id: string },
    from: number,
    to: number,
    value: number,
    counted: number,
  ) => ({ start: iso(march10Ms + from * hourMs), end: iso(march10Ms + to * hourMs), device_id, value, counted });

  test('is the same in both forms and for a user token, and its samples add up to it', async () => {
    const user = await createWalker();
    const { text, body } = await explain(user, 'steps');
    const form1Key = await system.form1Key(account.account_id);
    expect((await explain(user, 'steps', '2026-03-10', form1Key)).text).toBe(text);
    const token = await system.userToken(account.live_key, user.id);
    expect((await explain(user, 'steps', '2026-03-10', token)).text).toBe(text);
    const samples = await system.call('GET', body.data.samples_url, { token: account.live_key });
    const values: number[] = samples.body.data.map(({ value }: { value: number }) => value);
    expect(values.reduce((sum, value) => sum + value)).toBe(body.data.value);
  });

  test('of a shorter day ends where the day ends', async () => {
    const user = await createTestUser(system, account.live_key, { timezone: 'Europe/Berlin' });
    const sample = (start: string, end: string, value: number) => ({
      ...stepsSample(0, 1, value),
      start,
      end,
    });
    // The clocks go forward, so the day ends at 22:00 UTC.
    await user.send(watch, { samples: [sample('2026-03-29T21:00:00Z', '2026-03-29T23:00:00Z', 200)] });
    const data = await explainData(user, 'steps', '2026-03-29');
    expect([data.value, data.timezone, data.periods]).toMatchObject([
      100,
      'Europe/Berlin',
      [{ start: '2026-03-29T21:00:00.000Z', end: '2026-03-29T22:00:00.000Z', value: 100, counted: 100 }],
    ]);
  });

  test('of a person who travels names what counts on another day', async () => {
    const user = await createTestUser(system, account.live_key, travelerProfile);
    await user.send(watch, { samples: [stepsSample(8, 9, 100)] });
    await user.send(phoneDevice, { samples: [stepsSample(20, 21, 70, { utc_offset: '+09:00' })] });
    const data = await explainData(user, 'steps');
    expect([data.value, data.left_out]).toMatchObject([
      100,
      [{ value: 70, reason: 'counted_on_another_day', periods: 1 }],
    ]);
  });

  test('of an open day says so', async () => {
    avoidMidnight(system.clock);
    const user = await createTestUser(system, account.live_key);
    const nowMs = system.clock.now();
    const sample = { ...stepsSample(0, 1, 40), start: iso(nowMs - 600_000), end: iso(nowMs - 300_000) };
    await user.send(watch, { samples: [sample] });
    const data = await explainData(user, 'steps', iso(nowMs).slice(0, 10));
    expect([data.value, data.state, data.sentences.at(-1)]).toEqual([
      40,
      'open',
      'The day is not over: the value can still change.',
    ]);
  });
});

describe('other values', () => {
  test('what the device of the night did not report comes from the next device', async () => {
    const user = await createTestUser(system, account.live_key);
    await user.send(watch, sleepUpload(0, 8, 420, { rem_minutes: 90 }));
    await user.send(phoneDevice, sleepUpload(0, 8, 400, { deep_minutes: 60 }));
    const asleep = await explainData(user, 'asleep');
    expect(asleep.devices).toMatchObject([
      { name: 'Watch', reported: 'night', own_value: 420, counted: 420 },
      { name: 'Phone', reported: 'night', own_value: 400, counted: null },
    ]);
    expect(asleep.left_out).toMatchObject([{ value: 400, reason: 'lower_rank' }]);
    const deep = await explainData(user, 'deep_sleep');
    expect([deep.value, deep.source.device_id, deep.left_out, deep.sentences]).toEqual([
      60,
      deep.devices[1].device_id,
      [],
      [
        'The value is 60 min, from Phone. The device that measured the time asleep comes first, then the highest-ranked device that has a value.',
      ],
    ]);
    const restorative = await explainData(user, 'restorative_sleep');
    expect(restorative).toMatchObject({
      value: 150,
      rule: { sum_of: ['deep_sleep', 'rem_sleep'] },
      devices: [
        { name: 'Watch', reported: null, own_value: null, counted: 90 },
        { name: 'Phone', reported: null, own_value: null, counted: 60 },
      ],
      sentences: [
        'The value is 150 min, the deep sleep and rem sleep of the day: 90 min from Watch and 60 min from Phone.',
      ],
    });
  });

  test('a blood-pressure reading comes from one device', async () => {
    const user = await createTestUser(system, account.live_key);
    const daily = (metric: string, value: number) => ({ date: '2026-03-10', metric, value, unit: 'mmHg' });
    await user.send(watch, { daily: [daily('blood_pressure_diastolic', 80)] });
    await user.send(phoneDevice, {
      daily: [daily('blood_pressure_systolic', 124), daily('blood_pressure_diastolic', 82)],
    });
    const data = await explainData(user, 'blood_pressure_diastolic');
    expect([data.value, data.rule.key, data.left_out, data.sentences[0]]).toMatchObject([
      82,
      'blood_pressure',
      [{ value: 80, reason: 'group_of_another_device' }],
      'The value is 82 mmHg, from Phone, the highest-ranked device that measured blood pressure as a whole.',
    ]);
  });

  test('a null says that nobody measured, or that no device is connected', async () => {
    const user = await createWalker();
    const data = await explainData(user, 'weight');
    expect([data.value, data.source, data.left_out, data.sentences]).toEqual([
      null,
      null,
      [],
      ['There is no value: no device reported weight for this day.'],
    ]);
    expect(data.devices).toHaveLength(2);
    const nobody = { ...user, id: await system.user(account.live_key) };
    expect((await explainData(nobody, 'weight')).sentences).toEqual(['There is no value: no device is connected.']);
  });
});

describe('settings', () => {
  test('a change is pending until the days are rebuilt, and then a disabled provider is the reason', async () => {
    const user = await createWalker();
    await patchSettings(user, { metrics: { steps: { providers: { apple_health: false } } } });
    const pending = await explainData(user, 'steps');
    expect([pending.value, pending.pending, pending.explained_value]).toEqual([1_800, true, null]);
    expect(pending.source).toMatchObject({ provider: 'apple_health' });
    await system.settle();
    const data = await explainData(user, 'steps');
    expect([data.value, data.pending, data.explained_value, data.source]).toEqual([null, false, null, null]);
    expect(data.devices).toMatchObject([
      { enabled: false, counted: null },
      { enabled: false, counted: null },
    ]);
    expect(data.left_out).toMatchObject([
      { value: 1_500, reason: 'disabled' },
      { value: 600, reason: 'disabled' },
    ]);
  });
});

describe('a score', () => {
  test('has its factors, and each input has an explanation', async () => {
    const token = account.sandbox_key;
    const userId = await system.user(token, { timezone: 'UTC' });
    await system.settle();
    const get = (path: string) => system.call('GET', path, { token });
    const scores = (await get(`/v1/users/${userId}/scores?types=sleep_score,recovery_score`)).body;
    // The scores of today and yesterday are updated a minute apart, so they may lag behind.
    const at = scores.dates.length - 4;
    const [date, value] = [scores.dates[at], scores.series.recovery_score[at]];
    expect(value).not.toBeNull();
    const path = (metric: string) => `/v1/users/${userId}/daily/${date}/${metric}/explanation`;
    const { data } = (await get(path('recovery_score'))).body;
    expect([data.kind, data.unit, data.value, data.pending]).toEqual(['score', 'score', value, false]);
    const contributions: number[] = data.factors.map(({ contribution }: { contribution: number }) => contribution);
    expect(contributions.reduce((sum, each) => sum + each)).toBe(value);
    expect(data.sentences[0]).toBe(`The recovery score is ${value}: the contributions of its factors add up to it.`);
    for (const { input, value: inputValue, explanation_url } of data.factors) {
      const explained = await get(explanation_url);
      expect([explained.status, explained.body.data.metric, explained.body.data.value]).toEqual([
        200,
        input,
        inputValue,
      ]);
    }
    const energy = (await get(path('energy_reserve_score'))).body.data;
    for (const { name, explanation_url } of energy.factors)
      expect([name, explanation_url === null]).toEqual([name, name === 'effort_before']);
  });

  test('without a value has the explanations of the inputs that it needs', async () => {
    const user = await createWalker();
    const data = await explainData(user, 'sleep_score');
    expect([data.value, data.factors, data.missing_inputs]).toEqual([
      null,
      [],
      [{ input: 'asleep', explanation_url: `/v1/users/${user.id}/daily/2026-03-10/asleep/explanation` }],
    ]);
    expect(data.sentences).toEqual([
      'There is no sleep score, because none of the data that it needs was measured or logged. At least one of these is needed: asleep.',
    ]);
  });
});

describe('is rejected as the daily read is', () => {
  test.each([
    ['2026-03-10', 'toes', 422, 'invalid_types', { metric: ['toes'] }],
    ['2026-03-10', '__proto__', 422, 'invalid_types', { metric: ['__proto__'] }],
    [
      '2026-02-30',
      'steps',
      400,
      'invalid_request',
      { issues: [{ path: 'date', message: 'must be an existing date, such as 2026-03-01' }] },
    ],
    ['0001-01-01', 'steps', 400, 'invalid_request', {}],
    ['today', 'steps', 400, 'invalid_request', {}],
    ['2026-03-10', 'steps/explanation?unit_system=imperial#', 400, 'invalid_request', {}],
  ])('%s %s', async (date, metric, status, error, details) => {
    const userId = await system.user(account.live_key);
    const path = `/v1/users/${userId}/daily/${date}/${metric}${metric.includes('?') ? '' : '/explanation'}`;
    const response = await system.call('GET', path, { token: account.live_key });
    expect([response.status, response.body.error]).toEqual([status, error]);
    expect(response.body.details).toMatchObject(details);
  });

  test('for a user of another account, in the same words as for a missing one', async () => {
    const user = await createWalker();
    const other = await system.account();
    const foreign = await explain(user, 'steps', '2026-03-10', other.live_key);
    const missing = await explain({ ...user, id: 'usr_1' }, 'steps', '2026-03-10', other.live_key);
    expect([foreign.status, foreign.body.error]).toEqual([404, 'not_found']);
    expect(foreign.body.message.replaceAll(user.id, '')).toBe(missing.body.message.replaceAll('usr_1', ''));
  });
});
