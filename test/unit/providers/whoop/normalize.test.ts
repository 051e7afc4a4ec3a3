import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProviderPage } from '../../../../shared/providers/kit/provider-pages.ts';
import { nightSummaries, normalizePages } from '../../../harness/request-flow.ts';
import { cycle, listOf, nap, recovery, sleep, workout } from './records.ts';

const requestedDays = { from: '2026-03-05', to: '2026-03-05' };
const page = (resource: string, ...records: unknown[]): ProviderPage => ({ resource, text: listOf(...records) });
const read = (...pages: ProviderPage[]) => normalizePages('whoop', pages, { requested: requestedDays });
const summariesIn = (...pages: ProviderPage[]) => nightSummaries(read(...pages).records);
const unscored = { ...sleep, score: null };
const ofSleep = { sleep_respiratory_rate: null, sleep_efficiency: null };

describe('a sleep session', () => {
  test('is in minutes, with its measurements', () => {
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
        summary: { sleep_respiratory_rate: { value: 16.1 }, sleep_efficiency: { value: 93.75 } },
      },
    ]);
    expect(records.daily).toEqual([]);
  });

  test.each([
    ['Pacific/Auckland', '2026-03-05T10:59:59Z', 1],
    ['Pacific/Auckland', '2026-03-05T11:00:00Z', 0],
    ['America/New_York', '2026-03-05T04:59:59Z', 0],
    ['America/New_York', '2026-03-05T05:00:00Z', 1],
    ['America/New_York', '2026-03-06T04:59:59Z', 1],
    [null, '2026-03-06T00:00:00Z', 0],
  ])(
    "counts by the user's zone, regardless of its own offset: in %s one that ends %s is read %i times",
    (timeZone, end, times) => {
      const start = new Date(Date.parse(end) - 8 * 3_600_000).toISOString();
      for (const timezone_offset of ['+13:00', '-10:00', 'Z', '?']) {
        const night = page('sleep', { ...sleep, start, end, timezone_offset });
        expect(normalizePages('whoop', [night], { requested: requestedDays, timeZone }).records.sleep).toHaveLength(
          times,
        );
      }
    },
  );

  test('keeps its offset, and has none if that is unreadable', () => {
    const offsetOf = (timezone_offset: string) =>
      read(page('sleep', { ...sleep, timezone_offset })).records.sleep.map(({ offsetMinutes }) => offsetMinutes);
    expect(['+13:00', 'Z', '?'].map(offsetOf)).toEqual([[780], [0], [null]]);
  });

  test.each(['PENDING_SCORE', 'UNSCORABLE', 'SOMETHING_NEW'])('that is %s has only its times', (score_state) => {
    for (const score of [null, undefined]) {
      const { records, rejected } = read(page('sleep', { ...sleep, score_state, score }));
      expect(rejected.count).toBe(0);
      expect(nightSummaries(records)).toEqual([ofSleep]);
      expect(records.sleep).toMatchObject([{ asleepMinutes: null, deepMinutes: null, inBedMinutes: null }]);
    }
  });

  test('in the afternoon is a separate session, and adds nothing to the night', () => {
    expect(summariesIn(page('sleep', nap, sleep))).toEqual([
      ofSleep,
      { sleep_respiratory_rate: 16.1, sleep_efficiency: 93.75 },
    ]);
  });

  test('whose start moved is read once, in its last version', () => {
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
  const ofRecovery = {
    resting_heart_rate: null,
    heart_rate_variability_rmssd: null,
    sleep_heart_rate_variability: null,
    sleep_blood_oxygen: null,
    sleep_skin_temperature: null,
  };

  test('is part of its sleep session, with temperature and oxygen as measured', () => {
    expect(summariesIn(page('sleep', unscored), page('recovery', recovery))).toEqual([
      {
        ...ofSleep,
        resting_heart_rate: 60,
        heart_rate_variability_rmssd: 52.4171,
        sleep_heart_rate_variability: 52.4171,
        sleep_blood_oxygen: 94,
        sleep_skin_temperature: 35.2,
      },
    ]);
  });

  test('of an old strap has fewer values, and one without its sleep session is skipped', () => {
    const score = { resting_heart_rate: 60, hrv_rmssd_milli: null };
    expect(summariesIn(page('sleep', unscored), page('recovery', { ...recovery, score }))).toEqual([
      { ...ofSleep, ...ofRecovery, resting_heart_rate: 60 },
    ]);
    expect(read(page('sleep'), page('recovery', recovery)).records).toMatchObject({
      sleep: [],
      daily: [],
      samples: [],
    });
  });

  test('that is gone is retracted, and values of a refused or unreadable list stay', () => {
    expect(summariesIn(page('sleep', unscored), page('recovery'))).toEqual([{ ...ofSleep, ...ofRecovery }]);
    expect(summariesIn(page('sleep', unscored))).toEqual([ofSleep]);
    expect(summariesIn(page('sleep', unscored), page('recovery', { sleep_id: 7 }))).toEqual([ofSleep]);
    const another = { ...unscored, id: 'another' };
    expect(summariesIn(page('sleep', unscored, another), page('recovery', recovery, 'nonsense'))).toMatchObject([
      { resting_heart_rate: 60 },
      ofSleep,
    ]);
  });

  test('adds nothing to a nap', () => {
    expect(summariesIn(page('sleep', { ...unscored, nap: true }), page('recovery', recovery))).toEqual([
      { ...ofSleep, ...ofRecovery },
    ]);
  });
});

