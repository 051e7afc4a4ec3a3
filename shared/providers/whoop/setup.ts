// How a team sets WHOOP up.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const whoopSetup: SetupGuide = {
  portal: 'https://developer-dashboard.whoop.com',
  steps: [
    'Sign in with a WHOOP account that has a membership, create a team and an app in it.',
    'Enter {base_url}/connect/callback/whoop as its redirect URL.',
    'Select the scopes read:cycles, read:sleep, read:recovery, read:workout and read:profile; offline needs no selection.',
    'Under webhooks, enter {base_url}/v1/providers/whoop/push and choose model version v2. Pushes can be set up nowhere else.',
    'Give this deployment the client id and the client secret. The secret also signs the pushes.',
    'An app serves 10 people until WHOOP has approved it. All people together share 100 requests a minute and 10,000 a day.',
  ],
  unconfirmed: [
    'Whether WHOOP checks the PKCE challenge. Its documentation does not mention it; clients that send one are served, so it is sent.',
    'How a scope that a person has not allowed is refused. Lists of scopes that were not granted are not asked for, and 403 and 404 leave a list out.',
    'That a refresh token dies when it is used, and that invalid_grant says so also when two refreshes meet. One refresh runs at a time, and the connection ends only after the second time, ten minutes apart.',
    'Whether a push that is sent again carries a new time. One older than five minutes is refused; what it told is found when the last days are read again.',
    'The names of activities that are no exercise. Sauna, ice bath, compression and massage are left out, and meditation and breathwork count as mindfulness.',
    'Weight and height have no date at WHOOP, so they are not read.',
  ],
};
