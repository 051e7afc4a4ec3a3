// Uses the functions that hey-api generates for typical calls. Compiled and run next to the
// generated code.
import { createClient, createConfig } from './generated/client';
import {
  createUser,
  exchangeSdkToken,
  getDaily,
  getUser,
  listEvents,
  listWebhooks,
  openSdkSession,
  uploadSdkData,
} from './generated/sdk.gen';
import type { ErrorResponse, Event, GetUserError, MetricId, User, WebhookEvent } from './generated/types.gen';

const { BASE_URL: baseUrl = '', API_KEY: key = '', SEEDED_USER: seeded = '' } = process.env;
const as = (auth: string) => createClient(createConfig({ baseUrl, auth }));

/** Compiles only if every type of event is a case of its own, with its own fields. */
function summarize(event: Event | WebhookEvent): string {
  switch (event.event_type) {
    case 'data.updated':
    case 'subject.synced':
      return `${event.user_id} ${event.metrics.join()} ${event.from_date}`;
    case 'score.updated':
      return `${event.user_id} ${event.scores.join()} ${event.from_date}`;
    case 'device.connected':
    case 'device.disconnected':
      return event.device_id;
    case 'user.created':
      return event.user_id;
    case 'user.deleted':
      return Object.keys(event.erased).join();
    case 'webhook.exhausted':
      return event.delivery_id;
    case 'webhook.disabled':
    case 'webhook.test':
      return event.webhook_id;
    case 'key.expiring':
      return event.expires_at;
    case 'member.joined':
    case 'member.archived':
    case 'member.reactivated':
    case 'member.removed':
      return event.member_id;
    default:
      return event satisfies never;
  }
}

async function work() {
  const client = as(key);
  const { data: user }: { data: User } = await createUser({
    client,
    body: { external_ref: 'hey-api', timezone: 'Europe/Berlin' },
    throwOnError: true,
  });

  const opened = await openSdkSession({
    client,
    path: { id: user.id },
    headers: { 'Idempotency-Key': crypto.randomUUID() },
    body: {
      app_id: 'com.example.health',
      installation_id: crypto.randomUUID(),
      platform: 'ios',
      provider: 'apple_health',
    },
    throwOnError: true,
  });
  const { client_token } = opened.data;
  const exchanged = await exchangeSdkToken({ client, body: { client_token }, throwOnError: true });
  const uploaded = await uploadSdkData({
    client: as(exchanged.data.access_token),
    body: {
      time_zone: 'Europe/Berlin',
      device: { name: 'My watch', model: 'Watch7,5', type: 'wrist' },
      daily: [{ date: '2026-03-10', metric: 'steps', value: 9412, unit: 'count' }],
    },
    throwOnError: true,
  });
  const accepted: number = uploaded.data.accepted;

  const read = await getDaily({ client, path: { id: seeded }, query: { types: 'steps,asleep' }, throwOnError: true });
  const { series } = read.data;
  const steps: (number | null)[] | undefined = series.steps;
  // @ts-expect-error: this is not a metric.
  series.step;
  const asleep: keyof typeof series = 'asleep' satisfies MetricId;

  const webhooks = await listWebhooks({ client, throwOnError: true });
  const missing = await getUser({ client, path: { id: 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7' } });
  const failure: ErrorResponse | undefined = missing.error;
  // @ts-expect-error: this operation never has this code.
  'invalid_types' satisfies GetUserError['error'];

  const feed = await listEvents({ client, query: { types: 'user.created' }, throwOnError: true });
  const summaries = feed.data.events.map(summarize);

  return {
    external_ref: user.external_ref,
    accepted,
    measured: [steps, series[asleep]].every((values) => values?.some((value) => value !== null && value > 0)),
    webhooks: webhooks.data.data.length,
    missing: { status: missing.response?.status, error: failure?.error },
    event: summaries.includes(seeded),
  };
}

work().then((done) => console.log(JSON.stringify(done)));
