import { expect, test } from 'vitest';
import { findOrCreateDevice } from '../../../shared/users/devices.ts';
import { stateRows } from '../../../shared/users/state-rows.ts';
import { createUser } from '../../../shared/users/users.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

const watch = { provider: 'apple_health', connection: 'sdk', deviceType: 'wrist', model: 'W1', name: null } as const;

test('a device that changes its type has its days rebuilt at once, not by the next sweep', async () => {
  const world = memoryDeps();
  const caller = { kind: 'api_key', account: 'acc_1', env: 'live', form: 2 } as const;
  const { id } = await createUser(world.deps, caller, {});
  await findOrCreateDevice(world.deps, id, watch);
  expect(world.sentTo('user')).toEqual([]);
  await findOrCreateDevice(world.deps, id, { ...watch, deviceType: 'ring' });
  expect(world.sentTo('user')).toEqual([{ user_id: id, wake: 0 }]);
  expect((await stateRows(world.deps.store).get(id)).generation).toBe(1);
  await findOrCreateDevice(world.deps, id, { ...watch, deviceType: 'ring' });
  expect(world.sentTo('user')).toHaveLength(1);
});
