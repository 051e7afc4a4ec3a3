// Sharing is revoked while work is running or pending. All of the work is done without events, and
// its results are visible when the user shares again. `npm run test:deep` revokes it at every call.
import { expect, test } from 'vitest';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { getConfiguration, patchConfiguration } from '../../../shared/consolidation/configuration.ts';
import { replayDevice } from '../../../shared/pipeline/replay-device.ts';
import { getUser } from '../../../shared/users/devices.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { makeRecords } from '../../harness/erasure/records.ts';
import {
  comeBack,
  copied,
  type Place,
  phone,
  read,
  revokeAtCalls,
  send,
  settle,
  toldOf,
  works,
} from './unshared-work.ts';

test.each(Object.entries(works))('sharing can be revoked while %s', async (_what, work) => {
  expect(await revokeAtCalls(work, work.step)).toBeGreaterThan(4);
});

test('work that is pending when sharing is revoked is processed without events, and the user shows no trace of it', async () => {
  const place = await copied();
  await send(place, phone, makeRecords(3, 40));
  await place.leave();
  const told = toldOf(place);
  await settle(place);
  expect(toldOf(place)).toEqual(told);
  const shown = await getUser(place.memory.deps, place.caller, place.user);
  expect(shown).toMatchObject({ status: 'unshared', devices: [{}, {}] });
  const peace = await copied();
  await send(peace, phone, makeRecords(3, 40));
  await settle(peace);
  await comeBack(place);
  expect(await read(place)).toBe(await read(peace));
});

test('an unshared user can be updated, reconfigured and disconnected, and all of it applies afterwards', async () => {
  const changes = async ({ memory: { deps }, caller, user }: Place) => {
    await patchConfiguration(deps, caller, user, { metrics: { steps: { method: 'max' } } });
    await updateUser(deps, caller, user, { timezone: 'Asia/Tokyo' });
    const { devices } = await getUser(deps, caller, user);
    await disconnectDevice(deps, caller, user, devices[0]?.id ?? '');
  };
  const place = await copied();
  await send(place, phone, makeRecords(3, 40));
  await place.leave();
  await changes(place);
  const told = toldOf(place);
  await settle(place);
  expect(toldOf(place)).toEqual(told);
  expect((await getConfiguration(place.memory.deps, place.caller, place.user)).providers).toHaveLength(1);
  await comeBack(place);
  const peace = await copied();
  await send(peace, phone, makeRecords(3, 40));
  await changes(peace);
  await settle(peace);
  expect(await read(place)).toBe(await read(peace));
});

test('the uploads of a device are not replayed while the user shares nothing', async () => {
  const place = await copied();
  const { memory, caller, user } = place;
  const [device] = (await getUser(memory.deps, caller, user)).devices;
  await place.leave();
  await expect(replayDevice(memory.deps, user, device?.id ?? '')).rejects.toMatchObject({ code: 'sharing_revoked' });
  await comeBack(place);
  expect(await replayDevice(memory.deps, user, device?.id ?? '')).toBe(1);
});
