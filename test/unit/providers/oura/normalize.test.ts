import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProviderPage } from '../../../../shared/providers/kit/provider-pages.ts';
import { nightSummaries, normalizePages } from '../../../harness/request-flow.ts';
import { activity, listOf, longSleep, nap } from './documents.ts';

const requestedDays = { from: '2026-03-05', to: '2026-03-06' };
const page = (resource: string, ...data: unknown[]): ProviderPage => ({ resource, text: listOf(data) });
const read = (...pages: ProviderPage[]) =>
  normalizePages('oura', pages, { requested: requestedDays, timeZone: 'Europe/Berlin' });

describe('a night', () => {
  test('is in minutes, with the measurements during sleep', () => {
    const { records, rejected } = read(page('sleep', longSleep));
    expect(rejected.count).toBe(0);
    expect(records.sleep).toEqual([
      {
        sourceId: '8f9a5221-639e-4a85-81cb-4065ef23f979',
        startMs: Date.parse('2026-03-04T22:41:10Z'),
        endMs: Date.parse('2026-03-05T06:22:40Z'),
        offsetMinutes: 60,
        asleepMinutes: 405,
        deepMinutes: 73,
        lightMinutes: 235,
        remMinutes: 97,
        awakeMinutes: 56.5,
        inBedMinutes: 461.5,
        summary: {
          sleep_latency: { value: 9, original: { value: 540, unit: 's' } },
          sleep_heart_rate: { value: 56.25 },
          sleep_heart_rate_variability: { value: 52 },
          sleep_respiratory_rate: { value: 14.5 },
          resting_heart_rate: { value: 49 },
        },
        stages: [
          { stage: 'awake', startMs: Date.parse('2026-03-04T22:41:10Z'), endMs: Date.parse('2026-03-04T22:42:10Z') },
          { stage: 'light', startMs: Date.parse('2026-03-04T22:42:10Z'), endMs: Date.parse('2026-03-04T22:44:10Z') },
          { stage: 'deep', startMs: Date.parse('2026-03-04T22:44:10Z'), endMs: Date.parse('2026-03-04T22:45:10Z') },
        ],
      },
    ]);
    expect(records.daily).toEqual([]);
    expect(records.covered).toEqual([{ ...requestedDays, sleep: true, samples: ['heart_rate_variability_rmssd'] }]);
  });

  const ending = (bedtime_start: string, bedtime_end: string, day: string) => ({
    ...longSleep,
    ...{ bedtime_start, bedtime_end, day, hrv: null },
  });

  test.each([
    // The last second of the 4th, the first of the 5th, the last of the 6th, and the first of the
    // 7th.
    ['2026-03-04T22:59:59Z', 0],
    ['2026-03-04T23:00:00Z', 1],
    ['2026-03-06T22:59:59Z', 1],
    ['2026-03-06T23:00:00Z', 0],
  ])("that ends at %s is read %i times, by the day of its end in the user's zone", (end, times) => {
    const start = new Date(Date.parse(end) - 8 * 3_600_000).toISOString();
    for (const day of ['2026-03-03', '2026-03-05', '2026-03-08'])
      expect(read(page('sleep', ending(start, end, day))).records.sleep).toHaveLength(times);
  });

  test('of a traveler keeps its offset, and is on the day of its end in the profile zone', () => {
    // The morning of the 6th in Auckland is the afternoon of the 5th in New York.
    const night = ending('2026-03-05T23:00:00+13:00', '2026-03-06T07:00:00+13:00', '2026-03-06');
    const on = (day: string) =>
      normalizePages('oura', [page('sleep', night)], {
        requested: { from: day, to: day },
        timeZone: 'America/New_York',
      }).records;
    expect(on('2026-03-05').sleep).toMatchObject([{ endMs: Date.parse('2026-03-05T18:00:00Z'), offsetMinutes: 780 }]);
    expect(nightSummaries(on('2026-03-05'))).toMatchObject([{ sleep_heart_rate: 56.25, resting_heart_rate: 49 }]);
    expect(on('2026-03-06').sleep).toEqual([]);
  });

  test('after 18:00, which Oura files under the next day, is on the day it ends', () => {
    const [bedtime_start, bedtime_end] = ['2026-03-06T18:30:00+01:00', '2026-03-06T19:30:00+01:00'];
    const evening = { ...nap, type: 'late_nap', day: '2026-03-07', bedtime_start, bedtime_end };
    expect(read(page('sleep', evening)).records.sleep).toHaveLength(1);
  });

  test('has its heart rate variability on the local day of each reading, and skips missing readings', () => {
    const { records } = read(
      page('sleep', longSleep, {
        ...longSleep,
        id: 'b',
        day: '2026-03-07',
        bedtime_start: '2026-03-06T23:50:00+01:00',
        bedtime_end: '2026-03-07T06:00:00+01:00',
        hrv: { interval: 300, items: [30, 31, 32], timestamp: '2026-03-06T23:55:00+01:00' },
      }),
    );
    expect(records.sleep.map(({ sourceId }) => sourceId)).toEqual([longSleep.id]);
    expect(records.samples.map(({ startMs, value, offsetMinutes }) => [startMs, value, offsetMinutes])).toEqual([
      // The first reading was at 23:51:10 on the 4th, which was not requested.
      [Date.parse('2026-03-04T23:01:10Z'), 47.5, 60],
      [Date.parse('2026-03-06T22:55:00Z'), 30, 60],
    ]);
  });

  test('and a nap each carry their own measurements', () => {
    expect(nightSummaries(read(page('sleep', longSleep, nap)).records)).toMatchObject([
      { sleep_heart_rate: 56.25, resting_heart_rate: 49 },
      { sleep_heart_rate: 62, resting_heart_rate: null },
    ]);
  });

  test('retracts its values when it becomes a late nap, and its resting heart rate when it becomes short', () => {
    expect(nightSummaries(read(page('sleep', { ...longSleep, type: 'late_nap' })).records)).toEqual([
      {
        sleep_latency: null,
        sleep_heart_rate: null,
        sleep_heart_rate_variability: null,
        sleep_respiratory_rate: null,
        resting_heart_rate: null,
      },
    ]);
    expect(nightSummaries(read(page('sleep', { ...longSleep, type: 'sleep' })).records)).toMatchObject([
      { sleep_heart_rate: 56.25, resting_heart_rate: null },
    ]);
  });

  test('has null for values that were not measured, and a nap alone has no resting heart rate', () => {
    const { records } = read(page('sleep', nap));
    expect(records.sleep[0]).toMatchObject({
      asleepMinutes: 30,
      deepMinutes: null,
      lightMinutes: 30,
      remMinutes: null,
      awakeMinutes: 10,
      inBedMinutes: 40,
    });
    expect(nightSummaries(records)).toEqual([
      {
        sleep_latency: 2,
        sleep_heart_rate: 62,
        sleep_heart_rate_variability: null,
        sleep_respiratory_rate: null,
        resting_heart_rate: null,
      },
    ]);
  });

  test.each(['rest', 'deleted'])('of type %s is skipped, and its day is covered', (type) => {
    const { records } = read(page('sleep', { ...longSleep, type }));
    expect(records).toMatchObject({ samples: [], daily: [], sleep: [] });
    expect(records.covered).toContainEqual(expect.objectContaining({ ...requestedDays, sleep: true }));
  });

  test.each([null, undefined, 'micro_sleep'])('of type %s is read', (type) => {
    expect(read(page('sleep', { ...longSleep, type })).records.sleep).toHaveLength(1);
  });

  test('with an edited start is read once, in its last version', () => {
    const edited = {
      ...longSleep,
      bedtime_start: '2026-03-04T23:11:10+01:00',
      sleep_analysis_reason: 'bedtime_edit',
      meta: { updated_at: '2026-03-05T09:00:00Z', version: 2 },
    };
    const before = { ...longSleep, meta: { updated_at: '2026-03-05T07:30:00Z', version: 1 } };
    for (const copies of [
      [edited, before],
      [before, edited],
    ])
      expect(read(page('sleep', ...copies)).records.sleep.map(({ startMs }) => startMs)).toEqual([
        Date.parse('2026-03-04T22:11:10Z'),
      ]);
  });

  test('over the change to summer time has the offset at its end', () => {
    const { records } = normalizePages(
      'oura',
      [
        page('sleep', {
          ...longSleep,
          day: '2026-03-29',
          bedtime_start: '2026-03-28T22:30:00+01:00',
          bedtime_end: '2026-03-29T07:30:00+02:00',
          hrv: null,
        }),
      ],
      { requested: { from: '2026-03-29', to: '2026-03-29' }, receivedMs: Date.parse('2026-03-30T00:00:00Z') },
    );
    expect(records.sleep[0]).toMatchObject({
      startMs: Date.parse('2026-03-28T21:30:00Z'),
      endMs: Date.parse('2026-03-29T05:30:00Z'),
      offsetMinutes: 120,
    });
  });
});

