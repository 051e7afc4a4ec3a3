// Values that WHOOP sends when nothing was measured.
import { expect, test } from 'vitest';
import type { ProviderPage } from '../../../../shared/providers/kit/provider-pages.ts';
import { nightSummaries, normalizePages } from '../../../harness/request-flow.ts';
import { cycle, listOf, recovery, sleep, workout } from './records.ts';

const requestedDays = { from: '2026-03-05', to: '2026-03-05' };
const page = (resource: string, ...records: unknown[]): ProviderPage => ({ resource, text: listOf(...records) });
const read = (...pages: ProviderPage[]) => normalizePages('whoop', pages, { requested: requestedDays });

test('a sleep session without data from the strap keeps its times, and its minutes asleep are unknown, not zero', () => {
  const stage_summary = {
    total_in_bed_time_milli: 28800000,
    total_awake_time_milli: 0,
    total_no_data_time_milli: 28800000,
    total_light_sleep_time_milli: 0,
    total_slow_wave_sleep_time_milli: 0,
    total_rem_sleep_time_milli: 0,
  };
  const score = { stage_summary, respiratory_rate: 0, sleep_efficiency_percentage: 0 };
  const { records, rejected } = read(page('sleep', { ...sleep, score }));
  expect(records.sleep).toMatchObject([
    {
      ...{ asleepMinutes: null, deepMinutes: null, lightMinutes: null, remMinutes: null },
      ...{ awakeMinutes: null, inBedMinutes: 480 },
    },
  ]);
  const unbedded = { ...score, stage_summary: { ...stage_summary, total_in_bed_time_milli: 0 } };
  expect(read(page('sleep', { ...sleep, score: unbedded })).records.sleep).toMatchObject([{ inBedMinutes: null }]);
  expect(nightSummaries(records)).toEqual([{ sleep_respiratory_rate: null, sleep_efficiency: null }]);
  expect(rejected.count).toBe(0);
});

test('a nap of light sleep alone has zero minutes of the other stages', () => {
  const stage_summary = {
    ...sleep.score.stage_summary,
    total_slow_wave_sleep_time_milli: 0,
    total_rem_sleep_time_milli: 0,
  };
  const { records } = read(page('sleep', { ...sleep, score: { ...sleep.score, stage_summary } }));
  expect(records.sleep).toMatchObject([{ asleepMinutes: 240, deepMinutes: 0, lightMinutes: 240, remMinutes: 0 }]);
});

test('a recovery without sensor values and a cycle without energy have no values', () => {
  const score = { resting_heart_rate: 0, hrv_rmssd_milli: 0, spo2_percentage: 0, skin_temp_celsius: 0 };
  const { records, rejected } = read(
    page('sleep', { ...sleep, score: null }),
    page('recovery', { ...recovery, score }),
    page('cycle', { ...cycle, score: { strain: 0, kilojoule: 0, average_heart_rate: 0, max_heart_rate: 0 } }),
  );
  expect(new Set(Object.values(nightSummaries(records)[0] ?? {}))).toEqual(new Set([null]));
  expect(rejected.count).toBe(0);
});

test('a heart rate of 255 is not the maximum of a cycle, with a sleep session or without', () => {
  const unmeasured = { ...cycle, score: { ...cycle.score, max_heart_rate: 255 } };
  const { records, rejected } = read(page('sleep', sleep), page('cycle', unmeasured, { ...unmeasured, id: 93846 }));
  expect(nightSummaries(records)).toMatchObject([{ max_heart_rate: null }]);
  expect(records.samples.map(({ metric }) => metric)).toEqual(['total_calories']);
  expect(rejected.count).toBe(0);
});

test('a workout of zero energy and distance has neither, and one without a climb has a climb of zero', () => {
  const score = { kilojoule: 0, distance_meter: 0, average_heart_rate: 0, max_heart_rate: 0, altitude_gain_meter: 0 };
  const { records, rejected } = read(page('workout', { ...workout, score }));
  expect(records.workouts).toMatchObject([
    { calories: null, distanceKm: null, avgHeartRate: null, maxHeartRate: null, elevationMeters: 0 },
  ]);
  expect(records.samples.map(({ metric }) => metric)).toEqual(['exercise']);
  expect(rejected.count).toBe(0);
});
