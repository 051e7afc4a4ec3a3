// The single table of every metric: its name, units, rounding, aggregation and packing. Stored days
// contain the index, scale and origin, so these three never change for a row, and a new row takes
// the next free index. `accrues` must not change either, because accruing metrics are stored with
// their times. Ids appear in rows and in stored uploads.
import type { Unit } from './units.ts';

export const categoryNames = {
  activity: 'Activity',
  sleep: 'Sleep',
  vitals: 'Vitals',
  body_composition: 'Body Composition',
  energy: 'Energy',
  nutrition: 'Nutrition',
  scores: 'Scores',
} as const;
export type CategoryId = keyof typeof categoryNames;

export const aggregations = ['sum', 'avg', 'min', 'max', 'last'] as const;
export type Aggregation = (typeof aggregations)[number];

/** Metrics of a group describe one thing together and follow one setting. */
export const groupNames = { sleep: 'Sleep', blood_pressure: 'Blood Pressure' } as const;
export type GroupId = keyof typeof groupNames;

interface MetricUnits {
  unit: Unit;
  imperialUnit: Unit;
  /** Decimals in responses. */
  precision: number;
  /** Decimals in responses, for the imperial unit. */
  imperialPrecision: number;
  /**
   * The number of decimals that packs into the fewest bytes. Values with more decimals are stored
   * exactly, in more bytes.
   */
  scale: number;
}
const defineUnits = (
  unit: Unit,
  precision: number,
  scale = precision,
  imperialUnit: Unit = unit,
  imperialPrecision = precision,
): MetricUnits => ({ unit, imperialUnit, precision, imperialPrecision, scale });

const count = defineUnits('count', 0);
const minutes = defineUnits('min', 0);
const distance = defineUnits('km', 2, 3, 'mi');
const swimDistance = defineUnits('m', 0, 1, 'mi', 3);
const percent = defineUnits('%', 1);
const heartRate = defineUnits('bpm', 1);
const integerHeartRate = defineUnits('bpm', 0);
const respiratoryRate = defineUnits('brpm', 1);
const variability = defineUnits('ms', 1);
const temperature = defineUnits('°C', 1, 2, '°F');
const pressure = defineUnits('mmHg', 0);
const mass = defineUnits('kg', 2, 3, 'lb');
const length = defineUnits('cm', 1, 2, 'in');
const energy = defineUnits('kcal', 0);
const grams = defineUnits('g', 1);
const milligrams = defineUnits('mg', 0);

interface MetricOptions {
  /** A typical value, in the metric's unit. Values near it pack into one byte. */
  origin?: number;
  group?: GroupId;
  /** The values that several providers report can be added up. */
  adds?: true;
  /**
   * The value accrues over time, so devices that measured at different times complement each other,
   * and a sample that spans midnight is split.
   */
  accrues?: true;
}

type MetricOptionsInput = { origin?: number; group?: GroupId; adds?: boolean; accrues?: boolean };

const defineMetric =
  <const Category extends CategoryId>(category: Category) =>
  <const Id extends string>(
    id: Id,
    index: number,
    displayName: string,
    units: MetricUnits,
    aggregation: Aggregation,
    range: readonly [min: number, max: number],
    { origin = 0, group, adds = false, accrues = false }: MetricOptionsInput = {},
  ) => ({ id, index, displayName, category, ...units, aggregation, range, origin, group, adds, accrues });

const activityMetric = defineMetric('activity');
const sleepMetric = defineMetric('sleep');
const vitalsMetric = defineMetric('vitals');
const bodyMetric = defineMetric('body_composition');
const energyMetric = defineMetric('energy');
const nutritionMetric = defineMetric('nutrition');

const nightly = (origin: number): MetricOptions => ({ origin, group: 'sleep' });
const bloodPressure = (origin: number): MetricOptions => ({ origin, group: 'blood_pressure' });
const additive = (origin: number): MetricOptions => ({ origin, adds: true });
const interval = (origin: number): MetricOptions => ({ origin, accrues: true });
const cumulative = (origin: number): MetricOptions => ({ origin, adds: true, accrues: true });
const withOrigin = (origin: number): MetricOptions => ({ origin });

/** Minutes in the longest calendar day. */
const maxDayMinutes = 1_500;

