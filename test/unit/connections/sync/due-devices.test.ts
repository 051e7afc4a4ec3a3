import { expect, test } from 'vitest';
import { syncConnection } from '../../../../shared/connections/sync/sync-connection.ts';
import { SyncPlan } from '../../../../shared/connections/sync-plan.ts';
import { jobs } from '../../../../shared/system/jobs.ts';
import { keys } from '../../../../shared/system/keys.ts';
import { pendingIndexKeys } from '../../../../shared/system/pending-kinds.ts';
import { wakeDue } from '../../../../shared/system/wake-pending.ts';
import { hours, minutes, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';
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

/** Puts the device into the index at a time that every tick has already passed. */
async function moveBack({ table, clock }: SyncWorld, user: string, device: string, plan: Partial<SyncPlan>) {
  const key = keys.device(user, device);
  const item = (await table.get(key)) ?? {};
  const due = pendingIndexKeys('sync', device, clock.now() - minutes(10));
  await table.write({ kind: 'put', item: { ...item, ...key, ...due, plan: { ...Object(item['plan']), ...plan } } });
}

async function connectAnn() {
  const world = syncWorld({ provider: 'ultrahuman' });
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  await world.processQueue();
  for (let minute = 0; minute < 8; minute++) await world.passTime(minutes(1));
  return { world, user, device };
}

test('a connection whose due time is stored ten minutes late is polled within eight minutes', async () => {
  const { world, user, device } = await connectAnn();
  await moveBack(world, user, device, { pollMs: world.clock.now() - minutes(10) });
  const before = world.fakeProvider.requests.length;
  for (let minute = 0; minute < 8; minute++) await world.passTime(minutes(1));
  expect(world.fakeProvider.requests.length).toBeGreaterThan(before);
});

test('a connection that is in the index too early moves to its due time when it is found, and is not found again', async () => {
  const { world, user, device } = await connectAnn();
  const pollMs = world.clock.now() + hours(2);
  await moveBack(world, user, device, { pollMs });
  for (let minute = 0; minute < 4; minute++) await world.passTime(minutes(1));
  expect(await world.table.get(keys.device(user, device))).toMatchObject(pendingIndexKeys('sync', device, pollMs));
  world.queued.length = 0;
  world.clock.advance(minutes(15));
  await wakeDue(world.deps, 'sync');
  expect(world.queued).toEqual([]);
});
