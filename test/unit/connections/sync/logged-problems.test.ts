// Every problem that is counted in the cloud is logged with its provider. This test notices when a
// message changes.
import { expect, test } from 'vitest';
import { formatLogLine } from '../../../../functions/runtime/log.ts';
import { type ProviderProblem, providerProblems } from '../../../../infra/cloud/provider-problems.ts';
import { disconnectDevice } from '../../../../shared/connections/disconnect.ts';
import { acceptPush } from '../../../../shared/connections/push/accept-push.ts';
import { renewSubscription } from '../../../../shared/connections/sync/renew-subscription.ts';
import { syncConnection } from '../../../../shared/connections/sync/sync-connection.ts';
import type { LogCode } from '../../../../shared/platform/log-codes.ts';
import type { Deps } from '../../../../shared/system/deps.ts';
import { isRefreshCall } from '../../../harness/fake-provider.ts';
import { hours, minutes, type SyncWorld, signPush, syncWorld } from '../../../harness/sync-world.ts';

const problemsByName = new Map(providerProblems.map((problem) => [problem.name, problem]));

/** Counts as the metric filter does. */
function countLines({ log }: SyncWorld, name: string): number {
  const problem = problemsByName.get(name);
  if (!problem) throw new Error(`No problem is named ${name}.`);
  const lines = log.map(({ level, message, fields }) => JSON.parse(formatLogLine(level, message, fields)));
  return lines
    .filter((line) => line.provider === 'oura')
    .map((line) => problem.lines.find(isCounted(line)))
    .reduce((sum, found) => sum + (found ? (found.weight ?? 1) : 0), 0);
}
const isCounted =
  (line: { message: string; failures?: number }) =>
  ({ code, failures = 0 }: ProviderProblem['lines'][number]): boolean =>
    code === line.message && (line.failures ?? 0) >= failures;

const countCode = ({ log }: SyncWorld, code: LogCode): number => log.filter(({ message }) => message === code).length;

const answer = (status: number, body: object = {}) => ({ status, headers: {}, text: JSON.stringify(body) });

async function connectUser() {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  await world.processQueue();
  expect([...problemsByName.keys()].map((name) => countLines(world, name))).toEqual([...problemsByName].map(() => 0));
  return { world, user, device };
}

async function passHours(world: SyncWorld, count: number): Promise<void> {
  for (let hour = 0; hour < count; hour++) await world.passTime(hours(1));
}

test('an unavailable provider counts from the third failure in a row', async () => {
  const { world } = await connectUser();
  const end = world.fakeProvider.fault(() => true, answer(503), 2);
  await passHours(world, 12);
  end();
  expect(countLines(world, 'SyncsFailing')).toBe(0);
  world.fakeProvider.fault(() => true, answer(503));
  await passHours(world, 12);
  const times = countLines(world, 'SyncsFailing');
  expect(times).toBeGreaterThan(2);
  expect(world.log.filter(({ message }) => message === 'provider_unavailable').length).toBeGreaterThanOrEqual(times);
});

test('a sync that fails for an internal reason counts from the third failure, and five times as much', async () => {
  const { world, user, device } = await connectUser();
  const broken: Deps = { ...world.deps, vault: { ...world.deps.vault, open: () => Promise.reject(new Error('no')) } };
  for (let hour = 0; hour < 24; hour++) {
    world.clock.advance(hours(1));
    await syncConnection(broken, user, device);
  }
  const failed = world.log.filter(({ message }) => message === 'sync_failed').length;
  expect(failed).toBeGreaterThan(4);
  expect(countLines(world, 'SyncsFailing')).toBe(5 * (failed - 2));
});

test('refused, missing or invalid credentials count at once', async () => {
  const { world, user, device } = await connectUser();
  const end = world.fakeProvider.fault(isRefreshCall, answer(401, { error: 'invalid_client' }));
  await world.passTime(hours(30));
  end();
  expect(countLines(world, 'ProvidersUnusable')).toBe(1);
  for (const invalidSettings of [undefined, { client_id: 'only' }]) {
    world.clock.advance(hours(7));
    const misconfigured = { ...world.deps, providerSettings: { get: async () => invalidSettings } };
    await syncConnection(misconfigured, user, device);
    // Within an hour it is not counted again.
    world.clock.advance(minutes(59));
    await syncConnection(misconfigured, user, device);
  }
  expect(countLines(world, 'ProvidersUnusable')).toBe(3);
  const codes = ['provider_credentials_refused', 'provider_credentials_missing', 'provider_misconfigured'] as const;
  expect(codes.map((code) => countCode(world, code))).toEqual([1, 1, 1]);
  const refused = world.log.find(({ message }) => message === 'provider_credentials_refused');
  expect(refused?.fields).toMatchObject({ detail: expect.stringContaining('Check its client id and secret.') });
  expect(refused?.fields).not.toHaveProperty('cause');
});

test('a subscription that cannot be renewed counts from the third failure', async () => {
  const { world } = await connectUser();
  world.fakeProvider.fault(({ path }) => path.includes('subscription'), answer(500));
  world.clock.advance(hours(24 * 100));
  for (let times = 0; times < 4; times++) {
    await renewSubscription(world.deps, 'oura', 'live');
    expect(countCode(world, 'subscription_renewal_failed')).toBe(times + 1);
    expect(countLines(world, 'ProvidersUnusable')).toBe(Math.max(0, times - 1));
    world.clock.advance(hours(2));
  }
});

test('an ended consent counts once', async () => {
  const { world } = await connectUser();
  world.fakeProvider.fault(isRefreshCall, answer(400, { error: 'invalid_grant' }));
  await world.passTime(hours(30));
  for (let times = 0; times < 6; times++) await world.passTime(hours(6));
  expect(world.events('device.disconnected')).toHaveLength(1);
  expect(countLines(world, 'DataWithheld')).toBe(1);
});

test('a doubted end of a consent counts, and so does a revocation that never succeeded', async () => {
  const { world, user, device } = await connectUser();
  const { clientId, clientSecret } = world.fakeProvider.credentials;
  const settings = { client_id: clientId, client_secret: clientSecret, disconnects_per_hour: 0 };
  const deps: Deps = { ...world.deps, providerSettings: { get: async () => settings } };
  const end = world.fakeProvider.fault(isRefreshCall, answer(400, { error: 'invalid_grant' }));
  for (let times = 0; times < 4; times++) {
    world.clock.advance(hours(30));
    await syncConnection(deps, user, device);
  }
  expect([countLines(world, 'ConsentsUnresolved'), countLines(world, 'DataWithheld')]).toEqual([2, 0]);
  end();
  world.fakeProvider.fault(() => true, answer(503));
  world.clock.freeze();
  await disconnectDevice(world.deps, world.caller, user, device);
  await passHours(world, 24);
  expect(countLines(world, 'ConsentsUnresolved')).toBe(2);
  await passHours(world, 2);
  expect(countLines(world, 'ConsentsUnresolved')).toBe(3);
});

test('a push that is not from the provider counts, and a genuine one does not', async () => {
  const { world } = await connectUser();
  const note = { event_type: 'update', data_type: 'sleep', object_id: 'n1', user_id: 'ann', event_time: '2026-03-12' };
  await world.push(note);
  expect(countLines(world, 'PushesRefused')).toBe(0);
  const forged = signPush('another secret', note, world.clock.now());
  await expect(acceptPush(world.deps, 'oura', forged)).rejects.toThrow('This request does not come from');
  expect(countLines(world, 'PushesRefused')).toBe(1);
  expect(world.log.at(-1)).toMatchObject({ message: 'push_refused', fields: { provider: 'oura' } });
});
