// The same on an engine: a user with all the devices there may be, and users that go in the midst of a pass.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { live } from '../../../functions/runtime/life.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { issueMobileToken } from '../../../shared/mobile/mobile-token.ts';
import { workerLifeMs } from '../../../shared/platform/worker-life.ts';
import { mostDevices } from '../../../shared/users/device-states.ts';
import { pausedBefore } from '../../harness/erasure/paused-worker.ts';
import { life, watch } from '../../harness/erasure/records.ts';
import { leftIn, namesOf } from '../../harness/erasure/verdict.ts';
import { personal } from '../../harness/erasure/world.ts';
import { oneTo } from '../../harness/outbox.ts';
import { addDevice } from '../../harness/recorded.ts';
import { wholeTable } from '../../harness/whole-table.ts';
import { openWorkshop, type Workshop } from '../../harness/worker-deps.ts';
import { write } from '../../harness/write-person.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.place.stop());

const erase = (user: string) => live(shop.clock, () => write(shop.deps, user));
const remove = (user: string) => deleteUser(shop.deps, shop.caller, user);
const receiptsOf = async (user: string) =>
  (await shop.events()).filter((event) => event['user'] === user && event['type'] === 'user.deleted');

test('a user with as many devices as there may be is deleted once, with all of them', async () => {
  const user = await shop.user({ external_ref: personal.reference });
  for (const device of oneTo(mostDevices)) await addDevice(shop.deps, user, { model: `model ${device}` });
  await issueMobileToken(shop.deps, shop.caller, { userId: user });
  const names = namesOf(await wholeTable(shop.place), user);
  expect(names).toHaveLength(2 * (1 + mostDevices + 1));
  await expect(remove(user)).resolves.toMatchObject({ status: 'deleting' });
  await expect(remove(user)).rejects.toMatchObject({ code: 'not_found' });
  await erase(user);
  await expect(remove(user)).rejects.toMatchObject({ code: 'not_found' });
  await erase(user);
  expect(leftIn(await wholeTable(shop.place), names)).toEqual([]);
  expect(await receiptsOf(user)).toMatchObject([{ more: { erased: { devices: mostDevices, mobile_tokens: 1 } } }]);
});

test.each([2, 9, 20])('a user that goes before write %i of a pass', async (at) => {
  const user = await shop.user();
  await shop.upload(user, 'apple_health', { time_zone: 'UTC', device: watch, ...life(6) });
  const place = { table: shop.place.table, clock: shop.clock, over: shop.over };
  const pass = pausedBefore(place, at, (deps) => write(deps, user));
  await pass.stopped;
  await remove(user);
  const names = namesOf(await wholeTable(shop.place), user);
  await pass.goOn();
  await erase(user);
  expect(await receiptsOf(user)).toHaveLength(1);
  shop.clock.advance(workerLifeMs + 1_000);
  await erase(user);
  expect(leftIn(await wholeTable(shop.place), names)).toEqual([]);
  expect(await receiptsOf(user)).toHaveLength(1);
});
