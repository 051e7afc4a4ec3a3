import { expect, it } from 'vitest';
import { openPhone } from '../harness/phone.ts';
import type { ApiResponse } from '../harness/send-request.ts';
import { readSteps } from './fixtures.ts';
import { ada, cleo, makeSample, ned, tara, uploadAndProcess, watch, zoe } from './users.ts';
import { contractWorld, outcome } from './world.ts';

const world = contractWorld();
const get = (path: string, token?: string) => world().get(path, token);
const getInForm1 = (path: string) => get(path, world().form1Key);
const getForAda = async (path: string): Promise<ApiResponse> => get(`/v1/users/${(await ada(world())).id}/${path}`);
const getForAdaInForm1 = async (path: string): Promise<ApiResponse> =>
  getInForm1(`/v1/users/${(await ada(world())).id}/${path}`);

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const march = 'from_date=2026-03-01&to_date=2026-03-14';
const dayRange = (date: string) => `from_date=${date}&to_date=${date}`;

it('40. dates are YYYY-MM-DD', async () => {
  const { body } = await getForAda(`daily?types=steps&${march}`);
  for (const date of [body.from_date, body.to_date, ...body.dates]) expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
  for (const date of ['2026-3-1', '01/03/2026', '2026-02-30', '2026-03-01T00:00:00Z'])
    expect(outcome(await getForAda(`daily?types=steps&from_date=${date}&to_date=2026-03-14`))).toBe(
      '400 invalid_request',
    );
});

/** Finds every value whose field name denotes an instant. */
function findInstants(value: unknown, name = ''): unknown[] {
  if (typeof value !== 'object' || value === null) return /_at$|^timestamp$/.test(name) ? [value] : [];
  return Object.entries(value).flatMap(([each, inner]) => findInstants(inner, each));
}

it('41. timestamps are ISO 8601 UTC with Z', async () => {
  const { id } = await ada(world());
  const token = await world().call('POST', '/v1/auth/user-token', { user_id: id });
  const responses = [
    token,
    await get(`/v1/users/${id}`),
    await get(`/v1/users/${id}/devices`),
    await get('/v1/events?limit=5'),
    await getForAda(`timeseries?metrics=heart_rate&start_date=2026-03-10&end_date=2026-03-10`),
    await getForAdaInForm1('scores'),
  ];
  for (const { body } of responses) {
    const instants = findInstants(body);
    expect(instants.length).toBeGreaterThan(0);
    for (const each of instants) expect(each).toMatch(instant);
  }
});

it('42. Form 2 clock values carry no offset and are in the profile zone', async () => {
  // Sent with the offsets of Hawaii and California; the profile's zone is Berlin.
  const id = await tara(world());
  const [night] = (await get(`/v1/users/${id}/sleep?${march}`)).body.data;
  expect(night).toMatchObject({ start_time: '2026-03-02T23:30:00', end_time: '2026-03-03T07:30:00' });
  const [walk] = (await get(`/v1/users/${id}/workouts?${dayRange('2026-03-13')}`)).body.data;
  expect(walk?.start_time).toBe('2026-03-13T00:30:00');
  const { heart_rate } = (await get(`/v1/users/${id}/workouts/${walk.id}`)).body;
  expect(heart_rate.samples[0].timestamp).toBe('2026-03-13T00:30:00');
});

it('43. clock values are UTC when the profile has no zone', async () => {
  // The phone sent New York as its zone, and the profile's zone was cleared.
  const id = await zoe(world());
  expect((await get(`/v1/users/${id}`)).body.timezone).toBeNull();
  const [night] = (await get(`/v1/users/${id}/sleep?${march}`)).body.data;
  expect(night).toMatchObject({ start_time: '2026-03-10T03:30:00', end_time: '2026-03-10T11:00:00' });
});

it('44. a user has an id', async () => {
  const { body } = await world().call('POST', '/v1/users', {});
  expect(body.id).toMatch(/^usr_[0-9a-z]{26}$/);
  expect((await get(`/v1/users/${body.id}`)).body.id).toBe(body.id);
});

