import type { SdkDescriptor } from '../kit/descriptor.ts';
import {
  bloodPressureMetrics,
  dailyHeartRateMetrics,
  nutrientMetrics,
  sleepStageMetrics,
  workoutTotalMetrics,
} from '../kit/metric-sets.ts';

export const samsungHealth: SdkDescriptor = {
  id: 'samsung_health',
  name: 'Samsung Health',
  connection: 'sdk',
  deviceType: 'phone',
  metrics: [
    'steps',
    'distance',
    'flights_climbed',
    ...workoutTotalMetrics,
    ...sleepStageMetrics,
    ...dailyHeartRateMetrics,
    'heart_rate_variability_rmssd',
    'blood_oxygen',
    'skin_temperature',
    ...bloodPressureMetrics,
    'blood_glucose',
    'weight',
    'body_fat_percentage',
    'active_calories',
    ...nutrientMetrics,
  ],
  delivery: ['push'],
  historyDays: 730,
  scopes: [],
};
