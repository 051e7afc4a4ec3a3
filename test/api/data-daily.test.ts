import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { metricIds } from '../../shared/catalog/metrics.ts';
import { scoreIds } from '../../shared/catalog/score-ids.ts';
import { addDays, datesInRange } from '../../shared/platform/time/local-day.ts';
import { avoidMidnight } from '../harness/clock.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import { addCanonical, addDevice, addNormalized, changeSettings, ring, watch } from '../harness/stored-data.ts';
import type { System } from '../harness/system.ts';

let system: System;
let account: NewAccount;
let userId: string;

beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
  userId = await system.user(account.live_key, { timezone: 'Europe/Berlin' });
  await addDevice(system.host.deps, userId, ring);
  await addDevice(system.host.deps, userId, watch);
  await addCanonical(system.host.deps, userId, '2026-03-12', {
    steps: 8421,
    distance: 6.205,
    weight: 72.348,
    asleep: 431,
  });
  await addCanonical(system.host.deps, userId, '2026-03-14', { steps: 0, sleep_skin_temperature: 34.25 }, 1);
});

const read = (query: string, { id = userId, token = account.live_key } = {}) =>
  system.call('GET', `/v1/users/${id}/daily${query}`, { token });
const threeDays = 'from_date=2026-03-12&to_date=2026-03-14';

describe('the types parameter', () => {
  test('returns the requested types in order, trimmed and without duplicates', async () => {
    const response = await read(`?types=${encodeURIComponent(' weight, steps ,asleep,steps')}&${threeDays}`);
    expect(response.status).toBe(200);
    expect(Object.keys(response.body.series)).toEqual(['weight', 'steps', 'asleep']);
  });

  test('defaults to all public metrics in catalog order', async () => {
    expect(Object.keys((await read(`?${threeDays}`)).body.series)).toEqual([...metricIds]);
  });

  test.each([
    ['', ['']],
    ['%20', ['']],
    [',', ['']],
    ['steps,', ['']],
    ['steps,,asleep', ['']],
    ['Steps', ['Steps']],
    ['steps,toes,fingers', ['toes', 'fingers']],
    ['__proto__', ['__proto__']],
    ...scoreIds.map((id): [string, string[]] => [`steps,${id}`, [id]]),
  ])('%j is rejected, and the error names the invalid type', async (types, unsupported) => {
    const response = await read(`?types=${types}&${threeDays}`);
    expect([response.status, response.body.error, response.body.details]).toEqual([
      422,
      'invalid_types',
      { types: unsupported },
    ]);
  });
});

