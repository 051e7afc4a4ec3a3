// How a team sets Garmin up.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const garminSetup: SetupGuide = {
  portal: 'https://developerportal.garmin.com',
  steps: [
    'Apply to the Garmin Connect Developer Program for the Health API and the Activity API. Garmin approves companies, not individuals.',
    'In the portal, create an app with OAuth 2.0 (PKCE). Its client id and secret are the credentials of this deployment.',
    'Set the redirect URL to {base_url}/connect/callback/garmin.',
    'Under endpoint configuration, set {base_url}/v1/providers/garmin/push/{secret} for: Dailies, Sleeps, HRV, Pulse Ox, Respiration, Stress Details, Body Composition, Blood Pressure, User Metrics, Activities, Activity Details, Manually Updated Activities, Deregistrations and User Permissions Change.',
    'Choose push for all of them but Activity Details, and ping for Activity Details. Details of one second each grow by some 390 bytes a second, so those of three hours are larger than the 4.5 MB that can be received at once; with ping Garmin sends an address, and this service fetches the details from there, up to 16 MB (some eleven hours).',
    'Keep Activities on beside Activity Details: the summary of a workout then always arrives, however large its details are. Both are the same workout, in whichever order they come: the summary never removes the heart rate that the details brought.',
    'Ask for historical data export among the permissions: a person who has not allowed it gets data only from the day of connecting on.',
    'Garmin reviews an app before it may have many users: expect to show where the data appears and that disconnecting works.',
  ],
  unconfirmed: [
    'Garmin gives its specification to partners only; what is relied on here comes from public client code. Fields that are absent or null are left out, unknown ones are ignored.',
    'Pushes are not signed. They are accepted only with the secret in the path and the header garmin-client-id, and only for accounts that are linked here.',
    'What ping sends is known from public client code: a callbackURL at apis.garmin.com with the times of an upload and perhaps a token. Any other address is ignored, and the address is fetched with the token of the person.',
    'Activity Details may be pushed too. A push of more than 4.5 MB is then refused, and of such a workout only the summary arrives.',
    'How far back a backfill may reach in one call differs between sources: 30 days are asked for at a time. Where Garmin names an earliest time, the rest is asked for from there.',
    'That a dead token is told as invalid_grant is known from test doubles only. It is believed when it is said twice, ten minutes apart.',
    'The length of a sleep leaves out the time awake. Its end is the end of the last stage, or the start and all stages together where no stages are placed in time.',
    'A nap states no stages: its whole length counts as sleep.',
    'A multisport activity comes as a parent and as its parts: only the parts are kept.',
  ],
};
