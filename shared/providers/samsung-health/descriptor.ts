import { bloodPressure, heartRateOfTheDay, nutrients, sleepStages, workoutTotals } from '../kit/coverage.ts';
import type { SdkDescriptor } from '../kit/descriptor.ts';

export const samsungHealth: SdkDescriptor = {
  id: 'samsung_health',
  name: 'Samsung Health',
  connection: 'sdk',
  deviceType: 'phone',
  metrics: [
    'steps',
    'distance',
    'flights_climbed',
    ...workoutTotals,
    ...sleepStages,
    ...heartRateOfTheDay,
    'heart_rate_variability_rmssd',
    'blood_oxygen',
    'skin_temperature',
    ...bloodPressure,
    'blood_glucose',
    'weight',
    'body_fat_percentage',
    'active_calories',
    ...nutrients,
  ],
  delivery: ['push'],
  historyDays: 730,
  scopes: [],
};
