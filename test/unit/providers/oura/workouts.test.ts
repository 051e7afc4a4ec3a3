import { describe, expect, test } from 'vitest';
import type { ProviderPage } from '../../../../shared/providers/kit/provider-pages.ts';
import { normalizePages } from '../../../harness/request-flow.ts';
import { listOf, run } from './documents.ts';

const requestedDays = { from: '2026-03-05', to: '2026-03-05' };
const page = (resource: string, ...data: unknown[]): ProviderPage => ({ resource, text: listOf(data) });
const read = (timeZone: string | null, ...pages: ProviderPage[]) =>
  normalizePages('oura', pages, { requested: requestedDays, timeZone });

const beats = page(
  'heartrate',
  { bpm: 58, source: 'sleep', timestamp: '2026-03-04T22:59:00+00:00' },
  { bpm: 51, source: 'sleep', timestamp: '2026-03-05T03:00:00+00:00' },
  { bpm: 140, source: 'workout', timestamp: '2026-03-05T17:05:00+00:00', timestamp_unix: 1772730300000 },
  { bpm: 161, source: 'unheard_of', timestamp: '2026-03-05T17:30:00+00:00' },
  { bpm: null, source: 'awake', timestamp: '2026-03-05T19:00:00+00:00' },
  { bpm: 0, source: 'awake', timestamp: '2026-03-05T19:05:00+00:00' },
  { bpm: 66, source: 'awake', timestamp: '2026-03-05T23:00:00+00:00' },
);

describe('a workout', () => {
  test('has kcal, km and the heart rate during its time, and adds its distance to the day of its sport', () => {
    const { records } = read('Europe/Berlin', page('workout', run), beats);
    expect(records.workouts).toEqual([
      {
        sourceId: '1a0c7b3e-5a52-4b52-8f12-6d0a5e5d5f10',
        type: 'running',
        sourceType: 'running',
        name: 'Round the lake',
        startMs: Date.parse('2026-03-05T17:00:00Z'),
        endMs: Date.parse('2026-03-05T17:30:00Z'),
        offsetMinutes: 60,
        calories: 287.868,
        distanceKm: 5.26988,
        avgHeartRate: 150.5,
        maxHeartRate: 161,
        elevationMeters: null,
        steps: null,
        heartRate: [
          { atMs: Date.parse('2026-03-05T17:05:00Z'), bpm: 140 },
          { atMs: Date.parse('2026-03-05T17:30:00Z'), bpm: 161 },
        ],
      },
    ]);
    expect(records.samples.filter(({ metric }) => !metric.endsWith('heart_rate'))).toEqual([
      {
        metric: 'running',
        startMs: Date.parse('2026-03-05T17:00:00Z'),
        endMs: Date.parse('2026-03-05T17:30:00Z'),
        offsetMinutes: 60,
        value: 5.26988,
        original: { value: 5269.88, unit: 'm' },
      },
    ]);
  });

  test('with few fields is still read, and an unknown activity keeps its name', () => {
    const { records } = read(
      null,
      page('workout', {
        id: 'w',
        day: '2026-03-05',
        activity: 'Underwater Hockey',
        start_datetime: '2026-03-05T10:00:00-05:00',
        end_datetime: '2026-03-05T10:45:00-05:00',
        calories: null,
        distance: null,
        label: null,
      }),
    );
    expect(records.workouts).toMatchObject([
      {
        type: 'other',
        sourceType: 'Underwater Hockey',
        name: null,
        calories: null,
        distanceKm: null,
        avgHeartRate: null,
        heartRate: null,
      },
    ]);
    expect(records.samples).toEqual([]);
  });

  const copied = {
    ...run,
    day: '2026-03-05',
    start_datetime: '2026-03-06T04:30:00+00:00',
    end_datetime: '2026-03-06T05:00:00+00:00',
  };

  test("counts by its instants in the user's zone, and keeps the offset that it carries", () => {
    // Copies from other apps are in UTC, wherever they were recorded.
    const { records } = read('America/Los_Angeles', page('workout', copied));
    expect(records.workouts).toMatchObject([{ offsetMinutes: 0, startMs: Date.parse('2026-03-06T04:30:00Z') }]);
    expect(records.samples).toMatchObject([{ metric: 'running', offsetMinutes: 0 }]);
    expect(read('Europe/London', page('workout', copied)).records.workouts).toEqual([]);
  });

  test('counts by its instants, regardless of the day that Oura names', () => {
    const abroad = { ...run, day: '2026-03-01' };
    expect(read('Europe/Berlin', page('workout', abroad)).records.workouts).toMatchObject([{ offsetMinutes: 60 }]);
    // 18:00 in Berlin is 02:00 of the next day in Tokyo.
    expect(read('Asia/Tokyo', page('workout', run)).records.workouts).toEqual([]);
  });

  test('of the day after is left for its own day', () => {
    const tomorrow = {
      ...run,
      day: '2026-03-06',
      start_datetime: '2026-03-06T00:10:00+01:00',
      end_datetime: '2026-03-06T00:40:00+01:00',
    };
    expect(read('Europe/Berlin', page('workout', tomorrow)).records.workouts).toEqual([]);
  });

  test('that ends before it starts is rejected with its path', () => {
    const { records, rejected } = read(null, page('workout', { ...run, end_datetime: '2026-03-05T17:00:00+01:00' }));
    expect(records.workouts).toEqual([]);
    expect(rejected.first).toMatchObject([{ path: 'workout.0', code: 'invalid_time' }]);
  });
});

test("heart rate is read by the user's zone, with the lowest and highest of each quarter of an hour", () => {
  const { records, rejected } = read('Europe/Berlin', beats);
  const sampled = (wanted: string) =>
    records.samples
      .filter(({ metric }) => metric === wanted)
      .map(({ startMs, value, offsetMinutes }) => [startMs, value, offsetMinutes]);
  expect(sampled('heart_rate')).toEqual([
    [Date.parse('2026-03-05T03:00:00Z'), 51, null],
    [Date.parse('2026-03-05T17:05:00Z'), 140, null],
    [Date.parse('2026-03-05T17:30:00Z'), 161, null],
  ]);
  expect(sampled('min_heart_rate')).toEqual(sampled('heart_rate'));
  expect(sampled('max_heart_rate')).toEqual(sampled('heart_rate'));
  expect(records.daily).toEqual([]);
  expect(records.covered).toEqual([{ ...requestedDays, samples: ['heart_rate', 'min_heart_rate', 'max_heart_rate'] }]);
  expect(rejected.first).toMatchObject([{ path: 'heartrate.5.bpm', code: 'implausible_value' }]);
});

test('breathing and meditation count as mindful minutes, other sessions do not', () => {
  const session = (type: string, minute: string) => ({
    id: `${type}-1`,
    day: '2026-03-05',
    start_datetime: `2026-03-05T08:${minute}:00+01:00`,
    end_datetime: `2026-03-05T08:${minute}:30+01:00`,
    type,
    samples: null,
  });
  const { records } = read(
    null,
    page('session', session('breathing', '00'), session('meditation', '10'), session('nap', '20')),
  );
  expect(records.samples.map(({ metric, startMs, value }) => [metric, startMs, value])).toEqual([
    ['mindfulness', Date.parse('2026-03-05T07:00:00Z'), 0.5],
    ['mindfulness', Date.parse('2026-03-05T07:10:00Z'), 0.5],
  ]);
});
