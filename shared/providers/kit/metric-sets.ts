// Sets of metrics that providers cover together, grouped by the data that an adapter needs to fill
// them.
import type { MetricId } from '../../catalog/metrics.ts';

/**
 * Stage durations and the time in bed (`inBedMinutes`, which does not follow from the bounds of the
 * night). The longest sleep, restorative sleep and efficiency are derived from them.
 */
export const sleepStageMetrics = [
  'asleep',
  'longest_sleep',
  'time_in_bed',
  'time_awake',
  'light_sleep',
  'deep_sleep',
  'rem_sleep',
  'restorative_sleep',
  'sleep_efficiency',
] as const satisfies MetricId[];

/** Workouts with a duration, a sport and a distance. */
export const workoutTotalMetrics = [
  'exercise',
  'walking',
  'running',
  'cycling',
  'swimming',
] as const satisfies MetricId[];

/** Sports that distinguish a treadmill or trainer from the road. */
export const indoorWorkoutMetrics = ['indoor_running', 'indoor_cycling'] as const satisfies MetricId[];

/** Heart rate samples over the whole day. */
export const dailyHeartRateMetrics = ['heart_rate', 'min_heart_rate', 'max_heart_rate'] as const satisfies MetricId[];

export const bloodPressureMetrics = [
  'blood_pressure_systolic',
  'blood_pressure_diastolic',
] as const satisfies MetricId[];

export const nutrientMetrics = [
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
  'water',
] as const satisfies MetricId[];
