// A night in detail: what a phone sent about it is read back, from one device, in both forms.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { formatLocalTime } from '../../shared/platform/time/local-day.ts';
import { makeId } from '../../shared/system/ids.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { createTestUser, iso, type TestUser } from '../harness/test-user.ts';

const ringDevice = { name: 'Ring', model: 'Ring4', type: 'ring' };
const watchDevice = { name: 'Watch', model: 'Watch7,1', type: 'wrist' };
const zone = 'Europe/Berlin';
const startMs = Date.UTC(2026, 2, 9, 21, 48);
const endMs = Date.UTC(2026, 2, 10, 5, 42);
const minuteMs = 60_000;
const clock = (ms: number): string => formatLocalTime(ms, zone);

const stages = [
  ['light', 0, 25],
  ['deep', 25, 60],
  ['awake', 62, 65],
  ['rem', 65, 120],
  ['asleep', 120, 400],
  ['out_of_bed', 400, 410],
  ['unknown', 410, 474],
] as const;
const sentStages = stages.map(([stage, from, to]) => ({
  stage,
  start: iso(startMs + from * minuteMs),
  end: iso(startMs + to * minuteMs),
}));
const shownStages = stages.map(([stage, from, to]) => ({
  stage,
  start: clock(startMs + from * minuteMs),
  end: clock(startMs + to * minuteMs),
}));
const night = { start: iso(startMs), end: iso(endMs), asleep_minutes: 431, stages: sentStages };

const vitals = [
  ['heart_rate', 'bpm', [54, 52.5, 51]],
  ['heart_rate_variability', 'ms', [61, 64.5]],
  ['heart_rate_variability_rmssd', 'ms', [41, 44.5]],
  ['respiratory_rate', 'brpm', [14.5, 15]],
  ['blood_oxygen', '%', [96, 97.5]],
] as const;
const sampleTimes = (values: readonly number[]) => values.map((_value, at) => startMs + (at * 60 + 7) * minuteMs);
const samples = vitals.flatMap(([metric, unit, values]) =>
  sampleTimes(values).map((ms, at) => ({ metric, unit, start: iso(ms), value: values[at] })),
);
const shownSamples = Object.fromEntries(
  vitals.map(([metric, unit, values]) => [
    metric,
    {
      unit,
      step_seconds: null,
      samples: sampleTimes(values).map((ms, at) => ({ timestamp: clock(ms), value: values[at] })),
    },
  ]),
);

let system: System;
let account: NewAccount;
let user: TestUser;

beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
});
beforeEach(async () => {
  user = await createTestUser(system, account.live_key, { timezone: zone });
});

const listNights = async (query = '') =>
  (await user.get(`sleep?from_date=2026-03-08&to_date=2026-03-12${query}`)).body.data;
const findId = async (): Promise<string> => (await listNights())[0].id;

test('stages and samples are read back as they were sent', async () => {
  await user.send(ringDevice, { sleep: [night], samples });
  const [listed] = await listNights();
  const response = await user.get(`sleep/${listed.id}`);
  expect(response.status).toBe(200);
  expect(response.body).toEqual({ ...listed, stages: shownStages, ...shownSamples });
  expect(listed).not.toHaveProperty('stages');
  expect(await listNights('&include_stages=true')).toEqual([{ ...listed, stages: shownStages }]);
});

test('every unit is the same in both unit systems', async () => {
  await user.send(ringDevice, { sleep: [night], samples });
  const id = await findId();
  const metric = await user.get(`sleep/${id}?unit_system=metric`);
  expect(metric.body).toMatchObject(shownSamples);
  expect((await user.get(`sleep/${id}?unit_system=imperial`)).body).toEqual(metric.body);
});

