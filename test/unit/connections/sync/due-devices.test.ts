import { expect, test } from 'vitest';
import { syncConnection } from '../../../../shared/connections/sync/sync-connection.ts';
import { SyncPlan } from '../../../../shared/connections/sync-plan.ts';
import { jobs } from '../../../../shared/system/jobs.ts';
import { wakeDue } from '../../../../shared/system/wake-pending.ts';
import { minutes } from '../../../harness/sync-world.ts';
import { listWokenDevices, withDevices } from './due-devices.ts';

test('10,000 due devices are found at once, each once, and synced once however often they are woken', async () => {
  const { world, devices } = await withDevices(10_000);
  // The sweep continues on a shard that holds more than its share of the limit.
  await wakeDue(world.deps, 'sync');
  const found = listWokenDevices(world.queued);
  expect(found).toHaveLength(10_000);
  expect(new Set(found)).toEqual(new Set(devices.map(({ device }) => device)));
  world.clock.advance(minutes(15));
  await wakeDue(world.deps, 'sync');
  expect(world.queued).toHaveLength(20_000);
  for (const { body } of world.queued.splice(0)) {
    const job = jobs.connection.parse(body);
    if ('device_id' in job) await syncConnection(world.deps, job.user_id, job.device_id);
  }
  const plans = world.table.rows().flatMap(({ plan }) => (plan === undefined ? [] : [SyncPlan.parse(plan).fence]));
  expect([plans.length, new Set(plans)]).toEqual([10_000, new Set([1])]);
  await wakeDue(world.deps, 'sync');
  expect(world.queued).toEqual([]);
}, 60_000);
