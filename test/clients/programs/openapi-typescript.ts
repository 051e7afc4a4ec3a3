// Uses the types of openapi-typescript and its fetch client for typical calls. Compiled and run
// next to the generated code.
import createClient from 'openapi-fetch';
import type { components, paths } from './generated';

const { BASE_URL: baseUrl = '', API_KEY: key = '', SEEDED_USER: seeded = '' } = process.env;
const as = (token: string) => createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });

type Schemas = components['schemas'];

/** Compiles only if every type of event is a case of its own, with its own fields. */
function summarize(event: Schemas['Event'] | Schemas['WebhookEvent']): string {
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

function need<Value>(value: Value | undefined, error: unknown): Value {
  if (value === undefined) throw new Error(`a call failed: ${JSON.stringify(error)}`);
  return value;
}

async function work() {
  const api = as(key);
  const created = await api.POST('/v1/users', {
    body: { external_ref: 'openapi-typescript', timezone: 'Europe/Berlin' },
  });
  const user: Schemas['User'] = need(created.data, created.error);

  const opened = await api.POST('/v1/users/{id}/sdk-sessions', {
    params: { path: { id: user.id }, header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: {
      app_id: 'com.example.health',
      installation_id: crypto.randomUUID(),
      platform: 'ios',
      provider: 'apple_health',
    },
  });
  const { client_token } = need(opened.data, opened.error);
  const exchanged = await api.POST('/v1/sdk/sessions/exchange', { body: { client_token } });
  const phone = as(need(exchanged.data, exchanged.error).access_token);
  const uploaded = await phone.POST('/v1/sdk/data', {
    body: {
      time_zone: 'Europe/Berlin',
      device: { name: 'My watch', model: 'Watch7,5', type: 'wrist' },
      daily: [{ date: '2026-03-10', metric: 'steps', value: 9412, unit: 'count' }],
    },
  });
  const accepted: number = need(uploaded.data, uploaded.error).accepted;

  const read = await api.GET('/v1/users/{id}/daily', {
    params: { path: { id: seeded }, query: { types: 'steps,asleep' } },
  });
  const { series } = need(read.data, read.error);
  const steps: (number | null)[] | undefined = series.steps;
  // @ts-expect-error: this is not a metric.
  series.step;
  const asleep: keyof typeof series = 'asleep' satisfies Schemas['MetricId'];
  // @ts-expect-error: this is not a workout type.
  'walk' satisfies Schemas['WorkoutTypeId'];

  const webhooks = await api.GET('/v1/webhooks');
  const missing = await api.GET('/v1/users/{id}', { params: { path: { id: 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7' } } });
  const failure: Schemas['ErrorResponse'] | undefined = missing.error;
  // @ts-expect-error: this operation never has this code.
  if (missing.error?.error === 'invalid_types') throw new Error('a user was refused for its types');

  const feed = await api.GET('/v1/events', { params: { query: { types: 'user.created' } } });
  const summaries = need(feed.data, feed.error).events.map(summarize);

  return {
    external_ref: user.external_ref,
    accepted,
    measured: [steps, series[asleep]].every((values) => values?.some((value) => value !== null && value > 0)),
    webhooks: need(webhooks.data, webhooks.error).data.length,
    missing: { status: missing.response.status, error: failure?.error },
    event: summaries.includes(seeded),
  };
}

work().then((done) => console.log(JSON.stringify(done)));
