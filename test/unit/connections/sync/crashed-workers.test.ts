import { expect, test } from 'vitest';
import { listDevices } from '../../../../shared/users/devices.ts';
import { isRefreshCall } from '../../../harness/fake-provider.ts';
import { hours, minutes } from '../../../harness/sync-world.ts';
import { connectWithNights, testCrashesAtWrites } from './crashed-workers.ts';

testCrashesAtWrites(4);

test('a refresh whose response is lost is retried, and nobody is disconnected at once', async () => {
  const { world, user } = await connectWithNights();
  await world.processQueue();
  world.fakeProvider.fault(isRefreshCall, 'lost', 1);
  await world.passTime(hours(30));
  for (let i = 0; i < 5; i++) await world.passTime(minutes(1));
  expect((await listDevices(world.deps, world.caller, user))[0]?.status).toBe('active');
});
