// VO2 max comes in three types and oxygen in two, with the fields of the discovery document.
import { expect, test } from 'vitest';
import { googleHealthFetch } from '../../../../shared/providers/google-health/fetch.ts';
import { makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';
import { marchFetchRequest, readInMarch } from '../kit/march-requests.ts';
import { page } from './payloads.ts';

const read = (...pages: Parameters<typeof readInMarch>[1]) =>
  readInMarch('google_health', pages, { timeZone: 'Asia/Tokyo' }).records;
const sampleTime = {
  physicalTime: '2026-03-05T21:40:00Z',
  utcOffset: '32400s',
  civilTime: { date: { year: 2026, month: 3, day: 6 }, time: { hours: 6, minutes: 40 } },
};
const at = Date.parse('2026-03-05T21:40:00Z');

test('the daily VO2 max belongs to the date it states', () => {
  const dailyVo2Max = {
    date: { year: 2026, month: 3, day: 6 },
    vo2Max: 46.2,
    cardioFitnessLevel: 'GOOD',
    vo2MaxCovariance: 0.4,
  };
  expect(read(page('daily-vo2-max', [{ dailyVo2Max }])).daily).toEqual([
    { metric: 'vo2_max', date: '2026-03-06', value: 46.2 },
  ]);
});

test('the VO2 max of a run is a sample at the time of measurement', () => {
  expect(read(page('run-vo2-max', [{ runVo2Max: { sampleTime, runVo2Max: 47.8 } }])).samples).toEqual([
    { metric: 'vo2_max', startMs: at, endMs: at, value: 47.8, offsetMinutes: 540 },
  ]);
});

test('spot oxygen is a sample, daily oxygen is that of the night, and zero counts as not measured', () => {
  const spot = (percentage: unknown) => ({ oxygenSaturation: { sampleTime, percentage } });
  const date = { year: 2026, month: 3, day: 6 };
  const pages = [
    page('oxygen-saturation', [spot(97.3), spot(0), spot(null)]),
    page('daily-oxygen-saturation', [{ dailyOxygenSaturation: { date, averagePercentage: 96.1 } }]),
  ];
  const { samples, daily } = read(...pages);
  expect(readInMarch('google_health', pages, { timeZone: 'Asia/Tokyo' }).rejected.count).toBe(0);
  expect(samples).toEqual([{ metric: 'blood_oxygen', startMs: at, endMs: at, value: 97.3, offsetMinutes: 540 }]);
  expect(daily).toEqual([{ metric: 'sleep_blood_oxygen', date: '2026-03-06', value: 96.1 }]);
});

test.each([
  ['daily-vo2-max', 'daily_vo2_max.date >= "2026-03-04" AND daily_vo2_max.date < "2026-03-08"'],
  [
    'run-vo2-max',
    'run_vo2_max.sample_time.physical_time >= "2026-03-04T00:00:00Z" AND run_vo2_max.sample_time.physical_time < "2026-03-08T00:00:00Z"',
  ],
  [
    'oxygen-saturation',
    'oxygen_saturation.sample_time.physical_time >= "2026-03-04T00:00:00Z" AND oxygen_saturation.sample_time.physical_time < "2026-03-08T00:00:00Z"',
  ],
])('%s is requested by the time field that it can be filtered by', (type, filter) => {
  const { requests } = runRequestFlow(googleHealthFetch.fetchWindow(marchFetchRequest()), () => makeResponse({}));
  expect(requests.filter(({ url }) => url.includes(`/${type}/`))).toEqual([
    {
      method: 'GET',
      url: `https://health.googleapis.com/v4/users/me/dataTypes/${type}/dataPoints:reconcile`,
      query: { filter, pageSize: '10000' },
    },
  ]);
});

test('samples of VO2 max are retracted only by responses of both types that contain them', () => {
  const claimed = (...types: string[]) =>
    read(...types.map((type) => page(type, []))).covered?.flatMap(({ samples }) => samples ?? []);
  expect(claimed('vo2-max', 'oxygen-saturation')).toEqual(['blood_oxygen']);
  expect(claimed('run-vo2-max', 'vo2-max')).toEqual(['vo2_max']);
});

test('a body fat of zero counts as not measured', () => {
  const measured = (percentage: number) => ({ bodyFat: { sampleTime, percentage } });
  expect(read(page('body-fat', [measured(0)])).samples).toEqual([]);
  expect(read(page('body-fat', [measured(19.4)])).samples).toMatchObject([{ value: 19.4 }]);
});

test('the minutes asleep of a night that is not processed yet are unknown, though its summary has zeros', () => {
  const sleep = {
    interval: { startTime: '2026-03-04T15:10:00Z', endTime: '2026-03-04T22:40:00Z', endUtcOffset: '32400s' },
    metadata: { processed: false },
    summary: { minutesInSleepPeriod: '450', minutesAsleep: '0', minutesAwake: '0' },
  };
  const point = { dataPointName: 'users/1/dataTypes/sleep/dataPoints/880', sleep };
  expect(read(page('sleep', [point])).sleep).toMatchObject([
    { asleepMinutes: null, awakeMinutes: null, inBedMinutes: 450 },
  ]);
});
