// Setup guide for Strava.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const stravaSetup: SetupGuide = {
  portal: 'https://www.strava.com/settings/api',
  steps: [
    'Sign in to Strava and create an API application at the URL above. A new application may connect ten athletes; ask Strava for more before you go live.',
    'Enter the host name of {base_url} as the authorization callback domain. Strava accepts any path on it, and this service uses {base_url}/connect/callback/strava.',
    'Copy the client id and the client secret into the credentials of this deployment.',
    'Scopes need no registration. The consent page requests activity:read_all and profile:read_all, and users may untick either; without activities the connection is refused.',
    'This service creates the push subscription at {base_url}/v1/providers/strava/push/{secret}. An application can have only one subscription: delete one that you created by hand for another URL.',
  ],
  unconfirmed: [
    'Sources disagree on which key signs pushes. Pushes are authenticated by a secret in their URL, the subscription and the athlete; a signature is checked only if you set signing_secret. The data that a push announces is always read from Strava.',
    'The order in which activities are listed when a first date is set is not certain. Pages are read until an empty one arrives.',
    'How often Strava retries a push that was not answered is not certain. Activities are also polled.',
    'Only changes of title, type and privacy are announced. Other edits are detected for the last three days, or when the activity is announced again.',
    'The energy of rides without calories is taken from the mechanical work in kilojoules, which is about the same number of kilocalories.',
    'If a week has more than 18 activities, the oldest have no calories and no heart rate trace, to stay within the rate limits.',
  ],
};
