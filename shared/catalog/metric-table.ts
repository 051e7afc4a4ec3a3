// The one table of every metric: what it is called, measured in, rounded to, aggregated by, and how it is packed.
// Indexes, scales and origins are written into stored days: rows may be added with the next free index, and those three never change;
// what accrues is stored with its times, so that stays too. Ids stand in rows and kept uploads.
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

/** A group's metrics describe one thing together, so a day takes them from one source. */
export const groupNames = { sleep: 'Sleep', blood_pressure: 'Blood Pressure' } as const;
export type GroupId = keyof typeof groupNames;

interface Kind {
  unit: Unit;
  imperialUnit: Unit;
  /** Decimals shown. */
  precision: number;
  /** Decimals shown in the imperial unit. */
  imperialPrecision: number;
  /** Decimals that pack shortest. Values with more are kept too, in more bytes. */
  scale: number;
}
const kind = (
  unit: Unit,
  precision: number,
  scale = precision,
  imperialUnit: Unit = unit,
  imperialPrecision = precision,
): Kind => ({ unit, imperialUnit, precision, imperialPrecision, scale });

const count = kind('count', 0);
const minutes = kind('min', 0);
const distance = kind('km', 2, 3, 'mi');
const swum = kind('m', 0, 1, 'mi', 3);
const percent = kind('%', 1);
const beats = kind('bpm', 1);
const wholeBeats = kind('bpm', 0);
const breaths = kind('brpm', 1);
const variability = kind('ms', 1);
const temperature = kind('°C', 1, 2, '°F');
const pressure = kind('mmHg', 0);
const mass = kind('kg', 2, 3, 'lb');
const length = kind('cm', 1, 2, 'in');
const energy = kind('kcal', 0);
const grams = kind('g', 1);
const milligrams = kind('mg', 0);

interface More {
  /** Values near it pack into one byte: an everyday value, in the metric's unit. */
  origin?: number;
  group?: GroupId;
  /** Adding up what several providers report makes sense. */
  adds?: true;
  /** It accrues while time passes, so devices that measured at different times complement each other, and a sample over midnight is split. */
  accrues?: true;
}

type MoreOrNot = { origin?: number; group?: GroupId; adds?: boolean; accrues?: boolean };

const row =
  <const Category extends CategoryId>(category: Category) =>
  <const Id extends string>(
    id: Id,
    index: number,
    displayName: string,
    measured: Kind,
    aggregation: Aggregation,
    range: readonly [min: number, max: number],
    { origin = 0, group, adds = false, accrues = false }: MoreOrNot = {},
  ) => ({ id, index, displayName, category, ...measured, aggregation, range, origin, group, adds, accrues });

const activity = row('activity');
const sleep = row('sleep');
const vitals = row('vitals');
const body = row('body_composition');
const burned = row('energy');
const eaten = row('nutrition');

// One night's timeline: latency is part of the time awake and efficiency is asleep over in bed, so neither may come from another source than the stages.
const night = (origin: number): More => ({ origin, group: 'sleep' });
const cuff = (origin: number): More => ({ origin, group: 'blood_pressure' });
const adds = (origin: number): More => ({ origin, adds: true });
const spells = (origin: number): More => ({ origin, accrues: true });
const flows = (origin: number): More => ({ origin, adds: true, accrues: true });
const near = (origin: number): More => ({ origin });

/** Minutes in the longest calendar day. */
const wholeDay = 1_500;

