import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { metricIds } from '../../shared/catalog/metrics.ts';
import type { Deps } from '../../shared/system/deps.ts';
import type { DeviceRow } from '../../shared/users/device-rows.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import { addDevice, addSamples, changeSettings, ring, watch } from '../harness/stored-data.ts';
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
  await createUserInZone('Europe/Berlin');
});

async function createUserInZone(timezone: string | null): Promise<void> {
  userId = await system.user(account.live_key, { timezone });
  finger = await addDevice(deps, userId, ring);
  wrist = await addDevice(deps, userId, watch);
}

const read = (query: string) =>
  system.call('GET', `/v1/users/${userId}/timeseries?${query}`, { token: account.live_key });
const readSamples = (metrics: string, from = '2026-03-14', to = from, more = '') =>
  read(`metrics=${metrics}&start_date=${from}&end_date=${to}${more}`);
const timestampsOf = ({ body }: { body: { data: { timestamp: string }[] } }) =>
  body.data.map(({ timestamp }) => timestamp);

describe('individual samples', () => {
  test('are sorted by time, then in the order of the metrics', async () => {
    await addSamples(deps, userId, wrist.ordinal, 'steps', {
      '2026-03-14T08:00:00Z': 12,
      '2026-03-14T07:00:00.250Z': 30,
    });
    await addSamples(deps, userId, wrist.ordinal, 'heart_rate', { '2026-03-14T08:00:00Z': 71.04 });
    await addSamples(deps, userId, wrist.ordinal, 'stress_score', { '2026-03-14T06:00:00Z': 18 });
    expect((await readSamples('heart_rate,%20steps,stress_score,steps')).body).toEqual({
      data: [
        { timestamp: '2026-03-14T06:00:00.000Z', metric: 'stress_score', value: 18, unit: 'score', utc_offset: null },
        { timestamp: '2026-03-14T07:00:00.250Z', metric: 'steps', value: 30, unit: 'count', utc_offset: null },
        { timestamp: '2026-03-14T08:00:00.000Z', metric: 'heart_rate', value: 71, unit: 'bpm', utc_offset: null },
        { timestamp: '2026-03-14T08:00:00.000Z', metric: 'steps', value: 12, unit: 'count', utc_offset: null },
      ],
    });
  });

  test.each([
    ['Europe/Berlin', ['2026-03-13T23:00:00.000Z', '2026-03-14T22:59:59.999Z']],
    ['America/Los_Angeles', ['2026-03-14T07:00:00.000Z', '2026-03-15T06:59:59.999Z']],
    ['Pacific/Kiritimati', ['2026-03-13T10:00:00.000Z', '2026-03-14T09:59:59.999Z']],
    [null, ['2026-03-14T00:00:00.000Z', '2026-03-14T23:59:59.999Z']],
  ])('for a day in %s start and end at its local midnights', async (zone, [start = '', end = '']) => {
    await createUserInZone(zone);
    const around = [Date.parse(start) - 1, Date.parse(start), Date.parse(end), Date.parse(end) + 1];
    const values = Object.fromEntries(around.map((ms) => [new Date(ms).toISOString(), 60]));
    await addSamples(deps, userId, wrist.ordinal, 'heart_rate', values);
    expect(timestampsOf(await readSamples('heart_rate'))).toEqual([start, end]);
  });

  test('of a day come from the highest-ranked device that has samples on it', async () => {
    await addSamples(deps, userId, wrist.ordinal, 'heart_rate', {
      '2026-03-14T08:00:00Z': 71,
      '2026-03-14T23:30:00Z': 72,
    });
    await addSamples(deps, userId, finger.ordinal, 'heart_rate', {
      '2026-03-13T12:00:00Z': 60,
      '2026-03-14T09:00:00Z': 61,
      '2026-03-15T12:00:00Z': 62,
    });
    const response = await readSamples('heart_rate', '2026-03-13', '2026-03-15', '&include_sources=true');
    expect(response.body.data.map(({ value, source }: { value: number; source: object }) => [value, source])).toEqual([
      [60, { provider: 'oura', device_id: finger.id, original_value: 60, original_unit: 'bpm' }],
      [71, { provider: 'garmin', device_id: wrist.id, original_value: 71, original_unit: 'bpm' }],
      [72, { provider: 'garmin', device_id: wrist.id, original_value: 72, original_unit: 'bpm' }],
    ]);
    await changeSettings(deps, userId, { disabledFor: { heart_rate: ['garmin'] } });
    const without = await readSamples('heart_rate', '2026-03-13', '2026-03-15');
    expect(without.body.data.map(({ value }: { value: number }) => value)).toEqual([60, 61, 62]);
  });

  test('show what the device reported before conversion', async () => {
    const kilojoules = () => ({ value: 418.4, unit: 'kJ' });
    await addSamples(deps, userId, wrist.ordinal, 'active_calories', { '2026-03-14T08:00:00Z': 100 }, kilojoules);
    const response = await readSamples('active_calories', '2026-03-14', '2026-03-14', '&include_sources=true');
    expect(response.body.data[0].source).toMatchObject({ original_value: 418.4, original_unit: 'kJ' });
  });

  test.each(['', 'toes', 'steps,toes', 'sleep_score'])('for %j are rejected', async (metrics) => {
    const response = await readSamples(metrics);
    expect([response.status, response.body.error]).toEqual([422, 'invalid_types']);
  });

  test('are read for up to 16 metrics of the catalog at once', async () => {
    expect((await readSamples(metricIds.slice(0, 16).join(','))).body).toEqual({ data: [] });
    const response = await readSamples(metricIds.slice(0, 17).join(','));
    expect([response.status, response.body.error, response.body.details.issues[0].path]).toEqual([
      400,
      'invalid_request',
      'metrics',
    ]);
  });

  test.each([
    ['start_date=2026-03-14&end_date=2026-03-14', 'metrics'],
    ['metrics=steps&end_date=2026-03-14', 'start_date'],
    ['metrics=steps&start_date=2026-03-14', 'end_date'],
    ['', 'metrics'],
    ['metrics=steps&start_date=2026-03-15&end_date=2026-03-14', 'start_date'],
    ['metrics=steps&start_date=2016-03-01&end_date=2026-04-01', 'start_date'],
    ['metrics=steps&start_date=2026-02-30&end_date=2026-03-14', 'start_date'],
    ['metrics=steps&start_date=2026-03-14&end_date=2026-03-14&metric=steps', 'metric'],
    ['metrics=steps&start_date=2026-03-14&end_date=2026-03-14&resolution=1h', 'resolution'],
    ['metric=steps&date=2026-03-14&start_date=2026-03-14', 'metric'],
    ['metric=steps', 'date'],
    ['date=2026-03-14', 'metric'],
    ['resolution=5m', 'metric'],
    ['metric=steps&date=2026-03-14&resolution=2m', 'resolution'],
    ['metric=steps&date=2026-02-29', 'date'],
  ])('%s is rejected, naming %s', async (query, path) => {
    const response = await read(query);
    expect([response.status, response.body.error, response.body.details.issues[0].path]).toEqual([
      400,
      'invalid_request',
      path,
    ]);
  });

  test('cover up to ten years at once', async () => {
    expect((await readSamples('steps', '2016-03-15', '2026-03-14')).status).toBe(200);
    const longer = await readSamples('steps', '2016-03-13', '2026-03-14');
    expect([longer.status, longer.body.message]).toEqual([400, expect.stringContaining('the maximum is 3653')]);
  });

  test('are rejected with advice if there are more than a response can hold', async () => {
    const start = Date.parse('2026-03-14T00:00:00Z');
    const values = Object.fromEntries(
      Array.from({ length: 19_001 }, (_, at) => [new Date(start + at * 1_000).toISOString(), 60 + (at % 50)]),
    );
    await addSamples(deps, userId, wrist.ordinal, 'heart_rate', values);
    expect((await readSamples('heart_rate')).body.data).toHaveLength(19_001);
    const response = await readSamples('heart_rate', '2026-03-14', '2026-03-14', '&include_sources=true');
    expect([response.status, response.body.message]).toEqual([400, expect.stringContaining('read the day in steps')]);
    const longer = await readSamples('heart_rate', '2026-03-10', '2026-03-15', '&include_sources=true');
    expect([longer.status, longer.body.error, longer.body.details.issues[0].message]).toEqual([
      400,
      'invalid_request',
      'the range has 19001 samples, but the limit is 19000; the longest range that fits is 2026-03-10 to 2026-03-13',
    ]);
    expect((await readSamples('heart_rate', '2026-03-10', '2026-03-13', '&include_sources=true')).status).toBe(200);
  });
});

