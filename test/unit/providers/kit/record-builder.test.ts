import { describe, expect, test } from 'vitest';
import { workoutMeasures } from '../../../../shared/catalog/workout-measures.ts';
import { RecordBuilder } from '../../../../shared/providers/kit/record-builder.ts';

const receivedMs = Date.UTC(2026, 2, 12, 12);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const makeBuilder = () => new RecordBuilder({ receivedMs });
const codes = (from: RecordBuilder) => from.result.rejected.first.map(({ code }) => code);

describe('a total', () => {
  test('of a future day, of long ago or of an invalid date is rejected', () => {
    const builder = makeBuilder();
    for (const date of ['2026-03-12', '2026-03-13', '2026-03-14', '1969-12-31', '2026-02-30'])
      builder.addDaily('days', 'steps', date, 4_000);
    expect(builder.result.records.daily.map(({ date }) => date)).toEqual(['2026-03-12', '2026-03-13']);
    expect(codes(builder)).toEqual(['invalid_time', 'invalid_time', 'invalid_time']);
  });
});

describe('a sample', () => {
  test('of a cumulative metric lasts 25 hours at most, and any other sample has no limit', () => {
    const builder = makeBuilder();
    const long = { startMs: receivedMs - 26 * hourMs, endMs: receivedMs };
    builder.addSample('walks', 'steps', long, 4_000);
    builder.addSample('pulse', 'heart_rate', long, 60);
    expect(builder.result.records.samples.map(({ metric }) => metric)).toEqual(['heart_rate']);
    expect(codes(builder)).toEqual(['invalid_time']);
  });

  test('of the future, or one that ends before it starts, is rejected', () => {
    const builder = makeBuilder();
    builder.addSample('pulse', 'heart_rate', { startMs: receivedMs + dayMs + 1 }, 60);
    builder.addSample('pulse', 'heart_rate', { startMs: receivedMs, endMs: receivedMs - 1 }, 60);
    expect(builder.result.records.samples).toEqual([]);
    expect(codes(builder)).toEqual(['invalid_time', 'invalid_time']);
  });

  test('of a heart rate of 255, which sensors write for none, is skipped, and no other metric has that sentinel', () => {
    const builder = makeBuilder();
    builder.addSample('pulse', 'heart_rate', { startMs: receivedMs }, 255);
    builder.addDaily('night', 'resting_heart_rate', '2026-03-12', 255);
    builder.addSample('days', 'heart_rate_variability_rmssd', { startMs: receivedMs }, 255);
    builder.addWorkout('run', {
      type: 'running',
      startMs: receivedMs - hourMs,
      endMs: receivedMs,
      avgHeartRate: 255,
      maxHeartRate: 255,
      heartRate: [255, 150].map((bpm, at) => ({ atMs: receivedMs - hourMs + at, bpm })),
    });
    const { records, rejected } = builder.result;
    expect(records.samples.map(({ metric }) => metric)).toEqual(['heart_rate_variability_rmssd']);
    expect(records.daily).toEqual([]);
    expect(records.workouts[0]).toMatchObject({ avgHeartRate: null, maxHeartRate: null });
    expect(records.workouts[0]?.heartRate?.map(({ bpm }) => bpm)).toEqual([150]);
    expect(rejected.count).toBe(0);
  });

  test.each([
    [840, 840],
    [-840, -840],
    [841, null],
    [-3_600, null],
    [Number.NaN, null],
  ])('with an offset of %s minutes is read as %s', (offsetMinutes, expected) => {
    const builder = makeBuilder();
    builder.addSample('pulse', 'heart_rate', { startMs: receivedMs, offsetMinutes }, 60);
    expect(builder.result.records.samples[0]?.offsetMinutes).toBe(expected);
  });
});

