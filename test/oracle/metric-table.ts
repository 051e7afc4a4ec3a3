// The catalog as the service returns it from GET /v1/metrics, written by hand. A test compares it
// with the served one.

export type Aggregation = 'sum' | 'avg' | 'min' | 'max' | 'last';
export type Category = 'activity' | 'sleep' | 'vitals' | 'body_composition' | 'energy' | 'nutrition';
export interface Metric {
  id: string;
  category: Category;
  unit: string;
  imperialUnit: string;
  precision: number;
  imperialPrecision: number;
  aggregation: Aggregation;
  range: readonly [number, number];
}

const row = (
  id: string,
  category: Category,
  unit: string,
  imperialUnit: string,
  precision: number,
  aggregation: Aggregation,
  ...range: [number, number]
): Metric => ({
  ...{ id, category, unit, imperialUnit, precision, aggregation, range },
  // A pool length is a hundredth of a mile.
  imperialPrecision: id === 'swimming' ? 3 : precision,
});

/** The decimals shown in the metric's own unit, or in the imperial one. */
export const precisionIn = ({ unit, precision, imperialPrecision }: Metric, requestedUnit: string): number =>
  requestedUnit === unit ? precision : imperialPrecision;

export const metrics: readonly Metric[] = [
  row('steps', 'activity', 'count', 'count', 0, 'sum', 0, 200_000),
  row('distance', 'activity', 'km', 'mi', 2, 'sum', 0, 1_000),
  row('exercise', 'activity', 'min', 'min', 0, 'sum', 0, 1_500),
  row('flights_climbed', 'activity', 'count', 'count', 0, 'sum', 0, 2_000),
  row('stand_time', 'activity', 'min', 'min', 0, 'sum', 0, 1_500),
  row('stand_hours', 'activity', 'count', 'count', 0, 'sum', 0, 25),
  row('mindfulness', 'activity', 'min', 'min', 0, 'sum', 0, 1_500),
  row('walking', 'activity', 'km', 'mi', 2, 'sum', 0, 300),
  row('indoor_walking', 'activity', 'km', 'mi', 2, 'sum', 0, 300),
  row('running', 'activity', 'km', 'mi', 2, 'sum', 0, 400),
  row('indoor_running', 'activity', 'km', 'mi', 2, 'sum', 0, 400),
  row('cycling', 'activity', 'km', 'mi', 2, 'sum', 0, 1_000),
  row('indoor_cycling', 'activity', 'km', 'mi', 2, 'sum', 0, 1_000),
  row('swimming', 'activity', 'm', 'mi', 0, 'sum', 0, 100_000),
  row('asleep', 'sleep', 'min', 'min', 0, 'sum', 0, 1_500),
  row('longest_sleep', 'sleep', 'min', 'min', 0, 'max', 0, 1_500),
  row('time_in_bed', 'sleep', 'min', 'min', 0, 'sum', 0, 1_500),
  row('time_awake', 'sleep', 'min', 'min', 0, 'sum', 0, 1_500),
  row('light_sleep', 'sleep', 'min', 'min', 0, 'sum', 0, 1_500),
  row('deep_sleep', 'sleep', 'min', 'min', 0, 'sum', 0, 1_500),
  row('rem_sleep', 'sleep', 'min', 'min', 0, 'sum', 0, 1_500),
  row('restorative_sleep', 'sleep', 'min', 'min', 0, 'sum', 0, 1_500),
  row('sleep_latency', 'sleep', 'min', 'min', 0, 'avg', 0, 1_500),
  row('sleep_efficiency', 'sleep', '%', '%', 1, 'avg', 0, 100),
  row('sleep_heart_rate', 'sleep', 'bpm', 'bpm', 1, 'avg', 20, 220),
  row('sleep_heart_rate_variability', 'sleep', 'ms', 'ms', 1, 'avg', 1, 500),
  row('sleep_respiratory_rate', 'sleep', 'brpm', 'brpm', 1, 'avg', 3, 60),
  row('sleep_blood_oxygen', 'sleep', '%', '%', 1, 'avg', 50, 100),
  row('sleep_body_temperature', 'sleep', '°C', '°F', 1, 'avg', 30, 45),
  row('sleep_skin_temperature', 'sleep', '°C', '°F', 1, 'avg', 15, 45),
  row('sleep_wrist_temperature', 'sleep', '°C', '°F', 1, 'avg', 15, 45),
  row('heart_rate', 'vitals', 'bpm', 'bpm', 1, 'avg', 20, 300),
  row('resting_heart_rate', 'vitals', 'bpm', 'bpm', 1, 'last', 20, 220),
  row('min_heart_rate', 'vitals', 'bpm', 'bpm', 0, 'min', 20, 300),
  row('max_heart_rate', 'vitals', 'bpm', 'bpm', 0, 'max', 20, 300),
  row('walking_heart_rate', 'vitals', 'bpm', 'bpm', 1, 'avg', 20, 250),
  row('heart_rate_variability', 'vitals', 'ms', 'ms', 1, 'avg', 1, 500),
  row('heart_rate_variability_rmssd', 'vitals', 'ms', 'ms', 1, 'avg', 1, 500),
  row('respiratory_rate', 'vitals', 'brpm', 'brpm', 1, 'avg', 3, 80),
  row('blood_oxygen', 'vitals', '%', '%', 1, 'avg', 50, 100),
  row('body_temperature', 'vitals', '°C', '°F', 1, 'avg', 30, 45),
  row('skin_temperature', 'vitals', '°C', '°F', 1, 'avg', 15, 45),
  row('blood_pressure_systolic', 'vitals', 'mmHg', 'mmHg', 0, 'avg', 40, 300),
  row('blood_pressure_diastolic', 'vitals', 'mmHg', 'mmHg', 0, 'avg', 20, 200),
  row('blood_glucose', 'vitals', 'mg/dL', 'mg/dL', 1, 'avg', 10, 1_000),
  row('vo2_max', 'vitals', 'mL/kg/min', 'mL/kg/min', 1, 'last', 5, 100),
  row('weight', 'body_composition', 'kg', 'lb', 2, 'last', 0.5, 700),
  row('lean_body_mass', 'body_composition', 'kg', 'lb', 2, 'last', 0.5, 400),
  row('fat_mass', 'body_composition', 'kg', 'lb', 2, 'last', 0, 400),
  row('muscle_mass', 'body_composition', 'kg', 'lb', 2, 'last', 0.5, 300),
  row('bone_mass', 'body_composition', 'kg', 'lb', 2, 'last', 0.1, 30),
  row('body_fat_percentage', 'body_composition', '%', '%', 1, 'last', 0, 90),
  row('body_water_percentage', 'body_composition', '%', '%', 1, 'last', 10, 90),
  row('body_mass_index', 'body_composition', 'kg/m²', 'kg/m²', 1, 'last', 5, 200),
  row('height', 'body_composition', 'cm', 'in', 1, 'last', 30, 275),
  row('waist_circumference', 'body_composition', 'cm', 'in', 1, 'last', 20, 350),
  row('active_calories', 'energy', 'kcal', 'kcal', 0, 'sum', 0, 20_000),
  row('resting_energy', 'energy', 'kcal', 'kcal', 0, 'sum', 0, 10_000),
  row('total_calories', 'energy', 'kcal', 'kcal', 0, 'sum', 0, 30_000),
  row('dietary_energy', 'nutrition', 'kcal', 'kcal', 0, 'sum', 0, 30_000),
  row('protein', 'nutrition', 'g', 'g', 1, 'sum', 0, 2_000),
  row('carbohydrates', 'nutrition', 'g', 'g', 1, 'sum', 0, 5_000),
  row('fat', 'nutrition', 'g', 'g', 1, 'sum', 0, 2_000),
  row('saturated_fat', 'nutrition', 'g', 'g', 1, 'sum', 0, 1_000),
  row('fiber', 'nutrition', 'g', 'g', 1, 'sum', 0, 500),
  row('sugar', 'nutrition', 'g', 'g', 1, 'sum', 0, 3_000),
  row('sodium', 'nutrition', 'mg', 'mg', 0, 'sum', 0, 100_000),
  row('cholesterol', 'nutrition', 'mg', 'mg', 0, 'sum', 0, 20_000),
  row('caffeine', 'nutrition', 'mg', 'mg', 0, 'sum', 0, 10_000),
  row('water', 'nutrition', 'mL', 'mL', 0, 'sum', 0, 30_000),
];

const byId = new Map(metrics.map((metric) => [metric.id, metric]));

export function metricOf(id: string): Metric {
  const found = byId.get(id);
  if (!found) throw new Error(`no metric ${id}`);
  return found;
}
