import { indoorWorkoutTotals, workoutTotals } from '../coverage.ts';
import { type CloudDescriptor, plainOAuth } from '../descriptor.ts';

export const strava: CloudDescriptor = {
  id: 'strava',
  name: 'Strava',
  connection: 'cloud',
  deviceType: 'app',
  metrics: [...workoutTotals, ...indoorWorkoutTotals],
  delivery: ['push', 'poll'],
  historyDays: 180,
  scopes: ['activity:read_all', 'profile:read_all'],
  apiUrl: 'https://www.strava.com/api/v3',
  oauth: {
    ...plainOAuth,
    authorizeUrl: 'https://www.strava.com/oauth/authorize',
    tokenUrl: 'https://www.strava.com/oauth/token',
    scopeSeparator: ',',
    account: { from: 'request', url: 'https://www.strava.com/api/v3/athlete', field: 'id' },
    revocation: {
      by: 'form',
      method: 'POST',
      url: 'https://www.strava.com/oauth/revoke',
      clientAuth: 'basic',
      fields: { token: '{token}', token_type_hint: 'access_token' },
    },
  },
  sync: { windowDays: 14, rereadDays: 3, pollMinutes: 360, silentMinutes: 1440 },
  limits: [
    { requests: 100, seconds: 900, per: 'deployment' },
    { requests: 1000, seconds: 86400, per: 'deployment' },
  ],
  dead: { times: 2, minutesApart: 10 },
  credentials: [],
  push: { secretPath: true, data: false },
  setup: { portal: '', steps: [], unconfirmed: [] },
};
