// Setup guide for Suunto.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const suuntoSetup: SetupGuide = {
  portal: 'https://apizone.suunto.com',
  steps: [
    'Apply to the Suunto partner program, sign in to the API Zone and subscribe to the developer or production API.',
    'Under Profile, copy a subscription key and set it as the credential subscription_key.',
    'Under OAuth application settings, create an application with the redirect URI {base_url}/connect/callback/suunto. Its client id and secret are the credentials of this deployment.',
    'Set the notification URL to {base_url}/v1/providers/suunto/push. Choose a notification secret and set it as the credential notification_secret.',
    'Enable notifications for workouts and for 24/7 sleep and activity. Routes and recovery are accepted and ignored.',
  ],
  unconfirmed: [
    'Whether the workout scope must be requested: the authorize URL names none.',
    'Suunto has wrongly reported partners’ grants as invalid. A grant counts as invalid only after three reports, four hours apart.',
    'Two URLs of the daily statistics are in use. The one under /247samples is requested first, and the one under /247 if it is not found.',
    "Where the days of the statistics begin. They are requested from midnight in the time zone of the user's profile, and each value counts for the day that contains most of it.",
    'The energy in the statistics is read as active energy. One partner treats it as the total.',
    'The steps in an activity sample are read as the steps of ten minutes. A completed day takes its total from the statistics.',
    'Heart rate variability is assumed to be RMSSD. Heart rates below 15 are read as beats per second.',
    'A sleep whose stages are all zero or missing is treated as an interim version of its SleepId. The version with stages counts, in whichever order they arrive. The order in which Suunto sends them is not documented.',
    'If the statistics of a day contain several watches, the larger total counts, so that nothing counts twice.',
    'The rate limits are not published. This service sends at most 60 requests a minute.',
    'The older notifications, which are forms without a signature, are rejected.',
  ],
};
