import { expect, test } from 'vitest';
import { subscriptionRows } from '../../../../shared/connections/subscription-rows.ts';
import { renewSubscription } from '../../../../shared/connections/sync/renew-subscription.ts';
import { EngineUnavailable } from '../../../../shared/platform/ports.ts';
import type { ProviderCall } from '../../../../shared/sandbox/provider-server/provider-call.ts';
import { hours, minutes, syncWorld } from '../../../harness/sync-world.ts';

const isSubscribeCall = ({ path, method }: ProviderCall): boolean =>
  path.includes('/webhook/subscription') && method === 'POST';
const days = (count: number): number => hours(24 * count);

test('pushes are subscribed to once for all users, when the first one connects, and renewed in time', async () => {
  const world = syncWorld();
  const [ann, bob] = [await world.user(), await world.user()];
  await world.connect(ann, 'ann');
  await world.processQueue();
  const created = world.fakeProvider.requests.filter(isSubscribeCall);
  expect(created).toHaveLength(18);
  expect(created[0]?.json).toMatchObject({ callback_url: 'https://day.example/v1/providers/oura/push' });
  await world.connect(bob, 'bob');
  await world.processQueue();
  await Promise.all([1, 2, 3].map(() => renewSubscription(world.deps, 'oura', 'live')));
  expect(world.fakeProvider.requests.filter(isSubscribeCall)).toHaveLength(18);
  await world.passTime(days(61));
  expect(
    world.fakeProvider.requests.filter(({ path }) => path.includes('/webhook/subscription')).length,
  ).toBeGreaterThan(30);
});

test('a refused subscription is retried later, and its users are polled in the meantime', async () => {
  const world = syncWorld();
  const user = await world.user();
  const end = world.fakeProvider.fault(({ path }) => path.includes('/webhook/'), {
    status: 500,
    headers: {},
    text: '',
  });
  await world.connect(user, 'ann');
  await world.processQueue();
  for (let i = 0; i < 120; i++) await world.passTime(minutes(5));
  const attemptCount = world.fakeProvider.requests.filter(({ path }) => path.includes('/webhook/')).length;
  expect([attemptCount > 5, attemptCount < 30]).toEqual([true, true]);
  expect(world.fakeProvider.requests.filter(({ path }) => path.endsWith('/sleep')).length).toBeGreaterThan(13);
  expect((await subscriptionRows(world.deps.store).find('oura', 'live'))?.failures).toBeGreaterThan(3);
  end();
  for (let i = 0; i < 30; i++) await world.passTime(minutes(5));
  expect(world.fakeProvider.requests.filter(isSubscribeCall)).toHaveLength(18);
  expect((await subscriptionRows(world.deps.store).find('oura', 'live'))?.failures).toBe(0);
});

test('settings that cannot be read do not count as a refusal by the provider', async () => {
  const world = syncWorld();
  await subscriptionRows(world.deps.store).open('oura', 'live', 'https://day.example', world.clock.now());
  const get = () => Promise.reject(new EngineUnavailable('the settings are unavailable'));
  const unavailableDeps = { ...world.deps, providerSettings: { get } };
  await expect(renewSubscription(unavailableDeps, 'oura', 'live')).rejects.toBeInstanceOf(EngineUnavailable);
  expect(await subscriptionRows(world.deps.store).find('oura', 'live')).toMatchObject({ failures: 0 });
});

test('a deployment that has moved subscribes at its new URL and removes the old subscription', async () => {
  const world = syncWorld({ provider: 'strava' });
  await world.connect(await world.user(), '4711');
  await world.processQueue();
  const isSubscriptionCall = ({ path }: ProviderCall): boolean => path.includes('/push_subscriptions');
  const [created] = world.fakeProvider.requests.filter((call) => isSubscriptionCall(call) && call.method === 'POST');
  const before = created?.form['callback_url'];
  expect(before).toMatch(/^https:\/\/day\.example\//);
  const { ids } = (await subscriptionRows(world.deps.store).find('strava', 'live')) ?? {};
  world.fakeProvider.fault((call) => isSubscriptionCall(call) && call.method === 'GET', {
    ...{ status: 200, headers: {} },
    text: JSON.stringify([{ id: Number(ids?.['app']), callback_url: before }]),
  });
  world.fakeProvider.requests.length = 0;
  world.clock.advance(days(2));
  await renewSubscription(
    { ...world.deps, deployment: { kind: 'local', baseUrl: 'https://new.example' } },
    'strava',
    'live',
  );
  expect(world.fakeProvider.requests.filter(isSubscriptionCall).map(({ method }) => method)).toEqual([
    'GET',
    'DELETE',
    'POST',
  ]);
  expect(world.fakeProvider.requests.at(-1)?.form['callback_url']).toBe(before?.replace('day', 'new'));
});
