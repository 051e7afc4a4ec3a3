import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { googleHealthFetch } from '../../../../shared/providers/google-health/fetch.ts';
import { googleHealthSimulator } from '../../../../shared/sandbox/simulated-providers/google-health.ts';
import { runRequestFlow } from '../../../harness/request-flow.ts';
import { marchFetchRequest, readInMarch, respondInMarch } from '../kit/march-requests.ts';
import { lifeOfMarch } from '../march-days.ts';
import { beat, nap, night, page, total, totals, walk } from './payloads.ts';

type Pages = Parameters<typeof readInMarch>[1];
const normalized = (...pages: Pages) => readInMarch('google_health', pages, { timeZone: 'Asia/Tokyo' });

describe('complete responses', () => {
  test('cover all requested days of an empty account', () => {
    const fetchRequest = marchFetchRequest();
    const { result } = runRequestFlow(
      googleHealthFetch.fetchWindow(fetchRequest),
      respondInMarch(googleHealthSimulator, [], fetchRequest.nowMs),
    );
    const { records } = readInMarch('google_health', result);
    expect({ ...records, covered: [] }).toEqual({ samples: [], daily: [], sleep: [], workouts: [], covered: [] });
    expect(records.covered).toHaveLength(1);
    const [days] = records.covered ?? [];
    expect(days).toMatchObject({ from: '2026-03-05', to: '2026-03-06', sleep: true, workouts: true });
    expect(days?.daily).toEqual(
      expect.arrayContaining(['steps', 'resting_energy', 'min_heart_rate', 'resting_heart_rate', 'sleep_blood_oxygen']),
    );
    expect(days?.samples).toEqual(expect.arrayContaining(['heart_rate', 'weight', 'walking', 'water', 'protein']));
  });

  test('do not cover resources that were refused', () => {
    const { records } = normalized(page('sleep', []), totals('daily:total-calories', []));
    expect(records.covered).toEqual([
      { from: '2026-03-05', to: '2026-03-06', sleep: true, daily: ['total_calories'], samples: [] },
    ]);
    expect(normalized().records.covered).toBeUndefined();
  });
});

test('an invalid point is rejected with its path, and the other points are stored', () => {
  const { records, rejected } = normalized(
    page('sleep', [{ ...night, sleep: { interval: { startTime: 'then' } } }, nap, 'nothing']),
    page('exercise', [walk, { ...walk, dataPointName: 'x/78', exercise: { ...walk.exercise, interval: null } }]),
    totals('daily:steps', [
      { steps: { countSum: '5' } },
      total(6, { steps: { countSum: '900000' } }),
      total(5, { steps: { countSum: '7' } }),
    ]),
    page('weight', [{ weight: { weightGrams: 70000 } }]),
  );
  expect(records.sleep.map(({ sourceId }) => sourceId)).toEqual(['881']);
  expect(records.workouts.map(({ sourceId }) => sourceId)).toEqual(['77']);
  expect(records.daily).toMatchObject([{ metric: 'steps', date: '2026-03-05', value: 7 }]);
  expect(rejected.first.map(({ path, code }) => `${path} ${code}`).toSorted()).toEqual([
    'daily:steps.0.0.steps invalid_time',
    'daily:steps.0.1.steps implausible_value',
    'exercise.0.1.exercise.0.interval invalid_record',
    'sleep.0.0.sleep.0.interval.startTime invalid_record',
    'sleep.0.2 invalid_record',
    'weight.0.0.weight.0.sampleTime invalid_record',
  ]);
});

test('any order of the points and any split into pages gives the same records', () => {
  const edited = {
    ...night,
    sleep: { ...night.sleep, stages: night.sleep.stages.slice(2), updateTime: '2026-03-05T09:00:00Z' },
  };
  const lists: [resource: string, parameter: string | undefined, points: object[]][] = [
    ['sleep', undefined, [night, nap, edited]],
    ['exercise', undefined, [walk, { ...walk, dataPointName: 'x/78' }]],
    [
      'exercise-heart-rate',
      '77',
      [beat('2026-03-05T09:30:00Z', '139'), beat('2026-03-05T09:31:00Z', 141), beat('2026-03-05T09:32:00Z', '120')],
    ],
  ];
  const sorted = (pages: Pages) => {
    const { samples, daily, sleep, workouts } = normalized(...pages).records;
    return [samples, daily, sleep, workouts].map((each) => each.map((one) => JSON.stringify(one)).toSorted());
  };
  const complete = sorted(lists.map(([resource, parameter, points]) => page(resource, points, parameter)));
  fc.assert(
    fc.property(
      fc.tuple(...lists.map(([, , points]) => fc.shuffledSubarray(points, { minLength: points.length }))),
      fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }),
      (shuffled, cuts) => {
        const pages = lists.flatMap(([resource, of], at) => {
          const points = shuffled[at] ?? [];
          const cut = cuts[at] ?? 0;
          return [points.slice(0, cut), points.slice(cut)].map((part) => page(resource, part, of));
        });
        expect(sorted(pages)).toEqual(complete);
      },
    ),
  );
});

