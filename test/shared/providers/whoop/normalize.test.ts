import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { VendorPage } from '../../../../shared/providers/pages.ts';
import { normalizedPages } from '../../../harness/vendor-talk.ts';
import { cycle, listOf, nap, recovery, sleep, workout } from './records.ts';

const asked = { from: '2026-03-05', to: '2026-03-05' };
const page = (resource: string, ...records: unknown[]): VendorPage => ({ resource, text: listOf(...records) });
const read = (...pages: VendorPage[]) => normalizedPages('whoop', pages, { asked });
const dayOf = (...pages: VendorPage[]) =>
  Object.fromEntries(read(...pages).records.daily.map(({ metric, date, value }) => [`${date} ${metric}`, value]));

describe('a sleep', () => {
  test('is told in minutes, and counts where its end was', () => {
    const { records, rejected } = read(page('sleep', sleep));
    expect(rejected.count).toBe(0);
    expect(records.sleep).toEqual([
      {
        sourceId: 'ecfc6a15-4661-442f-a9a4-f160dd7afae8',
        startMs: Date.parse('2026-03-04T22:21:26.410Z'),
        endMs: Date.parse('2026-03-05T06:21:26.410Z'),
        offsetMinutes: 60,
        asleepMinutes: 450,
        deepMinutes: 105,
        lightMinutes: 240,
        remMinutes: 105,
        awakeMinutes: 30,
        inBedMinutes: 480,
      },
    ]);
    expect(records.daily).toEqual([
      { metric: 'sleep_respiratory_rate', date: '2026-03-05', value: 16.1 },
      { metric: 'sleep_efficiency', date: '2026-03-05', value: 93.75 },
    ]);
  });

  test('that ends after midnight UTC is still of the day before where the clocks are behind', () => {
    const inHawaii = { ...nap, start: '2026-03-06T00:00:00.000Z', end: '2026-03-06T00:30:00.000Z' };
    expect(read(page('sleep', { ...inHawaii, timezone_offset: '-10:00' })).records.sleep).toHaveLength(1);
    expect(read(page('sleep', { ...inHawaii, timezone_offset: 'Z' })).records.sleep).toEqual([]);
  });

  test('without an offset that can be read goes by the zone of the person', () => {
    const late = { ...nap, start: '2026-03-05T23:00:00.000Z', end: '2026-03-05T23:30:00.000Z', timezone_offset: '?' };
    const berlin = { asked, timeZone: 'Europe/Berlin' };
    expect(normalizedPages('whoop', [page('sleep', late)], berlin).records.sleep).toEqual([]);
    expect(read(page('sleep', late)).records.sleep).toMatchObject([{ offsetMinutes: null }]);
  });

  test.each(['PENDING_SCORE', 'UNSCORABLE', 'SOMETHING_NEW'])('that is %s keeps its times only', (score_state) => {
    for (const score of [null, undefined]) {
      const { records, rejected } = read(page('sleep', { ...sleep, score_state, score }));
      expect(rejected.count).toBe(0);
      expect(records.daily).toEqual([]);
      expect(records.sleep).toMatchObject([{ asleepMinutes: null, deepMinutes: null, inBedMinutes: null }]);
    }
  });

  test('of the afternoon is a session of its own, and says nothing of the night', () => {
    for (const sleeps of [
      [nap, sleep],
      [sleep, nap],
    ]) {
      const pages = [page('sleep', ...sleeps)];
      expect(read(...pages).records.sleep).toHaveLength(2);
      expect(dayOf(...pages)).toEqual({
        '2026-03-05 sleep_respiratory_rate': 16.1,
        '2026-03-05 sleep_efficiency': 93.75,
      });
    }
    expect(read(page('sleep', nap)).records.daily).toEqual([]);
  });

  test('whose start was moved is told once, as it was changed last', () => {
    const edited = { ...sleep, start: '2026-03-04T21:51:26.410Z', updated_at: '2026-03-05T09:00:00.000Z' };
    for (const copies of [
      [edited, sleep],
      [sleep, edited],
    ])
      expect(read(page('sleep', ...copies)).records.sleep.map(({ startMs }) => startMs)).toEqual([
        Date.parse('2026-03-04T21:51:26.410Z'),
      ]);
  });
});

