import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { syncDevice } from '../../../../shared/domain/sync/sync-device.ts';
import { wakeDue } from '../../../../shared/domain/work/wake-due.ts';
import { makeId } from '../../../../shared/model/ids.ts';
import { jobs } from '../../../../shared/model/jobs.ts';
import { due } from '../../../../shared/store/due.ts';
import { keys } from '../../../../shared/store/keys.ts';
import { minutes, startMs, syncWorld } from '../../../harness/sync-world.ts';

/** Connections whose users are gone: each is claimed, looked at and put off. */
async function withDevices(count: number) {
  const world = syncWorld();
  const devices = Array.from({ length: count }, (_, at) => ({
    user: makeId('user', startMs, randomBytes(10)),
    device: makeId('device', startMs, randomBytes(10)),
    sinceMs: startMs - 1_000 - (at % 3_600) * 1_000,
  }));
  await world.table.batchWrite(
    devices.map(({ user, device, sinceMs }) => ({
      kind: 'put',
      item: {
        ...keys.connection(user, device),
        ...{ user, device, account: 'acc', env: 'live', provider: 'oura', origin: '', status: 'active' },
        ...{ vendorAccount: device, grant: 'sealed', history: null },
        ...due('sync', device, sinceMs),
      },
    })),
  );
  return { world, devices };
}

const woken = (waiting: readonly { body: unknown }[]): string[] =>
  waiting.flatMap(({ body }) => {
    const job = jobs.sync.parse(body);
    return 'device_id' in job ? job.device_id : [];
  });

test('ten thousand due devices are found at once, each once, and worked once however often they are woken', async () => {
  const { world, devices } = await withDevices(10_000);
  // A shard that has more than its part of what one look takes is gone on with.
  await wakeDue(world.deps, 'sync');
  const found = woken(world.waiting);
  expect(found).toHaveLength(10_000);
  expect(new Set(found)).toEqual(new Set(devices.map(({ device }) => device)));
  world.clock.advance(minutes(15));
  await wakeDue(world.deps, 'sync');
  expect(world.waiting).toHaveLength(20_000);
  for (const { body } of world.waiting.splice(0)) {
    const job = jobs.sync.parse(body);
    if ('device_id' in job) await syncDevice(world.deps, job.user_id, job.device_id);
  }
  const claims = world.table
    .rows()
    .filter(({ sk }) => String(sk).startsWith('C#'))
    .map((row) => row['claims']);
  expect([claims.length, new Set(claims)]).toEqual([10_000, new Set([1])]);
  await wakeDue(world.deps, 'sync');
  expect(world.waiting).toEqual([]);
}, 60_000);

test('more than one look takes are all woken by the next ones, though nobody has worked any off', async () => {
  const { world, devices } = await withDevices(25_000);
  for (let minute = 0; minute < 3; minute++) {
    await wakeDue(world.deps, 'sync');
    world.clock.advance(60_000);
  }
  expect(new Set(woken(world.waiting)).size).toBe(devices.length);
}, 60_000);
