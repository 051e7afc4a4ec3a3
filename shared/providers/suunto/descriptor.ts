import { heartRateOfTheDay, indoorWorkoutTotals, sleepStages, workoutTotals } from '../coverage.ts';
import { type CloudDescriptor, plainOAuth } from '../descriptor.ts';

export const suuntoDeauthorizeUrl = 'https://cloudapi-oauth.suunto.com/oauth/deauthorize';

export const suunto: CloudDescriptor = {
  id: 'suunto',
  name: 'Suunto',
  connection: 'cloud',
  deviceType: 'wrist',
  metrics: [
    'steps',
    ...workoutTotals,
    ...indoorWorkoutTotals,
    ...sleepStages,
    'sleep_latency',
    'sleep_heart_rate',
    'sleep_heart_rate_variability',
    ...heartRateOfTheDay,
    'heart_rate_variability_rmssd',
    'blood_oxygen',
    'active_calories',
  ],
  delivery: ['push', 'poll'],
  historyDays: 180,
  scopes: [],
  apiUrl: 'https://cloudapi.suunto.com',
  format: 1,
  oauth: {
    ...plainOAuth,
    authorizeUrl: 'https://cloudapi-oauth.suunto.com/oauth/authorize',
    tokenUrl: 'https://cloudapi-oauth.suunto.com/oauth/token',
    clientAuth: 'basic',
    account: { from: 'access_token_claim', field: 'user' },
    revocation: { by: 'bearer', method: 'GET', url: suuntoDeauthorizeUrl },
  },
  // With two days more on either side that is the 28 days that may be asked for at once.
  sync: { windowDays: 24, rereadDays: 3, pollMinutes: 1440, silentMinutes: 1440 },
  limits: [{ requests: 60, seconds: 60, per: 'deployment' }],
  // It has said of good tokens that they are dead: hours must lie between.
  dead: { times: 3, minutesApart: 240 },
  credentials: [
    {
      name: 'subscription_key',
      required: true,
      what: 'The primary or secondary key of your API Zone subscription. It goes with every data call.',
    },
    {
      name: 'notification_secret',
      required: false,
      what: 'The secret that notifications are signed with. Without it notifications are refused, and data is asked for once a day.',
    },
  ],
  push: { secretPath: false, data: true },
  setup: {
    portal: 'https://apizone.suunto.com',
    steps: [
      'Apply to the Suunto partner program, sign in to the API Zone and subscribe to the developer or production API.',
      'Under Profile, copy a subscription key: it is the credential subscription_key.',
      'Under OAuth application settings, create an application with the redirect URI {base_url}/connect/callback/suunto. Its client id and secret are the credentials of this deployment.',
      'Set the notification URL to {base_url}/v1/providers/suunto/push and choose a notification secret: it is the credential notification_secret.',
      'Switch on notifications for workouts and for 24/7 sleep and activity. Routes and recovery are taken and ignored.',
    ],
    unconfirmed: [
      'Whether the scope workout must be asked for: the link names none.',
      'Suunto has told partners falsely that a grant is invalid. It is believed when it was said three times, four hours apart.',
      'Two addresses of the daily statistics are in use. The one under /247samples is asked first, and the one under /247 when it is not found.',
      'Where the days of the statistics begin: they are asked for from midnight in the time zone of the profile, and each value counts on the day it mostly lies in.',
      'The energy of the statistics is taken as active energy. One partner treats it as the total.',
      'Steps in activity samples are taken as those of ten minutes. A day that is over takes its total from the statistics.',
      'Heart rate variability is taken as RMSSD. Heart rates below 15 are taken as beats per second.',
      'Several watches in the statistics of one day: the larger total counts, so that nothing counts twice.',
      'How often Suunto may be asked is not published. 60 requests a minute are not exceeded.',
      'The older notifications, which are forms without a signature, are refused.',
    ],
  },
};
