// Setup guide for Withings.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const withingsSetup: SetupGuide = {
  portal: 'https://developer.withings.com/dashboard/',
  steps: [
    'Create an account at developer.withings.com and add an application for the public cloud API.',
    'Choose the services that read activity, sleep, workouts and measures; the scopes are user.activity, user.metrics and user.info.',
    'Register {base_url}/connect/callback/withings as the callback URL. It must be reachable over HTTPS when it is registered.',
    'Copy the client id and the secret into the provider settings of this deployment.',
    'Pushes need no setup: each user is subscribed when they connect, at {base_url}/v1/providers/withings/push/{secret}. The URL must answer HEAD over HTTPS on port 443.',
  ],
  unconfirmed: [
    'An invalid refresh token is reported with status 503 in the body, as other clients have observed. A device counts as disconnected only after two reports, half an hour apart; an error that names the client is treated as a problem with our own credentials.',
    "Start and end days are treated as the user's local days, both inclusive. Two more days are requested on either side, so an exclusive end would lose nothing.",
    'Nights that are not complete yet (completed: false) are stored, and replaced as they grow.',
    'A zero among the measures was not measured: a weight that is entered by hand comes with 0% fat and a lean mass equal to the weight, and only the weight is stored.',
    'Nights of older accounts have no total sleep time. It is the sum of their stages; without stages it is the time between start and end minus the time awake, and it is missing if the time awake is not reported.',
    'Measures and workouts without a device may have been entered by hand or come from another health store. They cannot be distinguished, so they are stored. Daily totals that Withings marks as coming from another store (brand 18) are left out.',
    'If a watch and a sleep mat report the same night, the longer one counts. A stage belongs to the night of the device that it names; if it names none, the stages of such a night are left out.',
    'Sleep that was entered by hand (state 4) or has no stage (state 5) is stored as asleep. State 15, out of bed, needs a special plan at Withings. Any other state is stored as unknown.',
    'Stages are read for the nights of the last 14 days only, because each night is a separate request and all users share the limit. When an older night is read again, it keeps the stages that it has.',
    'The heart rate, heart rate variability and breathing that come with the stages are not read: it is not documented whether they repeat the values of the day at other times, which would count a night twice in the average of its day.',
    'Withings requires a few seconds between subscriptions. They are created one after the other; after a refusal, the rest are created a minute later.',
    'An activity push is said to name one date. If a push names no days, the last few days are read again.',
    'Pushes are not signed. They are authenticated by the secret in the URL, and only name the days to read again.',
    'Heart rate, blood oxygen and heart rate variability during the day are read for the last 30 days only, because each day is a separate request.',
  ],
};