describe('a cycle', () => {
  const sampled = (...pages: ProviderPage[]) =>
    read(...pages).records.samples.map(({ metric, startMs, value }) => [
      metric,
      new Date(startMs).toISOString(),
      value,
    ]);
  const ofCycle = { total_calories: null, max_heart_rate: null };

  test('is the total energy in kcal, and is part of the sleep session that it began with', () => {
    const { records } = read(page('sleep', unscored), page('cycle', cycle));
    expect(records.sleep).toMatchObject([
      {
        summary: {
          // 9120.4 kJ / 4.184
          total_calories: { value: 2179.82791586998, original: { value: 9120.4, unit: 'kJ' } },
          max_heart_rate: { value: 151 },
        },
      },
    ]);
    expect(records).toMatchObject({ daily: [], samples: [] });
  });

  test('without a sleep session counts half a day after it began, open or closed', () => {
    for (const end of [cycle.end, null, undefined])
      expect(sampled(page('sleep'), page('cycle', { ...cycle, end }))).toEqual([
        ['total_calories', '2026-03-05T10:21:26.410Z', 2179.82791586998],
        ['max_heart_rate', '2026-03-05T10:21:26.410Z', 151],
      ]);
    const late = { ...cycle, start: '2026-03-05T12:00:00.000Z' };
    expect(sampled(page('sleep'), page('cycle', late))).toEqual([]);
  });

  test('has its own offset without a sleep session', () => {
    expect(read(page('sleep'), page('cycle', cycle)).records.samples).toMatchObject([
      { offsetMinutes: 60 },
      { offsetMinutes: 60 },
    ]);
  });

  test('does not begin with a nap', () => {
    const pages = [page('sleep', nap), page('cycle', cycle)];
    expect(sampled(...pages)).toHaveLength(2);
    expect(summariesIn(...pages)).toEqual([{ ...ofSleep, ...ofCycle }]);
  });

  test('with two sleep sessions is part of the longer one, and the other retracts its values', () => {
    const short = { ...unscored, id: 'short', start: '2026-03-05T07:00:00.000Z', end: '2026-03-05T09:00:00.000Z' };
    for (const sleeps of [
      [short, unscored],
      [unscored, short],
    ]) {
      const { records } = read(page('sleep', ...sleeps), page('cycle', cycle));
      const highest = Object.fromEntries(
        records.sleep.map(({ sourceId, summary }) => [sourceId, summary?.max_heart_rate?.value ?? null]),
      );
      expect(highest).toEqual({ short: null, [sleep.id]: 151 });
    }
  });

  test('belongs to one night only, and gives no samples when its sleep session is unreadable', () => {
    expect(sampled(page('sleep', { ...sleep, end: 'later' }), page('cycle', cycle))).toEqual([]);
  });

  test('that is not scored yet has no values, and an unreadable one retracts nothing', () => {
    const pending = { ...cycle, score_state: 'PENDING_SCORE', score: null };
    expect(sampled(page('sleep'), page('cycle', pending))).toEqual([]);
    expect(summariesIn(page('sleep', unscored), page('cycle', pending))).toEqual([{ ...ofSleep, ...ofCycle }]);
    expect(summariesIn(page('sleep', unscored), page('cycle', 'nonsense'))).toEqual([ofSleep]);
  });
});

