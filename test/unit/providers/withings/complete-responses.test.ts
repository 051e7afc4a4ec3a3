import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { todayIn } from '../../../../shared/platform/time/local-day.ts';
import { withingsFetch } from '../../../../shared/providers/withings/fetch.ts';
import { withingsSimulator } from '../../../../shared/sandbox/simulated-providers/withings.ts';
import { nightSummaries, runRequestFlow } from '../../../harness/request-flow.ts';
import { marchFetchRequest, readInMarch, respondInMarch } from '../kit/march-requests.ts';
import { lifeOfMarch } from '../march-days.ts';
import { nap, night, page, swim, walk, watchDay, weighing } from './payloads.ts';

type Pages = Parameters<typeof readInMarch>[1];
const normalized = (...pages: Pages) => readInMarch('withings', pages);

describe('intraday values', () => {
  test('are samples at their own times, and an empty list means that there are none', () => {
    const series = {
      '1772700060': { heart_rate: 57, model: 'ScanWatch', model_id: 93, deviceid: 'x' },
      '1772700120': { heart_rate: 0, spo2_auto: 96 },
      '1772700180': { rmssd: 41, sdnn1: 52.5, hrv_quality: 3, spo2_auto: 0.95 },
    };
    const { records, rejected } = normalized(
      page('intraday', { series }, '2026-03-05'),
      page('intraday', { series: [] }, '2026-03-06'),
    );
    expect(records.samples.map(({ metric, startMs, endMs, value }) => [metric, startMs, endMs, value])).toEqual([
      ['heart_rate', 1772700060_000, 1772700060_000, 57],
      ['blood_oxygen', 1772700120_000, 1772700120_000, 96],
      ['blood_oxygen', 1772700180_000, 1772700180_000, 95],
      ['heart_rate_variability_rmssd', 1772700180_000, 1772700180_000, 41],
      ['heart_rate_variability', 1772700180_000, 1772700180_000, 52.5],
    ]);
    expect(rejected.count).toBe(0);
  });
});

describe('complete responses', () => {
  const lists = [
    page('activity', { activities: [] }),
    page('sleep', { series: [] }),
    page('workouts', { series: [] }),
    page('measures', { measuregrps: [] }),
  ];
  const intraday = ['2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07'].map((date) =>
    page('intraday', { series: [] }, date),
  );

  test('cover all requested days of an empty account', () => {
    const { records } = normalized(...lists, ...intraday);
    expect({ ...records, covered: [] }).toEqual({ samples: [], daily: [], sleep: [], workouts: [], covered: [] });
    const [days, moments] = records.covered ?? [];
    expect(days).toMatchObject({ from: '2026-03-05', to: '2026-03-06', sleep: true, workouts: true });
    expect(days?.daily).toEqual(expect.arrayContaining(['steps', 'resting_energy']));
    expect(days?.samples).toEqual(expect.arrayContaining(['weight', 'walking', 'body_water_percentage']));
    expect(days?.samples).not.toContain('heart_rate');
    expect(moments).toEqual({
      from: '2026-03-05',
      to: '2026-03-06',
      samples: ['heart_rate', 'blood_oxygen', 'heart_rate_variability_rmssd', 'heart_rate_variability'],
    });
  });

  test('cover neither refused resources nor metrics of which only one of two resources was answered', () => {
    const { records } = normalized(page('activity', { activities: [] }), ...intraday);
    const [days, moments] = records.covered ?? [];
    expect(days).not.toHaveProperty('sleep');
    expect(days).not.toHaveProperty('workouts');
    expect(days?.samples).toEqual([]);
    expect(days?.daily).not.toContain('sleep_heart_rate');
    expect(moments?.samples).toEqual(['heart_rate_variability_rmssd', 'heart_rate_variability']);
  });

  test('cover intraday values only on days with all of their hours', () => {
    const claimed = (timeZone: string | null, ...dates: string[]) => {
      const pages = [...lists, ...dates.map((date) => page('intraday', { series: [] }, date))];
      return readInMarch('withings', pages, { timeZone }).records.covered?.slice(1);
    };
    // In Paris the 5th begins in the last hour of the 4th in UTC, in New York at 05:00 UTC.
    expect(claimed('Europe/Paris', '2026-03-05', '2026-03-06')).toMatchObject([
      { from: '2026-03-06', to: '2026-03-06' },
    ]);
    expect(claimed('America/New_York', '2026-03-05', '2026-03-06')).toMatchObject([
      { from: '2026-03-05', to: '2026-03-06' },
    ]);
    expect(claimed(null, '2026-03-05', '2026-03-06')).toMatchObject([{ from: '2026-03-05', to: '2026-03-06' }]);
    expect(claimed(null, '2026-03-07')).toEqual([]);
  });

  test('give no records of other days, even if they were listed', () => {
    const adjacent = { from: '2026-03-03', to: '2026-03-03' };
    const pages = [
      page('sleep', { series: [night, nap] }),
      page('workouts', { series: [walk, swim] }),
      page('measures', { measuregrps: [weighing] }),
      page('intraday', { series: { '1772700060': { heart_rate: 57 } } }, '2026-03-05'),
    ];
    const { records } = readInMarch('withings', pages, { requested: adjacent });
    expect(records).toMatchObject({ samples: [], daily: [], sleep: [], workouts: [] });
  });

  test('are needed for any coverage', () => {
    expect(normalized().records.covered).toBeUndefined();
  });
});

