// A command and its raw data may reach the partition of a user after the deletion receipt, if their
// sender had begun before. A later run erases them.
import { expect, test } from 'vitest';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { userWorker } from '../../../functions/workers/write-user.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { acceptUpload } from '../../../shared/mobile/accept-upload.ts';
import { acceptRecords } from '../../../shared/pipeline/accept-records.ts';
import { toRawUpload } from '../../../shared/providers/phone/format.ts';
import { UploadBody } from '../../../shared/providers/phone/upload.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { userPartition } from '../../../shared/system/keys.ts';
import { createEraser } from '../../harness/erasure/eraser.ts';
import { hasDeletionEvent, listUserEvents } from '../../harness/erasure/erasure-checks.ts';
import { pauseBeforeCall } from '../../harness/erasure/paused-worker.ts';
import { denseRun, makeRecords, phoneDevice, watch } from '../../harness/erasure/records.ts';
import { openWorld, type World } from '../../harness/erasure/world.ts';
import { listPendingOwners } from '../../harness/pending-work.ts';
import { addDevice, ring as ringDevice } from '../../harness/stored-data.ts';
import { openUserQueue } from '../../harness/user-queue.ts';

const rowsOf = ({ table, id }: World): string[] =>
  table
    .rows()
    .flatMap(({ pk, sk }) => (pk === userPartition(id) ? [String(sk).split('#')[0] ?? ''] : []))
    .sort();

async function withUploadAt(write: number) {
  const world = await openWorld();
  await world.upload(watch, makeRecords(1));
  const eraser = createEraser(world);
  const phone = await world.phone();
  const body = UploadBody.parse({ time_zone: 'UTC', device: watch, ...makeRecords(1, 1) });
  const upload = pauseBeforeCall(world, write, (deps) => acceptUpload(deps, phone, body));
  await upload.stopped;
  return { world, eraser, upload };
}

test('an upload whose command came before the deletion and whose raw data came after the receipt is erased', async () => {
  const { world, eraser, upload } = await withUploadAt(2);
  await world.delete();
  await eraser.run();
  expect(hasDeletionEvent(world)).toBe(true);
  // The upload that was acknowledged is gone with its command; the other one may still arrive.
  expect(rowsOf(world)).toEqual(['!UPLOAD']);
  await upload.resume();
  expect(rowsOf(world)).toEqual(['!UPLOAD', 'R', 'UP']);
  expect(await listPendingOwners(world.deps.store, 'user')).toEqual([world.id]);
  await eraser.run();
  expect(rowsOf(world)).toEqual([]);
});

test('an upload with the content of an earlier one may still arrive, whose raw data is that of the earlier one', async () => {
  const world = await openWorld();
  const phone = await world.phone();
  const send = (deps: Deps, more: number) =>
    acceptUpload(deps, phone, UploadBody.parse({ time_zone: 'UTC', device: watch, ...makeRecords(1, more) }));
  await send(world.deps, 1);
  await send(world.deps, 2);
  // The command and the summary are stored, and the raw data is not.
  const upload = pauseBeforeCall(world, 3, (deps) => send(deps, 1));
  await upload.stopped;
  await world.delete();
  const eraser = createEraser(world);
  await eraser.run();
  expect(rowsOf(world)).toEqual(['!UPLOAD']);
  await upload.resume();
  await eraser.run();
  expect(rowsOf(world)).toEqual([]);
});

test('an upload in several chunks may still arrive after its first chunk', async () => {
  const world = await openWorld();
  await world.upload(watch, makeRecords(1));
  const phone = await world.phone();
  const body = UploadBody.parse({ time_zone: 'UTC', device: watch, ...denseRun() });
  const upload = pauseBeforeCall(world, 4, (deps) => acceptUpload(deps, phone, body));
  await upload.stopped;
  expect(rowsOf(world).filter((kind) => kind === 'R')).toHaveLength(2);
  await world.delete();
  const eraser = createEraser(world);
  await eraser.run();
  expect(rowsOf(world)).toEqual(['!UPLOAD']);
  await upload.resume();
  expect(rowsOf(world)).toEqual(['!UPLOAD', 'R']);
  await eraser.runWhileDue();
  expect(rowsOf(world)).toEqual([]);
});

