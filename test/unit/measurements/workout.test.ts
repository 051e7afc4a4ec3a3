import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeHeartRateZones, computeMaxHeartRate } from '../../../shared/measurements/heart-rate-zones.ts';
import {
  averagePaceSecondsPerKm,
  averageSpeedKmh,
  bucketSeconds,
  bucketTrace,
  clipTrace,
  heartRateOf,
} from '../../../shared/measurements/workout.ts';
import { ageOn } from '../../../shared/platform/time/local-day.ts';

const minute = 60_000;
const lasting = (minutes: number) => ({ startMs: 1_000, endMs: 1_000 + minutes * minute });
const anyTrace = fc.array(
  fc.record({ atMs: fc.integer({ min: 0, max: 200 * minute }), bpm: fc.integer({ min: 40, max: 210 }) }),
);

describe('a bucketed trace', () => {
  test.each([
    [1, 15],
    [60, 15],
    [61, 30],
    [180, 30],
    [181, 60],
    [1_000, 60],
  ])('of a workout of %d minutes has buckets of %d seconds', (minutes, seconds) => {
    expect(bucketSeconds(lasting(minutes))).toBe(seconds);
  });

  test('holds the average of every bucket with points, and no other bucket', () => {
    fc.assert(
      fc.property(anyTrace, fc.integer({ min: 1, max: 200 }), (points, minutes) => {
        const span = lasting(minutes);
        const step = bucketSeconds(span) * 1_000;
        const expected = [];
        for (let from = span.startMs; from <= span.endMs; from += step) {
          const inside = points.filter(({ atMs }) => atMs >= from && atMs < from + step && atMs <= span.endMs);
          const sum = inside.reduce((total, { bpm }) => total + bpm, 0);
          if (inside.length > 0) expected.push({ atMs: from, bpm: expect.closeTo(sum / inside.length, 9) });
        }
        expect(bucketTrace(clipTrace(points, span) ?? [], span)).toEqual(expected);
      }),
    );
  });
});

test('nothing is left of a trace outside its workout', () => {
  const span = lasting(10);
  const at = (atMs: number) => ({ atMs, bpm: 100 });
  expect(clipTrace([at(span.startMs - 1), at(span.endMs + 1)], span)).toBeNull();
  expect(clipTrace([at(span.startMs), at(span.endMs)], span)).toHaveLength(2);
  expect(clipTrace(null, span)).toBeNull();
});

describe('heart-rate zones', () => {
  const trace = (...points: [second: number, bpm: number][]) =>
    points.map(([second, bpm]) => ({ atMs: second * 1_000, bpm }));

  test('start at 50, 60, 70, 80 and 90% of the maximum', () => {
    const zones = computeHeartRateZones(trace([0, 100]), 60_000, 190);
    expect(zones?.map(({ zone, minBpm, maxBpm }) => [zone, minBpm, maxBpm])).toEqual([
      [1, 95, 113],
      [2, 114, 132],
      [3, 133, 151],
      [4, 152, 170],
      [5, 171, 190],
    ]);
  });

  test('count each point until the next one, for at most a minute, and the last one until the end', () => {
    const zones = computeHeartRateZones(trace([0, 94], [30, 100], [60, 120], [300, 200]), 330_000, 190);
    expect(zones?.map(({ minutes }) => minutes)).toEqual([0.5, 1, 0, 0, 0.5]);
  });

  test('hold the seconds less than a minute after one of their points, as counted one by one', () => {
    const anySeconds = fc.uniqueArray(fc.tuple(fc.nat({ max: 900 }), fc.integer({ min: 40, max: 210 })), {
      selector: ([second]) => second,
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(anySeconds, fc.integer({ min: 120, max: 220 }), (points, max) => {
        const zones = computeHeartRateZones(trace(...points), 900_000, max) ?? [];
        const seconds = zones.map(() => 0);
        for (let second = 0; second < 900; second++) {
          const before = points.filter(([at]) => at <= second).sort(([a], [b]) => b - a)[0];
          if (before === undefined || second - before[0] >= 60) continue;
          const zone = zones.findLastIndex(({ minBpm }) => before[1] >= minBpm);
          if (zone >= 0) seconds[zone] = (seconds[zone] ?? 0) + 1;
        }
        expect(zones.map(({ minutes }) => minutes)).toEqual(seconds.map((count) => count / 60));
        for (const [at, { minBpm, maxBpm }] of zones.entries()) {
          expect(minBpm).toBeLessThanOrEqual(maxBpm);
          expect(zones[at + 1]?.minBpm ?? maxBpm + 1).toBe(maxBpm + 1);
        }
      }),
    );
  });

  test('are null without a trace', () => {
    expect(computeHeartRateZones(null, 0, 190)).toBeNull();
    expect(computeHeartRateZones([], 0, 190)).toBeNull();
  });

  test.each([
    ['1990-05-17', '2026-05-16', 35],
    ['1990-05-17', '2026-05-17', 36],
    ['2004-02-29', '2026-02-28', 21],
    ['2004-02-29', '2026-03-01', 22],
  ])('use the age: born %s, on %s it is %d', (born, date, age) => {
    expect(ageOn(born, date)).toBe(age);
  });

  test('use the maximum for the age, otherwise 190 or a higher observed value', () => {
    expect(computeMaxHeartRate('1986-01-01', '2026-01-01', 205)).toBe(180);
    expect(computeMaxHeartRate(null, '2026-01-01', null)).toBe(190);
    expect(computeMaxHeartRate(null, '2026-01-01', 180)).toBe(190);
    expect(computeMaxHeartRate(null, '2026-01-01', 203)).toBe(203);
  });
});

describe('the derived values of a workout', () => {
  const none = { avgHeartRate: null, maxHeartRate: null, heartRate: null };
  const trace = [
    { atMs: 0, bpm: 100 },
    { atMs: 1, bpm: 121 },
  ];
  test('take heart rates from the source, otherwise from the trace, otherwise none', () => {
    expect(heartRateOf(none)).toEqual({ avgBpm: null, maxBpm: null });
    expect(heartRateOf({ ...none, heartRate: [] })).toEqual({ avgBpm: null, maxBpm: null });
    expect(heartRateOf({ ...none, heartRate: trace })).toEqual({ avgBpm: 110.5, maxBpm: 121 });
    expect(heartRateOf({ avgHeartRate: 105, maxHeartRate: null, heartRate: trace })).toEqual({
      avgBpm: 105,
      maxBpm: 121,
    });
  });
  test('take speed and pace from distance and duration, and from nothing else', () => {
    expect(averageSpeedKmh(10, lasting(50))).toBe(12);
    expect(averagePaceSecondsPerKm(10, lasting(50))).toBe(300);
    expect(averageSpeedKmh(0, lasting(50))).toBe(0);
    expect(averagePaceSecondsPerKm(0, lasting(50))).toBeNull();
    expect(averageSpeedKmh(null, lasting(50))).toBeNull();
    expect(averagePaceSecondsPerKm(null, lasting(50))).toBeNull();
    expect(averageSpeedKmh(10, lasting(0))).toBeNull();
    expect(averagePaceSecondsPerKm(10, lasting(0))).toBeNull();
  });
});
