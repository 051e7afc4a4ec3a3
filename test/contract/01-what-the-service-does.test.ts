import { expect, it } from 'vitest';
import { openPhone } from '../harness/phone.ts';
import { endpoints } from './endpoints.ts';
import { openApiDocument, readSources, readSteps, replacedDevice, resetSettings, setProviderDays } from './fixtures.ts';
import {
  ada,
  cleo,
  con,
  dailyTotal,
  garminDay,
  phoneDevice,
  pushFromGarmin,
  rawMarker,
  ring,
  uploadAndProcess,
} from './users.ts';
import { contractWorld, hourMs, minuteMs, outcome } from './world.ts';

const world = contractWorld();
const get = (path: string, token?: string) => world().get(path, token);
const getInForm1 = (path: string) => get(path, world().form1Key);

/** Returns the value and unit of each metric on a day, as Form 1 reports them. */
async function readRow(metric: string, date: string, more = ''): Promise<{ value: number; unit: string }> {
  const { id } = await ada(world());
  const path = `/v1/users/${id}/daily?metrics=${metric}&start_date=${date}&end_date=${date}${more}`;
  const { data } = (await getInForm1(path)).body;
  expect(data).toHaveLength(1);
  return { value: data[0].value, unit: data[0].unit };
}

async function readConDaily(types: string): Promise<Record<string, (number | null)[]>> {
  const id = await con(world());
  const day = 'from_date=2026-03-10&to_date=2026-03-10';
  return (await get(`/v1/users/${id}/daily?${day}&types=${types}`)).body.series;
}

async function patchSettings(body: object): Promise<void> {
  const result = await world().call('PATCH', `/v1/users/${await con(world())}/consolidation`, body);
  expect(result.status).toBe(202);
  await world().settle();
}

