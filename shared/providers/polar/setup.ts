// How a team sets Polar up.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const polarSetup: SetupGuide = {
  portal: 'https://admin.polaraccesslink.com',
  steps: [
    'Sign in with a Polar Flow account at the address above and create a client.',
    'As the redirect URL, enter {base_url}/connect/callback/polar, and make it the default one: Polar sends people who refuse there.',
    'Choose the data types that people may share: exercises, daily activity, sleep, Nightly Recharge, continuous heart rate, biosensing and physical information. The scope accesslink.read_all covers them.',
    'Copy the client id and the client secret into the credentials of this deployment.',
    'The webhook is made for you at {base_url}/v1/providers/polar/push, which has to be reachable from the internet. A client has only one: delete one that you made by hand for another address.',
  ],
  unconfirmed: [
    'Tokens live for one year or ten, depending on whom you ask, and cannot be renewed: when one is refused, the person connects again.',
    'Workouts are those uploaded in the last 30 days and after the person connected; sleep reaches back 28 days. Older days are never taken as deleted because they are not listed.',
    'Heart rate, activity and sleep samples come in local time without an offset: the offset of the night before is used, else the time zone of the profile.',
    'Whether the duration of a workout leaves out its pauses is not documented: the workout ends when its duration is over.',
    'Physical information (weight, VO2 max) is read without committing the transaction, so that nothing is erased at Polar; the three latest entries are read each time.',
    'Time asleep is what Polar calls actual sleep: light, deep, REM and unrecognized sleep, without the interruptions. A night that Polar does not divide is the time from falling asleep to waking up less the interruptions.',
    'Many watches leave training out of the continuous heart rate. The highest heart rate of a day is the highest of both.',
    'Stage 6, which one example of a hypnogram holds, is not documented: hypnograms are not read.',
    'How soon a webhook must be answered, and how often it is repeated, is not documented. It is answered at once, and people are also polled.',
    'Deleted nights and workouts are not announced; they are noticed when their days are read again.',
  ],
};
