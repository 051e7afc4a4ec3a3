// How a team sets Withings up.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const withingsSetup: SetupGuide = {
  portal: 'https://developer.withings.com/dashboard/',
  steps: [
    'Create an account at developer.withings.com and add an application of the public cloud API.',
    'Choose the services that read activity, sleep, workouts and measures; the scopes are user.activity, user.metrics and user.info.',
    'Register {base_url}/connect/callback/withings as the callback URL. It must be reachable over HTTPS when it is registered.',
    'Copy the client id and the secret into the provider settings of this deployment.',
    'Nothing is set up for pushes: each person is subscribed when they connect, at {base_url}/v1/providers/withings/push/{secret}. The address must answer HEAD over HTTPS on port 443.',
  ],
  unconfirmed: [
    'A refresh token that is no longer good is answered with status 503 in the body, as others have seen it. It must be said twice, half an hour apart, before a device counts as disconnected; an error that names the client is taken for ours.',
    "Start and end days are taken as the person's local days, both included. A day more is asked for on either side, so an exclusive end would lose nothing.",
    'Nights that are not complete yet (completed: false) are stored and replaced as they grow.',
    'A zero among the measures was not measured: a weight that is typed in comes with 0 % fat and a lean mass equal to the weight, and only the weight is stored.',
    'Nights of older accounts have no total sleep time. It is the sum of their stages; without stages it is the time between start and end less the time awake, and missing where that is not stated.',
    'Measures and workouts without a device may be typed in or come from another health store: nobody can tell, so they are kept. Daily totals that Withings marks as coming from another store (brand 18) are left out.',
    'Where a watch and a sleep mat report the same night, the longer one counts.',
    'Withings asks for some seconds between subscriptions. They are made one after the other; after a refusal the rest is made a minute later.',
    'A push of the activity kind is said to name one date; one that names no days has the last few read again.',
    'Pushes are not signed. They are told by the secret in the address, and only say which days to read again.',
    'Heart rate, blood oxygen and heart rate variability during the day are read for the last 30 days only, because each day of them is a request.',
  ],
};