it('1. every path begins with /v1', async () => {
  const { paths } = await openApiDocument(world());
  for (const { method, path } of endpoints) {
    expect(path).toMatch(/^\/v1\//);
    const served = Object.keys(paths).find(
      (each) => each.replaceAll(/\{\w+\}/g, '{}') === path.replaceAll(/\{\w+\}/g, '{}'),
    );
    expect([method, path, Object.keys(paths[served ?? ''] ?? {})]).toEqual([
      method,
      path,
      expect.arrayContaining([method.toLowerCase()]),
    ]);
  }
  expect(outcome(await get('/users'))).toBe('404 not_found');
});

it('2. Form 1 has a data/meta envelope, page/per_page paging and start_date/end_date', async () => {
  const { id } = await ada(world());
  const users = (await getInForm1('/v1/users?page=1&per_page=1')).body;
  expect(users).toMatchObject({ data: [{ id: expect.any(String) }], meta: { page: 1, per_page: 1 } });
  const daily = await getInForm1(`/v1/users/${id}/daily?metrics=steps&start_date=2026-03-09&end_date=2026-03-09`);
  expect(daily.body).toEqual({ data: [{ date: '2026-03-09', metric: 'steps', value: 7800, unit: 'count' }] });
});

it('3. Form 2 has columns, from_date/to_date and opaque cursors', async () => {
  const { id } = await ada(world());
  const range = 'from_date=2026-03-09&to_date=2026-03-10';
  const daily = (await get(`/v1/users/${id}/daily?types=steps&${range}`)).body;
  expect(daily).toMatchObject({ dates: ['2026-03-09', '2026-03-10'], series: { steps: [7800, 7900] } });
  const { next_cursor } = (await get(`/v1/users/${id}/sleep?${range}&limit=1`)).body;
  expect(next_cursor).toMatch(/^[\w-]{40,}$/);
  expect(Buffer.from(next_cursor, 'base64url').toString()).not.toMatch(/2026|usr_|slp_/);
});

it('4. users are created through the API, under an account', async () => {
  const created = await world().call('POST', '/v1/users', {});
  const path = `/v1/users/${created.body.id}`;
  expect((await get(path)).status).toBe(200);
  const other = await world().system.account();
  expect(outcome(await get(path, other.live_key))).toBe('404 not_found');
});

it('5. a hosted authorization link connects a cloud provider', async () => {
  const { id, watch } = await cleo(world());
  const { data } = (await get(`/v1/users/${id}/devices`)).body;
  expect(data).toContainEqual(expect.objectContaining({ id: watch, provider: 'garmin', status: 'active' }));
  expect(await readSources(world(), id, '2026-03-05', 'steps')).toEqual({ steps: watch });
});

it('6. on-device sources connect through the Mobile SDK, not the cloud flow', async () => {
  const id = await world().user();
  for (const provider of ['apple_health', 'health_connect', 'samsung_health']) {
    const result = await world().call('POST', `/v1/users/${id}/devices`, { provider });
    expect([outcome(result), result.body.message]).toEqual(['400 invalid_provider', expect.stringContaining('SDK')]);
  }
  const phone = await openPhone(world().system, world().key, id, 'samsung_health');
  await uploadAndProcess(world(), phone, phoneDevice, { daily: [dailyTotal('2026-03-10', 'steps', 10, 'count')] });
  const { data } = (await get(`/v1/users/${id}/devices`)).body;
  expect(data).toMatchObject([{ provider: 'samsung_health', status: 'active' }]);
});

it('7. raw device output is never returned', async () => {
  const { id } = await cleo(world());
  const [from, start] = ['from_date=2026-03-05&to_date=2026-03-05', 'start_date=2026-03-05&end_date=2026-03-05'];
  const reads = [
    `/daily?${from}&include_sources=true`,
    `/scores?${from}&include_factors=true`,
    `/sleep?${from}&include_sources=true`,
    `/workouts?${from}`,
    `/timeseries?metrics=heart_rate&${start}&include_sources=true`,
    '/devices',
    '',
  ];
  for (const read of reads) {
    const { status, text } = await get(`/v1/users/${id}${read}`);
    expect([read, status]).toEqual([read, 200]);
    for (const raw of [rawMarker, 'summary-of-', 'InBeatsPerMinute', '86400']) expect(text).not.toContain(raw);
  }
  const { paths } = await openApiDocument(world());
  expect(Object.keys(paths).filter((path) => /\braw\b|normalized/.test(path))).toEqual([]);
});

it('8. data is normalized to one schema, SI units and UTC, and each device is stored separately', async () => {
  const { id, devices } = await ada(world());
  const day = 'start_date=2026-03-10&end_date=2026-03-11';
  const samples = `/v1/users/${id}/timeseries?metrics=heart_rate,active_calories&${day}&include_sources=true`;
  const { data } = (await get(samples)).body;
  // Sent as 08:15:01+02:00, and as 83.68 kJ.
  expect(data).toContainEqual(expect.objectContaining({ timestamp: '2026-03-10T06:15:01.000Z', value: 72 }));
  expect(data).toContainEqual(expect.objectContaining({ value: 20, unit: 'kcal' }));
  const daily = `/v1/users/${id}/daily?types=steps&from_date=2026-03-11&to_date=2026-03-11&include_sources=true`;
  const { contributors } = (await get(daily)).body.sources.steps[0];
  expect(contributors).toEqual([
    { device_id: devices.watch, provider: 'apple_health', value: 500 },
    { device_id: devices.pocket, provider: 'apple_health', value: 300 },
  ]);
});

it('9. there is one value per metric, day and user', async () => {
  const { id } = await ada(world());
  const { data } = (await getInForm1(`/v1/users/${id}/daily?start_date=2026-03-03&end_date=2026-03-11`)).body;
  const keys = data.map(({ date, metric }: { date: string; metric: string }) => `${date} ${metric}`);
  expect(keys).toContain('2026-03-10 heart_rate');
  expect(keys).toContain('2026-03-09 weight');
  expect(new Set(keys).size).toBe(keys.length);
});

it('10. each device type has a default priority per category', async () => {
  const { id, devices } = await ada(world());
  // The watch also reported that night, the ring that heart rate, and the phone that weight.
  expect(await readSources(world(), id, '2026-03-03', 'asleep')).toEqual({ asleep: devices.ring });
  expect(await readSources(world(), id, '2026-03-10', 'heart_rate')).toEqual({ heart_rate: devices.watch });
  expect(await readSources(world(), id, '2026-03-09', 'weight')).toEqual({ weight: devices.scale });
});

it('11. Mobile SDK data ranks highest', async () => {
  const { id, watch: ofCloud } = await cleo(world());
  // The watch reports 52, an app on the phone reports 61.
  const day = 'from_date=2026-03-05&to_date=2026-03-05';
  const path = `/v1/users/${id}/daily?types=resting_heart_rate&${day}&include_sources=true`;
  const { series, sources } = (await get(path)).body;
  expect(series.resting_heart_rate).toEqual([61]);
  expect(sources.resting_heart_rate).toMatchObject([{ provider: 'apple_health', original_value: 61 }]);
  expect(sources.resting_heart_rate[0].device_id).not.toBe(ofCloud);
});

it('12. the device is chosen per metric, not per day or person', async () => {
  const { id, devices } = await ada(world());
  expect(await readSources(world(), id, '2026-03-10', 'asleep,heart_rate,sleep_heart_rate')).toEqual({
    asleep: devices.ring,
    heart_rate: devices.watch,
    sleep_heart_rate: devices.ring,
  });
});

it('13. no source data is lost', async () => {
  await resetSettings(world());
  expect(await readConDaily('steps,weight,asleep')).toEqual({ steps: [300], weight: [74], asleep: [420] });
  await patchSettings({ providers: { samsung_health: false } });
  expect(await readConDaily('steps,weight,asleep')).toEqual({ steps: [100], weight: [70], asleep: [400] });
  await patchSettings({ providers: { samsung_health: true } });
  expect(await readConDaily('steps,weight,asleep')).toEqual({ steps: [300], weight: [74], asleep: [420] });
});

it('14. include_sources=true shows the contributing device of each value', async () => {
  const { id, devices } = await ada(world());
  const path = `/v1/users/${id}/daily?types=heart_rate&from_date=2026-03-09&to_date=2026-03-10`;
  const { body } = await get(`${path}&include_sources=true`);
  expect(body.sources.heart_rate).toMatchObject([null, { provider: 'apple_health', device_id: devices.watch }]);
  expect((await get(path)).body).not.toHaveProperty('sources');
});

it('15. ring data is preferred for sleep', async () => {
  const { id, devices } = await ada(world());
  const { data } = (await get(`/v1/users/${id}/sleep?from_date=2026-03-03&to_date=2026-03-03&include_sources=true`))
    .body;
  const [night] = data.filter((session: { is_main_sleep: boolean }) => session.is_main_sleep);
  expect(night).toMatchObject({ asleep_minutes: 422, source_detail: { device_id: devices.ring } });
});

it('16. wrist-worn devices are preferred for heart rate', async () => {
  // The ring reports 61, the watch 70, 71 and 72.
  expect(await readRow('heart_rate', '2026-03-10')).toEqual({ value: 71, unit: 'bpm' });
});

it('17. priorities are overridden per metric by the consolidation configuration', async () => {
  await resetSettings(world());
  await patchSettings({ metrics: { steps: { providers: { samsung_health: false } } } });
  expect(await readConDaily('steps,distance,weight')).toEqual({ steps: [100], distance: [3], weight: [74] });
  await patchSettings({ metrics: { steps: { providers: { samsung_health: true } } } });
});

it('18. there are seven categories: activity, sleep, vitals, body composition, energy, nutrition, scores', async () => {
  const categories = (await get('/v1/metrics')).body.metrics.map(({ category }: { category: string }) => category);
  expect([...new Set(categories)].sort()).toEqual(
    ['activity', 'body_composition', 'energy', 'nutrition', 'scores', 'sleep', 'vitals'].sort(),
  );
});

it('19. the data catalog holds every metric ID with its unit and description', async () => {
  const { id } = await ada(world());
  const catalog: Record<string, string>[] = (await get('/v1/metrics')).body.metrics;
  const { series } = (await get(`/v1/users/${id}/daily?from_date=2026-03-09&to_date=2026-03-09`)).body;
  const scores = (await get(`/v1/users/${id}/scores`)).body.series;
  const known = catalog.map((entry) => entry['id']);
  expect(known).toEqual(expect.arrayContaining([...Object.keys(series), ...Object.keys(scores)]));
  for (const entry of catalog) {
    expect([entry['id'], entry['unit']]).toEqual([entry['id'], expect.stringMatching(/\S/)]);
    expect([entry['id'], entry['description']]).toEqual([entry['id'], expect.stringMatching(/^.{20,}\.$/s)]);
  }
  expect(new Set(catalog.map((entry) => entry['description'])).size).toBe(catalog.length);
});

it('20. distances are km', async () => {
  // Sent as 5 mi.
  expect(await readRow('running', '2026-03-09')).toEqual({ value: 8.05, unit: 'km' });
});

it('21. swimming distance is m', async () => {
  expect(await readRow('swimming', '2026-03-09')).toEqual({ value: 1000, unit: 'm' });
});

it('22. temperatures are °C', async () => {
  expect(await readRow('sleep_body_temperature', '2026-03-09')).toEqual({ value: 36.6, unit: '°C' });
});

it('23. weights are kg', async () => {
  // Sent as 160 lb.
  expect(await readRow('weight', '2026-03-09')).toEqual({ value: 72.57, unit: 'kg' });
});

it('24. heart rates are bpm', async () => {
  expect(await readRow('resting_heart_rate', '2026-03-09')).toEqual({ value: 55, unit: 'bpm' });
});

it('25. HRV is ms', async () => {
  expect(await readRow('heart_rate_variability_rmssd', '2026-03-09')).toEqual({ value: 41, unit: 'ms' });
});

it('26. energy is kcal', async () => {
  expect(await readRow('resting_energy', '2026-03-09')).toEqual({ value: 1500, unit: 'kcal' });
});

it('27. durations are min', async () => {
  expect(await readRow('asleep', '2026-03-10')).toEqual({ value: 428, unit: 'min' });
});

it('28. timestamps are ISO 8601, UTC', async () => {
  const { id } = await ada(world());
  const { data } = (await getInForm1(`/v1/users/${id}/sleep?start_date=2026-03-03&end_date=2026-03-03`)).body;
  expect(data[0]).toMatchObject({ start: '2026-03-02T22:30:00.000Z', end: '2026-03-03T06:30:00.000Z' });
});

it('29. imperial distances are miles', async () => {
  const imperial = '&unit_system=imperial';
  expect(await readRow('running', '2026-03-09', imperial)).toEqual({ value: 5, unit: 'mi' });
  expect(await readRow('cycling', '2026-03-09', imperial)).toEqual({ value: 12.43, unit: 'mi' });
  expect(await readRow('swimming', '2026-03-09', imperial)).toEqual({ value: 0.621, unit: 'mi' });
});

it('30. imperial temperatures are Fahrenheit', async () => {
  const result = await readRow('sleep_body_temperature', '2026-03-09', '&unit_system=imperial');
  expect(result).toEqual({ value: 97.9, unit: '°F' });
});

it('31. imperial weights are pounds', async () => {
  expect(await readRow('weight', '2026-03-09', '&unit_system=imperial')).toEqual({ value: 160, unit: 'lb' });
});

it('33. cloud providers push', async () => {
  const { id } = await cleo(world());
  expect(await pushFromGarmin(world(), { dailies: [garminDay('2026-03-07', 12_001)] })).toBe(200);
  expect(await readSteps(world(), id, '2026-03-07')).toBe(12_001);
});

it('33b. cloud providers are polled every 5 to 15 minutes', async () => {
  const { id } = await replacedDevice(world());
  for (const steps of [2000, 3000]) {
    setProviderDays(world(), 'next', { '2026-03-08': 5000, '2026-03-15': steps });
    await world().passTime(16 * minuteMs);
    expect(await readSteps(world(), id, '2026-03-15')).toBe(steps);
  }
});

it('34. last_sync_at on the user shows when fresh data is available', async () => {
  const { clock } = world().system;
  const id = await world().user();
  const lastSync = async () => (await get(`/v1/users/${id}`)).body.last_sync_at;
  expect(await lastSync()).toBeNull();
  const phone = await openPhone(world().system, world().key, id);
  const seen: string[] = [];
  for (const steps of [10, 20]) {
    const before = clock.now();
    await uploadAndProcess(world(), phone, phoneDevice, { daily: [dailyTotal('2026-03-10', 'steps', steps, 'count')] });
    seen.push(await lastSync());
    expect(Date.parse(seen.at(-1) ?? '')).toBeGreaterThan(before);
    expect(Date.parse(seen.at(-1) ?? '')).toBeLessThan(clock.now());
  }
  expect(seen[0]).not.toBe(seen[1]);
});

const sleepUpload = (date: string, asleep_minutes: number) => ({
  sleep: [{ start: `${date}T00:00:00Z`, end: `${date}T08:00:00Z`, asleep_minutes, in_bed_minutes: 480 }],
});
const readSleepScore = async (id: string, date: string): Promise<number | null> =>
  (await get(`/v1/users/${id}/scores?types=sleep_score&from_date=${date}&to_date=${date}`)).body.series.sleep_score[0];

it('35. scores recompute as data arrives', async () => {
  const id = await world().user();
  const phone = await openPhone(world().system, world().key, id);
  await uploadAndProcess(world(), phone, ring, sleepUpload('2026-03-10', 300), 'UTC');
  const short = await readSleepScore(id, '2026-03-10');
  await uploadAndProcess(world(), phone, ring, sleepUpload('2026-03-10', 440), 'UTC');
  await world().passTime(6 * minuteMs);
  expect(short).toBeGreaterThan(0);
  expect(await readSleepScore(id, '2026-03-10')).toBeGreaterThan(short ?? 100);
});

it('36. scores change at most a few times a day', async () => {
  const id = await world().user();
  const phone = await openPhone(world().system, world().key, id);
  const date = new Date(world().system.clock.now()).toISOString().slice(0, 10);
  const seen = new Set<number | null>();
  for (const minutes of [240, 290, 340, 390, 440]) {
    await uploadAndProcess(world(), phone, ring, sleepUpload(date, minutes), 'UTC');
    await world().passTime(6 * minuteMs);
    seen.add(await readSleepScore(id, date));
  }
  expect(seen.size).toBeLessThanOrEqual(4);
  for (let hour = 0; hour < 4; hour++) await world().passTime(hourMs);
  seen.add(await readSleepScore(id, date));
  expect(seen.size).toBeLessThanOrEqual(5);
  expect(await readSleepScore(id, date)).toBe(Math.max(...[...seen].map(Number)));
});

it('37. caching scores for 5 to 15 minutes is advised', async () => {
  const { paths } = await openApiDocument(world());
  expect(paths['/v1/users/{id}/scores'].get.description).toMatch(/cache.*\b5\b.*\b15 minutes/s);
});

it('38. after a device is replaced, new data comes from the new device', async () => {
  const { id, previous, next } = await replacedDevice(world());
  expect(next).not.toBe(previous);
  expect(await readSources(world(), id, '2026-03-08', 'steps')).toEqual({ steps: next });
});

it('39. the old device keeps its history until it is disconnected', async () => {
  const { id, previous } = await replacedDevice(world());
  const { data } = (await world().get(`/v1/users/${id}/devices`)).body;
  expect(data.find((device: { id: string }) => device.id === previous).status).toBe('replaced');
  expect(await readSteps(world(), id, '2026-03-05')).toBe(9120);
  expect(await readSources(world(), id, '2026-03-05', 'steps')).toEqual({ steps: previous });
  expect((await world().call('DELETE', `/v1/users/${id}/devices/${previous}`)).status).toBe(204);
  await world().settle();
  expect(await readSteps(world(), id, '2026-03-05')).toBeNull();
});
