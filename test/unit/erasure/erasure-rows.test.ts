// The counts of a receipt: rows are counted by one worker only, and each of them once.
import { expect, test } from 'vitest';
import { erasureRows, type PendingErasure } from '../../../shared/erasure/erasure-rows.ts';
import type { Key } from '../../../shared/platform/ports.ts';
import { userPartition } from '../../../shared/system/keys.ts';
import { openWorld, type World } from '../../harness/erasure/world.ts';

const sampleKeys = ({ id }: World, ...days: string[]): Key[] =>
  days.map((day) => ({ pk: userPartition(id), sk: `T#1#2026-03-${day}#1` }));

async function openDeletedWorld(): Promise<World> {
  const world = await openWorld();
  await world.delete();
  return world;
}

async function readPending({ deps, id }: World): Promise<PendingErasure> {
  const pending = await erasureRows(deps.store).findPending(id);
  if (!pending) throw new Error('The user is not being deleted.');
  return pending;
}

test('of two workers that read the same counts, only one records its own, in the first step and in a later one', async () => {
  const world = await openDeletedWorld();
  const { recordCounts } = erasureRows(world.deps.store);
  for (const [first, second] of [
    ['01', '02'],
    ['03', '04'],
  ] as const) {
    const before = await readPending(world);
    expect(await recordCounts(world.id, before, sampleKeys(world, first))).toBe(true);
    expect(await recordCounts(world.id, before, sampleKeys(world, second))).toBe(false);
  }
  expect((await readPending(world)).erased).toEqual({ sample_days: 2 });
});

test('counted rows that a late row pushed out of the next step are not counted again', async () => {
  const world = await openDeletedWorld();
  const { recordCounts } = erasureRows(world.deps.store);
  const steps = [
    // This step is counted, and its worker crashes before it erases anything.
    ['02', '03'],
    // A late writer has inserted a row ahead, and a step takes two rows.
    ['01', '02'],
    ['03', '04'],
  ];
  for (const days of steps)
    expect(await recordCounts(world.id, await readPending(world), sampleKeys(world, ...days))).toBe(true);
  expect((await readPending(world)).erased).toEqual({ sample_days: 4 });
});
