import { describe, expect, test } from 'vitest';
import { metricTable, sampledScores } from '../../../shared/catalog/metric-table.ts';
import { convert } from '../../../shared/catalog/units.ts';

/** Stored days rely on these numbers: lines may be added but never changed. */
const stored: Record<string, [index: number, scale: number, origin: number]> = {
  steps: [0, 0, 8000],
  distance: [1, 3, 5],
  exercise: [2, 0, 40],
  flights_climbed: [3, 0, 10],
  stand_time: [4, 0, 150],
  stand_hours: [5, 0, 0],
  mindfulness: [6, 0, 0],
  walking: [7, 3, 4],
  indoor_walking: [8, 3, 4],
  running: [9, 3, 7],
  indoor_running: [10, 3, 7],
  cycling: [11, 3, 7],
  indoor_cycling: [12, 3, 7],
  swimming: [13, 1, 800],
  asleep: [14, 0, 430],
  time_in_bed: [15, 0, 480],
  time_awake: [16, 0, 45],
  light_sleep: [17, 0, 245],
  deep_sleep: [18, 0, 75],
  rem_sleep: [19, 0, 95],
  restorative_sleep: [20, 0, 170],
  sleep_latency: [21, 0, 12],
  sleep_efficiency: [22, 1, 90],
  sleep_heart_rate: [23, 1, 56],
  sleep_heart_rate_variability: [24, 1, 50],
  sleep_respiratory_rate: [25, 1, 15],
  sleep_blood_oxygen: [26, 1, 96],
  sleep_body_temperature: [27, 2, 36.5],
  sleep_skin_temperature: [28, 2, 34.5],
  sleep_wrist_temperature: [29, 2, 35],
  heart_rate: [30, 1, 72],
  resting_heart_rate: [31, 1, 58],
  min_heart_rate: [32, 0, 48],
  max_heart_rate: [33, 0, 140],
  walking_heart_rate: [34, 1, 98],
  heart_rate_variability: [35, 1, 50],
  heart_rate_variability_rmssd: [36, 1, 50],
  respiratory_rate: [37, 1, 15],
  blood_oxygen: [38, 1, 97],
  body_temperature: [39, 2, 36.6],
  skin_temperature: [40, 2, 33.5],
  blood_pressure_systolic: [41, 0, 122],
  blood_pressure_diastolic: [42, 0, 78],
  blood_glucose: [43, 1, 98],
  vo2_max: [44, 1, 42],
  weight: [45, 3, 72],
  lean_body_mass: [46, 3, 55],
  fat_mass: [47, 3, 17],
  muscle_mass: [48, 3, 50],
  bone_mass: [49, 3, 3],
  body_fat_percentage: [50, 1, 22],
  body_water_percentage: [51, 1, 55],
  body_mass_index: [52, 1, 24],
  height: [53, 2, 172],
  waist_circumference: [54, 2, 85],
  active_calories: [55, 0, 500],
  resting_energy: [56, 0, 1650],
  total_calories: [57, 0, 2200],
  dietary_energy: [58, 0, 2100],
  protein: [59, 1, 90],
  carbohydrates: [60, 1, 230],
  fat: [61, 1, 75],
  saturated_fat: [62, 1, 24],
  fiber: [63, 1, 24],
  sugar: [64, 1, 60],
  sodium: [65, 0, 2300],
  cholesterol: [66, 0, 250],
  caffeine: [67, 0, 150],
  water: [68, 0, 1900],
  longest_sleep: [69, 0, 430],
};

describe('the metric table', () => {
  test('never changes the index, scale or origin that stored days rely on', () => {
    expect(Object.fromEntries(metricTable.map((row) => [row.id, [row.index, row.scale, row.origin]]))).toEqual(stored);
  });

  test('gives every metric a unique id and a unique index, without gaps', () => {
    expect(new Set(metricTable.map((row) => row.id)).size).toBe(metricTable.length);
    expect(metricTable.map((row) => row.index).sort((a, b) => a - b)).toEqual(
      metricTable.map((_, position) => position),
    );
  });

  test('gives the scores that devices report indexes from 1,000, which no daily metric uses', () => {
    expect(sampledScores.map(({ id, index }) => [id, index])).toEqual([['stress_score', 1_000]]);
    expect(metricTable.every(({ index }) => index < 1_000)).toBe(true);
    expect(sampledScores.every(({ accrues, adds, group }) => !accrues && !adds && group === undefined)).toBe(true);
  });

  test.each(metricTable.map((row) => [row.id, row] as const))(
    '%s is stored at least as precisely as it is shown',
    (_, row) => {
      expect(row.scale).toBeGreaterThanOrEqual(row.precision);
      expect(row.range[0]).toBeLessThan(row.range[1]);
      expect(row.origin).toBeGreaterThanOrEqual(row.range[0]);
      expect(row.origin).toBeLessThanOrEqual(row.range[1]);
      expect(convert(1, row.unit, row.imperialUnit)).toBeDefined();
    },
  );

  test('groups exactly the metrics that must come from one source', () => {
    const members = (group: string) => metricTable.filter((row) => row.group === group).map((row) => row.id);
    expect(members('blood_pressure')).toEqual(['blood_pressure_systolic', 'blood_pressure_diastolic']);
    expect(members('sleep')).toEqual([
      'asleep',
      'longest_sleep',
      'time_in_bed',
      'time_awake',
      'light_sleep',
      'deep_sleep',
      'rem_sleep',
      'restorative_sleep',
      'sleep_latency',
      'sleep_efficiency',
    ]);
  });
});
