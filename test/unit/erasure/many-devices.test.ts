// Users with the maximum number of devices, and what is logged about an erasure whose message was
// lost.
import { expect, test } from 'vitest';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { cloudProviderIds } from '../../../shared/catalog/provider.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { keys } from '../../../shared/system/keys.ts';
import { maxDevices } from '../../../shared/users/device-states.ts';
import { createEraser } from '../../harness/erasure/eraser.ts';
import { hasDeletionEvent } from '../../harness/erasure/erasure-checks.ts';
import { makeRecords, watch } from '../../harness/erasure/records.ts';
import { openWorld } from '../../harness/erasure/world.ts';
import { listPendingOwners } from '../../harness/pending-work.ts';

test('a user with the maximum number of devices is deleted, and none of them stays active', async () => {
  const world = await openWorld();
  await world.upload(watch, makeRecords(1));
  const known = world.table.rows().find(({ sk }) => String(sk).startsWith('@DEVICE#'));
  // In addition to all devices but one, three connections of each provider may be pending.
  const deviceCount = maxDevices - 1 + 3 * cloudProviderIds.length;
  for (let n = 1; n < deviceCount; n++) {
    const id = `dev_more${n}`;
    const item = { ...known, ...keys.device(world.id, id), id, ordinal: n, model: `M${n}` };
    await world.table.write({ kind: 'put', item });
  }
  await world.delete();
  const devices = world.table.rows().filter(({ sk }) => String(sk).startsWith('@DEVICE#'));
  expect(devices).toHaveLength(deviceCount);
  expect(devices.filter(({ status }) => status === 'active')).toEqual([]);
});

test('an erasure whose message was lost is found by the sweep and logged as such', async () => {
  const world = await openWorld();
  await world.upload(watch, makeRecords(1));
  await world.delete();
  const logged: unknown[] = [];
  const deps: Deps = {
    ...world.deps,
    log: (_level, _message, fields = {}) => void (fields['kind'] === 'user' && logged.push(fields)),
  };
  await sweepWorker(deps)();
  expect(logged).toEqual([]);
  world.clock.advance(61_000);
  await sweepWorker(deps)();
  expect(logged).toMatchObject([{ kind: 'user', pending: 1 }]);
  const eraser = createEraser(world);
  await eraser.run();
  expect(hasDeletionEvent(world)).toBe(true);
  await eraser.runWhileDue();
  expect(await listPendingOwners(world.deps.store, 'user')).toEqual([]);
});
