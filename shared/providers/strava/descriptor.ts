import { indoorWorkoutTotals, workoutTotals } from '../kit/coverage.ts';
import { type CloudDescriptor, plainOAuth } from '../kit/descriptor.ts';

export const strava: CloudDescriptor = {
  id: 'strava',
  name: 'Strava',
  connection: 'cloud',
  deviceType: 'app',
  metrics: [...workoutTotals, 'indoor_walking', ...indoorWorkoutTotals],
  delivery: ['push', 'poll'],
  historyDays: 180,
  scopes: ['activity:read_all', 'profile:read_all'],
  apiUrl: 'https://www.strava.com/api/v3',
  format: 1,
  oauth: {
    ...plainOAuth,
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
  // Every activity takes two requests more, and a whole deployment has a hundred in a quarter of an hour: windows are short, so that each gets done.
  sync: { windowDays: 7, rereadDays: 3, pollMinutes: 360, silentMinutes: 1440 },
  limits: [
    { requests: 100, seconds: 900, per: 'deployment' },
    { requests: 1000, seconds: 86400, per: 'deployment' },
  ],
  dead: { times: 2, minutesApart: 10 },
  credentials: [
    {
      name: 'signing_secret',
      required: false,
      what: 'The key that Strava signs pushes with, if you know it. Pushes without a good signature are then refused.',
    },
  ],
  push: { secretPath: true, data: false, secretGiven: true },
};