describe('the range', () => {
  beforeEach(() => avoidMidnight(system.clock));

  test('missing values are null, and no day is left out', async () => {
    const response = await read(`?types=steps,asleep&${threeDays}`);
    expect(response.text).toBe(
      '{"from_date":"2026-03-12","to_date":"2026-03-14","dates":["2026-03-12","2026-03-13","2026-03-14"],' +
        '"series":{"steps":[8421,null,0],"asleep":[431,null,null]}}',
    );
  });

  test('values are rounded to the precision of their metric', async () => {
    const response = await read(`?types=distance,weight,sleep_skin_temperature&${threeDays}`);
    expect(response.body.series).toEqual({
      distance: [6.21, null, null],
      weight: [72.35, null, null],
      sleep_skin_temperature: [null, null, 34.3],
    });
  });

  test('366 days are accepted, 367 are not', async () => {
    const response = await read('?types=steps&from_date=2025-03-14&to_date=2026-03-14');
    expect([response.status, response.body.dates.length]).toEqual([200, 366]);
    const long = await read('?types=steps&from_date=2025-03-13&to_date=2026-03-14');
    expect([long.status, long.body.error, long.body.details.issues[0].path]).toEqual([
      400,
      'invalid_request',
      'from_date',
    ]);
  });

  test.each([
    ['from_date=2026-03-15&to_date=2026-03-14'],
    ['from_date=2026-02-30&to_date=2026-03-14'],
    ['to_date=2026-13-01'],
    ['to_date=2026-3-1'],
    ['to_date=2026-03-14T00:00:00Z'],
    ['to_date='],
    ['from_date=2999-01-01'],
    ['from_date=2001-01-01'],
    ['to_date=0000-01-05'],
    ['to_date=9999-12-31'],
    ['to_date=2026-03-14&to_date=2026-03-15'],
    ['include_sources=yes'],
    ['unit_system=nautical'],
  ])('%s is rejected', async (query) => {
    const response = await read(`?types=steps&${query}`);
    expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
    expect(response.body.details.issues[0].path).toBe(query.split('=')[0]);
  });

  test.each([
    ['metrics=steps', 'types'],
    ['start_date=2026-03-01', 'from_date'],
    ['end_date=2026-03-01', 'to_date'],
  ])('%s belongs to the other form, and the error suggests %s', async (query, instead) => {
    const response = await read(`?${query}`);
    expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
    expect(response.body.message).toContain(`Use \`${instead}\`.`);
  });

  test.each([
    ['from=2026-03-01&to=2026-03-02', 'Unknown parameter `from`. Did you mean `from_date`?'],
    ['to=2026-03-02', 'Unknown parameter `to`. Did you mean `to_date`?'],
    ['fromdate=2026-03-01', 'Unknown parameter `fromdate`. Did you mean `from_date`?'],
    ['units=imperial', 'Unknown parameter `units`. Did you mean `unit_system`?'],
    [
      'fields=all',
      'Unknown parameter `fields`. This call takes `types`, `from_date`, `to_date`, `unit_system`, `include_sources`.',
    ],
  ])('%s is rejected, instead of answering for another range', async (query, message) => {
    const response = await read(`?types=steps&${query}`);
    expect([response.status, response.body.error, response.body.message]).toEqual([400, 'invalid_request', message]);
  });

  test('to_date alone starts the range 29 days earlier', async () => {
    const response = await read('?types=steps&to_date=2026-03-14');
    expect([response.body.from_date, response.body.to_date, response.body.dates.length]).toEqual([
      '2026-02-13',
      '2026-03-14',
      30,
    ]);
  });

  test.each([
    ['Pacific/Kiritimati', 14],
    ['Pacific/Pago_Pago', -11],
    [null, 0],
  ])('the default range ends today in %s', async (timezone, hours) => {
    const id = await system.user(account.live_key, { timezone });
    const today = () => new Date(system.clock.now() + hours * 3600_000).toISOString().slice(0, 10);
    const [before, response, after] = [today(), await read('?types=steps', { id }), today()];
    expect([before, after]).toContain(response.body.to_date);
    const { to_date } = response.body;
    expect(response.body.dates).toEqual(datesInRange(addDays(to_date, -29), to_date));
    const week = await read(`?types=steps&from_date=${addDays(to_date, -6)}`, { id });
    expect(week.body.dates).toEqual(datesInRange(addDays(to_date, -6), to_date));
  });

  test('the days at both ends of the default range have their values in every time zone', async () => {
    for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']) {
      const id = await system.user(account.live_key, { timezone });
      const { from_date, to_date } = (await read('?types=steps', { id })).body;
      for (const date of [addDays(from_date, -1), from_date, to_date, addDays(to_date, 1)])
        await addCanonical(system.host.deps, id, date, { steps: 1 });
      const { steps } = (await read(`?types=steps`, { id })).body.series;
      expect([steps.length, steps[0], steps[29], steps.filter((value: unknown) => value === 1).length]).toEqual([
        30, 1, 1, 2,
      ]);
    }
  });

  test("from_date after the user's current date is rejected", async () => {
    const id = await system.user(account.live_key, { timezone: 'Pacific/Pago_Pago' });
    const tomorrow = new Date(system.clock.now() + 13 * 3600_000).toISOString().slice(0, 10);
    const { to_date } = (await read('?types=steps', { id })).body;
    for (const from of [tomorrow, '2999-01-01']) {
      const response = await read(`?types=steps&from_date=${from}`, { id });
      expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
      expect(response.body.message).toBe(
        `The range is invalid: from_date ${from} is later than the user's current date, ${to_date}, which is the default of to_date.`,
      );
    }
  });

  test('the error for a range whose default end makes it too long states the true length', async () => {
    const id = await system.user(account.live_key, { timezone: 'Pacific/Pago_Pago' });
    const { to_date } = (await read('?types=steps', { id })).body;
    for (const days of [367, 368, 800]) {
      const response = await read(`?types=steps&from_date=${addDays(to_date, 1 - days)}`, { id });
      expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
      expect(response.body.message).toMatch(new RegExp(`^The range spans ${days} days, but`));
    }
    expect((await read(`?types=steps&from_date=${addDays(to_date, -365)}`, { id })).status).toBe(200);
  });
});

