import { heartRateOfTheDay, indoorWorkoutTotals, sleepStages, workoutTotals } from '../coverage.ts';
import { type CloudDescriptor, plainOAuth } from '../descriptor.ts';

export const polar: CloudDescriptor = {
  id: 'polar',
  name: 'Polar',
  connection: 'cloud',
  deviceType: 'wrist',
  metrics: [
    'steps',
    'distance',
    ...workoutTotals,
    'indoor_walking',
    ...indoorWorkoutTotals,
    ...sleepStages,
    'sleep_heart_rate',
    'sleep_heart_rate_variability',
    'sleep_respiratory_rate',
    'sleep_skin_temperature',
    ...heartRateOfTheDay,
    'heart_rate_variability_rmssd',
    'blood_oxygen',
    'body_temperature',
    'skin_temperature',
    'vo2_max',
    'weight',
    'active_calories',
    'total_calories',
  ],
  delivery: ['push', 'poll'],
  historyDays: 28,
  scopes: ['accesslink.read_all'],
  apiUrl: 'https://www.polaraccesslink.com/v3',
  format: 1,
  oauth: {
    ...plainOAuth,
    authorizeUrl: 'https://flow.polar.com/oauth2/authorization',
    tokenUrl: 'https://polarremote.com/v2/oauth2/token',
    clientAuth: 'basic',
    account: { from: 'token_reply', field: 'x_user_id' },
    registration: {
      method: 'POST',
      url: 'https://www.polaraccesslink.com/v3/users',
      body: { 'member-id': '{external_id}-{account_id}' },
    },
    revocation: { by: 'bearer', method: 'DELETE', url: 'https://www.polaraccesslink.com/v3/users/{account_id}' },
  },
  // Some watches tell the heart rate every five seconds: a few days of it are enough at once.
  sync: { windowDays: 4, rereadDays: 3, pollMinutes: 60, silentMinutes: 360 },
  // Those of an application without users; each user adds to them.
  limits: [
    { requests: 500, seconds: 900, per: 'deployment' },
    { requests: 5000, seconds: 86400, per: 'deployment' },
  ],
  // There is no refresh token: a 401 is all that a consent which has ended says.
  dead: { times: 3, minutesApart: 60 },
  credentials: [],
  push: { secretPath: false, data: false, secretGiven: true },
  setup: {
    portal: 'https://admin.polaraccesslink.com',
    steps: [
      'Sign in with a Polar Flow account at the address above and create a client.',
      'As the redirect URL, enter {base_url}/connect/callback/polar, and make it the default one: Polar sends people who refuse there.',
      'Choose the data types that people may share: exercises, daily activity, sleep, Nightly Recharge, continuous heart rate, biosensing and physical information. The scope accesslink.read_all covers them.',
      'Copy the client id and the client secret into the credentials of this deployment.',
      'The webhook is made for you at {base_url}/v1/providers/polar/push, which has to be reachable from the internet. A client has only one: delete one that you made by hand for another address.',
    ],
    unconfirmed: [
      'Tokens live for one year or ten, depending on whom you ask, and cannot be renewed: when one is refused, the person connects again.',
      'Workouts are those uploaded in the last 30 days and after the person connected; sleep reaches back 28 days. Older days are never taken as deleted because they are not listed.',
      'Heart rate, activity and sleep samples come in local time without an offset: the offset of the night before is used, else the time zone of the profile.',
      'Whether the duration of a workout leaves out its pauses is not documented: the workout ends when its duration is over.',
      'Physical information (weight, VO2 max) is read without committing the transaction, so that nothing is erased at Polar; the three latest entries are read each time.',
      'Stage 6, which one example of a hypnogram holds, and other unknown stages are not counted.',
      'How soon a webhook must be answered, and how often it is repeated, is not documented. It is answered at once, and people are also polled.',
      'Deleted nights and workouts are not announced; they are noticed when their days are read again.',
    ],
  },
};