export const metricTable = [
  activity('steps', 0, 'Steps', count, 'sum', [0, 200_000], flows(8_000)),
  activity('distance', 1, 'Distance', distance, 'sum', [0, 1_000], flows(5)),
  activity('exercise', 2, 'Exercise', minutes, 'sum', [0, wholeDay], flows(40)),
  activity('flights_climbed', 3, 'Flights Climbed', count, 'sum', [0, 2_000], spells(10)),
  activity('stand_time', 4, 'Stand Time', minutes, 'sum', [0, wholeDay], spells(150)),
  activity('stand_hours', 5, 'Stand Hours', count, 'sum', [0, 25]),
  activity('mindfulness', 6, 'Mindfulness', minutes, 'sum', [0, wholeDay], spells(0)),
  activity('walking', 7, 'Walking', distance, 'sum', [0, 300], flows(4)),
  activity('indoor_walking', 8, 'Indoor Walking', distance, 'sum', [0, 300], flows(4)),
  activity('running', 9, 'Running', distance, 'sum', [0, 400], flows(7)),
  activity('indoor_running', 10, 'Indoor Running', distance, 'sum', [0, 400], flows(7)),
  activity('cycling', 11, 'Cycling', distance, 'sum', [0, 1_000], flows(7)),
  activity('indoor_cycling', 12, 'Indoor Cycling', distance, 'sum', [0, 1_000], flows(7)),
  activity('swimming', 13, 'Swimming', swum, 'sum', [0, 100_000], flows(800)),

  sleep('asleep', 14, 'Asleep', minutes, 'sum', [0, wholeDay], night(430)),
  // The minutes asleep in the day's longest sleep, which may be a nap: what lies beyond it are other naps, or a second night.
  sleep('longest_sleep', 69, 'Longest Sleep', minutes, 'max', [0, wholeDay], night(430)),
  sleep('time_in_bed', 15, 'Time in Bed', minutes, 'sum', [0, wholeDay], night(480)),
  sleep('time_awake', 16, 'Time Awake', minutes, 'sum', [0, wholeDay], night(45)),
  sleep('light_sleep', 17, 'Light Sleep', minutes, 'sum', [0, wholeDay], night(245)),
  sleep('deep_sleep', 18, 'Deep Sleep', minutes, 'sum', [0, wholeDay], night(75)),
  sleep('rem_sleep', 19, 'REM Sleep', minutes, 'sum', [0, wholeDay], night(95)),
  sleep('restorative_sleep', 20, 'Restorative Sleep', minutes, 'sum', [0, wholeDay], night(170)),
  sleep('sleep_latency', 21, 'Sleep Latency', minutes, 'avg', [0, wholeDay], night(12)),
  sleep('sleep_efficiency', 22, 'Sleep Efficiency', percent, 'avg', [0, 100], night(90)),
  sleep('sleep_heart_rate', 23, 'Sleep Heart Rate', beats, 'avg', [20, 220], near(56)),
  // Overnight variability is RMSSD by definition here: SDNN and RMSSD must never meet in one metric.
  sleep(
    'sleep_heart_rate_variability',
    24,
    'Sleep Heart Rate Variability (RMSSD)',
    variability,
    'avg',
    [1, 500],
    near(50),
  ),
  sleep('sleep_respiratory_rate', 25, 'Sleep Respiratory Rate', breaths, 'avg', [3, 60], near(15)),
  sleep('sleep_blood_oxygen', 26, 'Sleep Blood Oxygen', percent, 'avg', [50, 100], near(96)),
  sleep('sleep_body_temperature', 27, 'Sleep Body Temperature', temperature, 'avg', [30, 45], near(36.5)),
  sleep('sleep_skin_temperature', 28, 'Sleep Skin Temperature', temperature, 'avg', [15, 45], near(34.5)),
  sleep('sleep_wrist_temperature', 29, 'Sleep Wrist Temperature', temperature, 'avg', [15, 45], near(35)),

  vitals('heart_rate', 30, 'Heart Rate', beats, 'avg', [20, 300], near(72)),
  vitals('resting_heart_rate', 31, 'Resting Heart Rate', beats, 'last', [20, 220], near(58)),
  vitals('min_heart_rate', 32, 'Minimum Heart Rate', wholeBeats, 'min', [20, 300], near(48)),
  vitals('max_heart_rate', 33, 'Maximum Heart Rate', wholeBeats, 'max', [20, 300], near(140)),
  vitals('walking_heart_rate', 34, 'Walking Heart Rate', beats, 'avg', [20, 250], near(98)),
  vitals('heart_rate_variability', 35, 'Heart Rate Variability (SDNN)', variability, 'avg', [1, 500], near(50)),
  vitals('heart_rate_variability_rmssd', 36, 'Heart Rate Variability (RMSSD)', variability, 'avg', [1, 500], near(50)),
  vitals('respiratory_rate', 37, 'Respiratory Rate', breaths, 'avg', [3, 80], near(15)),
  vitals('blood_oxygen', 38, 'Blood Oxygen', percent, 'avg', [50, 100], near(97)),
  vitals('body_temperature', 39, 'Body Temperature', temperature, 'avg', [30, 45], near(36.6)),
  vitals('skin_temperature', 40, 'Skin Temperature', temperature, 'avg', [15, 45], near(33.5)),
  vitals('blood_pressure_systolic', 41, 'Systolic Blood Pressure', pressure, 'avg', [40, 300], cuff(122)),
  vitals('blood_pressure_diastolic', 42, 'Diastolic Blood Pressure', pressure, 'avg', [20, 200], cuff(78)),
  vitals('blood_glucose', 43, 'Blood Glucose', kind('mg/dL', 1), 'avg', [10, 1_000], near(98)),
  vitals('vo2_max', 44, 'VO₂ Max', kind('mL/kg/min', 1), 'last', [5, 100], near(42)),

  body('weight', 45, 'Weight', mass, 'last', [0.5, 700], near(72)),
  body('lean_body_mass', 46, 'Lean Body Mass', mass, 'last', [0.5, 400], near(55)),
  body('fat_mass', 47, 'Fat Mass', mass, 'last', [0, 400], near(17)),
  body('muscle_mass', 48, 'Muscle Mass', mass, 'last', [0.5, 300], near(50)),
  body('bone_mass', 49, 'Bone Mass', mass, 'last', [0.1, 30], near(3)),
  body('body_fat_percentage', 50, 'Body Fat Percentage', percent, 'last', [0, 90], near(22)),
  body('body_water_percentage', 51, 'Body Water Percentage', percent, 'last', [10, 90], near(55)),
  body('body_mass_index', 52, 'Body Mass Index', kind('kg/m²', 1), 'last', [5, 200], near(24)),
  body('height', 53, 'Height', length, 'last', [30, 275], near(172)),
  body('waist_circumference', 54, 'Waist Circumference', length, 'last', [20, 350], near(85)),

  burned('active_calories', 55, 'Active Calories', energy, 'sum', [0, 20_000], flows(500)),
  burned('resting_energy', 56, 'Resting Energy', energy, 'sum', [0, 10_000], flows(1_650)),
  burned('total_calories', 57, 'Total Calories', energy, 'sum', [0, 30_000], flows(2_200)),

  eaten('dietary_energy', 58, 'Dietary Energy', energy, 'sum', [0, 30_000], adds(2_100)),
  eaten('protein', 59, 'Protein', grams, 'sum', [0, 2_000], adds(90)),
  eaten('carbohydrates', 60, 'Carbohydrates', grams, 'sum', [0, 5_000], adds(230)),
  eaten('fat', 61, 'Fat', grams, 'sum', [0, 2_000], adds(75)),
  eaten('saturated_fat', 62, 'Saturated Fat', grams, 'sum', [0, 1_000], adds(24)),
  eaten('fiber', 63, 'Fiber', grams, 'sum', [0, 500], adds(24)),
  eaten('sugar', 64, 'Sugar', grams, 'sum', [0, 3_000], adds(60)),
  eaten('sodium', 65, 'Sodium', milligrams, 'sum', [0, 100_000], adds(2_300)),
  eaten('cholesterol', 66, 'Cholesterol', milligrams, 'sum', [0, 20_000], adds(250)),
  eaten('caffeine', 67, 'Caffeine', milligrams, 'sum', [0, 10_000], adds(150)),
  eaten('water', 68, 'Water', kind('mL', 0), 'sum', [0, 30_000], adds(1_900)),
] as const;

export type MetricRow = (typeof metricTable)[number];

/**
 * Scores that devices tell through the day. They have samples and nothing else: no day is made of
 * them, so they have no place in days and nothing to consolidate. Their indexes are apart from the
 * metrics', whose next free one leaves no gap in packed days.
 */
export const sampledScores = [
  row('scores')('stress_score', 1_000, 'Physiological Stress', kind('score', 0), 'avg', [0, 100]),
] as const;

export type SampledScoreRow = (typeof sampledScores)[number];
export type SampledScoreId = SampledScoreRow['id'];
