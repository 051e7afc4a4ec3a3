// How a team sets Strava up.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const stravaSetup: SetupGuide = {
  portal: 'https://www.strava.com/settings/api',
  steps: [
    'Sign in to Strava and create an API application at the address above. New applications may connect ten athletes; ask Strava for more before you go live.',
    'As the authorization callback domain, enter the host name of {base_url}: Strava accepts any path on it, and this service uses {base_url}/connect/callback/strava.',
    'Copy the client id and the client secret into the credentials of this deployment.',
    'Nothing is registered for scopes. People are asked for activity:read_all and profile:read_all, and may untick either; without activities the connection is refused.',
    'The push subscription is made for you at {base_url}/v1/providers/strava/push/{secret}. An application has only one: delete one that you made by hand for another address.',
  ],
  unconfirmed: [
    'Which key signs pushes is disputed. They are told by a secret in their address, the subscription and the athlete; a signature is checked only if you set signing_secret. What a push announces is always read from Strava.',
    'In which order activities are listed when a first date is given is not certain: pages are read until an empty one comes.',
    'How often Strava repeats a push that was not answered is not certain: activities are also polled.',
    'Only changes of title, type and privacy are announced. Other edits are seen for the last three days, or when the activity is announced again.',
    'Energy of rides without calories is taken from the mechanical work in kilojoules, which is about as many kilocalories.',
    'Of more than 18 activities in a week, the oldest come without calories and heart-rate trace, to keep within the limits.',
  ],
};