test('an invalid item is rejected with its path, and the other items are stored', () => {
  const { records, rejected } = normalized(
    page('sleep', { series: [{ ...night, startdate: null }, nap, 7] }),
    page('workouts', { series: [{ ...walk, enddate: walk.startdate }, swim] }),
    page('measures', { measuregrps: [{ ...weighing, measures: [{ type: 1 }, { type: 1, value: 9, unit: 3 }] }] }),
    page('activity', { activities: [{ ...watchDay, steps: 900_000, date: '2026-03-06' }, { steps: 3 }, watchDay] }),
  );
  expect(records.sleep.map(({ sourceId }) => sourceId)).toEqual(['2081804999']);
  expect(records.workouts.map(({ type }) => type)).toEqual(['swimming']);
  expect(records.samples.map(({ metric }) => metric)).toEqual(['swimming']);
  expect(records.daily.filter(({ metric }) => metric === 'steps')).toMatchObject([{ date: '2026-03-05', value: 6200 }]);
  expect(rejected.first.map(({ path, code }) => `${path} ${code}`).toSorted()).toEqual([
    'activity.0.activities.0.steps implausible_value',
    'activity.0.activities.1.date invalid_record',
    'measures.0.measuregrps.0.measures.0.value invalid_record',
    'measures.0.measuregrps.0.measures.1 implausible_value',
    'sleep.0.series.0.startdate invalid_record',
    'sleep.0.series.2 invalid_record',
    'workouts.0.series.0 invalid_time',
  ]);
});

test('any order of the items and any split into pages gives the same records', () => {
  const lists: [resource: string, list: string, items: object[]][] = [
    ['sleep', 'series', [night, nap, { ...night, startdate: 1772748800, modified: 1772790000 }]],
    ['workouts', 'series', [walk, swim, { ...walk, data: { calories: 51 }, modified: 1772799999 }]],
    ['activity', 'activities', [watchDay, { ...watchDay, date: '2026-03-06' }, { ...watchDay, steps: 1, modified: 1 }]],
  ];
  const sorted = (pages: Pages) => {
    const { samples, daily, sleep, workouts } = normalized(...pages).records;
    return [samples, daily, sleep, workouts].map((each) => each.map((one) => JSON.stringify(one)).toSorted());
  };
  const complete = sorted(lists.map(([resource, list, items]) => page(resource, { [list]: items })));
  fc.assert(
    fc.property(
      fc.tuple(...lists.map(([, , items]) => fc.shuffledSubarray(items, { minLength: items.length }))),
      fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }),
      (shuffled, cuts) => {
        const pages = lists.flatMap(([resource, list], at) => {
          const items = shuffled[at] ?? [];
          const cut = cuts[at] ?? 0;
          return [items.slice(0, cut), items.slice(cut)].map((part) => page(resource, { [list]: part }));
        });
        expect(sorted(pages)).toEqual(complete);
      },
    ),
  );
});

