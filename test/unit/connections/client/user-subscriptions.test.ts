// Withings needs a notification subscription for each user.
import { expect, test } from 'vitest';
import { pushPath } from '../../../../shared/connections/client/push-keys.ts';
import type { ProviderCall } from '../../../../shared/sandbox/provider-server/provider-call.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { hours, minutes, syncWorld } from '../../../harness/sync-world.ts';

const isSubscribeCall = ({ path, form }: ProviderCall): boolean =>
  path.endsWith('/notify') && form['action'] === 'subscribe';
const isNotifyCall = ({ path }: ProviderCall): boolean => path.endsWith('/notify');

async function connectUser() {
  const world = syncWorld({ provider: 'withings' });
  const user = await world.user();
  const device = await world.connect(user, '4711');
  const state = async () => (await listDevices(world.deps, world.caller, user))[0]?.sync?.state;
  return { world, user, device, state };
}

test('each user is subscribed on connecting, and the subscription is rechecked a day later', async () => {
  const { world } = await connectUser();
  await world.processQueue();
  const subscribeCalls = world.fakeProvider.requests.filter(isSubscribeCall);
  expect(subscribeCalls).toHaveLength(6);
  const callback = `https://day.example${pushPath(world.deps, 'withings', 'live')}`;
  expect(new Set(subscribeCalls.map(({ form }) => form['callbackurl']))).toEqual(new Set([callback]));
  world.fakeProvider.requests.length = 0;
  await world.passTime(hours(23));
  expect(world.fakeProvider.requests.filter(isNotifyCall)).toEqual([]);
  await world.passTime(hours(1) + minutes(1));
  expect(world.fakeProvider.requests.filter(isNotifyCall).length).toBeGreaterThan(0);
});

test.each([
  ['is unavailable', 'timeout' as const],
  ['refuses', { status: 200, headers: {}, text: JSON.stringify({ status: 293 }) }],
])('when the provider %s, data is polled and the subscription is retried after an hour', async (_how, fault) => {
  const { world, user, device, state } = await connectUser();
  const end = world.fakeProvider.fault(isNotifyCall, fault);
  const resume = world.clock.freeze();
  const startedMs = world.clock.now();
  await world.processQueue();
  resume();
  expect((await world.readConnection(user, device))?.failures).toBe(0);
  for (let minute = 0; minute < 20; minute++) await world.passTime(minutes(1));
  expect(await state()).toBe('current');
  expect(await world.readConnection(user, device)).toMatchObject({ subscribeMs: startedMs + hours(1), failures: 0 });
  end();
  world.fakeProvider.requests.length = 0;
  await world.passTime(minutes(39));
  expect(world.fakeProvider.requests.filter(isNotifyCall)).toEqual([]);
  await world.passTime(minutes(2));
  expect(world.fakeProvider.requests.filter(isSubscribeCall)).toHaveLength(6);
});