describe('the summary of a night', () => {
  const slept = { startMs: receivedMs - 8 * hourMs, endMs: receivedMs, offsetMinutes: null };

  test('is in our units, with null for values that the provider lacks and without implausible values', () => {
    const builder = makeBuilder();
    builder.addSleep('night', {
      ...slept,
      summary: [
        { path: 'night.latency', metric: 'sleep_latency', value: 540, unit: 's' },
        { path: 'night.pulse', metric: 'sleep_heart_rate', value: null },
        { path: 'night.oxygen', metric: 'sleep_blood_oxygen', value: undefined },
        { path: 'night.lowest', metric: 'resting_heart_rate', value: 255 },
        { path: 'night.breaths', metric: 'sleep_respiratory_rate', value: 900 },
      ],
    });
    expect(builder.result.records.sleep[0]?.summary).toEqual({
      sleep_latency: { value: 9, original: { value: 540, unit: 's' } },
      sleep_heart_rate: null,
      sleep_blood_oxygen: null,
      resting_heart_rate: null,
    });
    expect(builder.result.rejected.first).toMatchObject([{ path: 'night.breaths', code: 'implausible_value' }]);
  });

  test("is absent when the provider's data has none", () => {
    const builder = makeBuilder();
    builder.addSleep('night', slept);
    expect(builder.result.records.sleep[0]).not.toHaveProperty('summary');
  });
});

describe('a night', () => {
  const night = { startMs: receivedMs - 8 * hourMs, endMs: receivedMs, offsetMinutes: 0 };

  test('that is longer than 25 hours, or has no length, is rejected', () => {
    const builder = makeBuilder();
    builder.addSleep('night', { ...night, startMs: receivedMs - 25 * hourMs });
    builder.addSleep('night', { ...night, startMs: receivedMs - 25 * hourMs - 1 });
    builder.addSleep('night', { ...night, startMs: receivedMs });
    expect(builder.result.records.sleep).toHaveLength(1);
    expect(codes(builder)).toEqual(['invalid_time', 'invalid_time']);
  });

  test('with more sleep or longer stages than its duration is rejected', () => {
    const builder = makeBuilder();
    builder.addSleep('night', { ...night, asleepMinutes: 485 });
    builder.addSleep('night', { ...night, asleepMinutes: 486 });
    builder.addSleep('night', { ...night, deepMinutes: 240, lightMinutes: 240, awakeMinutes: 6 });
    expect(builder.result.records.sleep.map(({ asleepMinutes }) => asleepMinutes)).toEqual([485]);
    expect(codes(builder)).toEqual(['implausible_value', 'implausible_value']);
  });
});

describe('the stages of a night', () => {
  const night = { startMs: receivedMs - 8 * hourMs, endMs: receivedMs, offsetMinutes: 0 };
  const stage = (name: 'deep' | 'rem', fromMinute: number, toMinute: number, at = 0) => ({
    path: `night.stages.${at}`,
    stage: name,
    startMs: night.startMs + fromMinute * minuteMs,
    endMs: night.startMs + toMinute * minuteMs,
  });

  test('are sorted, and cut at the ends of the night', () => {
    const builder = makeBuilder();
    builder.addSleep('night', { ...night, stages: [stage('rem', 470, 490, 0), stage('deep', -5, 10, 1)] });
    expect(builder.result.records.sleep[0]?.stages).toEqual([
      { stage: 'deep', startMs: night.startMs, endMs: night.startMs + 10 * minuteMs },
      { stage: 'rem', startMs: night.startMs + 470 * minuteMs, endMs: night.endMs },
    ]);
    expect(codes(builder)).toEqual([]);
  });

  test('are left out one by one if they overlap, lie outside or have no length; days stay covered', () => {
    const builder = makeBuilder();
    const stages = [stage('rem', 10, 30), stage('deep', 29, 40, 1), stage('deep', -9, 0, 2), stage('deep', 50, 50, 3)];
    builder.addSleep('night', { ...night, stages });
    builder.claimCoverage({ from: '2026-03-12', to: '2026-03-12', sleep: true });
    const { records, rejected } = builder.result;
    expect(records.sleep[0]?.stages).toHaveLength(1);
    expect(rejected.first.map(({ path, code }) => [path, code])).toEqual([
      ['night.stages.2', 'implausible_value'],
      ['night.stages.3', 'implausible_value'],
      ['night.stages.1', 'implausible_value'],
    ]);
    expect(records.covered).toHaveLength(1);
  });

  test('are at most 3,000, and absent if none is valid', () => {
    const builder = makeBuilder();
    const many = Array.from({ length: 3_001 }, (_none, at) => stage('rem', at / 10, (at + 1) / 10, at));
    builder.addSleep('night', { ...night, stages: many });
    builder.addSleep('night', { ...night, stages: [stage('deep', -9, 0)] });
    builder.addSleep('night', night);
    expect(builder.result.records.sleep.map(({ stages }) => stages?.length)).toEqual([3_000, undefined, undefined]);
    expect(builder.result.rejected.first[0]).toMatchObject({ path: 'night.stages.3000' });
  });
});

