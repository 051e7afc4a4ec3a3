// How a team sets Google Health up.
import type { SetupGuide } from '../kit/setup-guide.ts';

export const googleHealthSetup: SetupGuide = {
  portal: 'https://console.cloud.google.com/apis/credentials',
  steps: [
    'Create a project in the Google Cloud console and enable the Google Health API.',
    'On the consent screen add the five read-only scopes of Google Health (activity_and_fitness, health_metrics_and_measurements, nutrition, sleep, settings), openid and email. They are restricted: until Google has reviewed the app at most 100 people can connect, and while it is in testing their consent ends after seven days.',
    'Create an OAuth client of the type web application with {base_url}/connect/callback/google_health as its redirect URI, and copy the client id and the secret into the provider settings of this deployment.',
    'For pushes choose a long random secret and set it as subscriber_secret here first, because Google tries the address at once.',
    'With a service account of the project, POST to https://health.googleapis.com/v4/projects/{project number}/subscribers a subscriber with automatic subscriptions whose endpoint is {base_url}/v1/providers/google_health/push and whose authorization secret is that secret. The project number, not its id, is needed.',
    "To check signatures too, set webhook_keyset to the text of Google's keyset at https://www.gstatic.com/googlehealthapi/webhooks/webhooks_public_keyset.json, and again when Google changes it.",
  ],
  unconfirmed: [
    'A push is believed by the secret in Authorization. Its signature is checked as well where webhook_keyset is set and knows the key: a wrong signature is refused, a key that is not in the keyset is not held against it.',
    'The subscriber is made by hand, because it takes a service account that this service is not given.',
    'How the address for giving consent back wants the token is not confirmed: it is sent in a form. Answers that say it was not good any more count as done.',
    'The heart rate is read in averages of five minutes, not beat by beat; the beats during a workout are read as they are.',
    'Resting energy is total calories less active ones, because basal energy has no daily totals.',
    'Times of workouts, meals and drinks are filtered by the clock on the wall, written as 2026-03-05T00:00:00.',
    'Blood glucose is taken from the fields bloodGlucoseMilligramsPerDeciliter or milligramsPerDeciliter; other names say nothing.',
    'A day with a total that has no number counts as zero for steps, distance, floors, active energy and minutes: Google leaves zeros out. A day without a total has none.',
    'Minutes of exercise are the moderate and vigorous ones. Zone minutes count some twice and are not read.',
    'A workout without a distance takes it from the distances that were measured while it lasted, where they cover nine tenths of the time that the person was active. No more than 40 workouts of a window are looked into.',
    'VO2 max is read as Google states it of a day (daily-vo2-max), and as samples (vo2-max and run-vo2-max), estimates included. Spot oxygen saturation is sampled; the daily one is of the night.',
    'A session is known by the last part of its name, which is taken to be the id that pushes call it by.',
  ],
};
