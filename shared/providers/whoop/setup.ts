// Setup guide for WHOOP.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const whoopSetup: SetupGuide = {
  portal: 'https://developer-dashboard.whoop.com',
  steps: [
    'Sign in with a WHOOP account that has a membership, create a team, and create an app in it.',
    'Enter {base_url}/connect/callback/whoop as its redirect URL.',
    'Select the scopes read:cycles, read:sleep, read:recovery, read:workout and read:profile; offline needs no selection.',
    'Under webhooks, enter {base_url}/v1/providers/whoop/push and choose model version v2. Webhooks can be set up only there.',
    'Copy the client id and the client secret into the credentials of this deployment. The secret also signs the pushes.',
    'An app serves 10 users until WHOOP has approved it. All users together share 100 requests a minute and 10,000 a day.',
  ],
  unconfirmed: [
    'Whether WHOOP checks the PKCE challenge. Its documentation does not mention it, but it accepts clients that send one, so it is sent.',
    'How a scope that a user has not granted is refused. Lists of scopes that were not granted are not requested, and a list that answers 403 or 404 is left out.',
    'That a refresh token becomes invalid when it is used, and that invalid_grant is also returned when two refreshes overlap. One refresh runs at a time, and the connection ends only after two reports, ten minutes apart.',
    'Whether a retried push has a new timestamp. A push older than five minutes is rejected; its data is found when the last days are read again.',
    'The names of activities that are not exercise. Sauna, ice bath, compression and massage are left out, and meditation and breathwork count as mindfulness.',
    'Weight and height have no date at WHOOP, so they are not read.',
  ],
};
