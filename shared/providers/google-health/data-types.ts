// The data types that are read from Google Health, how each is requested, and which metrics it
// fills.
import type { MetricId } from '../../catalog/metrics.ts';

/** Daily totals, merged from all of a user's devices. */
export const rollupTypes = [
  'steps',
  'distance',
  'floors',
  'active-energy-burned',
  'total-calories',
  'active-minutes',
  'heart-rate',
] as const;

/**
 * The time that a type is filtered by. Sleep can be filtered only by its end, and user-logged types
 * only by the local clock.
 */
type FilterField = 'sample' | 'date' | 'civil_start' | 'end';

export interface PointType {
  type: string;
  filterField: FilterField;
  pageSize: number;
}

const maxPageSize = 10_000;
/** The largest page size that Google allows for sessions. */
const maxSessionPageSize = 25;

export const pointTypes: readonly PointType[] = [
  { type: 'sleep', filterField: 'end', pageSize: maxSessionPageSize },
  { type: 'exercise', filterField: 'civil_start', pageSize: maxSessionPageSize },
  { type: 'daily-resting-heart-rate', filterField: 'date', pageSize: maxPageSize },
  { type: 'daily-heart-rate-variability', filterField: 'date', pageSize: maxPageSize },
  { type: 'daily-oxygen-saturation', filterField: 'date', pageSize: maxPageSize },
  { type: 'daily-respiratory-rate', filterField: 'date', pageSize: maxPageSize },
  { type: 'daily-sleep-temperature-derivations', filterField: 'date', pageSize: maxPageSize },
  { type: 'daily-vo2-max', filterField: 'date', pageSize: maxPageSize },
  { type: 'heart-rate-variability', filterField: 'sample', pageSize: maxPageSize },
  { type: 'oxygen-saturation', filterField: 'sample', pageSize: maxPageSize },
  { type: 'weight', filterField: 'sample', pageSize: maxPageSize },
  { type: 'body-fat', filterField: 'sample', pageSize: maxPageSize },
  { type: 'height', filterField: 'sample', pageSize: maxPageSize },
  { type: 'core-body-temperature', filterField: 'sample', pageSize: maxPageSize },
  { type: 'blood-glucose', filterField: 'sample', pageSize: maxPageSize },
  { type: 'vo2-max', filterField: 'sample', pageSize: maxPageSize },
  { type: 'run-vo2-max', filterField: 'sample', pageSize: maxPageSize },
  { type: 'hydration-log', filterField: 'civil_start', pageSize: maxPageSize },
  { type: 'nutrition-log', filterField: 'civil_start', pageSize: maxPageSize },
];

/**
 * The field of a data point that holds a type: `dailyRestingHeartRate` for
 * `daily-resting-heart-rate`.
 */
export const toFieldName = (type: string): string =>
  type.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The names of pages that do not hold all points of a type. */
export const rollupPageName = (type: string): string => `daily:${type}`;
export const heartRatePageName = 'heart-rate';
export const exerciseHeartRatePageName = 'exercise-heart-rate';
export const exerciseDistancePageName = 'exercise-distance';
export const settingsPageName = 'settings';

/** The metrics that daily totals fill. */
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

/** A metric that two types fill is complete only with both. */
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
