// Setup guide for Oura.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const ouraSetup: SetupGuide = {
  portal: 'https://cloud.ouraring.com/oauth/applications',
  steps: [
    'Sign in with an Oura account and create an API application.',
    'Enter {base_url}/connect/callback/oura as its redirect URI.',
    'Grant the application the scopes personal, daily, heartrate, workout, session, spo2, ring_configuration and heart_health. The daily scope covers sleep and activity.',
    'Copy the client id and the client secret into the credentials of this deployment.',
    'Pushes need no setup: this deployment subscribes at {base_url}/v1/providers/oura/push by itself and renews its subscriptions before they expire.',
    'An application serves 10 users until Oura has approved it. Apply for approval before you invite more.',
  ],
  unconfirmed: [
    'How long an access token lives: 24 hours and 30 days are both documented. The lifetime that comes with each token is used.',
    'How an invalid refresh token is reported: invalid_request has been seen instead of invalid_grant. Either counts, and the connection ends only after three reports, six hours apart.',
    'Whether consent is revoked by POST or by GET. POST is tried first, and GET if the method is not allowed.',
    'Whether the timestamp that signs a push is in seconds or milliseconds. Both are accepted, and so is an ISO 8601 time; a push older than two hours is rejected.',
    'Whether a list includes its last day. Two more days are requested on either side, and data that does not belong to the requested days is left out.',
    'Whether the scope of blood oxygen is called spo2 or spo2Daily. Both are documented, and spo2 is requested. Without it, Oura refuses the collection and it is left out.',
    'How to distinguish a short nap from an unconfirmed fragment. Oura counts a sleep or nap of 15 minutes or more; a shorter one counts only if Oura reports how it changes the sleep score.',
    'What other digits than 1 to 4 mean in the stages of a sleep. They count as unknown. Stages are read in half minutes (sleep_phase_30_sec), or in five minutes (sleep_phase_5_min) where Oura sends only those.',
    'Whether the heart rate within a sleep has the same readings as the heart rate collection. Only the collection is read, so that no reading counts twice.',
    'How long a subscription lasts: about 90 days. The date that Oura reports is used.',
  ],
};
