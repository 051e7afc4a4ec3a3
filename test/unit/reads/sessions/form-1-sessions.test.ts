import { describe, expect, test } from 'vitest';
import type { MetricId } from '../../../../shared/catalog/metrics.ts';
import { type FlatSleepQuery, form1Sleep } from '../../../../shared/reads/sleep/form-1.ts';
import { FlatSleepList, nightVitals } from '../../../../shared/reads/sleep/form-1-schema.ts';
import type { NightResult } from '../../../../shared/reads/sleep/read-sleep.ts';
import { type FlatWorkoutsQuery, form1Workouts } from '../../../../shared/reads/workouts/form-1.ts';
import { WorkoutOffsetPage } from '../../../../shared/reads/workouts/form-1-schema.ts';
import type { WorkoutsAtOffsetResult } from '../../../../shared/reads/workouts/read-workouts.ts';
import type { DeviceRow } from '../../../../shared/users/device-rows.ts';
import { deviceRow, sleepRow, workoutRow } from '../../../harness/stored-data.ts';

const device = deviceRow({ id: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2' });
const other = deviceRow({ id: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x3', provider: 'garmin' });
const range = { from: '2026-03-01', to: '2026-03-14' };
const days = { start_date: '2026-03-01', end_date: '2026-03-14' };
const names = { from: 'start_date', to: 'end_date' };

describe('a night', () => {
  const row = sleepRow(0, '2026-03-13T21:48:00Z', 474, {
    asleepMinutes: 430.5,
    awakeMinutes: 43.4,
    deepMinutes: 75.7,
    lightMinutes: 262,
    remMinutes: 92.7,
    inBedMinutes: 474.2,
    offsetMinutes: 345,
  });
  const vitals = new Map<MetricId, number>([
    ['sleep_heart_rate', 54.249],
    ['sleep_heart_rate_variability', 61.35],
    ['sleep_respiratory_rate', 14.6],
    ['sleep_blood_oxygen', 96.44],
    ['sleep_body_temperature', 36.4],
    ['sleep_skin_temperature', 34.123],
  ]);
  const full: NightResult = {
    row,
    date: '2026-03-14',
    device,
    isMainSleep: true,
    efficiencyPct: 90.784,
    restorativeMinutes: 168.4,
    vitals,
    vitalDevices: new Map(),
  };
  const shown = (found: NightResult, query: Partial<FlatSleepQuery> = {}) =>
    FlatSleepList.parse(form1Sleep.render({ range, nights: [found] }, { ...days, include_sources: false, ...query }))
      .data[0];

  test('has every field of the contract: instants, whole minutes, efficiency with one decimal, the vitals of its day', () => {
    expect(shown(full)).toEqual({
      id: row.id,
      date: '2026-03-14',
      is_main_sleep: true,
      start: '2026-03-13T21:48:00.000Z',
      end: '2026-03-14T05:42:00.000Z',
      utc_offset: '+05:45',
      asleep: 431,
      time_awake: 43,
      light_sleep: 262,
      deep_sleep: 76,
      REM: 93,
      restorative_sleep: 168,
      time_in_bed: 474,
      sleep_efficiency: 90.8,
      sleep_heart_rate: 54.2,
      sleep_heart_rate_variability: 61.4,
      sleep_respiratory_rate: 14.6,
      sleep_blood_oxygen: 96.4,
      sleep_body_temperature: 36.4,
      sleep_skin_temperature: 34.1,
      sleep_wrist_temperature: null,
    });
  });

  test('has its temperatures in °F when imperial units are requested, and everything else unchanged', () => {
    expect(shown(full, { unit_system: 'imperial' })).toEqual({
      ...shown(full),
      sleep_body_temperature: 97.5,
      sleep_skin_temperature: 93.4,
    });
  });

  test('without reported values has null for everything, never zero', () => {
    const bare = sleepRow(0, '2026-03-13T13:00:00Z', 40);
    const { id, date, is_main_sleep, start, end, ...rest } =
      shown({
        row: bare,
        date: '2026-03-13',
        device,
        isMainSleep: false,
        efficiencyPct: null,
        restorativeMinutes: null,
        vitals: new Map(),
        vitalDevices: new Map(),
      }) ?? {};
    expect([id, date, is_main_sleep, start, end]).toEqual([
      bare.id,
      '2026-03-13',
      false,
      '2026-03-13T13:00:00.000Z',
      '2026-03-13T13:40:00.000Z',
    ]);
    expect(Object.keys(rest)).toHaveLength(16);
    expect(Object.values(rest).every((value) => value === null)).toBe(true);
  });

  test('names its device and those of its vitals on request', () => {
    const source = { provider: 'oura', device_id: device.id };
    expect(shown(full, { include_sources: true })).toEqual({ ...shown(full), source, vital_sources: {} });
    const withOtherDevice = { ...full, vitalDevices: new Map<MetricId, DeviceRow>([['sleep_heart_rate', other]]) };
    expect(shown(withOtherDevice, { include_sources: true })).toMatchObject({
      source,
      vital_sources: { sleep_heart_rate: { provider: 'garmin', device_id: other.id } },
    });
    expect(shown(withOtherDevice)).toEqual(shown(full));
  });

  test('is requested with the days of its range, ten years at most', () => {
    const query = { ...days, include_sources: false };
    expect(form1Sleep.parse({ ...query, include_sources: true })).toEqual({
      ...form1Sleep.parse(query),
      withSources: true,
    });
    expect(form1Sleep.parse(query)).toEqual({
      withSources: false,
      range: { ...range, names, maxDays: 3_653 },
      vitals: [
        'sleep_heart_rate',
        'sleep_heart_rate_variability',
        'sleep_respiratory_rate',
        'sleep_blood_oxygen',
        'sleep_body_temperature',
        'sleep_skin_temperature',
        'sleep_wrist_temperature',
      ],
    });
  });

  test('fits in a response together with 6,999 others', () => {
    const nights = Array.from({ length: 7_000 }, () => full);
    const { length } = JSON.stringify(form1Sleep.render({ range, nights }, { ...days, include_sources: false }));
    expect(length).toBeLessThan(4_500_000);
  });

  test('fits in a response with its sources, together with 2,999 others', () => {
    const main = { ...full, vitalDevices: new Map(nightVitals.map((metric) => [metric, other])) };
    const nights = Array.from({ length: 3_000 }, () => main);
    const { length } = JSON.stringify(form1Sleep.render({ range, nights }, { ...days, include_sources: true }));
    expect(length).toBeLessThan(4_500_000);
  });
});

describe('a workout', () => {
  const row = workoutRow(0, '2026-03-14T16:05:00Z', 52.4, {
    calories: 612.4,
    distanceKm: 9.8372,
    avgHeartRate: 151.26,
    maxHeartRate: 176,
    elevationMeters: 84.04,
    offsetMinutes: 0,
  });
  const zones = [4, 9.46, 14.54, 20, 3.8].map((minutes, at) => ({
    zone: ([1, 2, 3, 4, 5] as const)[at] ?? 1,
    minBpm: 90,
    maxBpm: 100,
    minutes,
  }));
  const query: FlatWorkoutsQuery = { ...days, page: 2, per_page: 1, include_sources: false };
  const shown = (found: WorkoutsAtOffsetResult['workouts'][number], more: Partial<FlatWorkoutsQuery> = {}) =>
    WorkoutOffsetPage.parse(form1Workouts.render({ range, workouts: [found], total: 57 }, { ...query, ...more }));

  test('has every field of the contract, on a page that states its number and the total', () => {
    expect(shown({ row, device, zones })).toEqual({
      data: [
        {
          id: row.id,
          sport_type: 'running',
          source_type: null,
          start: '2026-03-14T16:05:00.000Z',
          end: '2026-03-14T16:57:24.000Z',
          utc_offset: '+00:00',
          duration: 52,
          distance: 9.84,
          active_calories: 612,
          heart_rate_avg: 151.3,
          heart_rate_max: 176,
          heart_rate_zones: { zone_1: 4, zone_2: 9.5, zone_3: 14.5, zone_4: 20, zone_5: 3.8 },
          elevation_gain: 84,
        },
      ],
      meta: { page: 2, per_page: 1, total: 57 },
    });
  });

  test('has miles and feet when imperial units are requested, and everything else unchanged', () => {
    const [metric] = shown({ row, device, zones }).data;
    expect(shown({ row, device, zones }, { unit_system: 'imperial' }).data).toEqual([
      { ...metric, distance: 6.11, elevation_gain: 275.7 },
    ]);
  });

  test.each(['metric', 'imperial'] as const)('has null for what the source did not report (%s)', (unit_system) => {
    const bare = workoutRow(0, '2026-03-14T16:05:00Z', 30);
    expect(shown({ row: bare, device, zones: null }, { unit_system }).data).toEqual([
      {
        id: bare.id,
        sport_type: 'running',
        source_type: null,
        start: '2026-03-14T16:05:00.000Z',
        end: '2026-03-14T16:35:00.000Z',
        utc_offset: null,
        duration: 30,
        distance: null,
        active_calories: null,
        heart_rate_avg: null,
        heart_rate_max: null,
        heart_rate_zones: null,
        elevation_gain: null,
      },
    ]);
  });

  test('names its device on request', () => {
    const [named] = shown({ row, device, zones: null }, { include_sources: true }).data;
    expect(named?.source).toEqual({ provider: 'oura', device_id: device.id });
  });

  test('is requested by its page and the days of its range, ten years at most', () => {
    expect(form1Workouts.parse({ ...query, page: 4, per_page: 30 })).toEqual({
      range: { ...range, names, maxDays: 3_653 },
      offset: 90,
      limit: 30,
    });
  });
});