describe('a recovery', () => {
  test('counts on the day of its sleep, with temperature and oxygen as they were measured', () => {
    expect(dayOf(page('sleep', { ...sleep, score: null }), page('recovery', recovery))).toEqual({
      '2026-03-05 resting_heart_rate': 60,
      '2026-03-05 heart_rate_variability_rmssd': 52.4171,
      '2026-03-05 sleep_heart_rate_variability': 52.4171,
      '2026-03-05 sleep_blood_oxygen': 94,
      '2026-03-05 sleep_skin_temperature': 35.2,
    });
  });

  test('of an old strap has less, and one without its sleep has no day', () => {
    const score = { resting_heart_rate: 60, hrv_rmssd_milli: null };
    expect(dayOf(page('sleep', { ...sleep, score: null }), page('recovery', { ...recovery, score }))).toEqual({
      '2026-03-05 resting_heart_rate': 60,
    });
    expect(dayOf(page('sleep'), page('recovery', recovery))).toEqual({});
  });

  test('of two nights on one day is that of the longer', () => {
    const second = {
      ...sleep,
      id: 'second',
      cycle_id: 2,
      start: '2026-03-05T08:00:00.000Z',
      end: '2026-03-05T10:00:00.000Z',
      score: null,
    };
    const of = { ...recovery, sleep_id: 'second', score: { resting_heart_rate: 71 } };
    expect(dayOf(page('sleep', second, { ...sleep, score: null }), page('recovery', of, recovery))).toMatchObject({
      '2026-03-05 resting_heart_rate': 60,
    });
  });
});

describe('a cycle', () => {
  test('is the whole burn of the day its sleep ends on, in kcal', () => {
    const { records } = read(page('sleep', { ...sleep, score: null }), page('cycle', cycle));
    expect(records.daily).toEqual([
      // 9120.4 kJ / 4.184
      {
        metric: 'total_calories',
        date: '2026-03-05',
        value: 2179.82791586998,
        original: { value: 9120.4, unit: 'kJ' },
      },
      { metric: 'max_heart_rate', date: '2026-03-05', value: 151 },
    ]);
  });

  test('that is open belongs to today, though it began yesterday, and without a sleep half a day later', () => {
    for (const end of [null, undefined])
      expect(dayOf(page('sleep'), page('cycle', { ...cycle, end }))).toMatchObject({
        '2026-03-05 max_heart_rate': 151,
      });
  });

  test('is not moved by a nap after midnight', () => {
    const late = { ...nap, start: '2026-03-05T23:00:00.000Z', end: '2026-03-05T23:30:00.000Z' };
    expect(dayOf(page('sleep', late), page('cycle', cycle))).toMatchObject({ '2026-03-05 max_heart_rate': 151 });
  });

  test('that is not scored yet says nothing', () => {
    expect(dayOf(page('sleep'), page('cycle', { ...cycle, score_state: 'PENDING_SCORE', score: null }))).toEqual({});
  });

  test('beside another of the same day is added to it', () => {
    const second = {
      ...cycle,
      id: 2,
      start: '2026-03-05T08:00:00.000Z',
      score: { kilojoule: 418.4, max_heart_rate: 99 },
    };
    expect(
      dayOf(page('sleep', { ...sleep, score: null }), page('cycle', second, { ...cycle, score: { kilojoule: 8368 } })),
    ).toEqual({
      '2026-03-05 total_calories': 2100,
      '2026-03-05 max_heart_rate': 99,
    });
  });
});