test('the days of a sandbox user read back unchanged', () => {
  const fetchRequest = marchFetchRequest({ zone: 'Europe/Paris' });
  const { result } = runRequestFlow(
    withingsFetch.fetchWindow(fetchRequest),
    respondInMarch(withingsSimulator, lifeOfMarch, fetchRequest.nowMs),
  );
  const { records, rejected } = readInMarch('withings', result, { timeZone: 'Europe/Paris' });
  expect(rejected.count).toBe(0);
  const daily = Object.fromEntries(records.daily.map(({ date, metric, value }) => [`${date} ${metric}`, value]));
  expect(daily).toMatchObject({
    '2026-03-05 steps': 8421,
    '2026-03-05 distance': 6.31,
    '2026-03-05 exercise': 45,
    '2026-03-05 active_calories': 512,
    '2026-03-05 resting_energy': 1610,
    '2026-03-05 total_calories': 2122,
    '2026-03-05 max_heart_rate': 171,
    '2026-03-06 steps': 5120,
  });
  expect(nightSummaries(records)).toMatchObject([
    { sleep_heart_rate: 55.5, sleep_latency: 12 },
    { sleep_respiratory_rate: 14.9, sleep_latency: 15 },
    {},
  ]);
  expect(
    records.sleep.map(({ endMs, asleepMinutes, remMinutes, inBedMinutes }) => [
      todayIn('Europe/Paris', endMs),
      asleepMinutes,
      remMinutes,
      inBedMinutes,
    ]),
  ).toEqual([
    ['2026-03-05', 440, 100, 480],
    ['2026-03-06', 410, 90, 450],
    ['2026-03-06', 26, 0, 30],
  ]);
  expect(records.sleep.map(({ stages }) => stages)).toEqual(
    lifeOfMarch.flatMap(({ sleeps }) => sleeps.map(({ stages }) => stages)),
  );
  expect(
    records.workouts.map(({ type, distanceKm, calories, maxHeartRate }) => [type, distanceKm, calories, maxHeartRate]),
  ).toEqual([
    ['running', 7.8, 420, 171],
    ['swimming', 1.2, 260, 139],
  ]);
  const sampled = (metric: string) =>
    records.samples.filter((each) => each.metric === metric).map(({ value }) => value);
  expect([sampled('weight'), sampled('vo2_max'), sampled('running'), sampled('swimming')]).toEqual([
    [71.35],
    [44.1],
    [7.8],
    [1200],
  ]);
  expect([sampled('heart_rate'), sampled('heart_rate_variability_rmssd')]).toEqual([
    [50, 72, 69],
    [48, 45],
  ]);
});

test('a month in the sandbox takes two pages, and unknown actions are rejected', () => {
  const [day] = lifeOfMarch;
  if (!day) throw new Error('the simulated month has no day');
  const month = Array.from({ length: 28 }, (_, at) => ({ ...day, date: `2026-02-${String(at + 1).padStart(2, '0')}` }));
  const fetchRequest = marchFetchRequest({ from: '2026-02-01', to: '2026-02-28', nowMs: Date.UTC(2026, 11, 1) });
  const { result } = runRequestFlow(
    withingsFetch.fetchWindow(fetchRequest),
    respondInMarch(withingsSimulator, month, fetchRequest.nowMs),
  );
  expect(result.filter(({ resource }) => resource === 'activity')).toHaveLength(2);
  const { records } = readInMarch('withings', result, {
    requested: { from: '2026-02-01', to: '2026-02-28' },
  });
  expect(records.daily.filter(({ metric }) => metric === 'steps')).toHaveLength(28);
  const answer = respondInMarch(withingsSimulator, month, fetchRequest.nowMs);
  expect(answer({ method: 'POST', url: 'https://wbsapi.withings.net/v2/measure', form: { action: 'x' } }).status).toBe(
    404,
  );
});
