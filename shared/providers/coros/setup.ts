// How a team sets COROS up.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const corosSetup: SetupGuide = {
  portal: 'https://support.coros.com/hc/en-us/articles/17085887816340',
  steps: [
    'Apply for the COROS API with the form on their support pages. COROS approves partners one by one and sends a client id and secret: they are the credentials of this deployment.',
    'Give them the redirect URL {base_url}/connect/callback/coros. Its host is registered as your authorized domain.',
    'Give them {base_url}/v1/providers/coros/push as the address for workout data, for daily data, and for the service status check.',
    'Ask for daily data to be included: without it only workouts arrive.',
    'While you test on opentest.coros.com, send the calls there: set origins to {"https://open.coros.com": "https://opentest.coros.com"}.',
  ],
  unconfirmed: [
    'COROS gives its reference to partners only; what is relied on here comes from public client code. Fields that are absent or null are left out.',
    'There is no clear word for a dead token. A refused refresh is checked with their bind state, and only an account that is not bound any more is disconnected.',
    'The energy of a workout is read as small calories, and only where that gives 0.1 to 30 kcal a minute. The energy of a day is not read: nobody knows what it means.',
    'A night has bounds and no stages, so how long was slept is unknown. A night of more than a day is left out.',
    'Overnight variability and its samples are taken as RMSSD. A resting heart rate, a variability or a sleeping heart rate of zero is taken as none.',
    'Times of a night are local. Where the item names no offset, the time zone of the profile counts.',
    'Pushes are not signed: they show the client id and secret in headers, or in the body. The signature that some daily pushes carry is not documented, and not checked.',
    'What limits there are is not known. 60 requests a minute are not exceeded.',
  ],
};
