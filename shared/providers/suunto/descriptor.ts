import { heartRateOfTheDay, sleepStages, workoutTotals } from '../coverage.ts';
import { type CloudDescriptor, plainOAuth } from '../descriptor.ts';

export const suunto: CloudDescriptor = {
  id: 'suunto',
  name: 'Suunto',
  connection: 'cloud',
  deviceType: 'wrist',
  metrics: [
    'steps',
    ...workoutTotals,
    ...sleepStages,
    'sleep_heart_rate',
    'sleep_heart_rate_variability',
    ...heartRateOfTheDay,
    'heart_rate_variability_rmssd',
    'blood_oxygen',
  ],
  delivery: ['push', 'poll'],
  historyDays: 180,
  scopes: [],
  apiUrl: 'https://cloudapi.suunto.com',
  oauth: {
    ...plainOAuth,
    authorizeUrl: 'https://cloudapi-oauth.suunto.com/oauth/authorize',
    tokenUrl: 'https://cloudapi-oauth.suunto.com/oauth/token',
    clientAuth: 'basic',
    account: { from: 'access_token_claim', field: 'user' },
    revocation: { by: 'none', why: 'Suunto documents no call for it: the user removes the app in the Suunto app.' },
  },
  sync: { windowDays: 28, rereadDays: 3, pollMinutes: 1440, silentMinutes: 1440 },
  limits: [{ requests: 60, seconds: 60, per: 'deployment' }],
  dead: { times: 3, minutesApart: 240 },
  credentials: [],
  push: { secretPath: false, data: true },
  setup: { portal: '', steps: [], unconfirmed: [] },
};
