import { expect, it } from 'vitest';
import { addDays, datesInRange, todayIn, utcDay } from '../../shared/platform/time/local-day.ts';
import { avoidMidnight } from '../harness/clock.ts';
import type { ApiResponse } from '../harness/send-request.ts';
import { openApiDocument, readSteps } from './fixtures.ts';
import { ada, con, ned, tara, zoe } from './users.ts';
import { contractWorld, outcome } from './world.ts';

const world = contractWorld();
const getForAda = async (path: string, token?: string): Promise<ApiResponse> =>
  world().get(`/v1/users/${(await ada(world())).id}/${path}`, token);
const getForAdaInForm1 = (path: string): Promise<ApiResponse> => getForAda(path, world().form1Key);
const march = 'from_date=2026-03-01&to_date=2026-03-14';
const marchInForm1 = 'start_date=2026-03-01&end_date=2026-03-14';
const march9 = 'start_date=2026-03-09&end_date=2026-03-09';
const fiveScores = ['sleep_score', 'recovery_score', 'strain_score', 'nutrition_score', 'stress_score'];

/** The parameters that a validation error names. */
const issuePaths = ({ body }: ApiResponse): string[] => body.details.issues.map(({ path }: { path: string }) => path);

it('192. Form 1 daily takes metrics, start_date, end_date, unit_system and include_sources', async () => {
  const { devices } = await ada(world());
  const plain = await getForAdaInForm1(`daily?metrics=weight&${march9}`);
  expect(plain.body.data).toEqual([{ date: '2026-03-09', metric: 'weight', value: 72.57, unit: 'kg' }]);
  const complete = await getForAdaInForm1(`daily?metrics=weight&${march9}&unit_system=imperial&include_sources=true`);
  const source = { device_id: devices.scale, original_value: 160, original_unit: 'lb' };
  expect(complete.body.data).toMatchObject([{ value: 160, unit: 'lb', source }]);
  const all = (await getForAdaInForm1(`daily?${march9}`)).body.data.map(({ metric }: { metric: string }) => metric);
  for (const metric of ['weight', 'steps', 'asleep', 'protein']) expect(all).toContain(metric);
  expect(all).not.toContain('sleep_score');
  expect(issuePaths(await getForAdaInForm1('daily'))).toEqual(['start_date', 'end_date']);
  expect(issuePaths(await getForAdaInForm1(`daily?${march9}&unit_system=nautical`))).toEqual(['unit_system']);
  // A score is returned when it is requested.
  const scored = await getForAdaInForm1(`daily?metrics=sleep_score&${march9}`);
  expect(scored.body.data).toMatchObject([{ date: '2026-03-09', metric: 'sleep_score', unit: 'score' }]);
});

it('193. Form 1 daily covers 90 days at most', async () => {
  expect((await getForAdaInForm1('daily?metrics=steps&start_date=2026-01-01&end_date=2026-03-31')).status).toBe(200);
  const result = await getForAdaInForm1('daily?metrics=steps&start_date=2026-01-01&end_date=2026-04-01');
  expect([outcome(result), result.body.message]).toEqual(['400 invalid_request', expect.stringContaining('90')]);
});

it('193b. longer Form 1 ranges are split into 90-day windows', async () => {
  const complete = await getForAdaInForm1('daily?metrics=steps&start_date=2025-12-10&end_date=2026-03-14');
  expect([outcome(complete), complete.body.message]).toEqual([
    '400 invalid_request',
    expect.stringContaining('windows'),
  ]);
  const windows = ['start_date=2025-12-10&end_date=2026-03-09', 'start_date=2026-03-10&end_date=2026-03-14'];
  const rows = await Promise.all(
    windows.map(async (range) => (await getForAdaInForm1(`daily?metrics=steps&${range}`)).body.data),
  );
  const { data } = (await getForAdaInForm1(`daily?metrics=steps&${marchInForm1}`)).body;
  expect(rows.flat()).toEqual(data);
});

it('194. Form 1 scores are the current scores', async () => {
  const { data } = (await getForAdaInForm1('scores')).body;
  const { latest } = (await getForAda('scores')).body;
  for (const type of fiveScores) {
    const current = data.find((score: { type: string }) => score.type === type);
    expect([type, current.value, current.date]).toEqual([type, latest[type].value, '2026-03-14']);
  }
});

it('195. Form 1 score history takes types and requires both dates', async () => {
  const types = async (query: string) => {
    const { data } = (await getForAdaInForm1(`scores/history?${marchInForm1}${query}`)).body;
    return [...new Set(data.map(({ type }: { type: string }) => type))].sort();
  };
  expect(await types('')).toEqual([...fiveScores, 'energy_reserve_score'].sort());
  expect(await types('&types=stress_score,sleep_score')).toEqual(['sleep_score', 'stress_score']);
  expect(issuePaths(await getForAdaInForm1('scores/history'))).toEqual(['start_date', 'end_date']);
});

