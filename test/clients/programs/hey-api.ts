// Uses the functions that hey-api generates for typical calls. Compiled and run next to the
// generated code.
import { createClient, createConfig } from './generated/client';
import {
  createUser,
  exchangeSdkToken,
  getDaily,
  getUser,
  listWebhooks,
  openSdkSession,
  uploadSdkData,
} from './generated/sdk.gen';
import type { Error as Failure, User } from './generated/types.gen';

const { BASE_URL: baseUrl = '', API_KEY: key = '', SEEDED_USER: seeded = '' } = process.env;
const as = (auth: string) => createClient(createConfig({ baseUrl, auth }));

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

  const read = await getDaily({ client, path: { id: seeded }, query: { types: 'steps' }, throwOnError: true });
  const steps: (number | null)[] | undefined = read.data.series['steps'];

  const webhooks = await listWebhooks({ client, throwOnError: true });
  const missing = await getUser({ client, path: { id: 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7' } });
  const failure: Failure | undefined = missing.error;

  return {
    external_ref: user.external_ref,
    accepted,
    measured: steps?.some((value) => value !== null && value > 0),
    webhooks: webhooks.data.data.length,
    missing: { status: missing.response?.status, error: failure?.error },
  };
}

work().then((done) => console.log(JSON.stringify(done)));
