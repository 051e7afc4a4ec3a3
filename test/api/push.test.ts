import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxCredentials } from '../../shared/connections/client/configured-provider.ts';
import { pushPath } from '../../shared/connections/client/push-keys.ts';
import { isPath } from '../harness/fake-provider-server.ts';
import { type ProviderSystem, startProviderSystem } from '../harness/provider-system.ts';
import { hours, minutes, ouraNight, signPush } from '../harness/sync-world.ts';

let world: ProviderSystem;
beforeAll(async () => {
  world = await startProviderSystem({ only: ['oura', 'withings', 'strava'] });
});
afterAll(() => world.stop());

const path = '/v1/providers/oura/push';
let notificationCount = 0;
const makeNotification = (account: string, id: string) => ({
  event_type: 'update',
  data_type: 'sleep',
  object_id: id,
  user_id: account,
  event_time: `2026-03-12T12:00:00.${String(notificationCount++).padStart(3, '0')}Z`,
});

function sendPush(body: object, more: { secret?: string; headers?: Record<string, string> } = {}) {
  const { system, fakeProvider } = world;
  const secret = more.secret ?? fakeProvider.credentials('oura').clientSecret;
  const { headers, body: bytes } = signPush(secret, body, system.clock.now());
  return system.call('POST', path, { raw: Buffer.from(bytes).toString(), headers: { ...headers, ...more.headers } });
}

async function connectUser(account: string): Promise<string> {
  const user = await world.user();
  await world.connect(user, 'oura', account);
  await world.system.host.drain();
  return user;
}

const countNights = async (user: string): Promise<number> =>
  (await world.get(user, 'sleep?from_date=2026-03-01&to_date=2026-03-12')).body.data.length;

test('a push is acknowledged immediately while the provider is unavailable, and its data arrives once it is back', async () => {
  const { system, fakeProvider } = world;
  const user = await connectUser('ann');
  fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('n1', '2026-03-10')] });
  const end = fakeProvider.fault(isPath('usercollection'), 'cut');
  const timings: number[] = [];
  for (let i = 0; i < 5; i++) {
    const before = performance.now();
    const { status, body } = await sendPush(makeNotification('ann', 'n1'));
    timings.push(performance.now() - before);
    expect([status, body]).toEqual([200, {}]);
  }
  expect(Math.min(...timings)).toBeLessThan(200);
  await system.host.drain();
  expect(await countNights(user)).toBe(0);
  end();
  system.clock.advance(hours(2));
  await system.host.runSchedule('poll');
  await system.host.drain();
  expect(await countNights(user)).toBe(1);
});

test('a wrong signature is rejected as JSON, and the provider receives no request', async () => {
  const { system, fakeProvider } = world;
  await connectUser('bob');
  const before = fakeProvider.requests.length;
  const refused = await sendPush(makeNotification('bob', 'n1'), { secret: 'another' });
  expect([refused.status, refused.body.error]).toEqual([401, 'unauthorized']);
  const unsigned = await system.call('POST', path, { raw: JSON.stringify(makeNotification('bob', 'n1')) });
  expect(unsigned.status).toBe(401);
  await system.host.drain();
  expect(fakeProvider.requests.length).toBe(before);
});

test('a push signed with the sandbox secret has no effect on live accounts', async () => {
  const { system, fakeProvider } = world;
  await connectUser('cid');
  const before = fakeProvider.requests.length;
  const secret = sandboxCredentials(system.host.deps, 'oura').clientSecret;
  expect((await sendPush(makeNotification('cid', 'n1'), { secret })).status).toBe(200);
  await system.host.drain();
  expect(fakeProvider.requests.length).toBe(before);
});

test('a push for an unknown account, and an unreadable one, are accepted and change nothing', async () => {
  expect((await sendPush(makeNotification('nobody', 'n1'))).status).toBe(200);
  expect((await sendPush({ hello: 'world' })).status).toBe(200);
});

test("a provider's address verification is answered, with GET and HEAD, at the secret path only", async () => {
  const { system } = world;
  const secretPath = pushPath(system.host.deps, 'withings', 'live');
  expect((await system.call('GET', secretPath)).status).toBe(200);
  expect((await fetch(system.host.baseUrl + secretPath, { method: 'HEAD' })).status).toBe(200);
  expect((await system.call('GET', '/v1/providers/withings/push/guessed')).status).toBe(401);
  expect((await fetch(`${system.host.baseUrl}/v1/providers/withings/push`, { method: 'HEAD' })).status).toBe(401);
});

test('providers without pushes, and unknown providers, have no push path', async () => {
  const { system } = world;
  const pushTo = (provider: string) => system.call('POST', `/v1/providers/${provider}/push`, { raw: '{}' });
  const status = async (provider: string) => (await pushTo(provider)).status;
  expect(await status('ultrahuman')).toBe(404);
  expect(await status('nobody')).toBe(404);
});

test('a push that is too large or too deeply nested is rejected before it is parsed; only a signed one learns that the nesting is the reason', async () => {
  const { system, fakeProvider } = world;
  const sign = (raw: string) => {
    const stamp = String(system.clock.now());
    const hmac = createHmac('sha256', fakeProvider.credentials('oura').clientSecret).update(stamp + raw);
    return { 'x-oura-timestamp': stamp, 'x-oura-signature': hmac.digest('hex') };
  };
  const post = async (raw: string, headers: Record<string, string> = {}) =>
    (await system.call('POST', path, { raw, headers })).status;
  for (const blank of ['', ' ', '\r\n\t'.repeat(100)]) {
    const deep = blank + '['.repeat(40);
    expect([await post(deep, sign(deep)), await post(deep)]).toEqual([400, 401]);
  }
  for (const bytes of [64_001, 6_000_001]) {
    const long = `"${'x'.repeat(bytes - 2)}"`;
    expect([await post(long, sign(long)), await post(long)]).toEqual([413, 413]);
  }
});

test('the schedule polls a device that has gone quiet', async () => {
  const { system, fakeProvider } = world;
  const user = await connectUser('dan');
  fakeProvider.fixtures.write('oura', 'dan', { sleep: [ouraNight('n1', '2026-03-12')] });
  system.clock.advance(minutes(6 * 60 + 40));
  await system.host.runSchedule('poll');
  await system.host.drain();
  expect((await world.get(user, 'sleep?from_date=2026-03-01&to_date=2026-03-13')).body.data).toHaveLength(1);
});