it("45. reference_id is the caller's own identifier", async () => {
  const { id } = await ada(world());
  expect((await getInForm1(`/v1/users/${id}`)).body.data.reference_id).toBe('ada-1');
  const { data } = (await getInForm1('/v1/users?reference_id=ada-1')).body;
  expect(data).toMatchObject([{ id, reference_id: 'ada-1' }]);
});

it('46. timezone is a region/city name and can be updated', async () => {
  const id = await world().user({});
  const phone = await openPhone(world().system, world().key, id);
  const night = { start: '2026-03-09T22:00:00Z', end: '2026-03-10T06:00:00Z', asleep_minutes: 400 };
  // Noon on the 10th in New York is the 11th in Tokyo.
  const walked = makeSample('steps', '2026-03-10T16:00:00Z', 500, 'count', { end: '2026-03-10T16:10:00Z' });
  await uploadAndProcess(world(), phone, watch, { sleep: [night], samples: [walked] }, 'America/New_York');
  // A profile without a zone takes the first one that an upload sends.
  const filled = { timezone: 'America/New_York', timezone_source: 'device' };
  expect((await get(`/v1/users/${id}`)).body).toMatchObject(filled);
  const changed = await world().call('PATCH', `/v1/users/${id}`, { timezone: 'Asia/Tokyo' });
  expect([changed.status, changed.body]).toMatchObject([200, { timezone: 'Asia/Tokyo', timezone_source: 'caller' }]);
  await world().settle();
  const [session] = (await get(`/v1/users/${id}/sleep?${march}`)).body.data;
  expect(session).toMatchObject({ date: '2026-03-10', end_time: '2026-03-10T15:00:00' });
  expect([await readSteps(world(), id, '2026-03-10'), await readSteps(world(), id, '2026-03-11')]).toEqual([null, 500]);
  const { events } = (await get(`/v1/events?limit=1000&types=subject.synced&user_id=${id}`)).body;
  expect(events).toHaveLength(1);
  const refused = await world().call('PATCH', `/v1/users/${id}`, { timezone: 'Mars/Base' });
  expect(outcome(refused)).toBe('400 invalid_body');
});

it('47. status is active', async () => {
  expect((await get(`/v1/users/${await ned(world())}`)).body.status).toBe('active');
});

it('48. score_status is ready', async () => {
  expect((await get(`/v1/users/${(await ada(world())).id}`)).body.score_status).toBe('ready');
  expect((await get(`/v1/users/${await ned(world())}`)).body.score_status).toBe('calibrating');
});

it('49. last_sync_at is the time of the last data sync', async () => {
  const { last_sync_at, devices } = (await get(`/v1/users/${(await ada(world())).id}`)).body;
  const synced = devices.map((device: { last_sync_at: string }) => device.last_sync_at).sort();
  expect(synced).toHaveLength(4);
  expect(last_sync_at).toBe(synced.at(-1));
});

it('50. last_score_at is the time of the last score computation', async () => {
  const { id } = await ada(world());
  const { last_score_at, last_sync_at } = (await get(`/v1/users/${id}`)).body;
  const { data } = (await getForAdaInForm1('scores')).body;
  const computed = data.map((score: { computed_at: string }) => score.computed_at).sort();
  // Scores are computed on every sync. Those whose value is unchanged keep the time of their last
  // change.
  expect(last_score_at >= computed.at(-1)).toBe(true);
  expect(last_score_at >= last_sync_at).toBe(true);
});

it('51. created_at is the time of creation', async () => {
  const { clock } = world().system;
  const before = clock.now();
  const { body } = await world().call('POST', '/v1/users', {});
  expect(Date.parse(body.created_at)).toBeGreaterThan(before);
  expect(Date.parse(body.created_at)).toBeLessThan(clock.now());
});

