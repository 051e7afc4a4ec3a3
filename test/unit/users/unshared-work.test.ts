// Sharing is revoked while work is running or pending. All of the work is done without events, and
// its results are visible when the user shares again. `npm run test:deep` revokes it at every call.
import { expect, test } from 'vitest';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { getConfiguration, patchConfiguration } from '../../../shared/consolidation/configuration.ts';
import { replayDevice } from '../../../shared/pipeline/replay-device.ts';
import { listQuarantinedUploads, retryQuarantinedUpload } from '../../../shared/pipeline/writer/command-attempts.ts';
import { getUser } from '../../../shared/users/devices.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { makeRecords } from '../../harness/erasure/records.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { poison } from '../../harness/poisoned-upload.ts';
import { runWriter } from '../../harness/run-writer.ts';
import {
  copyFixture,
  listDataEvents,
  phone,
  read,
  rejoin,
  revokeAtCalls,
  type SharingFixture,
  send,
  settle,
  works,
} from './unshared-work.ts';

test.each(Object.entries(works))('sharing can be revoked while %s', async (_what, work) => {
  expect(await revokeAtCalls(work, work.step)).toBeGreaterThan(4);
});

test('work that is pending when sharing is revoked is processed without events, and the user shows no trace of it', async () => {
  const fixture = await copyFixture();
  await send(fixture, phone, makeRecords(3, 40));
  await fixture.leave();
  const eventsBefore = listDataEvents(fixture);
  await settle(fixture);
  expect(listDataEvents(fixture)).toEqual(eventsBefore);
  const shown = await getUser(fixture.memory.deps, fixture.caller, fixture.user);
  expect(shown).toMatchObject({ status: 'unshared', devices: [{}, {}] });
  const control = await copyFixture();
  await send(control, phone, makeRecords(3, 40));
  await settle(control);
  await rejoin(fixture);
  expect(await read(fixture)).toBe(await read(control));
});

test('an unshared user can be updated, reconfigured and disconnected, and all of it applies afterwards', async () => {
  const changes = async ({ memory: { deps }, caller, user }: SharingFixture) => {
    await patchConfiguration(deps, caller, user, { metrics: { steps: { method: 'max' } } });
    await updateUser(deps, caller, user, { timezone: 'Asia/Tokyo' });
    const { devices } = await getUser(deps, caller, user);
    await disconnectDevice(deps, caller, user, devices[0]?.id ?? '');
  };
  const fixture = await copyFixture();
  await send(fixture, phone, makeRecords(3, 40));
  await fixture.leave();
  await changes(fixture);
  const eventsBefore = listDataEvents(fixture);
  await settle(fixture);
  expect(listDataEvents(fixture)).toEqual(eventsBefore);
  expect((await getConfiguration(fixture.memory.deps, fixture.caller, fixture.user)).providers).toHaveLength(1);
  await rejoin(fixture);
  const control = await copyFixture();
  await send(control, phone, makeRecords(3, 40));
  await changes(control);
  await settle(control);
  expect(await read(fixture)).toBe(await read(control));
});

test('a quarantined upload is not retried while the user shares nothing', async () => {
  const fixture = await copyFixture();
  const { memory, user } = fixture;
  await send(fixture, phone, makeRecords(3, 40));
  const [upload] = await pendingCommands(memory.table, user);
  if (!upload) throw new Error('nothing is pending');
  await poison(memory.table, { user, batch: upload.id });
  for (let tries = 0; tries < 3; tries++) await runWriter(memory.deps, user).catch(() => {});
  const [row] = await listQuarantinedUploads(memory.deps);
  if (!row) throw new Error('nothing was quarantined');
  await fixture.leave();
  await expect(retryQuarantinedUpload(memory.deps, row)).rejects.toMatchObject({ code: 'sharing_revoked' });
  await rejoin(fixture);
  await retryQuarantinedUpload(memory.deps, row);
  expect(await listQuarantinedUploads(memory.deps)).toEqual([]);
});

test('the uploads of a device are not replayed while the user shares nothing', async () => {
  const fixture = await copyFixture();
  const { memory, caller, user } = fixture;
  const [device] = (await getUser(memory.deps, caller, user)).devices;
  await fixture.leave();
  await expect(replayDevice(memory.deps, user, device?.id ?? '')).rejects.toMatchObject({ code: 'sharing_revoked' });
  await rejoin(fixture);
  expect(await replayDevice(memory.deps, user, device?.id ?? '')).toBe(1);
});
