import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProviderPage } from '../../../../shared/providers/kit/provider-pages.ts';
import { nightSummaries, normalizePages } from '../../../harness/request-flow.ts';
import { documented, live, metrics, midnight, sleepObject } from './days.ts';

const requestedDays = { from: '2026-03-05', to: '2026-03-05' };
const page = (parameter: string, text: string): ProviderPage => ({ resource: 'metrics', text, parameter });
const before = page('2026-03-04', live([]));
const after = page('2026-03-06', live([]));
const readIn = (timeZone: string | null, ...pages: ProviderPage[]) =>
  normalizePages('ultrahuman', pages, { requested: requestedDays, timeZone });
const read = (...pages: ProviderPage[]) => readIn('Europe/Berlin', ...pages);
const only = (object: object, type = 'Sleep') => read(before, page('2026-03-05', live([{ type, object }])), after);
const day = { day_start_timestamp: midnight };

const inBerlin = (text: string): number => Date.parse(`${text}+01:00`);

describe('a day', () => {
  const shapes: [string, ProviderPage[]][] = [
    ['as observed', [before, page('2026-03-05', live(metrics)), after]],
    ['as documented', [before, page('2026-03-05', documented({ '2026-03-05': metrics })), after]],
  ];

  test.each(shapes)('%s has the values that Ultrahuman states', (_name, pages) => {
    const { records, rejected } = read(...pages);
    expect(rejected.count).toBe(0);
    expect(Object.fromEntries(records.daily.map(({ metric, value }) => [metric, value]))).toEqual({
      steps: 8452,
      exercise: 38,
      blood_oxygen: 97.5,
      vo2_max: 44,
    });
    expect(nightSummaries(records)).toEqual([
      {
        resting_heart_rate: 50,
        sleep_heart_rate: 52,
        sleep_heart_rate_variability: 48.5,
        sleep_efficiency: 91,
        sleep_blood_oxygen: 97,
        sleep_skin_temperature: 36.4,
      },
    ]);
    expect(new Set(records.daily.map(({ date }) => date))).toEqual(new Set(['2026-03-05']));
  });

  test.each(shapes)('%s has its readings at their times, without gaps and zeros', (_name, pages) => {
    const { records } = read(...pages);
    expect(
      records.samples.map(({ metric, startMs, value, offsetMinutes }) => [metric, startMs, value, offsetMinutes]),
    ).toEqual([
      ['heart_rate', inBerlin('2026-03-05T00:00:15'), 58, 60],
      ['heart_rate', inBerlin('2026-03-05T16:00:00'), 121, 60],
      ['heart_rate_variability_rmssd', inBerlin('2026-03-05T01:20:00'), 47, 60],
      ['skin_temperature', inBerlin('2026-03-05T01:20:00'), 34.1, 60],
      ['blood_glucose', inBerlin('2026-03-05T09:40:00'), 96, 60],
      ['steps', inBerlin('2026-03-05T08:00:00'), 120, 60],
      ['min_heart_rate', inBerlin('2026-03-05T00:00:15'), 58, 60],
      ['max_heart_rate', inBerlin('2026-03-05T00:00:15'), 58, 60],
      ['min_heart_rate', inBerlin('2026-03-05T16:00:00'), 121, 60],
      ['max_heart_rate', inBerlin('2026-03-05T16:00:00'), 121, 60],
    ]);
  });

  test('without a sleep session has its night values as daily values, and the resting heart rate may be that of the night', () => {
    const night = ['sleep_rhr', 'avg_sleep_hrv', 'average_body_temperature'];
    const list = metrics.filter(({ type }) => night.includes(type));
    expect(read(before, page('2026-03-05', live(list))).records.daily).toEqual([
      { metric: 'resting_heart_rate', date: '2026-03-05', value: 50 },
      { metric: 'sleep_heart_rate_variability', date: '2026-03-05', value: 48.5 },
      { metric: 'sleep_skin_temperature', date: '2026-03-05', value: 36.4 },
    ]);
    expect(only({ ...day, values: [], avg: 51 }, 'NIGHT_RHR').records.daily).toEqual([
      { metric: 'resting_heart_rate', date: '2026-03-05', value: 51 },
    ]);
  });

  test('with the ring on its charger has no records, and is covered', () => {
    for (const text of [live([]), documented({ '2026-03-05': [] }), documented({})]) {
      const { records } = read(before, page('2026-03-05', text), after);
      expect(records).toMatchObject({ samples: [], daily: [], sleep: [], workouts: [] });
      expect(records.covered).toEqual([
        {
          ...requestedDays,
          sleep: true,
          daily: [
            ...['steps', 'exercise', 'blood_oxygen', 'vo2_max'],
            ...['resting_heart_rate', 'sleep_heart_rate_variability', 'sleep_skin_temperature'],
          ],
          samples: [
            ...['heart_rate', 'heart_rate_variability_rmssd', 'skin_temperature', 'blood_glucose', 'steps'],
            ...['min_heart_rate', 'max_heart_rate'],
          ],
        },
      ]);
    }
  });

  test('that was not answered, or whose adjacent days were not, is not covered', () => {
    const own = page('2026-03-05', live(metrics));
    expect(read(before, after).records.covered).toBeUndefined();
    expect(read(own, after).records.covered).toBeUndefined();
    expect(read(before, own).records.covered).toBeUndefined();
    expect(read(before, page('2026-03-05', JSON.stringify({ data: {} })), after).records.covered).toBeUndefined();
    // When the 5th begins in Auckland, a ring elsewhere may still show the 3rd.
    expect(readIn('Pacific/Auckland', before, own, after).records.covered).toBeUndefined();
    const third = page('2026-03-03', live([]));
    expect(readIn('Pacific/Auckland', third, before, own, after).records.covered).toHaveLength(1);
  });

  test('is covered before the next day has begun', () => {
    const today = {
      requested: requestedDays,
      timeZone: 'Europe/Berlin',
      receivedMs: Date.parse('2026-03-05T09:59:00Z'),
    };
    const pages = [before, page('2026-03-05', live([]))];
    expect(normalizePages('ultrahuman', pages, today).records.covered).toHaveLength(1);
  });

  test('with an invalid metric among valid ones loses that metric only', () => {
    const list = [
      null,
      { type: 'vo2_max', object: { value: 'high' } },
      ...metrics.filter(({ type }) => type === 'spo2'),
    ];
    const { records, rejected } = read(before, page('2026-03-05', live(list)));
    expect(records.daily).toEqual([{ metric: 'blood_oxygen', date: '2026-03-05', value: 97.5 }]);
    expect(rejected.first.map(({ path }) => path)).toEqual(['metrics.2026-03-05.0', 'metrics.2026-03-05.vo2_max']);
  });

  test('with an invalid reading among valid ones loses that reading only', () => {
    const values = [
      { value: 60, timestamp: 'noon' },
      { value: 61, timestamp: midnight + 60 },
    ];
    const { records, rejected } = only({ ...day, values }, 'hr');
    expect(records.samples.map(({ metric }) => metric)).toEqual(['heart_rate', 'min_heart_rate', 'max_heart_rate']);
    expect(rejected.first.map(({ path }) => path)).toEqual(['metrics.2026-03-05.hr.0.timestamp']);
  });

  test('gives the same records in any order of its metrics and days', () => {
    const pages = [before, page('2026-03-05', live(metrics)), page('2026-03-06', live([]))];
    const complete = read(...pages).records;
    fc.assert(
      fc.property(
        fc.shuffledSubarray(metrics, { minLength: metrics.length }),
        fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
        (list, order) => {
          const livePages = [before, page('2026-03-05', live(list)), page('2026-03-06', live([]))];
          expect(read(...order.flatMap((at) => livePages[at] ?? [])).records).toEqual(complete);
        },
      ),
    );
  });
});

