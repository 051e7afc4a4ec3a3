// Setup guide for Ultrahuman.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const ultrahumanSetup: SetupGuide = {
  portal: 'https://vision.ultrahuman.com/developer',
  steps: [
    'Sign in to the developer portal and create an OAuth app.',
    'Enter {base_url}/connect/callback/ultrahuman as its redirect URI. An app has only one, so a second deployment needs its own app.',
    'Grant the app the scopes ring_data, cgm_data and profile.',
    'Copy the client id and the client secret into the credentials of this deployment.',
    'Ultrahuman does not push, so there is nothing to set up for pushes. Every user is polled at least once an hour.',
  ],
  unconfirmed: [
    'The URL of the consent page: every example spells it /authorise, but the surrounding text spells it /authorize. This service follows the examples.',
    'How long tokens live: an hour, a day and a week are all documented. The lifetime that comes with each token is used, and tokens are refreshed at least every 20 hours in case the refresh token lives for only a day.',
    'How errors are reported at the token URL. invalid_grant ends the connection after two reports, 30 minutes apart; everything else is retried.',
    'What the account is called in the response. A user id, an id, a user name or an email address is used, in this order, or our own id if there is none.',
    'The format of a day: two are known, and both are read.',
    'The date under which a night is reported. It counts for the day it ends on, and the adjacent days are requested too.',
    'The stages of a night, in sleep_graph, may be missing. Stages with any other name than awake, light_sleep, deep_sleep and rem_sleep are stored as unknown. The last one is left out if it is awake: the night ends when the user wakes up.',
    'How heart rate variability is measured. It is assumed to be RMSSD in milliseconds.',
    'The rate limits. This service sends at most one request a second.',
  ],
};