it('196. timeseries requires metrics and both dates', async () => {
  expect(issuePaths(await getForAda(`timeseries?${march9}`))).toContain('metrics');
  expect(issuePaths(await getForAda('timeseries?metrics=steps&end_date=2026-03-09'))).toEqual(['start_date']);
  expect(issuePaths(await getForAda('timeseries?metrics=steps&start_date=2026-03-09'))).toEqual(['end_date']);
});

it('197. timeseries takes six metrics', async () => {
  const six = ['heart_rate', 'heart_rate_variability', 'stress_score', 'blood_oxygen', 'steps', 'active_calories'];
  const path = `timeseries?metrics=${six.join(',')}&start_date=2026-03-10&end_date=2026-03-11`;
  for (const token of [world().key, world().form1Key]) {
    const { status, body } = await getForAda(path, token);
    const result = new Set(body.data.map(({ metric }: { metric: string }) => metric));
    expect([status, [...result].sort()]).toEqual([200, [...six].sort()]);
    const stress = body.data.filter(({ metric }: { metric: string }) => metric === 'stress_score');
    expect(stress).toMatchObject([
      { timestamp: '2026-03-10T08:00:00.000Z', value: 41, unit: 'score' },
      { timestamp: '2026-03-10T08:03:00.000Z', value: 44, unit: 'score' },
    ]);
    const unknown = await getForAda('timeseries?metrics=steps,toes&start_date=2026-03-10&end_date=2026-03-11', token);
    expect(outcome(unknown)).toBe('422 invalid_types');
  }
});

it('198. seven days or less are recommended for timeseries', async () => {
  const { description } = (await openApiDocument(world())).paths['/v1/users/{id}/timeseries'].get;
  expect(description).toMatch(/ten years.*\b7 days or fewer are recommended/s);
  expect((await getForAda('timeseries?metrics=steps&start_date=2026-03-01&end_date=2026-03-31')).status).toBe(200);
  const decade = await getForAda('timeseries?metrics=steps&start_date=2016-04-01&end_date=2026-03-31');
  expect(decade.status).toBe(200);
  const longer = await getForAda('timeseries?metrics=steps&start_date=2016-01-01&end_date=2026-04-01');
  expect(outcome(longer)).toBe('400 invalid_request');
});

it('199. Form 1 sleep takes start_date, end_date, unit_system and include_sources', async () => {
  const { devices } = await ada(world());
  const { data } = (await getForAdaInForm1(`sleep?${march9}&unit_system=imperial&include_sources=true`)).body;
  expect(data).toMatchObject([
    { asleep: 427, sleep_body_temperature: 97.9, source: { provider: 'apple_health', device_id: devices.ring } },
  ]);
  const [plain] = (await getForAdaInForm1(`sleep?${march9}`)).body.data;
  expect(plain.sleep_body_temperature).toBe(36.6);
  expect(plain).not.toHaveProperty('source');
  expect(issuePaths(await getForAdaInForm1('sleep'))).toEqual(['start_date', 'end_date']);
});

it('200. Form 1 workouts take dates, unit_system, include_sources, page and per_page', async () => {
  const { devices } = await ada(world());
  const tenth = 'start_date=2026-03-10&end_date=2026-03-10';
  const { data } = (await getForAdaInForm1(`workouts?${tenth}&unit_system=imperial&include_sources=true`)).body;
  expect(data).toMatchObject([{ sport_type: 'running', distance: 4.97, source: { device_id: devices.watch } }]);
  const page = (await getForAdaInForm1(`workouts?${marchInForm1}&page=3&per_page=2`)).body;
  expect([page.data.length, page.meta]).toEqual([1, { page: 3, per_page: 2, total: 5 }]);
  expect((await getForAdaInForm1(`workouts?${marchInForm1}`)).body.meta).toEqual({ page: 1, per_page: 20, total: 5 });
  expect(outcome(await getForAdaInForm1(`workouts?${marchInForm1}&per_page=101`))).toBe('400 invalid_request');
  expect(issuePaths(await getForAdaInForm1('workouts'))).toEqual(['start_date', 'end_date']);
});

it('201. types default to all public daily metrics', async () => {
  const { series } = (await getForAda(`daily?${march}`)).body;
  const { metrics } = (await world().get('/v1/metrics')).body;
  const daily = metrics.filter(({ category }: { category: string }) => category !== 'scores');
  expect(Object.keys(series).sort()).toEqual(daily.map(({ id }: { id: string }) => id).sort());
});

