import { sleepStages, workoutTotals } from '../kit/coverage.ts';
import { type CloudDescriptor, plainOAuth } from '../kit/descriptor.ts';

export const whoop: CloudDescriptor = {
  id: 'whoop',
  name: 'WHOOP',
  connection: 'cloud',
  deviceType: 'wrist',
  metrics: [
    ...workoutTotals,
    'indoor_cycling',
    'mindfulness',
    ...sleepStages,
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
    ...plainOAuth,
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
  sync: { windowDays: 30, rereadDays: 3, pollMinutes: 60, silentMinutes: 180 },
  limits: [
    { requests: 100, seconds: 60, per: 'deployment' },
    { requests: 10000, seconds: 86400, per: 'deployment' },
  ],
  dead: { times: 2, minutesApart: 10 },
  credentials: [],
  push: { secretPath: false, data: false },
};