describe('a day', () => {
  test('of activity is in kcal, km and minutes, and resting energy is the total minus the active energy', () => {
    const { records } = read(page('daily_activity', activity));
    expect(records.daily).toEqual([
      { metric: 'steps', date: '2026-03-05', value: 9120 },
      { metric: 'active_calories', date: '2026-03-05', value: 420 },
      { metric: 'total_calories', date: '2026-03-05', value: 2480 },
      { metric: 'resting_energy', date: '2026-03-05', value: 2060 },
      { metric: 'distance', date: '2026-03-05', value: 8.3, original: { value: 8300, unit: 'm' } },
      { metric: 'exercise', date: '2026-03-05', value: 50, original: { value: 3000, unit: 's' } },
    ]);
  });

  test('leaves out missing values instead of storing zero', () => {
    const { records } = read(
      page('daily_activity', { id: 'a', day: '2026-03-05', steps: 0, active_calories: null, total_calories: 1500 }),
    );
    expect(records.daily).toEqual([
      { metric: 'steps', date: '2026-03-05', value: 0 },
      { metric: 'total_calories', date: '2026-03-05', value: 1500 },
    ]);
  });

  test('on which the ring was not worn has no steps, not zero steps', () => {
    const unworn = { ...activity, steps: 0, active_calories: 0, non_wear_time: 86400 };
    expect(read(page('daily_activity', unworn)).records.daily).toEqual([]);
    expect(read(page('daily_activity', { ...unworn, steps: 12 })).records.daily).not.toEqual([]);
  });

  test('that was not requested is left out', () => {
    const others = ['2026-03-04', '2026-03-07'].map((day) => ({ ...activity, day }));
    expect(read(page('daily_activity', ...others)).records.daily).toEqual([]);
  });

  test('has the blood oxygen of its night and its VO2 max', () => {
    const { records } = read(
      page(
        'daily_spo2',
        { id: 'o', day: '2026-03-05', spo2_percentage: { average: 96.153 }, breathing_disturbance_index: 6 },
        { id: 'p', day: '2026-03-06', spo2_percentage: null },
      ),
      page('vO2_max', { id: 'v', day: '2026-03-06', timestamp: '2026-03-06T00:00:00+00:00', vo2_max: 42 }),
    );
    expect(records.daily).toEqual([
      { metric: 'sleep_blood_oxygen', date: '2026-03-05', value: 96.153 },
      { metric: 'vo2_max', date: '2026-03-06', value: 42 },
    ]);
  });
});

