import { type CloudDescriptor, defaultOAuth } from '../kit/descriptor.ts';
import { indoorWorkoutMetrics, workoutTotalMetrics } from '../kit/metric-sets.ts';

export const strava: CloudDescriptor = {
  id: 'strava',
  name: 'Strava',
  connection: 'cloud',
  deviceType: 'app',
  metrics: [...workoutTotalMetrics, 'indoor_walking', ...indoorWorkoutMetrics],
  delivery: ['push', 'poll'],
  historyDays: 180,
  scopes: ['activity:read_all', 'profile:read_all'],
  apiUrl: 'https://www.strava.com/api/v3',
  format: 1,
  oauth: {
    ...defaultOAuth,
    authorizeUrl: 'https://www.strava.com/oauth/authorize',
    authorizeParameters: { approval_prompt: 'auto' },
    tokenUrl: 'https://www.strava.com/oauth/token',
    scopeSeparator: ',',
    refreshTokenRotates: true,
    account: { from: 'request', url: 'https://www.strava.com/api/v3/athlete', field: 'id' },
    revocation: {
      by: 'form',
      method: 'POST',
      url: 'https://www.strava.com/oauth/revoke',
      clientAuth: 'basic',
      fields: { token: '{token}', token_type_hint: 'refresh_token' },
    },
  },
  // Every activity takes two more requests, and the whole deployment has 100 per quarter hour.
  // Windows are short, so that each can be completed.
  sync: { windowDays: 7, rereadDays: 3, pollIntervalMinutes: 360, maxSilenceMinutes: 1440, requestsPerPoll: 6 },
  rateLimits: [
    { requests: 100, seconds: 900, per: 'deployment' },
    { requests: 1000, seconds: 86400, per: 'deployment' },
  ],
  invalidTokenPolicy: { minReports: 2, minMinutesApart: 10 },
  credentials: [
    {
      name: 'signing_secret',
      required: false,
      description:
        'The key that Strava signs pushes with, if you know it. Pushes without a valid signature are then rejected.',
    },
  ],
  push: { hasSecretPath: true, carriesData: false, hasSubscriptionSecret: true },
};
