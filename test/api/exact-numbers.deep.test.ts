import { describe, expect, test } from 'vitest';
import { hourMs, iso, march10Ms, phoneDevice, stepsSample, travelerProfile, watch } from '../harness/test-user.ts';
import { testUsers } from '../harness/test-users.ts';

const { createUser, system, key, settle } = testUsers();
const minuteSamples = (count: number, metric: string, value: number, unit: string): object[] =>
  Array.from({ length: count }, (_, at) => ({
    metric,
    start: iso(march10Ms + at * 60_000),
    end: iso(march10Ms + (at + 1) * 60_000),
    value,
    unit,
  }));
const patchSettings = (id: string, body: object) =>
  system()
    .call('PATCH', `/v1/users/${id}/consolidation`, { token: key(), body })
    .then(async ({ status }) => {
      expect(status).toBe(202);
      await settle();
    });

describe('exact sums', () => {
  test.each([
    ['active_calories', 600, 0.4, 'kcal', 240],
    ['active_calories', 600, 0.6, 'kcal', 360],
    ['distance', 600, 1.4, 'm', 0.84],
    ['exercise', 90, 20, 's', 30],
    ['protein', 500, 0.02, 'g', 10],
  ])('%s, %d x %d %s, is %d by day, by hour and under every method', async (metric, count, value, unit, total) => {
    const ada = await createUser();
    await ada.send(watch, { samples: minuteSamples(count, metric, value, unit) });
    expect((await ada.daily(metric))[metric]).toEqual([null, total, null, null]);
    const hours = (await ada.get(`timeseries?metric=${metric}&date=2026-03-10&resolution=1h`)).body.values;
    expect(hours[0]).toBe(Math.round((total / count) * 60 * 100) / 100);
    for (const method of ['max', 'avg', 'sum']) {
      await patchSettings(ada.id, { metrics: { [metric]: { method } } });
      expect((await ada.daily(metric))[metric]).toEqual([null, total, null, null]);
    }
  });

  test('a reported weight is rounded once, and its source shows it as sent', async () => {
    const ada = await createUser();
    await ada.send(watch, { daily: [{ date: '2026-03-10', metric: 'weight', value: 80.0049, unit: 'kg' }] });
    const { body } = await ada.get('daily?from_date=2026-03-10&to_date=2026-03-10&types=weight&include_sources=true');
    expect(body.series.weight).toEqual([80]);
    expect(body.sources.weight).toMatchObject([{ original_value: 80.0049, original_unit: 'kg' }]);
    expect((await ada.daily('weight', '&unit_system=imperial'))['weight']).toEqual([null, 176.38, null, null]);
  });

  test('sleep minutes keep their fractions until they are rendered', async () => {
    const ada = await createUser();
    const night = (from: number, to: number) => ({
      start: iso(march10Ms + from * hourMs),
      end: iso(march10Ms + to * hourMs),
      asleep_minutes: 59.4,
      in_bed_minutes: 60,
    });
    await ada.send(watch, { sleep: [night(1, 2), night(3, 4), night(5, 6)] });
    expect(await ada.daily('asleep,sleep_efficiency')).toEqual({
      asleep: [null, 178, null, null],
      sleep_efficiency: [null, 99, null, null],
    });
    const { data } = (await ada.get('sleep?from_date=2026-03-10&to_date=2026-03-10')).body;
    expect(data.map((each: { asleep_minutes: number }) => each.asleep_minutes)).toEqual([59, 59, 59]);
  });
});

