// How a team sets Ultrahuman up.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const ultrahumanSetup: SetupGuide = {
  portal: 'https://vision.ultrahuman.com/developer',
  steps: [
    'Sign in to the developer portal and create an OAuth app.',
    'Enter {base_url}/connect/callback/ultrahuman as its redirect URI. An app has one: a second deployment needs an app of its own.',
    'Allow the app the scopes ring_data, cgm_data and profile.',
    'Give this deployment the client id and the client secret.',
    'There is nothing to set up for pushes: Ultrahuman has none, and every person is asked for once an hour.',
  ],
  unconfirmed: [
    'The address of the consent page: every example spells it /authorise, the text beside them /authorize. The examples are followed.',
    'How long tokens live: an hour, a day and a week are all stated. The lifetime that comes with each token is used, and tokens are refreshed at least every 20 hours in case the refresh token lives for a day only.',
    'How errors are told at the token address. invalid_grant counts as the end after the second time, 30 minutes apart; everything else is tried again.',
    'What the account is called in the reply. A user id, an id, a user name or an e-mail address is taken, in this order, and an id of ours where there is none.',
    'The shape of a day: two are known and both are read.',
    'On which day a night is told. It counts on the day it ends, and the days beside the ones that are wanted are asked for too.',
    'How heart rate variability is measured. It is taken as RMSSD in milliseconds.',
    'How many requests are allowed. At most one a second is sent.',
  ],
};