test('samples before and after the night are left out, those at its very ends are not', async () => {
  const at = (ms: number, value: number) => ({ metric: 'heart_rate', unit: 'bpm', start: iso(ms), value });
  await user.send(ringDevice, {
    sleep: [night],
    samples: [at(startMs - 1, 81), at(startMs, 61), at(endMs, 62), at(endMs + 1, 82)],
  });
  const { body } = await user.get(`sleep/${await findId()}`);
  expect(body.heart_rate.samples.map(({ value }: { value: number }) => value)).toEqual([61, 62]);
});

test('a night without stages and samples says so with null', async () => {
  await user.send(ringDevice, { sleep: [{ start: night.start, end: night.end }] });
  const { body } = await user.get(`sleep/${await findId()}`);
  expect(body).toMatchObject({
    stages: null,
    heart_rate: null,
    heart_rate_variability: null,
    heart_rate_variability_rmssd: null,
    respiratory_rate: null,
    blood_oxygen: null,
  });
  expect(await listNights('&include_stages=true')).toMatchObject([{ stages: null }]);
});

describe('a night that two devices report', () => {
  const watchNight = {
    start: iso(startMs - 20 * minuteMs),
    end: iso(endMs),
    stages: [{ stage: 'rem', start: iso(startMs), end: iso(endMs) }],
  };
  const watchSamples = [{ metric: 'heart_rate', unit: 'bpm', start: iso(startMs + minuteMs), value: 99 }];

  test('shows the stages and samples of the device that it comes from, and no others', async () => {
    await user.send(watchDevice, { sleep: [watchNight], samples: watchSamples });
    const watchId = await findId();
    expect((await user.get(`sleep/${watchId}`)).body).toMatchObject({
      stages: [{ stage: 'rem' }],
      heart_rate: { samples: [{ value: 99 }] },
    });
    await user.send(ringDevice, { sleep: [night], samples: samples.slice(3) });
    const ringId = await findId();
    expect(ringId).not.toBe(watchId);
    expect((await user.get(`sleep/${ringId}`)).body).toMatchObject({ stages: shownStages, heart_rate: null });
    expect((await user.get(`sleep/${watchId}`)).body.error).toBe('sleep_not_found');
  });
});

test('a provider that is switched off for a metric shows no samples of it', async () => {
  await user.send(ringDevice, { sleep: [night], samples });
  const id = await findId();
  const body = { metrics: { heart_rate: { providers: { apple_health: false } } } };
  const patched = await system.call('PATCH', `/v1/users/${user.id}/consolidation`, { token: account.live_key, body });
  expect(patched.status).toBe(202);
  expect((await user.get(`sleep/${id}`)).body).toMatchObject({ ...shownSamples, heart_rate: null });
});

test('a correction replaces the stages under the same id, also by none, and is announced', async () => {
  await user.send(ringDevice, { sleep: [night] });
  const id = await findId();
  const countEvents = async (): Promise<number> => {
    const query = `?types=data.updated&user_id=${user.id}`;
    return (await system.call('GET', `/v1/events${query}`, { token: account.live_key })).body.events.length;
  };
  const before = await countEvents();
  await user.send(ringDevice, { sleep: [night] });
  expect(await countEvents()).toBe(before);
  const corrected = { stage: 'deep', start: iso(startMs + minuteMs), end: iso(startMs + 9 * minuteMs) };
  await user.send(ringDevice, { sleep: [{ ...night, stages: [corrected] }] });
  expect((await user.get(`sleep/${id}`)).body.stages).toEqual([
    { stage: 'deep', start: clock(startMs + minuteMs), end: clock(startMs + 9 * minuteMs) },
  ]);
  expect(await countEvents()).toBe(before + 1);
  await user.send(ringDevice, { sleep: [{ ...night, stages: undefined }] });
  expect((await user.get(`sleep/${id}`)).body.stages).toBeNull();
});

