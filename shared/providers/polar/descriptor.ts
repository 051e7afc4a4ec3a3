import { type CloudDescriptor, defaultOAuth } from '../kit/descriptor.ts';
import {
  dailyHeartRateMetrics,
  indoorWorkoutMetrics,
  sleepStageMetrics,
  workoutTotalMetrics,
} from '../kit/metric-sets.ts';

export const polar: CloudDescriptor = {
  id: 'polar',
  name: 'Polar',
  connection: 'cloud',
  deviceType: 'wrist',
  metrics: [
    'steps',
    'distance',
    ...workoutTotalMetrics,
    'indoor_walking',
    ...indoorWorkoutMetrics,
    ...sleepStageMetrics,
    'sleep_heart_rate',
    'sleep_heart_rate_variability',
    'sleep_respiratory_rate',
    'sleep_skin_temperature',
    ...dailyHeartRateMetrics,
    'heart_rate_variability_rmssd',
    'blood_oxygen',
    'body_temperature',
    'skin_temperature',
    'vo2_max',
    'weight',
    'active_calories',
    'total_calories',
  ],
  delivery: ['push', 'poll'],
  historyDays: 28,
  scopes: ['accesslink.read_all'],
  apiUrl: 'https://www.polaraccesslink.com/v3',
  format: 1,
  oauth: {
    ...defaultOAuth,
    authorizeUrl: 'https://flow.polar.com/oauth2/authorization',
    tokenUrl: 'https://polarremote.com/v2/oauth2/token',
    clientAuth: 'basic',
    account: { from: 'token_reply', field: 'x_user_id' },
    registration: {
      method: 'POST',
      url: 'https://www.polaraccesslink.com/v3/users',
      body: { 'member-id': '{external_id}-{account_id}' },
    },
    revocation: { by: 'bearer', method: 'DELETE', url: 'https://www.polaraccesslink.com/v3/users/{account_id}' },
  },
  // Some watches report the heart rate every five seconds, so a window has only a few days.
  sync: { windowDays: 4, rereadDays: 3, pollIntervalMinutes: 60, maxSilenceMinutes: 360, requestsPerPoll: 11 },
  // The limits of an application without users; each user adds to them.
  rateLimits: [
    { requests: 500, seconds: 900, per: 'deployment' },
    { requests: 5000, seconds: 86400, per: 'deployment' },
  ],
  // There is no refresh token, so a 401 is the only sign that a consent has ended.
  invalidTokenPolicy: { minReports: 3, minMinutesApart: 60 },
  credentials: [],
  push: { hasSecretPath: false, carriesData: false, hasSubscriptionSecret: true },
};
