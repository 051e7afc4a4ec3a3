// The same on a table engine: a user with the maximum number of devices, and users deleted during a
// pass.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runWithDeadline } from '../../../functions/runtime/run-deadline.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { issueMobileToken } from '../../../shared/mobile/mobile-token.ts';
import { workerWriteDeadlineMs } from '../../../shared/platform/write-deadline.ts';
import { maxDevices } from '../../../shared/users/device-states.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { collectIds, findLeftovers } from '../../harness/erasure/erasure-checks.ts';
import { pauseBeforeCall } from '../../harness/erasure/paused-worker.ts';
import { makeRecords, watch } from '../../harness/erasure/records.ts';
import { personalData } from '../../harness/erasure/world.ts';
import { oneTo } from '../../harness/outbox.ts';
import { runWriter } from '../../harness/run-writer.ts';
import { scanTable } from '../../harness/scan-table.ts';
import { addDevice } from '../../harness/stored-data.ts';

let world: EngineDomainWorld;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

const erase = (user: string) => runWithDeadline(world.clock, () => runWriter(world.deps, user));
const remove = (user: string) => deleteUser(world.deps, world.caller, user);
const receiptsOf = async (user: string) =>
  (await world.events()).filter((event) => event['user'] === user && event['type'] === 'user.deleted');

test('a user with the maximum number of devices is deleted once, with all of them', async () => {
  const user = await world.user({ external_ref: personalData.reference });
  for (const device of oneTo(maxDevices)) await addDevice(world.deps, user, { model: `model ${device}` });
  await issueMobileToken(world.deps, world.caller, { userId: user });
  const names = collectIds(await scanTable(world.localTable), user);
  expect(names).toHaveLength(2 * (1 + maxDevices + 1));
  await expect(remove(user)).resolves.toMatchObject({ status: 'deleting' });
  await expect(remove(user)).rejects.toMatchObject({ code: 'not_found' });
  await erase(user);
  await expect(remove(user)).rejects.toMatchObject({ code: 'not_found' });
  await erase(user);
  expect(findLeftovers(await scanTable(world.localTable), names)).toEqual([]);
  expect(await receiptsOf(user)).toMatchObject([{ more: { erased: { devices: maxDevices, mobile_tokens: 1 } } }]);
});

test.each([2, 9, 20])('a user deleted before write %i of a pass leaves nothing', async (at) => {
  const user = await world.user();
  await world.upload(user, 'apple_health', { time_zone: 'UTC', device: watch, ...makeRecords(6) });
  const environment = { table: world.localTable.table, clock: world.clock, withTable: world.withTable };
  const pass = pauseBeforeCall(environment, at, (deps) => runWriter(deps, user));
  await pass.stopped;
  await remove(user);
  const names = collectIds(await scanTable(world.localTable), user);
  await pass.resume();
  await erase(user);
  expect(await receiptsOf(user)).toHaveLength(1);
  world.clock.advance(workerWriteDeadlineMs + 1_000);
  await erase(user);
  expect(findLeftovers(await scanTable(world.localTable), names)).toEqual([]);
  expect(await receiptsOf(user)).toHaveLength(1);
});