describe('a workout', () => {
  test('has kcal, km and metres, and adds minutes and distance to its day', () => {
    const { records } = read(page('workout', workout));
    expect(records.workouts).toEqual([
      {
        sourceId: '4d0c1f5e-76d8-4c3d-9a51-0f1d6c5e7a10',
        type: 'running',
        sourceType: 'running',
        name: null,
        startMs: Date.parse('2026-03-05T16:00:00Z'),
        endMs: Date.parse('2026-03-05T16:40:00Z'),
        offsetMinutes: 60,
        // 1620.5 kJ / 4.184
        calories: 387.30879541109,
        distanceKm: 5.2107,
        avgHeartRate: 123,
        maxHeartRate: 146,
        elevationMeters: 38.2,
        steps: null,
        strain: 8.2,
        heartRate: null,
      },
    ]);
    expect(records.samples.map(({ metric, value, endMs }) => [metric, value, endMs])).toEqual([
      ['running', 5.2107, Date.parse('2026-03-05T16:40:00Z')],
      ['exercise', 40, Date.parse('2026-03-05T16:40:00Z')],
    ]);
  });

  test.each([
    ...['sauna', 'Ice Bath', 'massage therapy', 'percussive massage'],
    // Words that its table does not have.
    ...['Steam Shower', 'Polar Plunge', 'whole-body cryotherapy', 'foot massage'],
  ])('is none in a %s', (sport_name) => {
    expect(read(page('workout', { ...workout, sport_name })).records).toMatchObject({ workouts: [], samples: [] });
  });

  test('without a name is called by its number', () => {
    const { records } = read(page('workout', { ...workout, sport_name: null, sport_id: 0 }));
    expect(records.workouts).toMatchObject([{ type: 'running', sourceType: '0' }]);
  });

  test.each(['meditation', 'breathwork'])('is mindfulness when it is %s', (sport_name) => {
    const { records } = read(page('workout', { ...workout, sport_name }));
    expect(records.workouts).toEqual([]);
    expect(records.samples).toMatchObject([{ metric: 'mindfulness', value: 40 }]);
  });

  test.each([
    ['hiking/rucking', 'hiking', 'walking'],
    ['spin', 'indoor_cycling', 'indoor_cycling'],
    ['swimming', 'swimming', 'swimming'],
  ])('of %s is called %s and its distance counts as %s', (sport_name, type, metric) => {
    const { records } = read(page('workout', { ...workout, sport_name }));
    expect(records.workouts).toMatchObject([{ type, sourceType: sport_name }]);
    expect(records.samples[0]).toMatchObject({ metric });
  });

  test('without a score, or of no name, keeps its times and its minutes', () => {
    const { records } = read(page('workout', { ...workout, sport_name: null, score: null }));
    expect(records.workouts).toMatchObject([{ type: 'other', calories: null, distanceKm: null, avgHeartRate: null }]);
    expect(records.samples).toMatchObject([{ metric: 'exercise', value: 40 }]);
  });
});

describe('what was answered', () => {
  test('in full is claimed; without the sleeps nobody knows on which days the rest is', () => {
    expect(read(page('sleep'), page('recovery'), page('cycle'), page('workout')).records.covered).toEqual([
      { ...asked, sleep: true, daily: ['sleep_respiratory_rate', 'sleep_efficiency'] },
      {
        ...asked,
        daily: [
          'resting_heart_rate',
          'heart_rate_variability_rmssd',
          'sleep_heart_rate_variability',
          'sleep_blood_oxygen',
          'sleep_skin_temperature',
        ],
      },
      { ...asked, daily: ['total_calories', 'max_heart_rate'] },
      expect.objectContaining({ ...asked, workouts: true }),
    ]);
    expect(read(page('recovery'), page('cycle')).records.covered).toBeUndefined();
  });

  test('with a bad record among good ones costs that record only', () => {
    const { records, rejected } = read(page('sleep', { ...sleep, end: 'later' }, null, nap));
    expect(records.sleep).toHaveLength(1);
    expect(rejected.first.map(({ path }) => path)).toEqual(['sleep.0.end', 'sleep.1']);
  });

  test('comes to the same however it is cut into pages, and in any order', () => {
    const sleeps = [
      sleep,
      nap,
      { ...sleep, id: 'x', start: '2026-03-05T09:00:00.000Z', end: '2026-03-05T10:00:00.000Z', score: null },
    ];
    const sorted = ({ sleep: nights, daily }: ReturnType<typeof read>['records']) => ({
      nights: nights.toSorted((a, b) => a.startMs - b.startMs),
      daily,
    });
    const whole = sorted(read(page('sleep', ...sleeps), page('recovery', recovery), page('cycle', cycle)).records);
    fc.assert(
      fc.property(fc.shuffledSubarray(sleeps, { minLength: 3 }), fc.nat(3), (order, cut) => {
        const parts = [page('sleep', ...order.slice(cut)), page('sleep', ...order.slice(0, cut))];
        const { records } = read(page('cycle', cycle), page('recovery', recovery), ...parts);
        expect(sorted(records)).toEqual(whole);
      }),
    );
  });
});
