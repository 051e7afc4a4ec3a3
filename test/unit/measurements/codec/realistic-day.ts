// Days of an active user with a watch, a ring, a scale and a food diary, with realistic values and
// variation.

import { metricTable } from '../../../../shared/catalog/metric-table.ts';
import type { MetricId } from '../../../../shared/catalog/metrics.ts';
import type { CanonicalValue } from '../../../../shared/measurements/codec/canonical-day.ts';
import { roundTo } from '../../../../shared/platform/arithmetic.ts';

/** Typical value and standard deviation; metrics that hardly anyone has on one day are left out. */
const everyday: Partial<Record<MetricId, readonly [mean: number, deviation: number]>> = {
  steps: [8_400, 3_500],
  distance: [6.2, 2.6],
  exercise: [42, 28],
  flights_climbed: [11, 7],
  stand_time: [160, 50],
  stand_hours: [11, 3],
  walking: [4.1, 1.6],
  running: [6.8, 3],
  cycling: [11, 7],
  asleep: [425, 55],
  time_in_bed: [470, 58],
  time_awake: [44, 18],
  light_sleep: [240, 40],
  deep_sleep: [78, 22],
  rem_sleep: [98, 25],
  restorative_sleep: [176, 35],
  sleep_latency: [13, 8],
  sleep_efficiency: [90, 4],
  sleep_heart_rate: [57, 5],
  sleep_heart_rate_variability: [48, 15],
  sleep_respiratory_rate: [14.8, 1],
  sleep_blood_oxygen: [96.1, 1],
  sleep_skin_temperature: [34.4, 0.5],
  sleep_wrist_temperature: [35.2, 0.4],
  heart_rate: [74, 6],
  resting_heart_rate: [59, 5],
  min_heart_rate: [48, 5],
  max_heart_rate: [146, 18],
  walking_heart_rate: [99, 8],
  heart_rate_variability: [52, 16],
  heart_rate_variability_rmssd: [47, 15],
  respiratory_rate: [15.2, 1.2],
  blood_oxygen: [96.8, 1],
  body_temperature: [36.6, 0.3],
  skin_temperature: [33.6, 0.6],
  blood_pressure_systolic: [121, 9],
  blood_pressure_diastolic: [78, 6],
  blood_glucose: [99, 10],
  vo2_max: [43, 4],
  weight: [76, 6],
  lean_body_mass: [58, 5],
  fat_mass: [17.5, 4],
  muscle_mass: [52, 5],
  bone_mass: [3, 0.3],
  body_fat_percentage: [22, 5],
  body_water_percentage: [55, 3],
  body_mass_index: [24.4, 2.5],
  active_calories: [540, 210],
  resting_energy: [1_690, 120],
  total_calories: [2_230, 260],
  dietary_energy: [2_150, 380],
  protein: [92, 25],
  carbohydrates: [235, 60],
  fat: [76, 20],
  saturated_fat: [24, 8],
  fiber: [24, 7],
  sugar: [62, 25],
  sodium: [2_350, 700],
  caffeine: [160, 90],
  water: [1_850, 600],
};

const sourceOf = { activity: 0, energy: 0, sleep: 1, vitals: 0, body_composition: 2, nutrition: 2 } as const;

/** Sixty metrics from three sources, the same for the same seed. */
export function realisticDay(seed: number): Map<MetricId, CanonicalValue> {
  let state = seed * 2_654_435_761 + 1;
  const uniform = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  const day = new Map<MetricId, CanonicalValue>();
  for (const { id, category, range, scale } of metricTable) {
    const spread = everyday[id];
    if (spread === undefined) continue;
    const [mean, deviation] = spread;
    const normal = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    const value = Math.min(Math.max(mean + normal * deviation, range[0]), range[1]);
    day.set(id, { value: roundTo(scale, value), source: uniform() < 0.1 ? 0 : sourceOf[category] });
  }
  return day;
}
