// What comes to stand in a person's partition after the receipt: a command whose sender had begun before, with its raw data. It goes with a later run.
import { expect, test } from 'vitest';
import { acceptUpload } from '../../../shared/mobile/accept-upload.ts';
import { workerLifeMs } from '../../../shared/platform/worker-life.ts';
import { UploadBody } from '../../../shared/providers/phone/upload.ts';
import { userPartition } from '../../../shared/system/keys.ts';
import { eraserIn } from '../../harness/erasure/eraser.ts';
import { pausedBefore } from '../../harness/erasure/paused-worker.ts';
import { life, watch } from '../../harness/erasure/records.ts';
import { eventsOf, isTold } from '../../harness/erasure/verdict.ts';
import { openWorld, type World } from '../../harness/erasure/world.ts';
import { owedTo } from '../../harness/owed.ts';

const rowsOf = ({ table, id }: World): string[] =>
  table
    .rows()
    .flatMap(({ pk, sk }) => (pk === userPartition(id) ? [String(sk).split('#')[0] ?? ''] : []))
    .sort();

async function withUploadAt(write: number) {
  const world = await openWorld();
  await world.upload(watch, life(1));
  const eraser = eraserIn(world);
  const phone = await world.phone();
  const body = UploadBody.parse({ time_zone: 'UTC', device: watch, ...life(1, 1) });
  const upload = pausedBefore(world, write, (deps) => acceptUpload(deps, phone, body));
  await upload.stopped;
  return { world, eraser, upload };
}

test('an upload whose command came before the deletion and whose raw data after the receipt', async () => {
  const { world, eraser, upload } = await withUploadAt(2);
  await world.delete();
  await eraser.come();
  expect(isTold(world)).toBe(true);
  // Both commands are young; the raw data of the first is gone already.
  expect(rowsOf(world)).toEqual(['!UPLOAD', '!UPLOAD']);
  await upload.goOn();
  expect(rowsOf(world)).toEqual(['!UPLOAD', '!UPLOAD', 'R']);
  expect(await owedTo(world.deps.store, 'person')).toEqual([world.id]);
  await eraser.come();
  expect(rowsOf(world)).toEqual(['!UPLOAD', '!UPLOAD']);
  world.clock.advance(workerLifeMs);
  await eraser.come();
  expect(rowsOf(world)).toEqual([]);
});

test('an upload of which everything came after the receipt', async () => {
  const { world, eraser, upload } = await withUploadAt(1);
  await world.delete();
  await eraser.come();
  expect(isTold(world)).toBe(true);
  await upload.goOn();
  expect(rowsOf(world)).toEqual(['!UPLOAD', '!UPLOAD', 'R']);
  world.clock.advance(workerLifeMs + 1_000);
  await eraser.come();
  expect(rowsOf(world)).toEqual([]);
  expect(await owedTo(world.deps.store, 'person')).toEqual([]);
  expect(eventsOf(world).filter(({ type }) => type === 'user.deleted')).toHaveLength(1);
});

test('the receipt counts what was there, and no command that waited', async () => {
  const world = await openWorld();
  await world.upload(watch, life(1));
  await world.delete();
  const eraser = eraserIn(world);
  await eraser.come();
  const { erased } = eventsOf(world).at(-1) ?? {};
  expect(erased).toEqual({ devices: 1, sdk_sessions: 1, raw_uploads: 1, other: expect.any(Number) });
});