describe('a day in equal intervals', () => {
  const column = (query: string) => read(query);

  test.each([
    ['1m', 60, 1440],
    ['5m', 300, 288],
    ['15m', 900, 96],
    ['1h', 3600, 24],
  ])('with %s', async (resolution, step_seconds, length) => {
    const { body } = await column(`metric=heart_rate&date=2026-03-14&resolution=${resolution}`);
    expect({ ...body, values: body.values.length }).toEqual({
      metric: 'heart_rate',
      unit: 'bpm',
      start: '2026-03-14T00:00:00',
      step_seconds,
      values: length,
      time_zone: 'Europe/Berlin',
      start_at: '2026-03-13T23:00:00.000Z',
    });
    expect(new Set(body.values)).toEqual(new Set([null]));
  });

  test('uses five minutes by default', async () => {
    expect((await column('metric=heart_rate&date=2026-03-14')).body.step_seconds).toBe(300);
  });

  test.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-03-14', 24],
  ])('%s has %i hours in Berlin', async (date, hours) => {
    const response = await column(`metric=steps&date=${date}&resolution=1h`);
    expect([response.body.start, response.body.values.length]).toEqual([`${date}T00:00:00`, hours]);
  });

  test('states when it starts after midnight, and rounds half hours up', async () => {
    await createUserInZone('America/Santiago');
    const begins = await column('metric=steps&date=2026-09-06&resolution=1h');
    expect([begins.body.start, begins.body.values.length]).toEqual(['2026-09-06T01:00:00', 23]);
    await createUserInZone('Australia/Lord_Howe');
    expect((await column('metric=steps&date=2026-10-04&resolution=1h')).body.values).toHaveLength(24);
    expect((await column('metric=steps&date=2026-10-04&resolution=15m')).body.values).toHaveLength(94);
  });

  test('aggregates each metric by sum, average or last value, by the start of each sample', async () => {
    const at = { '2026-03-14T00:00:00Z': 10, '2026-03-14T00:59:59.999Z': 21, '2026-03-14T01:00:00Z': 40 };
    await addSamples(deps, userId, wrist.ordinal, 'steps', at);
    await addSamples(deps, userId, wrist.ordinal, 'heart_rate', { ...at, '2026-03-14T00:30:00Z': 60 });
    await addSamples(deps, userId, wrist.ordinal, 'weight', at);
    const hours = async (metric: string) =>
      (await column(`metric=${metric}&date=2026-03-14&resolution=1h`)).body.values.slice(0, 4);
    expect(await hours('steps')).toEqual([null, 31, 40, null]);
    expect(await hours('heart_rate')).toEqual([null, 30.3, 40, null]);
    expect(await hours('weight')).toEqual([null, 21, 40, null]);
  });

  test.each(['heart_rate', 'steps'] as const)(
    'includes the %s samples at its first and last instant',
    async (metric) => {
      const [start, end] = [Date.parse('2026-03-13T23:00:00Z'), Date.parse('2026-03-14T23:00:00Z') - 1];
      const around = [start - 1, start, end, end + 1].map((ms, at) => [new Date(ms).toISOString(), 60 + at]);
      await addSamples(deps, userId, wrist.ordinal, metric, Object.fromEntries(around));
      const { values } = (await read(`metric=${metric}&date=2026-03-14&resolution=1h`)).body;
      expect(values).toEqual([61, ...Array(22).fill(null), 62]);
    },
  );

  test('converts units and names its device on request', async () => {
    await addSamples(deps, userId, wrist.ordinal, 'weight', { '2026-03-14T08:10:00Z': 72.348 });
    const response = await column(
      'metric=weight&date=2026-03-14&resolution=1h&unit_system=imperial&include_sources=true',
    );
    expect([response.body.unit, response.body.values[9], response.body.source]).toEqual([
      'lb',
      159.5,
      { provider: 'garmin', device_id: wrist.id },
    ]);
    expect((await column('metric=height&date=2026-03-14&include_sources=true')).body.source).toBeNull();
  });

  test('averages the stress levels of each interval', async () => {
    const levels = { '2026-03-14T08:10:00Z': 18, '2026-03-14T08:40:00Z': 51, '2026-03-14T09:10:00Z': 70 };
    await addSamples(deps, userId, wrist.ordinal, 'stress_score', levels);
    const response = await column('metric=stress_score&date=2026-03-14&resolution=1h&unit_system=imperial');
    expect([response.body.metric, response.body.unit]).toEqual(['stress_score', 'score']);
    expect(response.body.values.filter((value: number | null) => value !== null)).toEqual([35, 70]);
  });

  test('accepts any metric of the catalog and nothing else', async () => {
    for (const metric of metricIds)
      expect((await column(`metric=${metric}&date=2026-03-14&resolution=1h`)).status).toBe(200);
    for (const metric of ['', 'toes', 'sleep_score', 'steps,distance']) {
      const response = await column(`metric=${metric}&date=2026-03-14`);
      expect([metric, response.status, response.body.error]).toEqual([metric, 422, 'invalid_types']);
    }
  });
});
