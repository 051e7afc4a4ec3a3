// Oura counts a nap from 15 minutes on. The ring also reports fragments of a few minutes as sleeps.
import { describe, expect, test } from 'vitest';
import type { ProviderPage } from '../../../../shared/providers/kit/provider-pages.ts';
import { nightSummaries, normalizePages } from '../../../harness/request-flow.ts';
import { fragment, listOf, longSleep, nap, run } from './documents.ts';

const requestedDays = { from: '2026-03-05', to: '2026-03-06' };
const page = (resource: string, ...data: unknown[]): ProviderPage => ({ resource, text: listOf(data) });
const read = (...pages: ProviderPage[]) =>
  normalizePages('oura', pages, { requested: requestedDays, timeZone: 'Europe/Berlin' });

describe('an unconfirmed fragment', () => {
  test('is not a session, adds nothing to the night and has no heart rate variability', () => {
    const { records, rejected } = read(page('sleep', fragment));
    expect(records).toMatchObject({ samples: [], daily: [], sleep: [], workouts: [] });
    expect(rejected.count).toBe(0);
  });

  test('is left out of a day whose night and nap count', () => {
    const { records } = read(page('sleep', fragment, longSleep, { ...nap, sleep_score_delta: null }));
    expect(records.sleep.map(({ sourceId }) => sourceId)).toEqual([longSleep.id, nap.id]);
  });

  test.each([
    [30, null, 0],
    [810, null, 0],
    [899, null, 0],
    [900, null, 1],
    [899, 0, 1],
    [30, -2, 1],
    [30, 4, 1],
    [null, null, 0],
    [null, 1, 1],
  ])(
    'of %s s asleep and a score delta of %s gives %s sessions',
    (total_sleep_duration, sleep_score_delta, sessions) => {
      for (const type of ['sleep', 'late_nap', null]) {
        const record = { ...fragment, type, total_sleep_duration, sleep_score_delta };
        expect(read(page('sleep', record)).records.sleep).toHaveLength(sessions);
      }
    },
  );

  test.each(['rest', 'deleted'])('that became %s counts neither by its length nor by its delta', (type) => {
    const record = { ...fragment, type, total_sleep_duration: 3600, sleep_score_delta: 3 };
    expect(read(page('sleep', record)).records.sleep).toEqual([]);
  });

  test('counts when Oura types it as the long sleep, even without a duration', () => {
    const record = { ...fragment, type: 'long_sleep', total_sleep_duration: null };
    expect(read(page('sleep', record)).records.sleep).toHaveLength(1);
  });

  test('is taken from its last version, in any order', () => {
    const counted = { ...fragment, sleep_score_delta: 2, meta: { updated_at: '2026-03-05T15:00:00Z', version: 1 } };
    const revised = { ...fragment, meta: { updated_at: '2026-03-05T16:00:00Z', version: 2 } };
    for (const copies of [
      [counted, revised],
      [revised, counted],
    ])
      expect(read(page('sleep', ...copies)).records.sleep).toEqual([]);
  });

  test('still covers its day, so that an earlier session is retracted', () => {
    expect(read(page('sleep', fragment)).records.covered).toEqual([
      {
        ...requestedDays,
        sleep: true,
        samples: ['heart_rate_variability_rmssd'],
      },
    ]);
  });
});

describe('a heart rate of 255', () => {
  test('of a night counts as not measured, and nothing is rejected', () => {
    const { records, rejected } = read(
      page('sleep', { ...longSleep, average_heart_rate: 255, lowest_heart_rate: 255, hrv: null }),
    );
    expect(nightSummaries(records)).toMatchObject([
      { sleep_latency: 9, sleep_heart_rate: null, resting_heart_rate: null },
    ]);
    expect(rejected.count).toBe(0);
  });

  test('is not read as a value of the day or of a workout', () => {
    const beats = page(
      'heartrate',
      { bpm: 140, source: 'workout', timestamp: '2026-03-05T17:05:00+00:00' },
      { bpm: 255, source: 'workout', timestamp: '2026-03-05T17:10:00+00:00' },
      { bpm: 254, source: 'workout', timestamp: '2026-03-05T17:15:00+00:00' },
    );
    const { records, rejected } = read(beats, page('workout', run));
    expect(records.samples.filter(({ metric }) => metric === 'heart_rate').map(({ value }) => value)).toEqual([
      140, 254,
    ]);
    const extremes = ['min_heart_rate', 'max_heart_rate'].map((wanted) =>
      records.samples.filter(({ metric }) => metric === wanted).map(({ value }) => value),
    );
    expect(extremes).toEqual([
      [140, 254],
      [140, 254],
    ]);
    expect(records.workouts[0]).toMatchObject({ avgHeartRate: 197, maxHeartRate: 254 });
    expect(rejected.count).toBe(0);
  });
});

describe('zeros that mean not measured', () => {
  test('give no distance and no calories of a workout, and no energy of a day', () => {
    const { records } = read(
      page('workout', { ...run, calories: 0, distance: 0 }),
      page('daily_activity', { id: 'a', day: '2026-03-05', steps: 12, active_calories: 0, total_calories: 0 }),
    );
    expect(records.workouts[0]).toMatchObject({ calories: null, distanceKm: null });
    expect(records.daily).toEqual([
      { metric: 'steps', date: '2026-03-05', value: 12 },
      { metric: 'active_calories', date: '2026-03-05', value: 0 },
    ]);
  });
});