describe('a night', () => {
  test('is in minutes, converted from seconds', () => {
    const { records } = only({ ...day, ...sleepObject });
    expect(records.sleep).toEqual([
      {
        startMs: inBerlin('2026-03-04T23:30:00'),
        endMs: inBerlin('2026-03-05T06:50:00'),
        offsetMinutes: 60,
        asleepMinutes: 408,
        deepMinutes: 78,
        lightMinutes: 240,
        remMinutes: 90,
        awakeMinutes: 32,
        inBedMinutes: 440,
        summary: {
          sleep_heart_rate: { value: 52 },
          sleep_efficiency: { value: 91 },
          sleep_blood_oxygen: { value: 97 },
          resting_heart_rate: null,
          sleep_heart_rate_variability: { value: 48 },
          sleep_skin_temperature: null,
        },
      },
    ]);
    expect(records.daily).toEqual([]);
  });

  test('in the newer format is in minutes as sent', () => {
    const { records } = only({
      ...day,
      bedtime_start: 1772663400,
      bedtime_end: 1772689800,
      sleep_score: { score: 79 },
      total_sleep: { minutes: 408 },
      time_in_bed: { minutes: 440 },
      deep_sleep: { minutes: 78 },
      light_sleep: { minutes: 240 },
      rem_sleep: null,
      sleep_efficiency: { percentage: 91 },
      average_body_temperature: { celsius: 36.4 },
      temperature_deviation: { celsius: -0.5 },
    });
    expect(records.sleep).toMatchObject([
      {
        asleepMinutes: 408,
        deepMinutes: 78,
        lightMinutes: 240,
        remMinutes: null,
        awakeMinutes: null,
        inBedMinutes: 440,
      },
    ]);
    expect(nightSummaries(records)).toMatchObject([{ sleep_efficiency: 91, sleep_skin_temperature: 36.4 }]);
  });

  test('ends when the user woke up, not when they got up', () => {
    const graph = [
      { start: 1772663400, end: 1772688600, type: 'light_sleep' },
      { start: 1772688600, end: 1772689800, type: 'awake' },
    ];
    const { records } = only({ ...day, ...sleepObject, sleep_graph: { data: graph } });
    expect(records.sleep).toMatchObject([
      { endMs: inBerlin('2026-03-05T06:30:00'), asleepMinutes: 408, awakeMinutes: 12, inBedMinutes: 420 },
    ]);
  });

  test('that is listed on the day it begins counts on the day it ends', () => {
    const early = page(
      '2026-03-04',
      live([{ type: 'sleep', object: { day_start_timestamp: midnight - 86400, ...sleepObject } }]),
    );
    const { records } = read(early, page('2026-03-05', live([])));
    expect(records.sleep).toHaveLength(1);
    expect(
      normalizePages('ultrahuman', [early], { requested: { from: '2026-03-04', to: '2026-03-04' } }).records.sleep,
    ).toEqual([]);
  });

  test('that is listed on two days is one night, with the values of the later day', () => {
    const livePages = (date: string, more: object) =>
      page(date, live([{ type: 'sleep', object: { ...sleepObject, ...more } }]));
    const { records } = read(
      livePages('2026-03-04', {}),
      livePages('2026-03-05', { bedtime_start: 1772663700, spo2: { value: 95 } }),
    );
    expect(records.sleep).toMatchObject([{ startMs: 1772663700_000, summary: { sleep_blood_oxygen: { value: 95 } } }]);
  });

  test.each([
    ['America/New_York', '2026-03-04', '2026-03-05'],
    ['Pacific/Auckland', '2026-03-05', '2026-03-04'],
  ])('of a traveler counts in %s on %s, not on %s, with the values of its day', (timeZone, own, other) => {
    // The night ends at 06:50 in Auckland, which is 17:50 of the day before in UTC.
    const night = { ...sleepObject, bedtime_start: 1772620200, bedtime_end: 1772646600 };
    const list = [
      { type: 'sleep', object: { day_start_timestamp: 1772622000, ...night } },
      { type: 'sleep_rhr', object: { value: 50 } },
    ];
    const on = (date: string) =>
      normalizePages('ultrahuman', [page('2026-03-05', live(list))], { requested: { from: date, to: date }, timeZone })
        .records;
    expect(on(own)).toMatchObject({ sleep: [{ offsetMinutes: 780, summary: { resting_heart_rate: { value: 50 } } }] });
    expect(on(other).sleep).toEqual([]);
    expect([...on(own).daily, ...on(other).daily]).toEqual([]);
  });

  test('of another day is left for that day', () => {
    const later = { ...sleepObject, bedtime_start: 1772749800, bedtime_end: 1772776200 };
    expect(only({ ...day, ...later }).records.sleep).toEqual([]);
  });

  test('without bedtimes is skipped', () => {
    const { records, rejected } = only({ ...day, bedtime_start: null, bedtime_end: null, quick_metrics: [] });
    expect([records.sleep, rejected.count]).toEqual([[], 0]);
  });
});