describe('the options', () => {
  test('imperial converts the values and names the units', async () => {
    const response = await read(
      `?types=distance,weight,sleep_skin_temperature,steps&${threeDays}&unit_system=imperial`,
    );
    expect(response.body.series).toEqual({
      distance: [3.86, null, null],
      weight: [159.5, null, null],
      sleep_skin_temperature: [null, null, 93.7],
      steps: [8421, null, 0],
    });
    expect(response.body.units).toEqual({ distance: 'mi', weight: 'lb', sleep_skin_temperature: '°F', steps: 'count' });
  });

  test('metric changes no value and names the units', async () => {
    const plain = await read(`?types=distance,steps&${threeDays}`);
    const response = await read(`?types=distance,steps&${threeDays}&unit_system=metric`);
    expect(response.body).toEqual({ ...plain.body, units: { distance: 'km', steps: 'count' } });
  });

  test('sources are parallel to the dates and show what the device reported', async () => {
    const { deps } = system.host;
    const id = await system.user(account.live_key);
    const [first, second] = [await addDevice(deps, id, ring), await addDevice(deps, id, watch)];
    await addCanonical(deps, id, '2026-03-12', { distance: 6.205, steps: 8421 }, first.ordinal);
    await addCanonical(deps, id, '2026-03-13', { distance: 8.047 }, second.ordinal);
    await addNormalized(deps, id, '2026-03-12', {
      [first.ordinal]: { distance: { value: 6.205 }, steps: { value: 8421 } },
      [second.ordinal]: { distance: { value: 1, original: { value: 1000, unit: 'm' } } },
    });
    await addNormalized(deps, id, '2026-03-13', {
      [second.ordinal]: { distance: { value: 8.047, original: { value: 5, unit: 'mi' } } },
    });
    const response = await read(`?types=distance,steps&${threeDays}&include_sources=true&unit_system=imperial`, { id });
    const from = ({ provider, id: device_id }: typeof first, original_value: number, original_unit: string) => ({
      provider,
      device_id,
      original_value,
      original_unit,
    });
    expect(response.body.sources).toEqual({
      distance: [from(first, 6.205, 'km'), from(second, 5, 'mi'), null],
      steps: [from(first, 8421, 'count'), null, null],
    });
    expect((await read(`?types=steps&${threeDays}&include_sources=false`, { id })).body).not.toHaveProperty('sources');
  });

  test('contributors that do not add up to the value are omitted, because the day is being rewritten', async () => {
    const { deps } = system.host;
    const id = await system.user(account.live_key);
    const [first, second] = [await addDevice(deps, id, ring), await addDevice(deps, id, watch)];
    await changeSettings(deps, id, { methods: { steps: 'sum' } });
    for (const [date, steps] of [
      ['2026-03-12', 300],
      ['2026-03-13', 200],
    ] as const) {
      await addCanonical(deps, id, date, { steps }, second.ordinal);
      await addNormalized(deps, id, date, {
        [first.ordinal]: { steps: { value: 100 } },
        [second.ordinal]: { steps: { value: 200 } },
      });
    }
    const [unchanged, recomputing] = (await read(`?types=steps&${threeDays}&include_sources=true`, { id })).body.sources
      .steps;
    const source = { provider: 'garmin', device_id: second.id, original_value: 200, original_unit: 'count' };
    expect(unchanged).toEqual({
      ...source,
      contributors: [
        { device_id: second.id, provider: 'garmin', value: 200 },
        { device_id: first.id, provider: 'oura', value: 100 },
      ],
    });
    expect(recomputing).toEqual(source);
  });

  test('the source of an average is the highest-ranked device, with its own value', async () => {
    const { deps } = system.host;
    const id = await system.user(account.live_key);
    const [first, second] = [await addDevice(deps, id, ring), await addDevice(deps, id, watch)];
    await changeSettings(deps, id, { methods: { steps: 'avg' } });
    await addCanonical(deps, id, '2026-03-12', { steps: 150 }, second.ordinal);
    await addNormalized(deps, id, '2026-03-12', {
      [first.ordinal]: { steps: { value: 100 } },
      [second.ordinal]: { steps: { value: 200 } },
    });
    const response = await read(`?types=steps&${threeDays}&include_sources=true`, { id });
    expect(response.body.series.steps[0]).toBe(150);
    expect(response.body.sources.steps[0]).toMatchObject({ device_id: second.id, original_value: 200 });
  });
});

describe('access', () => {
  test('a user token reads its own user', async () => {
    const token = await system.userToken(account.live_key, userId);
    expect((await read(`?types=steps&${threeDays}`, { token })).body.series.steps).toEqual([8421, null, 0]);
    const other = await system.user(account.live_key);
    const response = await read('', { id: other, token });
    expect([response.status, response.body.error]).toEqual([403, 'wrong_user']);
  });

  test('a user of another account is byte for byte the same as a missing one, on warm and cold functions', async () => {
    const otherAccount = await system.account();
    const missing = 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7';
    for (let warm = 0; warm < 2; warm++) {
      const foreign = await read('', { token: otherAccount.live_key });
      const none = await read('', { id: missing, token: otherAccount.live_key });
      expect([foreign.status, none.status]).toEqual([404, 404]);
      expect(foreign.text.replaceAll(userId, missing)).toBe(none.text);
    }
  });

  test('an unchanged response returns 304 on a conditional request', async () => {
    const path = `/v1/users/${userId}/daily?types=steps&${threeDays}`;
    const first = await system.call('GET', path, { token: account.live_key });
    const etag = first.headers.get('etag') ?? '';
    const again = await system.call('GET', path, { token: account.live_key, headers: { 'if-none-match': etag } });
    expect([etag.startsWith('W/"'), again.status, again.text]).toEqual([true, 304, '']);
  });
});