it('202. from_date is 29 days before to_date by default', async () => {
  for (const read of ['daily?types=steps', 'scores?types=sleep_score', 'sleep?limit=1', 'workouts?limit=1'])
    expect((await getForAda(`${read}&to_date=2026-03-14`)).body.from_date).toBe('2026-02-13');
  expect((await getForAda('daily?types=steps&to_date=2026-03-14')).body.dates).toHaveLength(30);
});

it("203. to_date is the current date in the user's zone by default", async () => {
  const hours = { 'Pacific/Kiritimati': 14, 'Pacific/Pago_Pago': -11, UTC: 0 };
  for (const [timezone, ahead] of Object.entries(hours)) {
    const id = await world().user({ timezone });
    avoidMidnight(world().system.clock);
    const today = utcDay(world().system.clock.now() + ahead * 3_600_000);
    for (const read of ['daily?types=steps', 'scores', 'sleep', 'workouts'])
      expect([timezone, read, (await world().get(`/v1/users/${id}/${read}`)).body.to_date]).toEqual([
        timezone,
        read,
        today,
      ]);
  }
});

it('204. score types default to all five', async () => {
  expect(Object.keys((await getForAda(`scores?${march}`)).body.series)).toEqual(fiveScores);
  const two = await getForAda(`scores?types=stress_score,sleep_score&${march}`);
  expect(Object.keys(two.body.series)).toEqual(['stress_score', 'sleep_score']);
});

/** Reads every page of a list and counts the pages. */
async function readAllPages(read: string, limit: number): Promise<{ items: Record<string, string>[]; pages: number }> {
  const items: Record<string, string>[] = [];
  let cursor = '';
  for (let pages = 1; ; pages++) {
    const { body } = await getForAda(`${read}?${march}&limit=${limit}${cursor && `&cursor=${cursor}`}`);
    items.push(...body.data);
    if (body.next_cursor === null) return { items, pages };
    expect(body.data).toHaveLength(limit);
    cursor = body.next_cursor;
  }
}

const expectNewestFirst = (items: Record<string, string>[]) => {
  const starts = items.map((item) => item['start_time']);
  expect(starts).toEqual(starts.toSorted().toReversed());
};

async function expectLimitAndCursor(read: string, count: number): Promise<void> {
  const { items, pages } = await readAllPages(read, 2);
  expect([items.length, pages]).toEqual([count, Math.ceil(count / 2)]);
  expectNewestFirst(items);
  expect((await getForAda(`${read}?${march}`)).body.data).toEqual(items);
  for (const limit of ['0', '101', 'x'])
    expect(outcome(await getForAda(`${read}?${march}&limit=${limit}`))).toBe('400 invalid_request');
  const { paths } = await openApiDocument(world());
  const { parameters } = paths[`/v1/users/{id}/${read}`].get;
  const { schema } = parameters.find(({ name }: { name: string }) => name === 'limit');
  expect(schema).toMatchObject({ minimum: 1, maximum: 100, default: 50 });
}

it('205. the sleep list takes limit and cursor, newest first', () => expectLimitAndCursor('sleep', 14));

it('206. the workout list takes limit and cursor, newest first', () => expectLimitAndCursor('workouts', 5));

it('207. a workout is read by its id', async () => {
  const { data } = (await getForAda(`workouts?${march}`)).body;
  for (const item of data) expect((await getForAda(`workouts/${item.id}`)).body).toMatchObject(item);
});

it('208. the maximum range is 366 days inclusive', async () => {
  for (const read of ['daily?types=steps', 'scores?types=sleep_score']) {
    const complete = await getForAda(`${read}&from_date=2025-03-14&to_date=2026-03-14`);
    expect(complete.body.dates).toEqual(datesInRange('2025-03-14', '2026-03-14'));
    expect(complete.body.dates).toHaveLength(366);
    const longer = await getForAda(`${read}&from_date=2025-03-13&to_date=2026-03-14`);
    expect(outcome(longer)).toBe('400 invalid_request');
  }
});

it('209. from_date later than to_date is invalid', async () => {
  for (const read of ['daily', 'scores', 'sleep', 'workouts'])
    expect(outcome(await getForAda(`${read}?from_date=2026-03-10&to_date=2026-03-09`))).toBe('400 invalid_request');
  // A from_date in the future is rejected too, because to_date defaults to today.
  avoidMidnight(world().system.clock);
  const today = todayIn('Europe/Berlin', world().system.clock.now());
  const future = await getForAda(`daily?from_date=${addDays(today, 3)}`);
  expect([outcome(future), issuePaths(future)]).toEqual(['400 invalid_request', ['from_date']]);
  expect(future.body.message).toContain(`current date, ${today}`);
});

