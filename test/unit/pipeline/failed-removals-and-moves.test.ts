// Device removals and time-zone changes run after uploads and do not delay them when they fail.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { userWorker } from '../../../functions/workers/write-user.ts';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { listQuarantinedUploads } from '../../../shared/pipeline/writer/command-attempts.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { deviceRows } from '../../../shared/users/device-rows.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { runWriter } from '../../harness/run-writer.ts';

/**
 * The visibility timeout: a message whose run never finished is delivered again after this time.
 */
const visibilityMs = 120_000;
let world: EngineDomainWorld;
let user: string;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());
beforeEach(async () => {
  user = await world.user();
  await walk('A', 1);
  await walk('B', 2);
  await runWriter(world.deps, user);
});

async function walk(model: string, hour: number): Promise<void> {
  const samples = [{ metric: 'steps', start: `2026-03-10T0${hour}:00:00Z`, value: 5, unit: 'count' }];
  await world.upload(user, 'apple_health', {
    time_zone: 'UTC',
    device: { name: model, model, type: 'wrist' },
    samples,
  });
}
async function disconnect(model: string): Promise<string> {
  const device = (await readUserContext(world.deps, user))?.devices.find((each) => each.model === model);
  await disconnectDevice(world.deps, world.caller, user, String(device?.id));
  return String(device?.id);
}
const waiting = async () => (await pendingCommands(world.localTable.table, user)).map(({ kind }) => kind);
const listQuarantined = async () => (await listQuarantinedUploads(world.deps)).filter((row) => row.user === user);

/**
 * Only a removal reads the samples of all metrics together; only a time-zone change reads all
 * nights first.
 */
function failingAt(prefix: string): Table {
  const { table } = world.localTable;
  return {
    ...table,
    queryAll(query) {
      if (Object.values(query.values).includes(prefix)) throw new Error('unreadable');
      return table.queryAll(query);
    },
  };
}

test('a removal that fails does not delay uploads, is reported, and is retried', async () => {
  const gone = await disconnect('A');
  await walk('B', 3);
  await expect(runWriter(world.withTable(failingAt('T#')), user)).rejects.toThrow('unreadable');
  expect(await waiting()).toEqual(['remove-device']);
  await runWriter(world.deps, user);
  expect(await waiting()).toEqual([]);
  expect((await readUserContext(world.deps, user))?.devices).toHaveLength(1);
  expect(await deviceRows(world.deps.store).isRemoved(user, gone)).toBe(true);
});

test('a time-zone change that fails does not delay uploads, is reported, and is retried', async () => {
  await updateUser(world.deps, world.caller, user, { timezone: 'Asia/Tokyo' });
  await walk('B', 3);
  await expect(runWriter(world.withTable(failingAt('Z#')), user)).rejects.toThrow('unreadable');
  expect(await waiting()).toEqual(['recount']);
  await runWriter(world.deps, user);
  expect(await waiting()).toEqual([]);
});

test('workers that crash during a removal are not blamed on an upload', async () => {
  await disconnect('A');
  await walk('B', 3);
  for (let receives = 1; receives < 9; receives++) {
    let isDead = false;
    const whileAlive = <T>(call: () => Promise<T>) => (isDead ? Promise.reject(new Error('dead')) : call());
    const crashing: Table = {
      ...world.localTable.table,
      queryAll(query) {
        if (query.values['prefix'] === 'T#') {
          isDead = true;
          throw new Error('dead');
        }
        return world.localTable.table.queryAll(query);
      },
      query: (query) => whileAlive(() => world.localTable.table.query(query)),
      write: (write) => whileAlive(() => world.localTable.table.write(write)),
      transact: (writes) => whileAlive(() => world.localTable.table.transact(writes)),
    };
    const run = () => userWorker(world.withTable(crashing))({ user_id: user }, { receives });
    // From the fifth crash that counts on, the removal is left alone for a while.
    if (receives < 7) await expect(run()).rejects.toThrow();
    else await run();
    expect(await waiting()).toEqual(['remove-device']);
    world.clock.advance(visibilityMs);
  }
  await runWriter(world.deps, user);
  expect([await waiting(), await listQuarantined()]).toEqual([[], []]);
});
