import { type CloudDescriptor, defaultOAuth } from '../kit/descriptor.ts';
import { indoorWorkoutMetrics, workoutTotalMetrics } from '../kit/metric-sets.ts';

export const coros: CloudDescriptor = {
  id: 'coros',
  name: 'COROS',
  connection: 'cloud',
  deviceType: 'wrist',
  metrics: [
    'steps',
    ...workoutTotalMetrics,
    ...indoorWorkoutMetrics,
    // Nights have bounds but no stages.
    'time_in_bed',
    'sleep_heart_rate',
    'sleep_heart_rate_variability',
    'heart_rate',
    'resting_heart_rate',
    'heart_rate_variability_rmssd',
  ],
  delivery: ['push', 'poll'],
  // COROS returns nothing older than three months, and the shortest three months have 89 days.
  historyDays: 88,
  scopes: [],
  apiUrl: 'https://open.coros.com',
  format: 1,
  oauth: {
    ...defaultOAuth,
    authorizeUrl: 'https://open.coros.com/oauth2/authorize',
    tokenUrl: 'https://open.coros.com/oauth2/accesstoken',
    refreshUrl: 'https://open.coros.com/oauth2/refresh-token',
    account: { from: 'token_reply', field: 'openId' },
    revocation: {
      by: 'query',
      method: 'POST',
      url: 'https://open.coros.com/oauth2/deauthorize',
      tokenParameter: 'token',
    },
  },
  // With two more days on either side, this is the 30 days that one request may cover.
  sync: { windowDays: 26, rereadDays: 7, pollIntervalMinutes: 360, maxSilenceMinutes: 720, requestsPerPoll: 2 },
  rateLimits: [{ requests: 60, seconds: 60, per: 'deployment' }],
  invalidTokenPolicy: { minReports: 2, minMinutesApart: 60 },
  credentials: [],
  push: { hasSecretPath: false, carriesData: true },
};