it('52. list and get return the Form 1 fields', async () => {
  const { id } = await ada(world());
  const fields = [
    'created_at',
    'id',
    'last_score_at',
    'last_sync_at',
    'reference_id',
    'score_status',
    'status',
    'timezone',
  ];
  const got = (await getInForm1(`/v1/users/${id}`)).body.data;
  const [listed] = (await getInForm1('/v1/users?reference_id=ada-1')).body.data;
  expect(Object.keys(got)).toEqual(expect.arrayContaining(fields));
  expect(listed).toEqual(got);
});

it('53. external_ref has at least 1 character', async () => {
  const refused = await world().call('POST', '/v1/users', { external_ref: '' });
  expect([outcome(refused), refused.body.details.issues[0].path]).toEqual(['400 invalid_body', 'external_ref']);
  expect((await world().call('POST', '/v1/users', { external_ref: 'x' })).body.external_ref).toBe('x');
});

it('54. a device has an id and a provider', async () => {
  const { id, watch: ofCloud } = await cleo(world());
  const { data } = (await get(`/v1/users/${id}/devices`)).body;
  expect(data).toMatchObject([
    { id: ofCloud, provider: 'garmin' },
    { id: expect.stringMatching(/^dev_/), provider: 'apple_health' },
  ]);
});

it('55. a device is active or pending', async () => {
  const id = await world().user();
  const phone = await openPhone(world().system, world().key, id);
  await uploadAndProcess(world(), phone, watch, {
    samples: [makeSample('heart_rate', '2026-03-10T08:00:00Z', 60, 'bpm')],
  });
  await world().call('POST', `/v1/users/${id}/devices`, { provider: 'garmin' });
  const { data } = (await get(`/v1/users/${id}/devices`)).body;
  expect(data.map(({ provider, status }: Record<string, string>) => [provider, status]).sort()).toEqual([
    ['apple_health', 'active'],
    ['garmin', 'pending'],
  ]);
});

it('56. connected_at and last_sync_at are in the device list only', async () => {
  const { id, watch: ofCloud } = await cleo(world());
  const { data } = (await get(`/v1/users/${id}/devices`)).body;
  const [listed] = data.filter((device: { id: string }) => device.id === ofCloud);
  expect(listed.connected_at).toMatch(instant);
  expect(listed.last_sync_at >= listed.connected_at).toBe(true);
  const requested = (await world().call('POST', `/v1/users/${await world().user()}/devices`, { provider: 'garmin' }))
    .body;
  expect(requested).not.toHaveProperty('connected_at');
  expect(requested).not.toHaveProperty('last_sync_at');
});

it('57. auth_url is in the connect response only', async () => {
  const id = await world().user();
  const requested = await world().call('POST', `/v1/users/${id}/devices`, { provider: 'garmin' });
  expect(requested.body.auth_url).toMatch(/^http/);
  for (const path of [`/v1/users/${id}/devices`, `/v1/users/${id}`]) {
    const { text } = await get(path);
    expect(text).toContain(requested.body.id);
    expect(text).not.toContain('auth_url');
  }
});

it('58. a score has type, value and computed_at', async () => {
  const { data } = (await getForAdaInForm1('scores')).body;
  expect(data.length).toBeGreaterThan(0);
  for (const score of data)
    expect(score).toMatchObject({
      type: expect.stringMatching(/_score$/),
      value: expect.any(Number),
      computed_at: expect.stringMatching(instant),
    });
});

it('59. factors have a name, a contribution and a direction', async () => {
  const { data } = (await getForAdaInForm1('scores')).body;
  for (const { type, value, factors } of data) {
    expect([type, factors.length > 0]).toEqual([type, true]);
    let sum = 0;
    for (const { name, contribution, direction } of factors) {
      expect(name).toMatch(/^[a-z_]+$/);
      expect(['positive', 'neutral', 'negative']).toContain(direction);
      sum += contribution;
    }
    expect([type, sum]).toEqual([type, value]);
  }
});

