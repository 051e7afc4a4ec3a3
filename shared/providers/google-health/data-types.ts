// The data types that are read of Google Health: how each is asked for, and which metrics it fills.
import type { MetricId } from '../../catalog/metrics.ts';

/** What each day came to, merged from all of a person's devices. */
export const rollupTypes = [
  'steps',
  'distance',
  'floors',
  'active-energy-burned',
  'total-calories',
  'active-minutes',
  'heart-rate',
] as const;

/** By which time a type is filtered. Sleep knows only its end, and what a person logs only the clock on their wall. */
type FilteredBy = 'sample' | 'date' | 'civil_start' | 'end';

export interface PointType {
  type: string;
  by: FilteredBy;
  pageSize: number;
}

const many = 10_000;
/** The most that sessions come in. */
const few = 25;

export const pointTypes: readonly PointType[] = [
  { type: 'sleep', by: 'end', pageSize: few },
  { type: 'exercise', by: 'civil_start', pageSize: few },
  { type: 'daily-resting-heart-rate', by: 'date', pageSize: many },
  { type: 'daily-heart-rate-variability', by: 'date', pageSize: many },
  { type: 'daily-oxygen-saturation', by: 'date', pageSize: many },
  { type: 'daily-respiratory-rate', by: 'date', pageSize: many },
  { type: 'daily-sleep-temperature-derivations', by: 'date', pageSize: many },
  { type: 'daily-vo2-max', by: 'date', pageSize: many },
  { type: 'heart-rate-variability', by: 'sample', pageSize: many },
  { type: 'oxygen-saturation', by: 'sample', pageSize: many },
  { type: 'weight', by: 'sample', pageSize: many },
  { type: 'body-fat', by: 'sample', pageSize: many },
  { type: 'height', by: 'sample', pageSize: many },
  { type: 'core-body-temperature', by: 'sample', pageSize: many },
  { type: 'blood-glucose', by: 'sample', pageSize: many },
  { type: 'vo2-max', by: 'sample', pageSize: many },
  { type: 'run-vo2-max', by: 'sample', pageSize: many },
  { type: 'hydration-log', by: 'civil_start', pageSize: many },
  { type: 'nutrition-log', by: 'civil_start', pageSize: many },
];

/** The field of a data point that holds a type: `daily-resting-heart-rate` is in `dailyRestingHeartRate`. */
export const fieldOfType = (type: string): string =>
  type.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The names of pages that are not all of a type's points. */
export const rollupPage = (type: string): string => `daily:${type}`;
export const heartRatePage = 'heart-rate';
export const tracePage = 'exercise-heart-rate';
export const coursePage = 'exercise-distance';
export const settingsPage = 'settings';

/** What a day's totals state. */
export const rollupMetrics: Readonly<Record<(typeof rollupTypes)[number], readonly MetricId[]>> = {
  steps: ['steps'],
  distance: ['distance'],
  floors: ['flights_climbed'],
  'active-energy-burned': ['active_calories'],
  'total-calories': ['total_calories'],
  'active-minutes': ['exercise'],
  'heart-rate': ['min_heart_rate', 'max_heart_rate'],
};

export const dailyPointMetrics: Readonly<Record<string, MetricId>> = {
  'daily-resting-heart-rate': 'resting_heart_rate',
  'daily-heart-rate-variability': 'heart_rate_variability_rmssd',
  'daily-oxygen-saturation': 'sleep_blood_oxygen',
  'daily-respiratory-rate': 'sleep_respiratory_rate',
  'daily-sleep-temperature-derivations': 'sleep_skin_temperature',
  'daily-vo2-max': 'vo2_max',
};

/** A metric that two types fill is only known in full with both. */
export const sampledMetrics: Readonly<Record<string, readonly MetricId[]>> = {
  'heart-rate': ['heart_rate'],
  'heart-rate-variability': ['heart_rate_variability_rmssd', 'heart_rate_variability'],
  'oxygen-saturation': ['blood_oxygen'],
  weight: ['weight'],
  'body-fat': ['body_fat_percentage'],
  height: ['height'],
  'core-body-temperature': ['body_temperature'],
  'blood-glucose': ['blood_glucose'],
  'vo2-max': ['vo2_max'],
  'run-vo2-max': ['vo2_max'],
  'hydration-log': ['water'],
  'nutrition-log': [
    'dietary_energy',
    'protein',
    'carbohydrates',
    'fat',
    'saturated_fat',
    'fiber',
    'sugar',
    'sodium',
    'cholesterol',
    'caffeine',
  ],
};
