// Setup guide for Google Health.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const googleHealthSetup: SetupGuide = {
  portal: 'https://console.cloud.google.com/apis/credentials',
  steps: [
    'Create a project in the Google Cloud console and enable the Google Health API.',
    'On the consent screen, add the five read-only scopes of Google Health (activity_and_fitness, health_metrics_and_measurements, nutrition, sleep, settings), openid and email. The scopes are restricted: until Google has reviewed the app, at most 100 users can connect, and while it is in testing their consent expires after seven days.',
    'Create an OAuth client of the type web application with {base_url}/connect/callback/google_health as its redirect URI. Copy the client id and secret into the provider settings of this deployment.',
    'For pushes, choose a long random secret and set it as subscriber_secret here first, because Google tests the URL immediately.',
    'With a service account of the project, POST a subscriber with automatic subscriptions to https://health.googleapis.com/v4/projects/{project number}/subscribers. Set its endpoint to {base_url}/v1/providers/google_health/push and its authorization secret to the secret you chose. Use the project number, not the project id.',
    "To verify signatures too, set webhook_keyset to the text of Google's keyset at https://www.gstatic.com/googlehealthapi/webhooks/webhooks_public_keyset.json, and update it whenever Google changes it.",
  ],
  unconfirmed: [
    'A push is authenticated by the secret in the Authorization header. Its signature is checked as well if webhook_keyset is set and contains the key: a wrong signature is rejected, a key that is not in the keyset is tolerated.',
    'You create the subscriber by hand, because that requires a service account that this service does not have.',
    'How the revocation endpoint expects the token is not confirmed: it is sent in a form. Responses that say the token was no longer valid count as success.',
    'The heart rate is read in five-minute averages. During a workout, the individual readings are read.',
    'The stages of a sleep are read with their times. A restless stage counts as awake, and a type that is not documented as unknown.',
    'Resting energy is total calories minus active calories, because basal energy has no daily totals.',
    'Workouts, meals and drinks are filtered by local clock time, written as 2026-03-05T00:00:00.',
    'Blood glucose is read from the fields bloodGlucoseMilligramsPerDeciliter or milligramsPerDeciliter; other names are ignored.',
    'A daily total without a number counts as zero for steps, distance, floors, active energy and minutes, because Google omits zeros. A day without a total has no value.',
    'Exercise minutes are the moderate and vigorous minutes. Zone minutes count some minutes twice and are not read.',
    'A workout without a distance gets it from the distances measured while it lasted, if they cover 90% of the time that the user was active. At most 40 workouts of a window are examined.',
    'VO2 max is read as a daily value (daily-vo2-max) and as samples (vo2-max and run-vo2-max), including estimates. Spot oxygen saturation is sampled; the daily value is that of the night.',
    'A session is identified by the last part of its name, which is assumed to be the id that pushes use.',
  ],
};