test('a command that another run has erased in the meantime does not come back', async () => {
  const { world } = await withUploadAt(2);
  await world.delete();
  const overtaken = world.withTable({
    ...world.table,
    async write(write) {
      if (write.kind === 'update' && write.key.sk.startsWith('!UPLOAD#'))
        await world.table.write({ kind: 'delete', key: write.key });
      return world.table.write(write);
    },
  });
  await userWorker(overtaken)({ user_id: world.id }, { receives: 1 });
  expect(rowsOf(world)).toEqual([]);
});

test('an eraser that dies after the receipt leaves a command that leads to what is left', async () => {
  for (let diesAfter = 0, isDone = false; !isDone; diesAfter++) {
    const world = await openWorld();
    await world.upload(watch, makeRecords(1));
    const phone = await world.phone();
    const uploads = Array.from({ length: 12 }, (_none, more) => {
      const body = UploadBody.parse({ time_zone: 'UTC', device: watch, ...makeRecords(1, more + 1) });
      return pauseBeforeCall(world, 1, (deps) => acceptUpload(deps, phone, body));
    });
    for (const { stopped } of uploads) await stopped;
    await world.delete();
    const eraser = createEraser(world);
    await eraser.run();
    for (const upload of uploads) await upload.resume();
    expect(rowsOf(world)).toHaveLength(3 * uploads.length);
    await eraser.run(diesAfter);
    isDone = rowsOf(world).length === 0;
    await eraser.runWhileDue();
    expect([diesAfter, rowsOf(world)]).toEqual([diesAfter, []]);
  }
});

test('every upload that was acknowledged is erased with its command in the first run, from phones and providers', async () => {
  const world = await openWorld();
  await world.upload(watch, makeRecords(1));
  await world.upload(phoneDevice, makeRecords(1, 1));
  const ring = await addDevice(world.deps, world.id, ringDevice);
  const raw = toRawUpload(UploadBody.parse({ time_zone: 'UTC', device: watch, ...makeRecords(1, 2) }));
  await acceptRecords(world.deps, world.id, world.clock.now(), [{ device: ring, raw, scopes: [] }]);
  expect(rowsOf(world).filter((kind) => kind === '!UPLOAD')).toHaveLength(3);
  await world.delete();
  await createEraser(world).run();
  expect(hasDeletionEvent(world)).toBe(true);
  expect(rowsOf(world)).toEqual([]);
  expect(await listPendingOwners(world.deps.store, 'user')).toEqual([]);
});

test('an upload whose sender died is erased within three minutes, although the queue drops repeated reminders', async () => {
  const { world } = await withUploadAt(2);
  const userQueue = openUserQueue(world.clock);
  const deps = { ...world.deps, queue: userQueue.queue };
  await deleteUser(deps, world.caller, world.id);
  await userQueue.drain(deps);
  expect(rowsOf(world)).toEqual(['!UPLOAD']);
  let minutes = 0;
  for (; rowsOf(world).length > 0; minutes++) {
    world.clock.advance(60_000);
    await sweepWorker(deps)();
    await userQueue.drain(deps);
  }
  expect(minutes).toBeLessThanOrEqual(3);
});

test('an upload that came entirely after the receipt is erased', async () => {
  const { world, eraser, upload } = await withUploadAt(1);
  await world.delete();
  await eraser.run();
  expect(hasDeletionEvent(world)).toBe(true);
  await upload.resume();
  expect(rowsOf(world)).toEqual(['!UPLOAD', 'R', 'UP']);
  await eraser.run();
  expect(rowsOf(world)).toEqual([]);
  expect(await listPendingOwners(world.deps.store, 'user')).toEqual([]);
  expect(listUserEvents(world).filter(({ type }) => type === 'user.deleted')).toHaveLength(1);
});

test('the receipt counts what was stored, and no waiting command', async () => {
  const world = await openWorld();
  await world.upload(watch, makeRecords(1));
  await world.delete();
  const eraser = createEraser(world);
  await eraser.run();
  const { erased } = listUserEvents(world).at(-1) ?? {};
  expect(erased).toEqual({
    ...{ devices: 1, sdk_sessions: 1, raw_uploads: 1, upload_summaries: 1 },
    other: expect.any(Number),
  });
});