describe('the local offset', () => {
  const at = (timestamp: number) => ({ values: [{ value: 60, timestamp }] });
  // Clocks went back on 25 October 2026, so that day had 25 hours.
  const first = Date.parse('2026-10-24T22:00:00Z') / 1000;
  const second = Date.parse('2026-10-25T23:00:00Z') / 1000;
  const lateEvening = Date.parse('2026-10-25T22:30:00Z') / 1000;
  const autumn = (from: string, timeZone: string | null, ...pages: ProviderPage[]) =>
    normalizePages('ultrahuman', pages, {
      requested: { from, to: from },
      timeZone,
      receivedMs: Date.parse('2026-10-27T00:00:00Z'),
    })
      .records.samples.filter(({ metric }) => metric === 'heart_rate')
      .map(({ startMs, offsetMinutes }) => [startMs / 1000, offsetMinutes]);
  const longDay = page(
    '2026-10-25',
    live([{ type: 'hr', object: { day_start_timestamp: first, ...at(lateEvening) } }]),
  );
  const next = page('2026-10-26', live([{ type: 'hr', object: { day_start_timestamp: second, values: [] } }]));

  test('follows the midnights around a day on which clocks change', () => {
    expect(autumn('2026-10-25', null, longDay, next)).toEqual([[lateEvening, 60]]);
    expect(autumn('2026-10-26', null, longDay, next)).toEqual([]);
    expect(autumn('2026-10-26', 'Asia/Tokyo', longDay, next)).toEqual([[lateEvening, 60]]);
  });

  test('follows the profile zone when that zone has the midnight, and ignores it otherwise', () => {
    expect(autumn('2026-10-25', 'Europe/Berlin', longDay)).toEqual([[lateEvening, 60]]);
    expect(autumn('2026-10-25', 'America/New_York', longDay, next)).toEqual([[lateEvening, 60]]);
  });

  test('is unknown when nothing states it', () => {
    const { records } = normalizePages(
      'ultrahuman',
      [page('2026-03-05', live([{ type: 'hr', object: at(1772722800) }]))],
      { requested: requestedDays, timeZone: 'Europe/Berlin' },
    );
    expect(new Set(records.samples.map(({ offsetMinutes }) => offsetMinutes))).toEqual(new Set([null]));
  });
});
