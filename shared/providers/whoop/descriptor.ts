import { type CloudDescriptor, defaultOAuth } from '../kit/descriptor.ts';
import { sleepStageMetrics, workoutTotalMetrics } from '../kit/metric-sets.ts';

export const whoop: CloudDescriptor = {
  id: 'whoop',
  name: 'WHOOP',
  connection: 'cloud',
  deviceType: 'wrist',
  metrics: [
    ...workoutTotalMetrics,
    'indoor_cycling',
    'mindfulness',
    ...sleepStageMetrics,
    'sleep_heart_rate_variability',
    'sleep_respiratory_rate',
    'sleep_blood_oxygen',
    'sleep_skin_temperature',
    'resting_heart_rate',
    'heart_rate_variability_rmssd',
    'max_heart_rate',
    'total_calories',
  ],
  delivery: ['push', 'poll'],
  historyDays: 180,
  scopes: ['offline', 'read:cycles', 'read:sleep', 'read:recovery', 'read:workout', 'read:profile'],
  apiUrl: 'https://api.prod.whoop.com/developer',
  format: 1,
  oauth: {
    ...defaultOAuth,
    authorizeUrl: 'https://api.prod.whoop.com/oauth/oauth2/auth',
    tokenUrl: 'https://api.prod.whoop.com/oauth/oauth2/token',
    pkce: true,
    refreshTokenRotates: true,
    account: {
      from: 'request',
      url: 'https://api.prod.whoop.com/developer/v2/user/profile/basic',
      field: 'user_id',
    },
    revocation: { by: 'bearer', method: 'DELETE', url: 'https://api.prod.whoop.com/developer/v2/user/access' },
  },
  sync: { windowDays: 30, rereadDays: 3, pollIntervalMinutes: 60, maxSilenceMinutes: 180, requestsPerPoll: 4 },
  rateLimits: [
    { requests: 100, seconds: 60, per: 'deployment' },
    { requests: 10000, seconds: 86400, per: 'deployment' },
  ],
  invalidTokenPolicy: { minReports: 2, minMinutesApart: 10 },
  credentials: [],
  push: { hasSecretPath: false, carriesData: false },
};
