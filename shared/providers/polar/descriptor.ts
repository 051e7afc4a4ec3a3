import { heartRateOfTheDay, indoorWorkoutTotals, sleepStages, workoutTotals } from '../coverage.ts';
import { type CloudDescriptor, plainOAuth } from '../descriptor.ts';

export const polar: CloudDescriptor = {
  id: 'polar',
  name: 'Polar',
  connection: 'cloud',
  deviceType: 'wrist',
  metrics: [
    'steps',
    'distance',
    ...workoutTotals,
    ...indoorWorkoutTotals,
    ...sleepStages,
    'sleep_heart_rate',
    'sleep_heart_rate_variability',
    'sleep_respiratory_rate',
    'sleep_skin_temperature',
    ...heartRateOfTheDay,
    'heart_rate_variability_rmssd',
    'blood_oxygen',
    'body_temperature',
    'active_calories',
    'total_calories',
  ],
  delivery: ['push', 'poll'],
  historyDays: 28,
  scopes: ['accesslink.read_all'],
  apiUrl: 'https://www.polaraccesslink.com/v3',
  oauth: {
    ...plainOAuth,
    authorizeUrl: 'https://flow.polar.com/oauth2/authorization',
    tokenUrl: 'https://polarremote.com/v2/oauth2/token',
    clientAuth: 'basic',
    account: { from: 'token_reply', field: 'x_user_id' },
    registration: {
      method: 'POST',
      url: 'https://www.polaraccesslink.com/v3/users',
      body: { 'member-id': '{external_id}' },
    },
    revocation: { by: 'bearer', method: 'DELETE', url: 'https://www.polaraccesslink.com/v3/users/{account_id}' },
  },
};