export const metricTable = [
  activityMetric('steps', 0, 'Steps', count, 'sum', [0, 200_000], cumulative(8_000)),
  activityMetric('distance', 1, 'Distance', distance, 'sum', [0, 1_000], cumulative(5)),
  activityMetric('exercise', 2, 'Exercise', minutes, 'sum', [0, maxDayMinutes], cumulative(40)),
  activityMetric('flights_climbed', 3, 'Flights Climbed', count, 'sum', [0, 2_000], interval(10)),
  activityMetric('stand_time', 4, 'Stand Time', minutes, 'sum', [0, maxDayMinutes], interval(150)),
  activityMetric('stand_hours', 5, 'Stand Hours', count, 'sum', [0, 25]),
  activityMetric('mindfulness', 6, 'Mindfulness', minutes, 'sum', [0, maxDayMinutes], interval(0)),
  activityMetric('walking', 7, 'Walking', distance, 'sum', [0, 300], cumulative(4)),
  activityMetric('indoor_walking', 8, 'Indoor Walking', distance, 'sum', [0, 300], cumulative(4)),
  activityMetric('running', 9, 'Running', distance, 'sum', [0, 400], cumulative(7)),
  activityMetric('indoor_running', 10, 'Indoor Running', distance, 'sum', [0, 400], cumulative(7)),
  activityMetric('cycling', 11, 'Cycling', distance, 'sum', [0, 1_000], cumulative(7)),
  activityMetric('indoor_cycling', 12, 'Indoor Cycling', distance, 'sum', [0, 1_000], cumulative(7)),
  activityMetric('swimming', 13, 'Swimming', swimDistance, 'sum', [0, 100_000], cumulative(800)),

  sleepMetric('asleep', 14, 'Asleep', minutes, 'sum', [0, maxDayMinutes], nightly(430)),
  // The minutes asleep in the day's longest sleep session, which may be a nap. The rest of `asleep`
  // is other naps or a second night.
  sleepMetric('longest_sleep', 69, 'Longest Sleep', minutes, 'max', [0, maxDayMinutes], nightly(430)),
  sleepMetric('time_in_bed', 15, 'Time in Bed', minutes, 'sum', [0, maxDayMinutes], nightly(480)),
  sleepMetric('time_awake', 16, 'Time Awake', minutes, 'sum', [0, maxDayMinutes], nightly(45)),
  sleepMetric('light_sleep', 17, 'Light Sleep', minutes, 'sum', [0, maxDayMinutes], nightly(245)),
  sleepMetric('deep_sleep', 18, 'Deep Sleep', minutes, 'sum', [0, maxDayMinutes], nightly(75)),
  sleepMetric('rem_sleep', 19, 'REM Sleep', minutes, 'sum', [0, maxDayMinutes], nightly(95)),
  sleepMetric('restorative_sleep', 20, 'Restorative Sleep', minutes, 'sum', [0, maxDayMinutes], nightly(170)),
  sleepMetric('sleep_latency', 21, 'Sleep Latency', minutes, 'avg', [0, maxDayMinutes], nightly(12)),
  sleepMetric('sleep_efficiency', 22, 'Sleep Efficiency', percent, 'avg', [0, 100], nightly(90)),
  sleepMetric('sleep_heart_rate', 23, 'Sleep Heart Rate', heartRate, 'avg', [20, 220], withOrigin(56)),
  // Overnight variability is always RMSSD here: SDNN and RMSSD must never be mixed in one metric.
  sleepMetric(
    'sleep_heart_rate_variability',
    24,
    'Sleep Heart Rate Variability (RMSSD)',
    variability,
    'avg',
    [1, 500],
    withOrigin(50),
  ),
  sleepMetric('sleep_respiratory_rate', 25, 'Sleep Respiratory Rate', respiratoryRate, 'avg', [3, 60], withOrigin(15)),
  sleepMetric('sleep_blood_oxygen', 26, 'Sleep Blood Oxygen', percent, 'avg', [50, 100], withOrigin(96)),
  sleepMetric('sleep_body_temperature', 27, 'Sleep Body Temperature', temperature, 'avg', [30, 45], withOrigin(36.5)),
  sleepMetric('sleep_skin_temperature', 28, 'Sleep Skin Temperature', temperature, 'avg', [15, 45], withOrigin(34.5)),
  sleepMetric('sleep_wrist_temperature', 29, 'Sleep Wrist Temperature', temperature, 'avg', [15, 45], withOrigin(35)),

  vitalsMetric('heart_rate', 30, 'Heart Rate', heartRate, 'avg', [20, 300], withOrigin(72)),
  vitalsMetric('resting_heart_rate', 31, 'Resting Heart Rate', heartRate, 'last', [20, 220], withOrigin(58)),
  vitalsMetric('min_heart_rate', 32, 'Minimum Heart Rate', integerHeartRate, 'min', [20, 300], withOrigin(48)),
  vitalsMetric('max_heart_rate', 33, 'Maximum Heart Rate', integerHeartRate, 'max', [20, 300], withOrigin(140)),
  vitalsMetric('walking_heart_rate', 34, 'Walking Heart Rate', heartRate, 'avg', [20, 250], withOrigin(98)),
  vitalsMetric(
    'heart_rate_variability',
    35,
    'Heart Rate Variability (SDNN)',
    variability,
    'avg',
    [1, 500],
    withOrigin(50),
  ),
  vitalsMetric(
    'heart_rate_variability_rmssd',
    36,
    'Heart Rate Variability (RMSSD)',
    variability,
    'avg',
    [1, 500],
    withOrigin(50),
  ),
  vitalsMetric('respiratory_rate', 37, 'Respiratory Rate', respiratoryRate, 'avg', [3, 80], withOrigin(15)),
  vitalsMetric('blood_oxygen', 38, 'Blood Oxygen', percent, 'avg', [50, 100], withOrigin(97)),
  vitalsMetric('body_temperature', 39, 'Body Temperature', temperature, 'avg', [30, 45], withOrigin(36.6)),
  vitalsMetric('skin_temperature', 40, 'Skin Temperature', temperature, 'avg', [15, 45], withOrigin(33.5)),
  vitalsMetric(
    'blood_pressure_systolic',
    41,
    'Systolic Blood Pressure',
    pressure,
    'avg',
    [40, 300],
    bloodPressure(122),
  ),
  vitalsMetric(
    'blood_pressure_diastolic',
    42,
    'Diastolic Blood Pressure',
    pressure,
    'avg',
    [20, 200],
    bloodPressure(78),
  ),
  vitalsMetric('blood_glucose', 43, 'Blood Glucose', defineUnits('mg/dL', 1), 'avg', [10, 1_000], withOrigin(98)),
  vitalsMetric('vo2_max', 44, 'VO₂ Max', defineUnits('mL/kg/min', 1), 'last', [5, 100], withOrigin(42)),

  bodyMetric('weight', 45, 'Weight', mass, 'last', [0.5, 700], withOrigin(72)),
  bodyMetric('lean_body_mass', 46, 'Lean Body Mass', mass, 'last', [0.5, 400], withOrigin(55)),
  bodyMetric('fat_mass', 47, 'Fat Mass', mass, 'last', [0, 400], withOrigin(17)),
  bodyMetric('muscle_mass', 48, 'Muscle Mass', mass, 'last', [0.5, 300], withOrigin(50)),
  bodyMetric('bone_mass', 49, 'Bone Mass', mass, 'last', [0.1, 30], withOrigin(3)),
  bodyMetric('body_fat_percentage', 50, 'Body Fat Percentage', percent, 'last', [0, 90], withOrigin(22)),
  bodyMetric('body_water_percentage', 51, 'Body Water Percentage', percent, 'last', [10, 90], withOrigin(55)),
  bodyMetric('body_mass_index', 52, 'Body Mass Index', defineUnits('kg/m²', 1), 'last', [5, 200], withOrigin(24)),
  bodyMetric('height', 53, 'Height', length, 'last', [30, 275], withOrigin(172)),
  bodyMetric('waist_circumference', 54, 'Waist Circumference', length, 'last', [20, 350], withOrigin(85)),

  energyMetric('active_calories', 55, 'Active Calories', energy, 'sum', [0, 20_000], cumulative(500)),
  energyMetric('resting_energy', 56, 'Resting Energy', energy, 'sum', [0, 10_000], cumulative(1_650)),
  energyMetric('total_calories', 57, 'Total Calories', energy, 'sum', [0, 30_000], cumulative(2_200)),

  nutritionMetric('dietary_energy', 58, 'Dietary Energy', energy, 'sum', [0, 30_000], additive(2_100)),
  nutritionMetric('protein', 59, 'Protein', grams, 'sum', [0, 2_000], additive(90)),
  nutritionMetric('carbohydrates', 60, 'Carbohydrates', grams, 'sum', [0, 5_000], additive(230)),
  nutritionMetric('fat', 61, 'Fat', grams, 'sum', [0, 2_000], additive(75)),
  nutritionMetric('saturated_fat', 62, 'Saturated Fat', grams, 'sum', [0, 1_000], additive(24)),
  nutritionMetric('fiber', 63, 'Fiber', grams, 'sum', [0, 500], additive(24)),
  nutritionMetric('sugar', 64, 'Sugar', grams, 'sum', [0, 3_000], additive(60)),
  nutritionMetric('sodium', 65, 'Sodium', milligrams, 'sum', [0, 100_000], additive(2_300)),
  nutritionMetric('cholesterol', 66, 'Cholesterol', milligrams, 'sum', [0, 20_000], additive(250)),
  nutritionMetric('caffeine', 67, 'Caffeine', milligrams, 'sum', [0, 10_000], additive(150)),
  nutritionMetric('water', 68, 'Water', defineUnits('mL', 0), 'sum', [0, 30_000], additive(1_900)),
] as const;

export type MetricRow = (typeof metricTable)[number];

/**
 * Scores that devices report during the day. They only have samples: no daily value is computed
 * from them, so they are not part of days and cannot be consolidated. Their indexes are separate
 * from those of the metrics, so that the metrics' next free index leaves no gap in packed days.
 */
export const sampledScores = [
  defineMetric('scores')('stress_score', 1_000, 'Physiological Stress', defineUnits('score', 0), 'avg', [0, 100]),
] as const;

export type SampledScoreRow = (typeof sampledScores)[number];
export type SampledScoreId = SampledScoreRow['id'];