describe('a response', () => {
  test('covers the collections that were read in full, and not the refused ones', () => {
    const { records } = read(page('daily_activity', activity), page('vO2_max'));
    expect(records.covered).toEqual([
      {
        ...requestedDays,
        daily: ['steps', 'active_calories', 'total_calories', 'resting_energy', 'distance', 'exercise'],
      },
      { ...requestedDays, daily: ['vo2_max'] },
    ]);
  });

  test('with an invalid item among valid ones loses that item only, and names its path', () => {
    const { records, rejected } = read(
      page('daily_activity', activity, { ...activity, day: 'yesterday' }, 'nonsense', {
        ...activity,
        day: '2026-03-06',
      }),
    );
    expect(new Set(records.daily.map(({ date }) => date))).toEqual(new Set(['2026-03-05', '2026-03-06']));
    expect(rejected.count).toBe(2);
    expect(rejected.first.map(({ path }) => path)).toEqual(['daily_activity.1.day', 'daily_activity.2']);
  });

  test('of an empty account has no records', () => {
    const { records, rejected } = read(page('sleep'), page('daily_activity'), page('heartrate'), page('workout'));
    expect(records).toMatchObject({ samples: [], daily: [], sleep: [], workouts: [] });
    expect(rejected.count).toBe(0);
  });

  test('gives the same records in any order and any split into pages', () => {
    const sleeps = [longSleep, nap, { ...longSleep, id: 'x', day: '2026-03-06', hrv: null, type: 'late_nap' }];
    const complete = read(page('sleep', ...sleeps)).records;
    fc.assert(
      fc.property(fc.shuffledSubarray(sleeps, { minLength: 3 }), fc.nat(3), (order, cut) => {
        const { records } = read(page('sleep', ...order.slice(0, cut)), page('sleep', ...order.slice(cut)));
        const sorted = (of: typeof records) => ({
          ...of,
          sleep: of.sleep.toSorted(
            (a, b) => a.startMs - b.startMs || String(a.sourceId).localeCompare(String(b.sourceId)),
          ),
          daily: of.daily.toSorted((a, b) => a.metric.localeCompare(b.metric) || a.date.localeCompare(b.date)),
          samples: of.samples.toSorted((a, b) => a.startMs - b.startMs),
        });
        expect(sorted(records)).toEqual(sorted(complete));
      }),
    );
  });
});
