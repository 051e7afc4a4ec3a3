// How a team sets Oura up.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const ouraSetup: SetupGuide = {
  portal: 'https://cloud.ouraring.com/oauth/applications',
  steps: [
    'Sign in with an Oura account and create an API application.',
    'Enter {base_url}/connect/callback/oura as its redirect URI.',
    'Allow the application the scopes personal, daily, heartrate, workout, session, spo2, ring_configuration and heart_health. The scope daily covers sleep and activity.',
    'Give this deployment the client id and the client secret.',
    'Nothing is to be done for pushes: this deployment subscribes at {base_url}/v1/providers/oura/push by itself and renews its subscriptions before they end.',
    'An application serves 10 people until Oura has approved it: apply for approval before you invite more.',
  ],
  unconfirmed: [
    'How long an access token lives: 24 hours and 30 days are both documented. The lifetime that comes with each token is used.',
    'How a dead refresh token is told: invalid_request has been seen instead of invalid_grant. Either counts, and the connection ends only after the third time, six hours apart.',
    'Whether consent is given back by POST or by GET. POST is tried first, and GET if it is refused as a method.',
    'Whether the time that signs a push is in seconds or milliseconds. Both are taken, and so is a written date; a push older than two hours is refused.',
    'Whether a list ends before or with its last day. Two more days are asked for on either side, and what does not belong to the days is left out.',
    'Whether the scope of blood oxygen is called spo2 or spo2Daily: both are documented, and spo2 is requested. Without it the collection is refused and left out.',
    'What tells a short nap from a fragment that nobody confirmed. Oura counts a sleep or nap from 15 minutes on: a shorter one counts only if Oura states what it changes in the sleep score.',
    'How long a subscription lasts: about 90 days. The date that Oura states is used.',
  ],
};