test('more than ten thousand samples are averaged by the minute', async () => {
  const many = Array.from({ length: 10_001 }, (_none, at) => ({
    metric: 'heart_rate',
    unit: 'bpm',
    start: iso(startMs + at * 1000),
    value: 50 + (at % 60 < 30 ? 0 : 1),
  }));
  await user.send(ringDevice, { sleep: [night], samples: many });
  const { body } = await user.get(`sleep/${await findId()}`);
  expect(body.heart_rate.step_seconds).toBe(60);
  expect(body.heart_rate.samples).toHaveLength(167);
  expect(body.heart_rate.samples[1]).toEqual({ timestamp: clock(startMs + minuteMs), value: 50.5 });
});

test('a removed device takes its nights with it, and so does an erased user', async () => {
  await user.send(watchDevice, { sleep: [night] });
  await user.send(ringDevice, { sleep: [night], samples });
  const ringId = await findId();
  const devices: { id: string; model: string }[] = (await user.get('devices')).body.data;
  const ring = devices.find(({ model }) => model === ringDevice.model);
  await system.call('DELETE', `/v1/users/${user.id}/devices/${ring?.id}`, { token: account.live_key });
  expect((await user.get(`sleep/${ringId}`)).body.error).toBe('sleep_not_found');
  const watchId = await findId();
  expect((await user.get(`sleep/${watchId}`)).body).toMatchObject({ stages: shownStages, heart_rate: null });
  await system.call('DELETE', `/v1/users/${user.id}`, { token: account.live_key });
  expect((await user.get(`sleep/${watchId}`)).body.error).toBe('not_found');
});

describe('a bad request', () => {
  test('with an id that is malformed, unknown, of another kind or from the far future is 404', async () => {
    await user.send(ringDevice, { sleep: [night] });
    const id = await findId();
    const random = new Uint8Array(10);
    for (const wrong of [
      'x',
      id.toUpperCase(),
      id.replace('slp_', 'wrk_'),
      `${id}0`,
      makeId('sleep', startMs, random),
      makeId('sleep', 2 ** 48 - 1, random),
      makeId('sleep', 0, random),
      '%F0%9F%98%B4',
    ]) {
      const response = await user.get(`sleep/${wrong}`);
      expect([wrong, response.status, response.body.error]).toEqual([wrong, 404, 'sleep_not_found']);
    }
  });

  test('of another account, environment or user gets what a missing night gets', async () => {
    await user.send(ringDevice, { sleep: [night] });
    const id = await findId();
    const stranger = await system.account();
    for (const token of [stranger.live_key, account.sandbox_key]) {
      const response = await system.call('GET', `/v1/users/${user.id}/sleep/${id}`, { token });
      expect([response.status, response.body.error]).toEqual([404, 'not_found']);
    }
    const neighbour = await createTestUser(system, account.live_key);
    expect((await neighbour.get(`sleep/${id}`)).body.error).toBe('sleep_not_found');
  });

  test('with a wrong value is 400 and names the parameter', async () => {
    await user.send(ringDevice, { sleep: [night] });
    const id = await findId();
    for (const [query, parameter] of [
      ['unit_system=us', 'unit_system'],
      ['include_sources=yes', 'include_sources'],
    ]) {
      const response = await user.get(`sleep/${id}?${query}`);
      expect([response.status, response.body.details.issues[0].path]).toEqual([400, parameter]);
    }
    const list = await user.get('sleep?include_stages=1');
    expect([list.status, list.body.details.issues[0].path]).toEqual([400, 'include_stages']);
  });
});

test('Form 1 reads the same night: instants in the list, the same detail', async () => {
  const form1 = await system.account({ form: 1 });
  const bea = await createTestUser(system, form1.live_key, { timezone: zone });
  await bea.send(ringDevice, { sleep: [night], samples });
  const { body } = await bea.get('sleep?start_date=2026-03-08&end_date=2026-03-12&include_stages=true');
  expect(body.data).toMatchObject([{ stages: sentStages }]);
  expect((await bea.get(`sleep/${body.data[0].id}`)).body).toMatchObject({ stages: shownStages, ...shownSamples });
  const plain = await bea.get('sleep?start_date=2026-03-08&end_date=2026-03-12');
  expect(plain.body.data[0]).not.toHaveProperty('stages');
});