describe('a workout', () => {
  const run = { type: 'running' as const, startMs: receivedMs - hourMs, endMs: receivedMs };

  test("has at most 64 characters of its source's name for its type", () => {
    const builder = makeBuilder();
    for (const length of [64, 65]) builder.addWorkout('run', { ...run, sourceType: 'x'.repeat(length) });
    expect(builder.result.records.workouts.map(({ sourceType }) => sourceType?.length)).toEqual([64, 64]);
  });

  test('lasts a week at most', () => {
    const builder = makeBuilder();
    builder.addWorkout('run', { ...run, startMs: receivedMs - 7 * dayMs });
    builder.addWorkout('run', { ...run, startMs: receivedMs - 7 * dayMs - 1 });
    expect(builder.result.records.workouts).toHaveLength(1);
    expect(codes(builder)).toEqual(['invalid_time']);
  });

  test('stores the plausible points of its trace that are inside its span, in order', () => {
    const builder = makeBuilder();
    const at = (atMs: number, bpm = 120) => ({ atMs, bpm });
    const inside = [at(run.endMs), at(run.startMs + minuteMs, 9_999), at(run.startMs)];
    builder.addWorkout('run', { ...run, heartRate: [at(run.startMs - 1), ...inside, at(run.endMs + 1)] });
    expect(builder.result.records.workouts[0]?.heartRate).toEqual([at(run.startMs), at(run.endMs)]);
  });

  test("has a short id, however long the provider's is", () => {
    const builder = makeBuilder();
    const long = ['a', 'b'].map((last) => 'w'.repeat(2_000_000) + last);
    for (const sourceId of [...long, ...long, 'w'.repeat(200)]) builder.addWorkout('run', { ...run, sourceId });
    const [a, b, ...again] = builder.result.records.workouts.map(({ sourceId }) => sourceId);
    expect(again).toEqual([a, b, 'w'.repeat(200)]);
    expect([a === b, a?.length]).toEqual([false, 43]);
  });

  test('with an implausible value is stored without that value', () => {
    const builder = makeBuilder();
    builder.addWorkout('run', { ...run, avgHeartRate: 9_999, elevationMeters: 20_001, distanceKm: 10 });
    expect(builder.result.records.workouts[0]).toMatchObject({
      avgHeartRate: null,
      elevationMeters: null,
      distanceKm: 10,
    });
    expect(codes(builder)).toEqual(['implausible_value']);
  });

  test.each(workoutMeasures)('has $name when the provider sends it, in $range', ({ key, range }) => {
    const builder = makeBuilder();
    for (const value of [...range, range[0] - 1, range[1] + 1, Number.NaN, null, undefined])
      builder.addWorkout('run', { ...run, [key]: value });
    expect(builder.result.records.workouts.map((workout) => workout[key])).toEqual([
      ...range,
      ...Array(5).fill(undefined),
    ]);
    expect(codes(builder)).toEqual(Array(3).fill('implausible_value'));
  });
});
