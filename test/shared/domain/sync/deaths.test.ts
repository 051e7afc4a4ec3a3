import { expect, test } from 'vitest';
import { listDevices } from '../../../../shared/domain/devices/devices.ts';
import { syncConnection } from '../../../../shared/domain/sync/sync-connection.ts';
import { hours, minutes } from '../../../harness/sync-world.ts';
import { refreshes } from '../../../harness/vendor-in-process.ts';
import { connected, killAtWrites, stood, wanted } from './killed-workers.ts';

killAtWrites(4);

test('a worker that wakes up after its lease has run out changes nothing', async () => {
  const { world, user, device } = await connected();
  let isFirst = true;
  world.vendor.meanwhile = async ({ path }) => {
    if (!isFirst || !path.endsWith('/sleep')) return;
    isFirst = false;
    world.clock.advance(minutes(2));
    await syncConnection(world.deps, user, device);
  };
  await world.work();
  await world.later(minutes(2));
  expect(await stood(world, user)).toEqual(wanted);
  expect((await listDevices(world.deps, world.caller, user))[0]?.sync).toMatchObject({ state: 'current', done: 1 });
});

test('a vendor whose answer to a refresh is lost is asked again, and nobody is disconnected at once', async () => {
  const { world, user } = await connected();
  await world.work();
  world.vendor.fault(refreshes, 'lost', 1);
  await world.later(hours(30));
  for (let i = 0; i < 5; i++) await world.later(minutes(1));
  expect((await listDevices(world.deps, world.caller, user))[0]?.status).toBe('active');
});
