// Withings needs a notification subscription for each user.
import { expect, test } from 'vitest';
import { pushPath } from '../../../../shared/connections/client/push-keys.ts';
import type { ProviderCall } from '../../../../shared/sandbox/provider-server/provider-call.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { hours, minutes, syncWorld } from '../../../harness/sync-world.ts';

const subscribing = ({ path, form }: ProviderCall): boolean =>
  path.endsWith('/notify') && form['action'] === 'subscribe';
const notifying = ({ path }: ProviderCall): boolean => path.endsWith('/notify');

async function connecting() {
  const world = syncWorld({ provider: 'withings' });
  const user = await world.user();
  const device = await world.connect(user, '4711');
  const state = async () => (await listDevices(world.deps, world.caller, user))[0]?.sync?.state;
  return { world, user, device, state };
}

test('each user is subscribed on connecting, and the subscription is rechecked a day later', async () => {
  const { world } = await connecting();
  await world.processQueue();
  const asked = world.fakeProvider.requests.filter(subscribing);
  expect(asked).toHaveLength(6);
  const callback = `https://day.example${pushPath(world.deps, 'withings', 'live')}`;
  expect(new Set(asked.map(({ form }) => form['callbackurl']))).toEqual(new Set([callback]));
  world.fakeProvider.requests.length = 0;
  await world.passTime(hours(23));
  expect(world.fakeProvider.requests.filter(notifying)).toEqual([]);
  await world.passTime(hours(1) + minutes(1));
  expect(world.fakeProvider.requests.filter(notifying).length).toBeGreaterThan(0);
});

test.each([
  ['is unavailable', 'timeout' as const],
  ['refuses', { status: 200, headers: {}, text: JSON.stringify({ status: 293 }) }],
])('when the provider %s, data is polled and the subscription is retried after an hour', async (_how, fault) => {
  const { world, user, device, state } = await connecting();
  const end = world.fakeProvider.fault(notifying, fault);
  const goOn = world.clock.freeze();
  const begunMs = world.clock.now();
  await world.processQueue();
  goOn();
  expect((await world.readConnection(user, device))?.failures).toBe(0);
  for (let minute = 0; minute < 20; minute++) await world.passTime(minutes(1));
  expect(await state()).toBe('current');
  expect(await world.readConnection(user, device)).toMatchObject({ subscribeMs: begunMs + hours(1), failures: 0 });
  end();
  world.fakeProvider.requests.length = 0;
  await world.passTime(minutes(39));
  expect(world.fakeProvider.requests).toEqual([]);
  await world.passTime(minutes(2));
  expect(world.fakeProvider.requests.filter(subscribing)).toHaveLength(6);
});
