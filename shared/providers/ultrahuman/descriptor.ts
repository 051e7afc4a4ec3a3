import { type CloudDescriptor, defaultOAuth } from '../kit/descriptor.ts';
import { dailyHeartRateMetrics, sleepStageMetrics } from '../kit/metric-sets.ts';

export const ultrahuman: CloudDescriptor = {
  id: 'ultrahuman',
  name: 'Ultrahuman',
  connection: 'cloud',
  deviceType: 'ring',
  metrics: [
    'steps',
    'exercise',
    ...sleepStageMetrics,
    'sleep_heart_rate',
    'sleep_heart_rate_variability',
    'sleep_blood_oxygen',
    'sleep_skin_temperature',
    ...dailyHeartRateMetrics,
    'resting_heart_rate',
    'heart_rate_variability_rmssd',
    'blood_oxygen',
    'skin_temperature',
    'blood_glucose',
    'vo2_max',
  ],
  delivery: ['poll'],
  // One request fetches one day, so a longer history would cost one request per day.
  historyDays: 30,
  scopes: ['ring_data', 'cgm_data', 'profile'],
  apiUrl: 'https://partner.ultrahuman.com/api/partners/v1',
  format: 1,
  oauth: {
    ...defaultOAuth,
    authorizeUrl: 'https://auth.ultrahuman.com/authorise',
    tokenUrl: 'https://partner.ultrahuman.com/api/partners/oauth/token',
    refreshTokenRotates: true,
    account: {
      from: 'request',
      url: 'https://partner.ultrahuman.com/api/partners/v1/user_data/user_info',
      field: 'id',
    },
    revocation: {
      by: 'form',
      method: 'POST',
      url: 'https://partner.ultrahuman.com/api/partners/oauth/revoke',
      clientAuth: 'body',
      fields: { token: '{token}' },
    },
  },
  sync: { windowDays: 7, rereadDays: 3, pollIntervalMinutes: 60, maxSilenceMinutes: 60, requestsPerPoll: 6 },
  rateLimits: [{ requests: 60, seconds: 60, per: 'deployment' }],
  invalidTokenPolicy: { minReports: 2, minMinutesApart: 30 },
  credentials: [],
  push: null,
};
