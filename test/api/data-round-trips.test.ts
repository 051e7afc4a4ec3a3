import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { dataApi } from '../../functions/api/data/app.ts';
import * as dataRoutes from '../../functions/api/data/routes.ts';
import { explanationsApi } from '../../functions/api/explanations/app.ts';
import * as explanationRoutes from '../../functions/api/explanations/routes.ts';
import { apiKeyHash, createAccount, createKey, setAccountStatus } from '../../shared/accounts/accounts.ts';
import { createUserTokenIssuer } from '../../shared/accounts/tokens.ts';
import { mergeRule } from '../../shared/catalog/merge-rule.ts';
import { metricIds, metricRow } from '../../shared/catalog/metrics.ts';
import { buildTimeline } from '../../shared/measurements/build-timeline.ts';
import { encodeCanonicalDay } from '../../shared/measurements/codec/canonical-day.ts';
import {
  encodeNormalizedDay,
  packNormalizedRows,
  unpackNormalizedRows,
} from '../../shared/measurements/codec/normalized-day.ts';
import { dayRows } from '../../shared/measurements/rows/day-rows.ts';
import { TimelineMap } from '../../shared/measurements/timeline.ts';
import { addDays, datesInRange } from '../../shared/platform/time/local-day.ts';
import type { Caller } from '../../shared/system/caller.ts';
import { keys } from '../../shared/system/keys.ts';
import { createUser } from '../../shared/users/users.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../harness/domain-world.ts';
import { type GatedTable, gatedTable } from '../harness/gated-table.ts';
import { requestInProcess } from '../harness/in-process-request.ts';
import { addDevice, addSamples, addSleep, addWorkouts, sleepRow, watch, workoutRow } from '../harness/stored-data.ts';
import { realisticDay } from '../unit/measurements/codec/realistic-day.ts';

let world: EngineDomainWorld;
let gated: GatedTable;
let api: ReturnType<typeof dataApi>;
let explanations: ReturnType<typeof explanationsApi>;
let key: string;
let account: string;
let userId: string;
let workoutId: string;
let sleepId: string;
const lastDay = '2026-03-14';

beforeAll(async () => {
  world = await openEngineDomainWorld();
  const created = await createAccount(world.deps, { name: 'a test' });
  key = created.live_key;
  account = created.account_id;
  const caller: Caller = { kind: 'api_key', account, env: 'live', form: 2 };
  userId = (await createUser(world.deps, caller, { timezone: 'Europe/Berlin' })).id;
  const { ordinal } = await addDevice(world.deps, userId, watch);
  const row = workoutRow(ordinal, '2026-03-14T07:00:00Z', 40);
  workoutId = row.id;
  await addWorkouts(world.deps, userId, lastDay, row);
  const night = sleepRow(ordinal, '2026-03-13T22:00:00Z', 420);
  sleepId = night.id;
  await addSleep(world.deps, userId, lastDay, night);
  await Promise.all(
    datesInRange(addDays(lastDay, -365), lastDay).map((date, seed) =>
      dayRows(world.deps.store).replaceCanonical(userId, {
        date,
        packed: encodeCanonicalDay(realisticDay(seed)),
        revisionSum: 1,
        generation: 0,
        mergeRule,
      }),
    ),
  );
});
afterAll(() => world.localTable.stop());

beforeEach(() => {
  gated = gatedTable(world.localTable);
  api = dataApi(world.withTable(gated.table));
  explanations = explanationsApi(world.withTable(gated.table));
});

