// Setup guide for Polar.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const polarSetup: SetupGuide = {
  portal: 'https://admin.polaraccesslink.com',
  steps: [
    'Sign in with a Polar Flow account at the URL above and create a client.',
    'Enter {base_url}/connect/callback/polar as the redirect URL, and make it the default: Polar sends users who decline there.',
    'Choose the data types that users may share: exercises, daily activity, sleep, Nightly Recharge, continuous heart rate, biosensing and physical information. The scope accesslink.read_all covers them.',
    'Copy the client id and the client secret into the credentials of this deployment.',
    'This service creates the webhook at {base_url}/v1/providers/polar/push, which has to be reachable from the internet. A client can have only one webhook: delete one that you created by hand for another URL.',
  ],
  unconfirmed: [
    'Sources disagree on whether tokens live for one year or ten. They cannot be refreshed: when one is refused, the user has to connect again.',
    'Workouts are those uploaded in the last 30 days and after the user connected; sleep reaches back 28 days. Older days that are not listed are never treated as deleted.',
    "Heart rate, activity and sleep samples are in local time without an offset. The offset of the night before is used, or else the time zone of the user's profile.",
    'Whether the duration of a workout excludes its pauses is not documented. A workout ends at its start plus its duration.',
    'Physical information (weight, VO2 max) is read without committing the transaction, so that nothing is erased at Polar. The three latest entries are read each time.',
    'Time asleep is what Polar calls actual sleep: light, deep, REM and unrecognized sleep, without the interruptions. For a night without stages, it is the time from falling asleep to waking up minus the interruptions.',
    'Many watches leave workouts out of the continuous heart rate. The maximum heart rate of a day is the maximum of both.',
    'Stage 6, which appears in one example of a hypnogram, is not documented. It is stored as unknown, like stage 5.',
    'The stages of a night begin at local times, to the minute, and the first one counts from the start of the night. Stages that begin in the hour that clocks repeat in autumn cannot be placed and are left out.',
    'How soon a webhook must be answered, and how often it is retried, is not documented. It is answered immediately, and users are also polled.',
    'Deleted nights and workouts are not announced. They are detected when their days are read again.',
  ],
};
