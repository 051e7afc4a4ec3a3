import { describe, expect, test } from 'vitest';
import { form2Sleep } from '../../../../shared/reads/sleep/form-2.ts';
import { SleepList } from '../../../../shared/reads/sleep/form-2-schema.ts';
import { form2Workout, form2Workouts } from '../../../../shared/reads/workouts/form-2.ts';
import { WorkoutDetail, WorkoutList } from '../../../../shared/reads/workouts/form-2-schema.ts';
import type { WorkoutResult } from '../../../../shared/reads/workouts/read-workouts.ts';
import { deviceRow, sleepRow, workoutRow } from '../../../harness/stored-data.ts';

const device = deviceRow({ id: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2' });
const page = { range: { from: '2026-03-01', to: '2026-03-14' }, zone: 'Europe/Berlin', next: undefined };
const plain = { limit: 50, include_sources: false };

const sleepOf = (row: ReturnType<typeof sleepRow>, efficiencyPct: number | null, query = plain) => {
  const sessions = [{ row, date: '2026-03-14', device, isMainSleep: true, efficiencyPct }];
  const shown = form2Sleep.render({ ...page, sessions }, query);
  return SleepList.parse({ ...shown, next_cursor: null });
};

describe('a night', () => {
  test('is shown in the local time of the profile, in whole minutes', () => {
    const row = sleepRow(0, '2026-03-13T22:48:29Z', 474.4, {
      asleepMinutes: 430.5,
      deepMinutes: 0,
      inBedMinutes: 474.2,
      offsetMinutes: -210,
    });
    expect(sleepOf(row, 90.784)).toEqual({
      from_date: '2026-03-01',
      to_date: '2026-03-14',
      next_cursor: null,
      data: [
        {
          id: row.id,
          date: '2026-03-14',
          start_time: '2026-03-13T23:48:29',
          end_time: '2026-03-14T07:42:53',
          start_at: '2026-03-13T22:48:29.000Z',
          end_at: '2026-03-14T06:42:53.000Z',
          utc_offset: '-03:30',
          duration_minutes: 474,
          is_main_sleep: true,
          source: 'oura',
          asleep_minutes: 431,
          deep_minutes: 0,
          light_minutes: null,
          rem_minutes: null,
          awake_minutes: null,
          in_bed_minutes: 474,
          efficiency_pct: 90.8,
        },
      ],
    });
  });

  test('without minutes has null for each of them, never zero', () => {
    const [shown] = sleepOf(sleepRow(0, '2026-03-13T22:00:00Z', 480), null).data;
    const { asleep_minutes, deep_minutes, light_minutes, rem_minutes, awake_minutes, in_bed_minutes, efficiency_pct } =
      shown ?? {};
    expect([
      asleep_minutes,
      deep_minutes,
      light_minutes,
      rem_minutes,
      awake_minutes,
      in_bed_minutes,
      efficiency_pct,
    ]).toEqual([null, null, null, null, null, null, null]);
  });

  test('names its device on request', () => {
    const [shown] = sleepOf(sleepRow(0, '2026-03-13T22:00:00Z', 480), null, { ...plain, include_sources: true }).data;
    expect(shown?.source_detail).toEqual({ provider: 'oura', device_id: device.id });
  });
});

describe('a workout', () => {
  const bare = workoutRow(0, '2026-03-14T16:05:00Z', 52, { type: 'trail_running' });
  const read = (more: Partial<WorkoutResult> = {}): WorkoutResult => ({
    row: bare,
    device,
    zone: 'Europe/Berlin',
    averageSpeedKmh: null,
    averagePaceSecondsPerKm: null,
    heartRate: null,
    ...more,
  });
  const detail = (found: WorkoutResult) => WorkoutDetail.parse(form2Workout.render(found, { include_sources: false }));

  test('in the list has null for what was not measured, never zero', () => {
    const shown = form2Workouts.render({ ...page, sessions: [{ row: bare, device }] }, plain);
    expect(WorkoutList.parse({ ...shown, next_cursor: null }).data).toEqual([
      {
        id: bare.id,
        type: 'trail_running',
        source_type: null,
        start_time: '2026-03-14T17:05:00',
        start_at: '2026-03-14T16:05:00.000Z',
        end_at: '2026-03-14T16:57:00.000Z',
        utc_offset: null,
        duration_minutes: 52,
        calories: null,
        distance_km: null,
        source: 'oura',
        avg_heart_rate: null,
        max_heart_rate: null,
        strain: null,
      },
    ]);
  });

  test('has the offset at its place, and instants to add it to, in the list and in full', () => {
    const row = { ...bare, offsetMinutes: 540 };
    const expected = {
      start_time: '2026-03-14T17:05:00',
      start_at: '2026-03-14T16:05:00.000Z',
      end_at: '2026-03-14T16:57:00.000Z',
      utc_offset: '+09:00',
    };
    expect(form2Workouts.render({ ...page, sessions: [{ row, device }] }, plain).data).toMatchObject([expected]);
    expect(detail(read({ row }))).toMatchObject(expected);
  });

  test('in full has null for what was not measured, and its sport as the name', () => {
    const { name, metrics, heart_rate } = detail(read());
    expect([name, heart_rate]).toEqual(['Trail running', null]);
    expect(new Set(Object.values(metrics))).toEqual(new Set([null]));
  });

  test('has the type of the vocabulary, and next to it the type of its source', () => {
    const shown = (more: object) => {
      const { type, source_type, name } = detail(read({ row: { ...bare, ...more } }));
      return [type, source_type, name];
    };
    expect(shown({ type: 'e_biking', sourceType: 'E_BIKE_FITNESS' })).toEqual([
      'e_biking',
      'E_BIKE_FITNESS',
      'E-biking',
    ]);
    expect(shown({ type: 'running' })).toEqual(['running', null, 'Running']);
  });

  test('in full is rounded once, each number to its own decimals', () => {
    const row = { ...bare, name: 'Evening run', distanceKm: 9.8449, elevationMeters: 84.25, steps: 8120.4 };
    const shown = detail(read({ row, averageSpeedKmh: 11.3549, averagePaceSecondsPerKm: 316.5 }));
    expect(shown).toMatchObject({
      name: 'Evening run',
      distance_km: 9.84,
      metrics: { elevation_meters: 84.3, steps: 8120, avg_speed_kmh: 11.35, avg_pace_seconds_per_km: 317 },
    });
  });

  test('shows what its source supplied, each number to its own decimals', () => {
    const measures = {
      strain: 12.4499,
      avgMets: 9.65,
      weatherTemperatureC: -0.04,
      weatherHumidityPct: 61.25,
      swimmingStrokeCount: 0,
      swimmingLapLengthM: 22.86,
    };
    const row = { ...bare, ...measures };
    expect(detail(read({ row }))).toMatchObject({
      strain: 12.4,
      metrics: {
        avg_mets: 9.7,
        weather_temperature_c: 0,
        weather_humidity_pct: 61.3,
        swimming_stroke_count: 0,
        swimming_lap_length_m: 22.86,
      },
    });
    const [listed] = form2Workouts.render({ ...page, sessions: [{ row, device }] }, plain).data;
    expect(listed?.strain).toBe(12.4);
  });

  test('shows its heart rate in the local time of the profile', () => {
    const heartRate = {
      avgBpm: 150.96,
      maxBpm: 175.6,
      zones: [{ zone: 1 as const, minBpm: 95, maxBpm: 113, minutes: 14.4833 }],
      steps: [{ atMs: Date.parse('2026-03-14T16:05:15Z'), bpm: 118.04 }],
      startMs: Date.parse('2026-03-14T16:05:15Z'),
    };
    expect(detail(read({ heartRate })).heart_rate).toEqual({
      avg_bpm: 151,
      max_bpm: 176,
      zones: [{ zone: 1, min_bpm: 95, max_bpm: 113, minutes: 14.5 }],
      samples: [{ timestamp: '2026-03-14T17:05:15', bpm: 118 }],
      time_zone: 'Europe/Berlin',
      start_at: '2026-03-14T16:05:15.000Z',
    });
  });
});
