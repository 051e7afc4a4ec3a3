// A vendor that wants to be asked for each person whether it may tell of them: Withings.
import { expect, test } from 'vitest';
import { pushPath } from '../../../../shared/connections/client/push-keys.ts';
import type { VendorCall } from '../../../../shared/sandbox/provider-server/call.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { hours, minutes, syncWorld } from '../../../harness/sync-world.ts';

const subscribing = ({ path, form }: VendorCall): boolean => path.endsWith('/notify') && form['action'] === 'subscribe';
const notifying = ({ path }: VendorCall): boolean => path.endsWith('/notify');

async function connecting() {
  const world = syncWorld({ provider: 'withings' });
  const user = await world.user();
  const device = await world.connect(user, '4711');
  const state = async () => (await listDevices(world.deps, world.caller, user))[0]?.sync?.state;
  return { world, user, device, state };
}

test('each person is subscribed when they connect, and looked at again a day later', async () => {
  const { world } = await connecting();
  await world.work();
  const asked = world.vendor.requests.filter(subscribing);
  expect(asked).toHaveLength(6);
  const callback = `https://day.example${pushPath(world.deps, 'withings', 'live')}`;
  expect(new Set(asked.map(({ form }) => form['callbackurl']))).toEqual(new Set([callback]));
  world.vendor.requests.length = 0;
  await world.later(hours(23));
  expect(world.vendor.requests.filter(notifying)).toEqual([]);
  await world.later(hours(1) + minutes(1));
  expect(world.vendor.requests.filter(notifying).length).toBeGreaterThan(0);
});

test.each([
  ['is away', 'timeout' as const],
  ['refuses', { status: 200, headers: {}, text: JSON.stringify({ status: 293 }) }],
])('where the vendor %s, data comes by asking, and it is tried again in an hour', async (_how, fault) => {
  const { world, user, device, state } = await connecting();
  const end = world.vendor.fault(notifying, fault);
  const goOn = world.clock.hold();
  const begunMs = world.clock.now();
  await world.work();
  goOn();
  expect((await world.row(user, device))?.failures).toBe(0);
  for (let minute = 0; minute < 20; minute++) await world.later(minutes(1));
  expect(await state()).toBe('current');
  expect(await world.row(user, device)).toMatchObject({ subscribeMs: begunMs + hours(1), failures: 0 });
  end();
  world.vendor.requests.length = 0;
  await world.later(minutes(39));
  expect(world.vendor.requests).toEqual([]);
  await world.later(minutes(2));
  expect(world.vendor.requests.filter(subscribing)).toHaveLength(6);
});
