// Setup guide for COROS.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const corosSetup: SetupGuide = {
  portal: 'https://support.coros.com/hc/en-us/articles/17085887816340',
  steps: [
    'Apply for the COROS API with the form on the COROS support pages. COROS approves partners individually and sends a client id and secret, which are the credentials of this deployment.',
    'Register the redirect URL {base_url}/connect/callback/coros with COROS. Its host becomes your authorized domain.',
    'Register {base_url}/v1/providers/coros/push as the URL for workout data, for daily data, and for the service status check.',
    'Request that daily data be included. Without it, only workouts arrive.',
    'While you test on opentest.coros.com, redirect the requests there: set origins to {"https://open.coros.com": "https://opentest.coros.com"}.',
  ],
  unconfirmed: [
    'COROS shares its API reference with partners only, so this integration relies on public client code. Absent or null fields are left out.',
    'COROS has no unambiguous signal for an invalid token. A refused refresh is checked against the bind state, and only an account that is no longer bound is disconnected.',
    'The energy of a workout is read as small calories, and only if that yields 0.1 to 30 kcal a minute. The energy of a day is not read, because its meaning is unknown.',
    'A night has bounds but no stages, so the time asleep is unknown. A night longer than a day is left out.',
    'Overnight heart rate variability and its samples are assumed to be RMSSD. A resting heart rate, variability or sleeping heart rate of zero is treated as missing.',
    "The times of a night are local. If the item has no offset, the time zone of the user's profile applies.",
    'Pushes are not signed: they carry the client id and secret in headers or in the body. The signature that some daily pushes carry is not documented and not checked.',
    'The rate limits are unknown. This service sends at most 60 requests a minute.',
  ],
};