describe('by time of day', () => {
  test('a watch before noon and a phone after it both count toward the day', async () => {
    const ada = await createUser();
    await ada.send(watch, { samples: [stepsSample(0, 12, 4_157)] });
    await ada.send(phoneDevice, { samples: [stepsSample(12, 20, 9_922)] });
    const { body } = await ada.get('daily?from_date=2026-03-10&to_date=2026-03-10&types=steps&include_sources=true');
    expect(body.series.steps).toEqual([14_079]);
    const [source] = body.sources.steps;
    expect(source).toMatchObject({ original_value: 9_922, original_unit: 'count' });
    expect(source.contributors.map(({ value }: { value: number }) => value)).toEqual([4_157, 9_922]);
    expect(source.contributors[1].device_id).toBe(source.device_id);
    const hours: (number | null)[] = (await ada.get('timeseries?metric=steps&date=2026-03-10&resolution=1h')).body
      .values;
    expect(hours.slice(11, 13)).toEqual([346, 1_240]);
    expect(hours.slice(20)).toEqual([null, null, null, null]);
  });

  test('overlapping steps count once, and a longer record counts only for the rest', async () => {
    const ada = await createUser();
    await ada.send(phoneDevice, { samples: [stepsSample(8, 10, 2_000)] });
    await ada.send(watch, { samples: [stepsSample(9, 10, 1_500)] });
    expect(await ada.daily('steps')).toEqual({ steps: [null, 2_500, null, null] });
    await patchSettings(ada.id, { metrics: { steps: { method: 'priority' } } });
    expect(await ada.daily('steps')).toEqual({ steps: [null, 1_500, null, null] });
    await patchSettings(ada.id, { metrics: { steps: { method: null } } });
    expect(await ada.daily('steps')).toEqual({ steps: [null, 2_500, null, null] });
    const list = (await ada.get('timeseries?metrics=steps&start_date=2026-03-10&end_date=2026-03-10')).body.data;
    expect(list.map(({ value }: { value: number }) => value)).toEqual([1_000, 1_500]);
  });

  test("a daily total from the highest-ranked device wins; another device's total counts only if there are no timed samples", async () => {
    const ada = await createUser();
    const total = (value: number) => ({ daily: [{ date: '2026-03-10', metric: 'steps', value, unit: 'count' }] });
    await ada.send(phoneDevice, total(9_000));
    expect((await ada.daily('steps'))['steps']).toEqual([null, 9_000, null, null]);
    await ada.send(watch, { samples: [stepsSample(8, 9, 500)] });
    expect((await ada.daily('steps'))['steps']).toEqual([null, 500, null, null]);
    await ada.send(phoneDevice, { samples: [stepsSample(10, 11, 700)] });
    expect((await ada.daily('steps'))['steps']).toEqual([null, 1_200, null, null]);
    await ada.send(watch, total(600));
    expect((await ada.daily('steps'))['steps']).toEqual([null, 600, null, null]);
  });

  test('hours that two devices assign to different days count once', async () => {
    const ada = await createUser(travelerProfile);
    await ada.send(watch, { samples: [stepsSample(22, 24, 400, { utc_offset: '+09:00' })] });
    await ada.send(phoneDevice, { samples: [stepsSample(20, 24, 800)] });
    expect((await ada.daily('steps'))['steps']).toEqual([null, 400, 400, null]);
    await ada.send(watch, { samples: [stepsSample(22, 24, 401, { utc_offset: '-03:00' })] });
    expect((await ada.daily('steps'))['steps']).toEqual([null, 801, null, null]);
  });
});