it('60. factors may be an empty array', async () => {
  const { schemas } = (await world().get('/openapi.form1.json', null)).body.components;
  const all = Object.values<{ properties?: { factors?: object } }>(schemas).flatMap(({ properties }) =>
    properties?.factors ? [properties.factors] : [],
  );
  expect(all.length).toBeGreaterThan(0);
  for (const factors of all) expect(factors).not.toHaveProperty('minItems');
  const { data } = (await getForAdaInForm1('scores')).body;
  for (const score of data) expect(Array.isArray(score.factors)).toBe(true);
});

const fiveScores = ['sleep_score', 'recovery_score', 'strain_score', 'nutrition_score', 'stress_score'];

it('61. Form 1 has six score types', async () => {
  const { data } = (await getForAdaInForm1('scores')).body;
  const types = data.map(({ type }: { type: string }) => type);
  expect(types.sort()).toEqual([...fiveScores, 'energy_reserve_score'].sort());
});

it('62. Form 2 has five scores', async () => {
  const { series } = (await getForAda(`scores?${march}`)).body;
  expect(Object.keys(series).sort()).toEqual([...fiveScores].sort());
  for (const values of Object.values<unknown[]>(series)) expect(values.at(-1)).toEqual(expect.any(Number));
});

it('63. a score history row has date, type and value', async () => {
  const { series } = (await getForAda(`scores?types=sleep_score&${dayRange('2026-03-14')}`)).body;
  const path = 'scores/history?types=sleep_score&start_date=2026-03-14&end_date=2026-03-14';
  const { data } = (await getForAdaInForm1(path)).body;
  expect(data).toMatchObject([{ date: '2026-03-14', type: 'sleep_score', value: series.sleep_score[0] }]);
});

it('64. a Form 1 daily row has date, metric, value and unit', async () => {
  const { data } = (await getForAdaInForm1('daily?metrics=steps&start_date=2026-03-09&end_date=2026-03-09')).body;
  expect(data).toEqual([{ date: '2026-03-09', metric: 'steps', value: 7800, unit: 'count' }]);
});

it('65. include_sources adds provider, device_id, original_value and original_unit', async () => {
  const { devices } = await ada(world());
  const path = 'daily?metrics=weight&start_date=2026-03-09&end_date=2026-03-09&include_sources=true';
  const [row] = (await getForAdaInForm1(path)).body.data;
  const source = { provider: 'apple_health', device_id: devices.scale, original_value: 160, original_unit: 'lb' };
  expect(row.source).toEqual(source);
});

it('66. the Form 2 daily response has from_date and to_date', async () => {
  const { body } = await getForAda(`daily?types=steps&${march}`);
  expect([body.from_date, body.to_date]).toEqual(['2026-03-01', '2026-03-14']);
});

it('67. dates are inclusive and never omit a day', async () => {
  const { dates, series } = (await getForAda('daily?types=asleep&from_date=2026-02-27&to_date=2026-03-02')).body;
  expect(dates).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
  expect(series.asleep).toEqual([null, null, 420, 421]);
});

it('68. each series has a number or null for each date', async () => {
  const { dates, series } = (await getForAda('daily?from_date=2026-03-08&to_date=2026-03-10')).body;
  expect(series.weight).toEqual([null, 72.57, null]);
  for (const values of Object.values<unknown[]>(series)) {
    expect(values).toHaveLength(dates.length);
    for (const value of values) expect(value === null || typeof value === 'number').toBe(true);
  }
});

it('69. the Form 2 scores response has the same fields plus latest', async () => {
  const { body } = await getForAda(`scores?types=sleep_score&${dayRange('2026-03-14')}`);
  expect(body).toMatchObject({
    from_date: '2026-03-14',
    to_date: '2026-03-14',
    dates: ['2026-03-14'],
    series: { sleep_score: [expect.any(Number)] },
    latest: { sleep_score: { date: '2026-03-14' } },
  });
});

