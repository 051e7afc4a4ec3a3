import { type CloudDescriptor, defaultOAuth } from '../kit/descriptor.ts';
import {
  dailyHeartRateMetrics,
  indoorWorkoutMetrics,
  sleepStageMetrics,
  workoutTotalMetrics,
} from '../kit/metric-sets.ts';

export const suuntoDeauthorizeUrl = 'https://cloudapi-oauth.suunto.com/oauth/deauthorize';

export const suunto: CloudDescriptor = {
  id: 'suunto',
  name: 'Suunto',
  connection: 'cloud',
  deviceType: 'wrist',
  metrics: [
    'steps',
    ...workoutTotalMetrics,
    ...indoorWorkoutMetrics,
    ...sleepStageMetrics,
    'sleep_latency',
    'sleep_heart_rate',
    'sleep_heart_rate_variability',
    ...dailyHeartRateMetrics,
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
    ...defaultOAuth,
    authorizeUrl: 'https://cloudapi-oauth.suunto.com/oauth/authorize',
    tokenUrl: 'https://cloudapi-oauth.suunto.com/oauth/token',
    clientAuth: 'basic',
    account: { from: 'access_token_claim', field: 'user' },
    revocation: { by: 'bearer', method: 'GET', url: suuntoDeauthorizeUrl },
  },
  // With two more days on either side, this is the 28 days that one request may cover.
  sync: { windowDays: 24, rereadDays: 3, pollIntervalMinutes: 1440, maxSilenceMinutes: 1440, requestsPerPoll: 4 },
  rateLimits: [{ requests: 60, seconds: 60, per: 'deployment' }],
  // Suunto has reported valid tokens as invalid, so hours must pass between reports.
  invalidTokenPolicy: { minReports: 3, minMinutesApart: 240 },
  credentials: [
    {
      name: 'subscription_key',
      required: true,
      description: 'The primary or secondary key of your API Zone subscription. It is sent with every data request.',
    },
    {
      name: 'notification_secret',
      required: false,
      description:
        'The secret that notifications are signed with. Without it, notifications are rejected and data is polled.',
    },
  ],
  push: { hasSecretPath: false, carriesData: true, credential: 'notification_secret' },
};