describe('the day of a record', () => {
  test('a cumulative sample across midnight is split by time; one longer than a day is rejected', async () => {
    const ada = await createUser({ timezone: 'America/New_York' });
    await ada.send(watch, { samples: [stepsSample(27, 29, 600)] });
    expect((await ada.daily('steps'))['steps']).toEqual([null, 300, 300, null]);
    const response = await ada.phone.upload({ time_zone: 'UTC', device: watch, samples: [stepsSample(0, 26, 1)] });
    expect(response.body).toMatchObject({
      accepted: 0,
      rejected_count: 1,
      rejected: [{ path: 'samples.0.end', code: 'implausible_value' }],
    });
  });

  test('a sample that is sent again with another offset leaves its old day', async () => {
    const ada = await createUser(travelerProfile);
    await ada.send(watch, { samples: [stepsSample(22, 23, 100, { utc_offset: '+00:00' })] });
    await ada.send(watch, { samples: [stepsSample(22, 23, 100, { utc_offset: '+03:00' })] });
    expect((await ada.daily('steps'))['steps']).toEqual([null, null, 100, null]);
  });

  test('a night that grows into the next day is replaced, in the list and in the days', async () => {
    const ada = await createUser();
    const night = (end: number, asleep: number) => ({
      sleep: [{ start: iso(march10Ms + 22 * hourMs), end: iso(march10Ms + end * hourMs), asleep_minutes: asleep }],
    });
    await ada.send(watch, night(23, 55));
    const [before] = (await ada.get('sleep?from_date=2026-03-09&to_date=2026-03-12')).body.data;
    await ada.send(watch, night(30, 440));
    expect((await ada.daily('asleep'))['asleep']).toEqual([null, null, 440, null]);
    const { data } = (await ada.get('sleep?from_date=2026-03-09&to_date=2026-03-12')).body;
    expect(data).toMatchObject([{ id: before.id, date: '2026-03-11', asleep_minutes: 440 }]);
  });

  test('two reports of one night from one device on different days count once', async () => {
    const ada = await createUser();
    const night = (from: number, to: number, asleep: number) => ({
      sleep: [{ start: iso(march10Ms + from * hourMs), end: iso(march10Ms + to * hourMs), asleep_minutes: asleep }],
    });
    await ada.send(watch, night(22, 23.5, 80));
    await ada.send(watch, night(21, 29, 430));
    expect((await ada.daily('asleep'))['asleep']).toEqual([null, null, 430, null]);
  });

  test('stage samples belong to their night, in any order of arrival, and what the night itself reports takes precedence', async () => {
    const ada = await createUser();
    const deep = {
      metric: 'deep_sleep',
      start: iso(march10Ms + 22.5 * hourMs),
      end: iso(march10Ms + 23 * hourMs),
      value: 30,
      unit: 'min',
    };
    await ada.send(watch, { samples: [deep] });
    expect((await ada.daily('deep_sleep'))['deep_sleep']).toEqual([null, 30, null, null]);
    const night = { start: iso(march10Ms + 22 * hourMs), end: iso(march10Ms + 30 * hourMs), asleep_minutes: 450 };
    await ada.send(watch, { sleep: [night] });
    expect(await ada.daily('deep_sleep,asleep')).toEqual({
      deep_sleep: [null, null, 30, null],
      asleep: [null, null, 450, null],
    });
    await ada.send(watch, { sleep: [{ ...night, deep_minutes: 71.5 }] });
    expect((await ada.daily('deep_sleep'))['deep_sleep']).toEqual([null, null, 72, null]);
  });

  test('only an invalid point of a trace is rejected, and its workout is stored', async () => {
    const ada = await createUser();
    const run = { type: 'running', start: iso(march10Ms), end: iso(march10Ms + hourMs), distance_km: 10.005 };
    const points = [100, 900, 120].map((bpm, at) => ({ timestamp: iso(march10Ms + at * 1_000), bpm }));
    const response = await ada.phone.upload({
      time_zone: 'UTC',
      device: watch,
      workouts: [{ ...run, heart_rate: points }],
    });
    expect(response.body).toMatchObject({
      accepted: 1,
      rejected_count: 1,
      rejected: [{ path: 'workouts.0.heart_rate.1.bpm', code: 'implausible_value' }],
    });
    await system().host.drain();
    const [workout] = (await ada.get('workouts?from_date=2026-03-10&to_date=2026-03-10')).body.data;
    expect(workout.distance_km).toBe(10.01);
    const { heart_rate } = (await ada.get(`workouts/${workout.id}`)).body;
    expect(heart_rate).toMatchObject({ avg_bpm: 110, max_bpm: 120 });
  });
});

describe('device rank', () => {
  const rate = (value: number) => ({ daily: [{ date: '2026-03-10', metric: 'heart_rate', value, unit: 'bpm' }] });

  test('of two devices of the same kind, the one connected last wins; a sync does not change that', async () => {
    const ada = await createUser();
    await ada.send({ ...watch, model: 'old' }, rate(60));
    await ada.send({ ...watch, model: 'new' }, rate(70));
    await ada.send({ ...watch, model: 'old' }, rate(61));
    expect((await ada.daily('heart_rate'))['heart_rate']).toEqual([null, 70, null, null]);
  });

  test('a device whose type changes takes the new type’s rank for all of its history', async () => {
    const ada = await createUser();
    await ada.send({ ...phoneDevice, model: 'clip' }, rate(60));
    await ada.send({ ...phoneDevice, model: 'band', type: 'ring' }, rate(70));
    expect((await ada.daily('heart_rate'))['heart_rate']).toEqual([null, 70, null, null]);
    await ada.send({ ...phoneDevice, model: 'clip', type: 'wrist' }, { daily: [], samples: [stepsSample(1, 2, 5)] });
    await settle();
    expect((await ada.daily('heart_rate'))['heart_rate']).toEqual([null, 60, null, null]);
  });
});