it('70. latest is null, or has date, value and previous_value', async () => {
  const { series, latest } = (await getForAda(`scores?types=sleep_score&${march}`)).body;
  const [value, previous_value] = [series.sleep_score.at(-1), series.sleep_score.at(-2)];
  expect(latest.sleep_score).toMatchObject({ date: '2026-03-14', value, previous_value });
  const before = await getForAda('scores?types=sleep_score&from_date=2026-01-01&to_date=2026-01-31');
  expect(before.body.latest).toEqual({ sleep_score: null });
});

it('71. previous_value is the value of the prior calendar day, null when that day is absent', async () => {
  const { series } = (await getForAda(`scores?types=sleep_score&${march}`)).body;
  // There is no night on the 6th.
  expect([series.sleep_score[4], series.sleep_score[5]]).toEqual([expect.any(Number), null]);
  const seventh = await getForAda('scores?types=sleep_score&from_date=2026-03-01&to_date=2026-03-07');
  expect(seventh.body.latest.sleep_score).toMatchObject({ date: '2026-03-07', previous_value: null });
  const eighth = await getForAda('scores?types=sleep_score&from_date=2026-03-01&to_date=2026-03-08');
  expect(eighth.body.latest.sleep_score.previous_value).toBe(series.sleep_score[6]);
});

it('72. previous_value is null when the prior day is out of range', async () => {
  const { latest } = (await getForAda(`scores?types=sleep_score&${dayRange('2026-03-14')}`)).body;
  expect(latest.sleep_score).toMatchObject({ date: '2026-03-14', previous_value: null });
});

it('73. the metric IDs named in the contract exist', async () => {
  const named =
    'steps,distance,resting_heart_rate,heart_rate,heart_rate_variability,heart_rate_variability_rmssd,active_calories,' +
    'resting_energy,blood_oxygen,exercise,asleep,deep_sleep,weight,lean_body_mass,sleep_body_temperature,' +
    'sleep_skin_temperature,running,cycling,swimming';
  const { series } = (await getForAda(`daily?types=${named}&${march}`)).body;
  expect(Object.keys(series)).toEqual(named.split(','));
  for (const [metric, values] of Object.entries<unknown[]>(series))
    expect([metric, values.some((value) => value !== null)]).toEqual([metric, true]);
  expect((await getForAda(`scores?types=stress_score&${march}`)).body.series).toHaveProperty('stress_score');
});

it('74. a timeseries sample has timestamp, metric, value and unit', async () => {
  const { data } = (await getForAda('timeseries?metrics=heart_rate&start_date=2026-03-10&end_date=2026-03-10')).body;
  const sample = { timestamp: '2026-03-10T08:00:00.000Z', metric: 'heart_rate', value: 70, unit: 'bpm' };
  expect(data).toContainEqual(expect.objectContaining(sample));
});

it('75. sample resolution varies by device from 1 second to 15 minutes', async () => {
  const range = 'start_date=2026-03-10&end_date=2026-03-11';
  const { data } = (await getForAda(`timeseries?metrics=heart_rate,steps&${range}`)).body;
  const times = data.map(({ timestamp, metric }: Record<string, string>) => `${metric} ${timestamp}`);
  // Samples one second apart stay two; a sample of 15 minutes stays one.
  expect(times).toEqual([
    'heart_rate 2026-03-10T06:15:01.000Z',
    'heart_rate 2026-03-10T08:00:00.000Z',
    'heart_rate 2026-03-10T08:00:01.000Z',
    'steps 2026-03-11T08:00:00.000Z',
    'steps 2026-03-11T14:00:00.000Z',
  ]);
});

it('76. include_sources adds the source object to samples', async () => {
  const { devices } = await ada(world());
  const range = 'start_date=2026-03-11&end_date=2026-03-11';
  const { data } = (await getForAda(`timeseries?metrics=active_calories&${range}&include_sources=true`)).body;
  const source = { provider: 'apple_health', device_id: devices.watch, original_value: 83.68, original_unit: 'kJ' };
  expect(data).toMatchObject([{ value: 20, source }]);
  const without = await getForAda(`timeseries?metrics=active_calories&${range}`);
  expect(without.body.data[0]).not.toHaveProperty('source');
});
