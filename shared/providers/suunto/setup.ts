// How a team sets Suunto up.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const suuntoSetup: SetupGuide = {
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
    'A sleep whose stages are all zero or missing is taken as an interim version of its SleepId: the version with stages counts, whichever comes last. In which order Suunto sends the two is not documented.',
    'Several watches in the statistics of one day: the larger total counts, so that nothing counts twice.',
    'How often Suunto may be asked is not published. 60 requests a minute are not exceeded.',
    'The older notifications, which are forms without a signature, are refused.',
  ],
};
