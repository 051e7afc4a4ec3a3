import { expect, test } from 'vitest';
import { wakeDue } from '../../../../shared/system/wake-pending.ts';
import { listWokenDevices, withDevices } from './due-devices.ts';

test('due devices beyond the limit of one sweep are woken by the next sweeps, even if none was processed', async () => {
  const { world, devices } = await withDevices(25_000);
  for (let minute = 0; minute < 3; minute++) {
    await wakeDue(world.deps, 'sync');
    world.clock.advance(60_000);
  }
  expect(new Set(listWokenDevices(world.queued)).size).toBe(devices.length);
}, 60_000);