async function request(path: string, token = key, user = userId) {
  const served = path.endsWith('/explanation') ? explanations : api;
  const response = await requestInProcess(served, `/v1/users/${user}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const body: { error?: string } = JSON.parse(await response.text());
  return { status: response.status, error: body.error };
}

/**
 * Sends the request with the gate closed until the expected number of calls has started, then opens
 * it. Returns the calls that started before and after.
 */
async function measureRoundTrips(path: string, calls: number, token = key) {
  gated.close();
  const pending = request(path, token);
  await vi.waitFor(() => expect(gated.started.length).toBeGreaterThanOrEqual(calls), { interval: 1 });
  for (let turns = 0; turns < 50; turns++) await turn();
  const together = [...gated.started].sort();
  gated.open();
  const result = await pending;
  return { ...result, together, afterwards: gated.started.slice(together.length) };
}

const sixteenMetrics = metricIds.filter((id) => metricRow(id).group === undefined).slice(0, 16);

const reads = [
  ['daily', '/daily?types=steps', ['Query', 'Query', 'UpdateItem']],
  ['daily with sources', '/daily?include_sources=true', ['Query', 'Query', 'Query', 'UpdateItem']],
  ['sleep', '/sleep', ['Query', 'Query', 'UpdateItem']],
  ['workouts', '/workouts', ['Query', 'Query', 'UpdateItem']],
  [
    'samples',
    '/timeseries?metrics=heart_rate,steps&start_date=2026-03-14&end_date=2026-03-14',
    ['Query', 'Query', 'Query', 'UpdateItem'],
  ],
  [
    'samples of 16 metrics',
    `/timeseries?metrics=${sixteenMetrics}&start_date=2026-03-08&end_date=2026-03-14`,
    [...Array<string>(17).fill('Query'), 'UpdateItem'],
  ],
  [
    'samples of one metric of a group, which come from the device of the whole group',
    '/timeseries?metrics=blood_pressure_diastolic&start_date=2026-03-14&end_date=2026-03-14',
    ['Query', 'Query', 'Query', 'UpdateItem'],
  ],
  ['a column', '/timeseries?metric=heart_rate&date=2026-03-14', ['Query', 'Query', 'UpdateItem']],
  ['an explanation', '/daily/2026-03-14/steps/explanation', ['Query', 'Query', 'Query', 'UpdateItem']],
  ['an explanation of a score', '/daily/2026-03-14/sleep_score/explanation', ['Query', 'Query', 'Query', 'UpdateItem']],
] as const;

describe('a warm read waits for the table once', () => {
  test('every read of the group is tried below', () => {
    const tried = [...reads.map(([, path]) => path), '/workouts/{workout_id}', '/sleep/{sleep_id}'].map((path) =>
      path.split('?')[0]?.replace(/^\/daily\/.*\//, '/daily/{date}/{metric}/'),
    );
    const paths = Object.values({ ...dataRoutes, ...explanationRoutes }).map(({ route: { path } }) =>
      path.replace('/v1/users/{id}', ''),
    );
    expect(new Set(tried)).toEqual(new Set(paths));
  });

  test.each(reads)('%s', async (_name, path, calls) => {
    await request(path);
    expect(await measureRoundTrips(path, calls.length)).toEqual({
      status: 200,
      error: undefined,
      together: calls,
      afterwards: [],
    });
  });

  test('a workout', async () => {
    const path = `/workouts/${workoutId}`;
    await request(path);
    const result = await measureRoundTrips(path, 4);
    expect(result).toMatchObject({
      status: 200,
      together: ['GetItem', 'Query', 'Query', 'UpdateItem'],
      afterwards: [],
    });
  });

  test('a sleep session waits twice, because its times decide which samples are read', async () => {
    const path = `/sleep/${sleepId}`;
    await request(path);
    const result = await measureRoundTrips(path, 3);
    expect(result).toMatchObject({
      status: 200,
      together: ['Query', 'Query', 'UpdateItem'],
      afterwards: ['BatchGetItem'],
    });
  });

  test('with a user token', async () => {
    const caller: Caller = { kind: 'api_key', account, env: 'live', form: 2 };
    const { token } = await createUserTokenIssuer(world.deps)(caller, userId);
    await request('/daily', token);
    const result = await measureRoundTrips('/daily', 4, token);
    expect(result).toMatchObject({
      status: 200,
      together: ['GetItem', 'Query', 'Query', 'UpdateItem'],
      afterwards: [],
    });
  });
});

describe('nothing is read in parallel for a caller who', () => {
  test('was never admitted before', async () => {
    const result = await measureRoundTrips('/daily', 1);
    expect(result).toMatchObject({ status: 200, together: ['UpdateItem'] });
    expect(result.afterwards.filter((operation) => operation === 'Query')).toHaveLength(2);
  });

  test('is known to be over the limit', async () => {
    const { live_key } = await createAccount(world.deps, { name: 'a flood' });
    await request('/daily', live_key);
    await world.localTable.table.write({
      kind: 'update',
      key: keys.apiKey(apiKeyHash(world.deps, live_key)),
      update: 'SET #fullAtMs = :later',
      values: { later: world.clock.now() + 3_600_000 },
    });
    expect((await request('/daily', live_key)).status).toBe(429);
    const result = await measureRoundTrips('/daily', 0, live_key);
    expect(result).toMatchObject({ status: 429, together: [], afterwards: [] });
  });

  test('has a user token that is known to be over the limit', async () => {
    const caller: Caller = { kind: 'api_key', account, env: 'live', form: 2 };
    const { id } = await createUser(world.deps, caller, {});
    const { token } = await createUserTokenIssuer(world.deps)(caller, id);
    await request('/daily', token, id);
    await world.localTable.table.write({
      kind: 'update',
      key: keys.user(id),
      update: 'SET #tokenFullAtMs = :later',
      values: { later: world.clock.now() + 3_600_000 },
    });
    expect((await request('/daily', token, id)).status).toBe(429);
    gated.started.length = 0;
    expect((await request('/daily', token, id)).status).toBe(429);
    expect(gated.started).toEqual([]);
  });

  test('makes an invalid request', async () => {
    await request('/daily');
    for (const path of [
      '/daily?types=toes',
      '/daily?to_date=2026-02-30',
      '/sleep?cursor=x',
      '/timeseries?metric=steps',
    ])
      expect((await measureRoundTrips(path, 1)).together).toEqual(['UpdateItem']);
  });
});

describe('account errors take precedence over errors in the request', () => {
  const wrong = '/daily?types=toes';

  test('a key revoked in the meantime', async () => {
    const other = await createAccount(world.deps, { name: 'rotates' });
    expect((await request(wrong, other.live_key)).error).toBe('invalid_types');
    await createKey(world.deps, other.account_id, 'live');
    expect((await request(wrong, other.live_key)).error).toBe('invalid_token');
    expect((await request('/daily', other.live_key)).error).toBe('invalid_token');
  });

  test('a plan suspended in the meantime', async () => {
    const other = await createAccount(world.deps, { name: 'owes' });
    expect((await request(wrong, other.live_key)).error).toBe('invalid_types');
    await setAccountStatus(world.deps, other.account_id, 'suspended');
    expect((await request(wrong, other.live_key)).error).toBe('payment_required');
    expect((await request('/daily', other.live_key)).error).toBe('payment_required');
  });
});

/** Two devices, each with 200 timed walks. */
function realisticNormalizedDay(date: string): Uint8Array {
  const values = new Map(Array.from(realisticDay(1), ([id, { value }]) => [id, { value, stated: false }] as const));
  const rows = unpackNormalizedRows(encodeNormalizedDay(new Map([0, 1].map((device) => [device, values]))));
  const startMs = Date.parse(`${date}T06:00:00Z`);
  const pieces = Array.from({ length: 200 }, (_, at) => ({
    startMs: startMs + at * 300_000,
    endMs: startMs + (at + 1) * 300_000,
    value: (at * 37) % 100,
  }));
  const timelines = new TimelineMap([[metricRow('steps').index, buildTimeline(pieces)]]);
  return packNormalizedRows(rows.map((row) => ({ ...row, timelines })));
}

describe('read units', () => {
  async function unitsOf(path: string): Promise<number[]> {
    await request(path);
    gated.calls.length = 0;
    expect((await request(path)).status).toBe(200);
    return gated.calls.filter(({ operation }) => operation === 'Query').map(({ readUnits }) => readUnits);
  }

  test('30 days of 60 metrics cost at most one, plus one for the user', async () => {
    const units = await unitsOf(`/daily?to_date=${lastDay}`);
    expect(units).toHaveLength(2);
    expect(units.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(1 + 1);
  });

  test('an explanation costs at most one and a half for five days of two devices, plus one for the user', async () => {
    for (const date of datesInRange('2026-03-10', '2026-03-18'))
      await dayRows(world.deps.store).replaceNormalized(userId, date, realisticNormalizedDay(date), 0);
    const units = await unitsOf('/daily/2026-03-14/steps/explanation');
    expect(units).toHaveLength(3);
    expect(units.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(1.5 + 1);
  });

  test('366 days of 60 metrics cost at most eight, plus one for the user', async () => {
    const units = await unitsOf(`/daily?from_date=${addDays(lastDay, -365)}&to_date=${lastDay}`);
    expect(units).toHaveLength(2);
    expect(units.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(8 + 1);
  });

  test('seven days of 16 metrics, each with a sample every hour, cost half a unit per metric, plus one for the user', async () => {
    const hours = Array.from({ length: 7 * 24 }, (_, hour) => Date.UTC(2026, 2, 8, hour));
    const values = Object.fromEntries(hours.map((ms) => [new Date(ms).toISOString(), 60]));
    for (const metric of sixteenMetrics) await addSamples(world.deps, userId, 0, metric, values);
    const units = await unitsOf(`/timeseries?metrics=${sixteenMetrics}&start_date=2026-03-08&end_date=2026-03-14`);
    expect(units).toHaveLength(1 + 16);
    expect(units.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(16 / 2 + 1);
  });
});
