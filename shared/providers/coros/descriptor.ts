import { workoutTotals } from '../coverage.ts';
import { type CloudDescriptor, plainOAuth } from '../descriptor.ts';

export const coros: CloudDescriptor = {
  id: 'coros',
  name: 'COROS',
  connection: 'cloud',
  deviceType: 'wrist',
  // Only workouts: the daily summaries have no documented address.
  metrics: workoutTotals,
  delivery: ['push', 'poll'],
  historyDays: 90,
  scopes: [],
  apiUrl: 'https://open.coros.com/v2/coros',
  oauth: {
    ...plainOAuth,
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
  sync: { windowDays: 30, rereadDays: 7, pollMinutes: 360, silentMinutes: 720 },
  limits: [{ requests: 60, seconds: 60, per: 'deployment' }],
  dead: { times: 2, minutesApart: 60 },
  credentials: [],
  push: { secretPath: false, data: true },
  setup: { portal: '', steps: [], unconfirmed: [] },
};
