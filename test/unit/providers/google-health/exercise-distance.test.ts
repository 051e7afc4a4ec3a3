// A workout that does not say how far it went takes it from the distances that were measured while
// it lasted.
import { expect, test } from 'vitest';
import { googleHealthFetch } from '../../../../shared/providers/google-health/fetch.ts';
import { makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';
import { askedInMarch, readInMarch } from '../kit/march-requests.ts';
import { page, walk } from './payloads.ts';

const startMs = Date.parse('2026-03-05T09:00:00Z');
const minuteMs = 60_000;
const at = (minute: number): string => new Date(startMs + minute * minuteMs).toISOString();

/** From 18:00 to 19:10 in Tokyo, an hour and half a minute of it on the move. */
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

test('points that cover it add up to its distance, once, and not to that of the day', () => {
  expect(read(unmeasured, ...everyMinute(0, 70, '50000'))).toEqual({
    km: [3.5],
    samples: [['walking', 3.5, startMs, startMs + 70 * minuteMs]],
    daily: [],
  });
});

test('a point that reaches over an end counts by its share of time, and none counts twice', () => {
  const points = [moved(-10, 10, '1000000'), ...everyMinute(5, 60, '50000'), moved(60, 80, '1000000')];
  // Half of the first, 50 of the 55 minutes, half of the last.
  expect(read(unmeasured, ...points, ...points).km).toEqual([3.5]);
});

test('minutes without a number were measured, and nobody moved', () => {
  expect(read(unmeasured, ...everyMinute(0, 35, '50000'), ...everyMinute(35, 70)).km).toEqual([1.75]);
});

test('points that leave a part of it out tell nothing: less than it was would be wrong', () => {
  expect(read(unmeasured, ...everyMinute(0, 40, '50000'))).toEqual({ km: [null], samples: [], daily: [] });
  expect(read(unmeasured)).toEqual({ km: [null], samples: [], daily: [] });
});

test('nine tenths of the time on the move are enough, and less is not', () => {
  // An hour and half a minute was on the move.
  expect(read(unmeasured, ...everyMinute(0, 55, '50000')).km).toEqual([2.75]);
  expect(read(unmeasured, ...everyMinute(0, 54, '50000')).km).toEqual([null]);
});

test('a time on the move that is longer than the workout asks for no more than all of it', () => {
  const long = { ...unmeasured, exercise: { ...unmeasured.exercise, activeDuration: '7200s' } };
  expect(read(long, ...everyMinute(0, 70, '50000')).km).toEqual([3.5]);
});

test('points come in any order, and those before and after it take nothing away', () => {
  const points = [
    moved(-15, -5, '9000'),
    moved(-10, 10, '1000000'),
    ...everyMinute(5, 70, '50000'),
    moved(75, 80, '9'),
  ];
  expect(read(unmeasured, ...points.toReversed()).km).toEqual([3.5]);
});

test('a distance of zero is none of its own', () => {
  const zero = { ...walk.exercise, metricsSummary: { ...summary, distanceMillimeters: '0' } };
  expect(read({ ...walk, exercise: zero }, ...everyMinute(0, 70, '50000')).km).toEqual([3.5]);
});

test('pauses need not be covered', () => {
  expect(read(unmeasured, ...everyMinute(0, 30, '50000'), ...everyMinute(40, 70, '50000')).km).toEqual([3]);
});

test('its own distance counts before that of the points', () => {
  expect(read(walk, ...everyMinute(0, 70, '50000')).km).toEqual([3.2485]);
});

test('a workout that went nowhere has no distance', () => {
  expect(read(unmeasured, ...everyMinute(0, 70, '0'))).toEqual({ km: [null], samples: [], daily: [] });
});

test('points are asked for only where the workout has no distance', () => {
  const sameDay = { ...walk, dataPointName: 'users/1/dataTypes/exercise/dataPoints/78' };
  const { requests, result } = runRequestFlow(googleHealthFetch.fetchWindow(askedInMarch()), ({ url }) =>
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
    { resource: 'exercise-distance', of: '77', text: '{}' },
  ]);
});

test('where the person has not allowed distances, nobody asks again for the next workout', () => {
  const other = { ...unmeasured, dataPointName: 'users/1/dataTypes/exercise/dataPoints/78' };
  const denied = { code: 403, status: 'PERMISSION_DENIED', details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }] };
  const { requests } = runRequestFlow(googleHealthFetch.fetchWindow(askedInMarch()), ({ url }) => {
    if (url.endsWith('/distance/dataPoints:reconcile')) return makeResponse({ error: denied }, 403);
    return makeResponse(url.endsWith('/exercise/dataPoints:reconcile') ? { dataPoints: [unmeasured, other] } : {});
  });
  expect(requests.filter(({ url }) => url.endsWith('/distance/dataPoints:reconcile'))).toHaveLength(1);
});

test('a workout whose beats were not asked for leaves those that are known', () => {
  const outlines = (...pages: Parameters<typeof readInMarch>[1]) =>
    readInMarch('google_health', pages, { timeZone: 'Asia/Tokyo' }).records.workouts.map(({ outline }) => outline);
  expect(outlines(page('exercise', [walk]))).toEqual([true]);
  expect(outlines(page('exercise', [walk]), page('exercise-heart-rate', [], '77'))).toEqual([undefined]);
});
