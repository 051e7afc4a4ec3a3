// Setup guide for Garmin.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const garminSetup: SetupGuide = {
  portal: 'https://developerportal.garmin.com',
  steps: [
    'Apply to the Garmin Connect Developer Program for the Health API and the Activity API. Garmin approves companies, not individuals.',
    'In the portal, create an app with OAuth 2.0 (PKCE). Its client id and secret are the credentials of this deployment.',
    'Set the redirect URL to {base_url}/connect/callback/garmin.',
    'Under endpoint configuration, set {base_url}/v1/providers/garmin/push/{secret} for: Dailies, Sleeps, HRV, Pulse Ox, Respiration, Stress Details, Body Composition, Blood Pressure, User Metrics, Activities, Activity Details, Manually Updated Activities, Deregistrations and User Permissions Change.',
    'Choose push for all of them except Activity Details, and ping for Activity Details. Details recorded every second grow by about 390 bytes a second, so three hours of them exceed the 4.5 MB that can be received at once. With ping, Garmin sends a URL and this service fetches the details from it, up to 16 MB (about eleven hours).',
    'Keep Activities enabled in addition to Activity Details: the summary of a workout then always arrives, however large its details are. Both describe the same workout and may arrive in either order; the summary never removes the heart rate that came with the details.',
    'Request the historical data export permission: without it, a user’s data starts on the day they connect.',
    'Garmin reviews an app before it may have many users. Be prepared to show where the data appears and that disconnecting works.',
  ],
  unconfirmed: [
    'Garmin shares its specification with partners only, so this integration relies on public client code. Absent or null fields are left out, and unknown fields are ignored.',
    'Pushes are not signed. They are accepted only with the secret in the path and the garmin-client-id header, and only for accounts that are linked here.',
    "The contents of a ping are known from public client code: a callbackURL at apis.garmin.com with the times of an upload and possibly a token. Any other URL is ignored, and the URL is fetched with the user's token.",
    'Activity Details may also be pushed. A push larger than 4.5 MB is then rejected, and only the summary of such a workout arrives.',
    'Sources disagree on how far back one backfill request may reach, so 30 days are requested at a time. If Garmin names an earliest time, the rest is requested from there.',
    'It is known only from test doubles that an invalid token is reported as invalid_grant. A token counts as invalid only after two reports, ten minutes apart.',
    'The duration of a sleep excludes the time awake. A sleep ends with its last stage, or at its start plus the duration of all stages if the stages have no times.',
    'The stages of a sleep are the intervals of its levels (sleepLevelsMap). Levels other than deep, light, rem and awake, such as unmeasurable, count as unknown.',
    'The blood oxygen and the respiration within a sleep become the averages of the night. Their samples come from Pulse Ox and Respiration, which may have the same readings at other times.',
    'A nap has no stages: its whole length counts as sleep.',
    'A multisport activity arrives as a parent and as its parts. Only the parts are stored.',
  ],
};
