// Uses the types of openapi-typescript and its fetch client for typical calls. Compiled and run
// next to the generated code.
import createClient from 'openapi-fetch';
import type { components, paths } from './generated';

const { BASE_URL: baseUrl = '', API_KEY: key = '', SEEDED_USER: seeded = '' } = process.env;
const as = (token: string) => createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });

function need<Value>(value: Value | undefined, error: unknown): Value {
  if (value === undefined) throw new Error(`a call failed: ${JSON.stringify(error)}`);
  return value;
}

async function work() {
  const api = as(key);
  const created = await api.POST('/v1/users', {
    body: { external_ref: 'openapi-typescript', timezone: 'Europe/Berlin' },
  });
  const user: components['schemas']['User'] = need(created.data, created.error);

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

  const read = await api.GET('/v1/users/{id}/daily', { params: { path: { id: seeded }, query: { types: 'steps' } } });
  const steps: (number | null)[] | undefined = need(read.data, read.error).series['steps'];

  const webhooks = await api.GET('/v1/webhooks');
  const missing = await api.GET('/v1/users/{id}', { params: { path: { id: 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7' } } });
  const failure: components['schemas']['Error'] | undefined = missing.error;

  return {
    external_ref: user.external_ref,
    accepted,
    measured: steps?.some((value) => value !== null && value > 0),
    webhooks: need(webhooks.data, webhooks.error).data.length,
    missing: { status: missing.response.status, error: failure?.error },
  };
}

work().then((done) => console.log(JSON.stringify(done)));