describe('a workout', () => {
  test('has kcal, km and meters, and adds minutes and distance to its day', () => {
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
    // Names that are not in WHOOP's table.
    ...['Steam Shower', 'Polar Plunge', 'whole-body cryotherapy', 'foot massage'],
  ])('is not made from a %s', (sport_name) => {
    expect(read(page('workout', { ...workout, sport_name })).records).toMatchObject({ workouts: [], samples: [] });
  });

  test('without a name has its number as source type', () => {
    const { records } = read(page('workout', { ...workout, sport_name: null, sport_id: 0 }));
    expect(records.workouts).toMatchObject([{ type: 'running', sourceType: '0' }]);
  });

  test.each(['meditation', 'breathwork'])('is mindful minutes when it is %s', (sport_name) => {
    const { records } = read(page('workout', { ...workout, sport_name }));
    expect(records.workouts).toEqual([]);
    expect(records.samples).toMatchObject([{ metric: 'mindfulness', value: 40 }]);
  });

  test.each([
    ['hiking/rucking', 'hiking', 'walking'],
    ['spin', 'indoor_cycling', 'indoor_cycling'],
    ['swimming', 'swimming', 'swimming'],
  ])('of %s has type %s, and its distance counts as %s', (sport_name, type, metric) => {
    const { records } = read(page('workout', { ...workout, sport_name }));
    expect(records.workouts).toMatchObject([{ type, sourceType: sport_name }]);
    expect(records.samples[0]).toMatchObject({ metric });
  });

  test('without a score or a name keeps its times and its minutes', () => {
    const { records } = read(page('workout', { ...workout, sport_name: null, score: null }));
    expect(records.workouts).toMatchObject([{ type: 'other', calories: null, distanceKm: null, avgHeartRate: null }]);
    expect(records.samples).toMatchObject([{ metric: 'exercise', value: 40 }]);
  });
});

describe('a response', () => {
  test('covers the lists that were read in full, and covers cycles only together with the sleep sessions', () => {
    expect(read(page('sleep'), page('recovery'), page('cycle'), page('workout')).records.covered).toEqual([
      { ...requestedDays, sleep: true },
      { ...requestedDays, samples: ['total_calories', 'max_heart_rate'] },
      expect.objectContaining({ ...requestedDays, workouts: true }),
    ]);
    expect(read(page('recovery'), page('cycle')).records.covered).toBeUndefined();
  });

  test('with an invalid record among valid ones loses that record only', () => {
    const { records, rejected } = read(page('sleep', { ...sleep, end: 'later' }, null, nap));
    expect(records.sleep).toHaveLength(1);
    expect(rejected.first.map(({ path }) => path)).toEqual(['sleep.0.end', 'sleep.1']);
  });

  test('gives the same records in any order and any split into pages', () => {
    const sleeps = [
      sleep,
      nap,
      { ...sleep, id: 'x', start: '2026-03-05T09:00:00.000Z', end: '2026-03-05T10:00:00.000Z', score: null },
    ];
    const sorted = ({ sleep: nights, samples }: ReturnType<typeof read>['records']) => ({
      nights: nights.toSorted((a, b) => a.startMs - b.startMs),
      samples,
    });
    const complete = sorted(read(page('sleep', ...sleeps), page('recovery', recovery), page('cycle', cycle)).records);
    fc.assert(
      fc.property(fc.shuffledSubarray(sleeps, { minLength: 3 }), fc.nat(3), (order, cut) => {
        const parts = [page('sleep', ...order.slice(cut)), page('sleep', ...order.slice(0, cut))];
        const { records } = read(page('cycle', cycle), page('recovery', recovery), ...parts);
        expect(sorted(records)).toEqual(complete);
      }),
    );
  });
});
