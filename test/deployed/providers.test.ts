import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect, test } from 'vitest';
import { pushPath } from '../../shared/connections/client/push-keys.ts';
import { clientConfig } from '../../shared/platform/aws/client-config.ts';
import { readAwsConnection } from '../../shared/platform/aws/connection.ts';
import { openKeyring } from '../../shared/platform/keyring.ts';
import { CookieJar } from '../harness/browser.ts';
import { call, daybook, eventually, newAccount } from './caller.ts';
import { deployment } from './deployment.ts';

/** Maps a link to the emulator's address, because the gateway puts its own host name into links. */
const reachableUrl = (url: string): string => {
  const { pathname, search } = new URL(url);
  return deployment.apiUrl + pathname + search;
};

async function followRedirect(jar: CookieJar, url: string, form?: Record<string, string>): Promise<string> {
  const body = form && { method: 'POST', body: new URLSearchParams(form) };
  const response = await fetch(reachableUrl(url), { redirect: 'manual', headers: jar.headers(), ...body });
  jar.store(response.headers);
  const location = response.headers.get('location');
  if (location === null) throw new Error(`expected a redirect, got ${response.status}: ${await response.text()}`);
  return location;
}

/** Connects as a user does: opens the link, presses Allow on the provider's page, and returns. */
async function connect(token: string, user: string, provider: string): Promise<{ device: string; account: string }> {
  const { body } = await call('POST', `/v1/users/${user}/devices`, { token, body: { provider } });
  const jar = new CookieJar();
  const consent = await followRedirect(jar, body.auth_url);
  const page = await (await fetch(reachableUrl(consent))).text();
  const number = /name="account_number" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const form = { persona: 'average', time_zone: 'UTC', account_number: number, decision: 'allow' };
  const back = await fetch(reachableUrl(await followRedirect(jar, consent, form)), { headers: jar.headers() });
  expect([back.status, await back.text()]).toEqual([200, expect.stringContaining('is connected')]);
  return { device: body.id, account: `sbx-average-${number}-UTC` };
}

async function readKeyring() {
  const client = new SecretsManagerClient(clientConfig('secretsmanager', readAwsConnection(process.env)));
  const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: deployment.secretId }));
  return openKeyring(SecretString);
}

const today = Date.now() - (Date.now() % 86_400_000);
const dateOf = (daysAgo: number): string => new Date(today - daysAgo * 86_400_000).toISOString().slice(0, 10);
const yesterday = dateOf(1);
const threeDaysAgo = dateOf(3);

test('wearables are connected, synced, updated by pushes, and disconnected with all their data', async () => {
  const { sandbox_key: token } = await newAccount();
  const user = (await call('POST', '/v1/users', { token, body: { timezone: 'UTC' } })).body.id;
  const devices = async () => (await call('GET', `/v1/users/${user}/devices`, { token })).body.data;
  const one = async (id: string) => (await devices()).find((each: { id: string }) => each.id === id);
  const value = async (metric: string, date: string) => {
    const response = await call(
      'GET',
      `/v1/users/${user}/daily?types=${metric}&from_date=${date}&to_date=${date}&include_sources=true`,
      { token },
    );
    return { value: response.body.series[metric][0], device: response.body.sources[metric][0]?.device_id };
  };
  const devicesInEvents = async (type: string) => {
    const { body } = await call('GET', `/v1/events?user_id=${user}&types=${type}`, { token });
    return body.events.map((each: { device_id: string }) => each.device_id);
  };
  const ids = async (): Promise<string[]> => (await devices()).map((each: { id: string }) => each.id);
  // A new sandbox user has a phone and a ring.
  await eventually(async () => expect(await ids()).toHaveLength(2), 60);
  const ofTheUser = await ids();

  const whoop = await connect(token, user, 'whoop');
  await eventually(async () => {
    expect(await one(whoop.device)).toMatchObject({ status: 'active', sync: { state: 'current', done: 1 } });
    const heart = await value('resting_heart_rate', threeDaysAgo);
    expect(heart).toEqual({ value: expect.any(Number), device: whoop.device });
  }, 120);
  const shown = await daybook('devices', 'show', '--user', user, '--device', whoop.device);
  expect(shown['devices']).toMatchObject([{ id: whoop.device, sync: { state: 'current' } }]);

  const garmin = await connect(token, user, 'garmin');
  await eventually(async () => expect(await one(garmin.device)).toMatchObject({ status: 'active' }), 60);
  const push = async (path: string, headers: Record<string, string>) => {
    const at = { measurementTimeInSeconds: Date.parse(yesterday) / 1000 + 28_800, measurementTimeOffsetInSeconds: 0 };
    const pressure = { userId: garmin.account, summaryId: 'x1', ...at, systolic: 123, diastolic: 81 };
    return call('POST', path, { body: { bloodPressures: [pressure] }, headers });
  };
  const address = pushPath({ keyring: await readKeyring() }, 'garmin', 'sandbox');
  expect((await push(address, { 'garmin-client-id': 'somebody' })).status).toBe(401);
  expect((await push('/v1/providers/garmin/push/guessed', { 'garmin-client-id': 'sandbox-garmin' })).status).toBe(401);
  expect((await push(address, { 'garmin-client-id': 'sandbox-garmin' })).status).toBe(200);
  // No other device of this user measures it.
  await eventually(async () => {
    expect(await value('blood_pressure_systolic', yesterday)).toEqual({ value: 123, device: garmin.device });
  }, 60);

  for (const { device } of [whoop, garmin]) {
    expect((await call('DELETE', `/v1/users/${user}/devices/${device}`, { token })).status).toBe(204);
  }
  await eventually(async () => {
    expect(await ids()).toEqual(ofTheUser);
    expect(await value('blood_pressure_systolic', yesterday)).toEqual({ value: null, device: undefined });
    expect((await value('resting_heart_rate', threeDaysAgo)).device).not.toBe(whoop.device);
    const disconnected = await devicesInEvents('device.disconnected');
    expect(disconnected.toSorted()).toEqual([whoop.device, garmin.device].toSorted());
  }, 120);
  const connected = await devicesInEvents('device.connected');
  expect(connected.filter((id: string) => !ofTheUser.includes(id)).toSorted()).toEqual(
    [whoop.device, garmin.device].toSorted(),
  );
  // Pushes for a disconnected device are ignored.
  expect((await push(address, { 'garmin-client-id': 'sandbox-garmin' })).status).toBe(200);
  expect(await value('blood_pressure_systolic', yesterday)).toEqual({ value: null, device: undefined });
}, 420_000);