describe('the sandbox', () => {
  const fetchRequest = marchFetchRequest({ zone: 'Europe/Paris' });
  const { result } = runRequestFlow(
    googleHealthFetch.fetchWindow(fetchRequest),
    respondInMarch(googleHealthSimulator, lifeOfMarch, fetchRequest.nowMs),
  );
  const { records, rejected } = readInMarch('google_health', result, { timeZone: 'Europe/Paris' });

  test('returns days that read back unchanged', () => {
    expect(rejected).toEqual({ count: 0, first: [] });
    const daily = Object.fromEntries(records.daily.map(({ date, metric, value }) => [`${date} ${metric}`, value]));
    expect(daily).toMatchObject({
      '2026-03-05 steps': 8421,
      '2026-03-05 distance': 6.31,
      '2026-03-05 exercise': 45,
      '2026-03-05 active_calories': 512,
      '2026-03-05 resting_energy': 1610,
      '2026-03-05 total_calories': 2122,
      '2026-03-05 max_heart_rate': 171,
      '2026-03-05 resting_heart_rate': 53,
      '2026-03-05 heart_rate_variability_rmssd': 48.2,
      '2026-03-05 sleep_blood_oxygen': 96.4,
      '2026-03-05 sleep_skin_temperature': 34.2,
      '2026-03-06 steps': 5120,
      '2026-03-06 sleep_respiratory_rate': 14.9,
    });
    expect(daily).not.toHaveProperty(['2026-03-06 sleep_blood_oxygen']);
    expect(
      records.sleep.map(({ endMs, asleepMinutes, remMinutes, inBedMinutes }) => [
        new Date(endMs).toISOString(),
        asleepMinutes,
        remMinutes,
        inBedMinutes,
      ]),
    ).toEqual([
      ['2026-03-05T06:30:00.000Z', 440, 100, 480],
      ['2026-03-06T06:50:00.000Z', 410, 90, 450],
      ['2026-03-06T13:30:00.000Z', 26, 0, 30],
    ]);
    expect(
      records.workouts.map(({ type, distanceKm, calories, maxHeartRate, heartRate }) => [
        type,
        distanceKm,
        calories,
        maxHeartRate,
        heartRate?.length,
      ]),
    ).toEqual([
      ['running', 7.8, 420, 171, 3],
      ['swimming', 1.2, 260, 139, 1],
    ]);
    const sampled = (metric: string) =>
      records.samples.filter((each) => each.metric === metric).map(({ value }) => value);
    expect([sampled('weight'), sampled('body_fat_percentage'), sampled('vo2_max'), sampled('swimming')]).toEqual([
      [71.35],
      [19.4],
      // In the morning, and after the run.
      [44.1, 44.1],
      [1200],
    ]);
    expect(sampled('blood_oxygen')).toEqual([96.4]);
    expect(sampled('heart_rate').toSorted((a, b) => a - b)).toEqual([50, 69, 72, 120, 139, 153, 171]);
  });

  test('returns two pages when a fortnight has more sessions than one page holds', () => {
    const [day] = lifeOfMarch;
    if (!day) throw new Error('the simulated month has no day');
    const fortnight = Array.from({ length: 14 }, (_, at) => {
      const later = at * 86_400_000;
      const sleeps = day.sleeps.map((sleep) => ({
        ...sleep,
        id: `night ${at}`,
        startMs: sleep.startMs + later,
        endMs: sleep.endMs + later,
      }));
      return { ...day, date: `2026-03-${String(at + 5).padStart(2, '0')}`, sleeps, workouts: [] };
    });
    const window = { from: '2026-03-05', to: '2026-03-18' };
    const nowMs = Date.UTC(2026, 2, 20);
    const fetched = runRequestFlow(
      googleHealthFetch.fetchWindow(marchFetchRequest({ ...window, nowMs })),
      respondInMarch(googleHealthSimulator, fortnight, nowMs),
    ).result;
    expect(fetched.filter(({ resource }) => resource === 'sleep')).toHaveLength(2);
    const normalizedData = readInMarch('google_health', fetched, {
      requested: window,
      receivedMs: nowMs,
      timeZone: 'Europe/Paris',
    });
    expect(normalizedData.records.sleep).toHaveLength(14);
    expect(new Set(normalizedData.records.sleep.map(({ sourceId }) => sourceId)).size).toBe(14);
  });
});