it('210. dates are calendar days in the profile zone, UTC if none', async () => {
  // 23:30 UTC on the 10th, with the offset of Hawaii: half past midnight on the 11th in Berlin.
  const ofTara = async (date: string) => readSteps(world(), await tara(world()), date);
  expect([await ofTara('2026-03-10'), await ofTara('2026-03-11')]).toEqual([null, 700]);
  // 00:30 UTC on the 11th, from a phone in New York, for a user without a zone.
  const ofZoe = async (date: string) => readSteps(world(), await zoe(world()), date);
  expect([await ofZoe('2026-03-10'), await ofZoe('2026-03-11')]).toEqual([null, 600]);
});

it('211. missing daily readings are null', async () => {
  const { series } = (await getForAda('daily?types=weight,steps&from_date=2026-02-28&to_date=2026-03-02')).body;
  expect(series).toEqual({ weight: [null, null, null], steps: [null, 7000, 7100] });
});

it('212. series follow the order of types', async () => {
  const { text } = await getForAda(`daily?types=weight,asleep,steps&${march}`);
  expect(text).toMatch(/"series":\{"weight":.*"asleep":.*"steps":/);
  expect(Object.keys((await getForAda(`daily?types=steps,weight&${march}`)).body.series)).toEqual(['steps', 'weight']);
});

it('213. whitespace around IDs is ignored', async () => {
  const { series } = (await getForAda(`daily?types=%20weight%20,%09steps&${march}`)).body;
  expect(Object.keys(series)).toEqual(['weight', 'steps']);
});

it('214. duplicate IDs are returned once', async () => {
  const { text, body } = await getForAda(`daily?types=steps,weight,steps&${march}`);
  expect([Object.keys(body.series), text.match(/"steps"/g)]).toEqual([['steps', 'weight'], ['"steps"']]);
});

it('215. an empty types list is 422 invalid_types', async () => {
  for (const read of ['daily', 'scores'])
    for (const types of ['', '%20', ','])
      expect(outcome(await getForAda(`${read}?types=${types}&${march}`))).toBe('422 invalid_types');
});

it('216. an unsupported types list is 422 invalid_types', async () => {
  const result = await getForAda(`daily?types=steps,toes,fingers&${march}`);
  expect([outcome(result), result.body.details]).toMatchObject(['422 invalid_types', { types: ['toes', 'fingers'] }]);
  expect(outcome(await getForAda(`scores?types=mood_score&${march}`))).toBe('422 invalid_types');
});

it('217. daily rejects score IDs, and scores reject daily metric IDs', async () => {
  for (const type of fiveScores)
    expect(outcome(await getForAda(`daily?types=steps,${type}&${march}`))).toBe('422 invalid_types');
  for (const type of ['steps', 'asleep'])
    expect(outcome(await getForAda(`scores?types=sleep_score,${type}&${march}`))).toBe('422 invalid_types');
});

it('218. a cursor is sent unchanged with the same parameters', async () => {
  const { next_cursor, data } = (await getForAda(`sleep?${march}&limit=5`)).body;
  const next = await getForAda(`sleep?${march}&limit=5&cursor=${next_cursor}`);
  expect(next.body.data).toEqual((await getForAda(`sleep?${march}&limit=10`)).body.data.slice(data.length));
  const changed = [
    `sleep?${march}&limit=4&cursor=${next_cursor}`,
    `sleep?from_date=2026-03-02&to_date=2026-03-14&limit=5&cursor=${next_cursor}`,
    `sleep?${march}&limit=5&cursor=${next_cursor.slice(0, -2)}`,
    `workouts?${march}&limit=5&cursor=${next_cursor}`,
  ];
  for (const path of changed) expect([path, outcome(await getForAda(path))]).toEqual([path, '400 invalid_cursor']);
});

it('219. a null next_cursor ends the list', async () => {
  const { items, pages } = await readAllPages('sleep', 7);
  expect([pages, new Set(items.map((item) => item['id'])).size]).toEqual([2, 14]);
  const empty = await world().get(`/v1/users/${await ned(world())}/sleep?${march}`);
  expect(empty.body).toMatchObject({ data: [], next_cursor: null });
});

it('220. a missing workout is 404 workout_not_found', async () => {
  for (const id of ['wrk_01kkc7x4z0ee0tjn318banv10d', 'wrk_nothing', 'x'])
    expect(outcome(await getForAda(`workouts/${id}`))).toBe('404 workout_not_found');
});

it('221. a workout of another user is 404 workout_not_found', async () => {
  const { data } = (await world().get(`/v1/users/${await con(world())}/workouts?${march}`)).body;
  expect(data).toHaveLength(1);
  expect(outcome(await getForAda(`workouts/${data[0].id}`))).toBe('404 workout_not_found');
});
