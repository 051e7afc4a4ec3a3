import { heartRateOfTheDay, indoorWorkoutTotals, sleepStages, workoutTotals } from '../kit/coverage.ts';
import { type CloudDescriptor, plainOAuth } from '../kit/descriptor.ts';

export const suuntoDeauthorizeUrl = 'https://cloudapi-oauth.suunto.com/oauth/deauthorize';

export const suunto: CloudDescriptor = {
  id: 'suunto',
  name: 'Suunto',
  connection: 'cloud',
  deviceType: 'wrist',
  metrics: [
    'steps',
    ...workoutTotals,
    ...indoorWorkoutTotals,
    ...sleepStages,
    'sleep_latency',
    'sleep_heart_rate',
    'sleep_heart_rate_variability',
    ...heartRateOfTheDay,
    'heart_rate_variability_rmssd',
    'blood_oxygen',
    'active_calories',
  ],
  delivery: ['push', 'poll'],
  historyDays: 180,
  scopes: [],
  apiUrl: 'https://cloudapi.suunto.com',
  format: 1,
  oauth: {
    ...plainOAuth,
    authorizeUrl: 'https://cloudapi-oauth.suunto.com/oauth/authorize',
    tokenUrl: 'https://cloudapi-oauth.suunto.com/oauth/token',
    clientAuth: 'basic',
    account: { from: 'access_token_claim', field: 'user' },
    revocation: { by: 'bearer', method: 'GET', url: suuntoDeauthorizeUrl },
  },
  // With two days more on either side that is the 28 days that may be asked for at once.
  sync: { windowDays: 24, rereadDays: 3, pollMinutes: 1440, silentMinutes: 1440 },
  limits: [{ requests: 60, seconds: 60, per: 'deployment' }],
  // It has said of good tokens that they are dead: hours must lie between.
  dead: { times: 3, minutesApart: 240 },
  credentials: [
    {
      name: 'subscription_key',
      required: true,
      what: 'The primary or secondary key of your API Zone subscription. It goes with every data call.',
    },
    {
      name: 'notification_secret',
      required: false,
      what: 'The secret that notifications are signed with. Without it notifications are refused, and data is polled.',
    },
  ],
  push: { secretPath: false, data: true, credential: 'notification_secret' },
};
