import { bloodPressure, heartRateOfTheDay, indoorWorkoutTotals, sleepStages, workoutTotals } from '../coverage.ts';
import { type CloudDescriptor, plainOAuth } from '../descriptor.ts';

export const garmin: CloudDescriptor = {
  id: 'garmin',
  name: 'Garmin',
  connection: 'cloud',
  deviceType: 'wrist',
  metrics: [
    'steps',
    'distance',
    'flights_climbed',
    ...workoutTotals,
    ...indoorWorkoutTotals,
    ...sleepStages,
    'sleep_heart_rate_variability',
    ...heartRateOfTheDay,
    'resting_heart_rate',
    'heart_rate_variability_rmssd',
    'respiratory_rate',
    'blood_oxygen',
    ...bloodPressure,
    'vo2_max',
    'weight',
    'body_fat_percentage',
    'muscle_mass',
    'active_calories',
    'resting_energy',
    'total_calories',
  ],
  // Asking for data is not allowed: Garmin sends it, and a backfill only makes it send older days.
  delivery: ['push'],
  historyDays: 30,
  // Permissions are chosen in Garmin's developer portal, not in the link.
  scopes: [],
  apiUrl: 'https://apis.garmin.com',
  oauth: {
    ...plainOAuth,
    authorizeUrl: 'https://connect.garmin.com/oauth2Confirm',
    tokenUrl: 'https://diauth.garmin.com/di-oauth2-service/oauth/token',
    pkce: true,
    account: { from: 'request', url: 'https://apis.garmin.com/partner-gateway/rest/user/id', field: 'userId' },
    revocation: {
      by: 'bearer',
      method: 'DELETE',
      url: 'https://apis.garmin.com/partner-gateway/rest/user/registration',
    },
  },
};
