// A workout without a distance takes it from the distances measured during the workout.
import { expect, test } from 'vitest';
import { googleHealthFetch } from '../../../../shared/providers/google-health/fetch.ts';
import { makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';
import { marchFetchRequest, readInMarch } from '../kit/march-requests.ts';
import { page, walk } from './payloads.ts';

const startMs = Date.parse('2026-03-05T09:00:00Z');
const minuteMs = 60_000;
const at = (minute: number): string => new Date(startMs + minute * minuteMs).toISOString();

/** From 18:00 to 19:10 in Tokyo, active for an hour and half a minute. */
const { distanceMillimeters: _, ...summary } = walk.exercise.metricsSummary;
const unmeasured = { ...walk, exercise: { ...walk.exercise, metricsSummary: summary } };

const moved = (from: number, to: number, millimeters?: string) => ({
  dataSource: { recordingMethod: 'PASSIVELY_MEASURED', platform: 'FITBIT' },
  distance: {
    interval: { startTime: at(from), startUtcOffset: '32400s', endTime: at(to), endUtcOffset: '32400s' },
    ...(millimeters === undefined ? {} : { millimeters }),
  },
});
const everyMinute = (from: number, to: number, millimeters?: string) =>
  Array.from({ length: to - from }, (_each, index) => moved(from + index, from + index + 1, millimeters));

function read(exercise: object, ...points: readonly object[]) {
  const pages = [page('exercise', [exercise]), page('exercise-distance', points, '77')];
  const { workouts, samples, daily } = readInMarch('google_health', pages, { timeZone: 'Asia/Tokyo' }).records;
  return {
    km: workouts.map(({ distanceKm }) => distanceKm),
    samples: samples.map(({ metric, value, startMs: from, endMs }) => [metric, value, from, endMs]),
    daily,
  };
}

test('points that cover the workout add up to its distance once, and do not add to that of the day', () => {
  expect(read(unmeasured, ...everyMinute(0, 70, '50000'))).toEqual({
    km: [3.5],
    samples: [['walking', 3.5, startMs, startMs + 70 * minuteMs]],
    daily: [],
  });
});

test('a point that extends past an end counts by its share of time, and no point counts twice', () => {
  const points = [moved(-10, 10, '1000000'), ...everyMinute(5, 60, '50000'), moved(60, 80, '1000000')];
  // Half of the first point, 50 of the 55 minutes, and half of the last point.
  expect(read(unmeasured, ...points, ...points).km).toEqual([3.5]);
});

test('minutes without a value count as measured, without movement', () => {
  expect(read(unmeasured, ...everyMinute(0, 35, '50000'), ...everyMinute(35, 70)).km).toEqual([1.75]);
});

test('points that cover only a part of the workout give no distance, because it would be too low', () => {
  expect(read(unmeasured, ...everyMinute(0, 40, '50000'))).toEqual({ km: [null], samples: [], daily: [] });
  expect(read(unmeasured)).toEqual({ km: [null], samples: [], daily: [] });
});

test('points must cover nine tenths of the active time', () => {
  // The workout was active for an hour and half a minute.
  expect(read(unmeasured, ...everyMinute(0, 55, '50000')).km).toEqual([2.75]);
  expect(read(unmeasured, ...everyMinute(0, 54, '50000')).km).toEqual([null]);
});

test('an active time longer than the workout requires points for the workout only', () => {
  const long = { ...unmeasured, exercise: { ...unmeasured.exercise, activeDuration: '7200s' } };
  expect(read(long, ...everyMinute(0, 70, '50000')).km).toEqual([3.5]);
});

test('points may arrive in any order, and points before and after the workout do not affect it', () => {
  const points = [
    moved(-15, -5, '9000'),
    moved(-10, 10, '1000000'),
    ...everyMinute(5, 70, '50000'),
    moved(75, 80, '9'),
  ];
  expect(read(unmeasured, ...points.toReversed()).km).toEqual([3.5]);
});

test('a distance of zero counts as missing', () => {
  const zero = { ...walk.exercise, metricsSummary: { ...summary, distanceMillimeters: '0' } };
  expect(read({ ...walk, exercise: zero }, ...everyMinute(0, 70, '50000')).km).toEqual([3.5]);
});

test('pauses need not be covered', () => {
  expect(read(unmeasured, ...everyMinute(0, 30, '50000'), ...everyMinute(40, 70, '50000')).km).toEqual([3]);
});

test("the workout's own distance takes precedence over the points", () => {
  expect(read(walk, ...everyMinute(0, 70, '50000')).km).toEqual([3.2485]);
});

test('a workout without movement has no distance', () => {
  expect(read(unmeasured, ...everyMinute(0, 70, '0'))).toEqual({ km: [null], samples: [], daily: [] });
});

test('points are requested only for workouts without a distance', () => {
  const sameDay = { ...walk, dataPointName: 'users/1/dataTypes/exercise/dataPoints/78' };
  const { requests, result } = runRequestFlow(googleHealthFetch.fetchWindow(marchFetchRequest()), ({ url }) =>
    makeResponse(url.endsWith('/exercise/dataPoints:reconcile') ? { dataPoints: [unmeasured, sameDay] } : {}),
  );
  expect(requests.filter(({ url }) => url.endsWith('/distance/dataPoints:reconcile'))).toEqual([
    {
      method: 'GET',
      url: 'https://health.googleapis.com/v4/users/me/dataTypes/distance/dataPoints:reconcile',
      query: {
        filter:
          'distance.interval.start_time >= "2026-03-05T08:45:00.000Z" AND distance.interval.start_time < "2026-03-05T10:10:00.000Z"',
        pageSize: '10000',
      },
    },
  ]);
  expect(result.filter(({ resource }) => resource === 'exercise-distance')).toEqual([
    { resource: 'exercise-distance', parameter: '77', text: '{}' },
  ]);
});

test('when the user has not allowed distances, they are not requested for the next workout', () => {
  const other = { ...unmeasured, dataPointName: 'users/1/dataTypes/exercise/dataPoints/78' };
  const denied = { code: 403, status: 'PERMISSION_DENIED', details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }] };
  const { requests } = runRequestFlow(googleHealthFetch.fetchWindow(marchFetchRequest()), ({ url }) => {
    if (url.endsWith('/distance/dataPoints:reconcile')) return makeResponse({ error: denied }, 403);
    return makeResponse(url.endsWith('/exercise/dataPoints:reconcile') ? { dataPoints: [unmeasured, other] } : {});
  });
  expect(requests.filter(({ url }) => url.endsWith('/distance/dataPoints:reconcile'))).toHaveLength(1);
});

test('a workout whose heart rate was not requested leaves the stored heart rate', () => {
  const outlines = (...pages: Parameters<typeof readInMarch>[1]) =>
    readInMarch('google_health', pages, { timeZone: 'Asia/Tokyo' }).records.workouts.map(({ outline }) => outline);
  expect(outlines(page('exercise', [walk]))).toEqual([true]);
  expect(outlines(page('exercise', [walk]), page('exercise-heart-rate', [], '77'))).toEqual([undefined]);
});
