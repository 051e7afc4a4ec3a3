// A command and its raw data may reach the partition of a user after the deletion receipt, if their
// sender had begun before. A later run erases them.
import { expect, test } from 'vitest';
import { acceptUpload } from '../../../shared/mobile/accept-upload.ts';
import { workerWriteDeadlineMs } from '../../../shared/platform/write-deadline.ts';
import { UploadBody } from '../../../shared/providers/phone/upload.ts';
import { userPartition } from '../../../shared/system/keys.ts';
import { createEraser } from '../../harness/erasure/eraser.ts';
import { hasDeletionEvent, listUserEvents } from '../../harness/erasure/erasure-checks.ts';
import { pauseBeforeCall } from '../../harness/erasure/paused-worker.ts';
import { makeRecords, watch } from '../../harness/erasure/records.ts';
import { openWorld, type World } from '../../harness/erasure/world.ts';
import { listPendingOwners } from '../../harness/pending-work.ts';

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
  // Both commands are recent; the raw data of the first one is already gone.
  expect(rowsOf(world)).toEqual(['!UPLOAD', '!UPLOAD']);
  await upload.resume();
  expect(rowsOf(world)).toEqual(['!UPLOAD', '!UPLOAD', 'R', 'UP']);
  expect(await listPendingOwners(world.deps.store, 'user')).toEqual([world.id]);
  await eraser.run();
  expect(rowsOf(world)).toEqual(['!UPLOAD', '!UPLOAD']);
  world.clock.advance(workerWriteDeadlineMs);
  await eraser.run();
  expect(rowsOf(world)).toEqual([]);
});

test('an upload that came entirely after the receipt is erased', async () => {
  const { world, eraser, upload } = await withUploadAt(1);
  await world.delete();
  await eraser.run();
  expect(hasDeletionEvent(world)).toBe(true);
  await upload.resume();
  expect(rowsOf(world)).toEqual(['!UPLOAD', '!UPLOAD', 'R', 'UP']);
  world.clock.advance(workerWriteDeadlineMs + 1_000);
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
