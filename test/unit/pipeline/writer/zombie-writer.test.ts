// A writer that stalled and was overtaken: nothing it does afterwards counts, and nothing is lost
// or duplicated.
import { describe, expect, test } from 'vitest';
import type { Write } from '../../../../shared/platform/ports.ts';
import { userRows } from '../../../../shared/users/user-rows.ts';
import { pendingCommands } from '../../../harness/pending-commands.ts';
import type { ProviderDevice } from '../../../harness/provider-device.ts';
import { exerciseFrom, sleepUntil } from '../../../harness/provider-device.ts';
import { runWriter } from '../../../harness/run-writer.ts';
import { isCommit, stalledTable } from '../../../harness/stalled-table.ts';
import { outcomeOf, twoDevices, works } from './pass-scenarios.ts';

/** What arrives while the first writer is stalled. */
const acceptMore = (device: ProviderDevice) =>
  device.accept({
    sleep: [sleepUntil('2026-03-12T08:00:00Z', { sourceId: 'night', asleepMinutes: 420 })],
    workouts: [exerciseFrom('2026-03-12T05:00:00Z', { sourceId: 'run', name: 'again' })],
    daily: [{ metric: 'weight', date: '2026-03-10', value: 71 }],
  });

/** Lets another writer overtake the stalled one; `hasStalled` says whether it stalled at all. */
async function overtaken(
  prepare: (device: ProviderDevice) => Promise<unknown>,
  isIt: (writes: readonly Write[], count: number) => boolean,
): Promise<{ device: ProviderDevice; hasStalled: boolean }> {
  const device = await twoDevices();
  await prepare(device);
  const { table, isStalled, release, markEnded: ended } = stalledTable(device.table, isIt);
  const zombie = runWriter(device.withTable(table), device.userId).finally(ended);
  const hasStalled = await isStalled;
  if (hasStalled) {
    await runWriter(device.deps, device.userId);
    await acceptMore(device);
    await runWriter(device.deps, device.userId);
  }
  release();
  await zombie;
  return { device, hasStalled };
}

async function runUninterrupted(prepare: (device: ProviderDevice) => Promise<unknown>): Promise<object> {
  const device = await twoDevices();
  await prepare(device);
  await runWriter(device.deps, device.userId);
  await acceptMore(device);
  await runWriter(device.deps, device.userId);
  return outcomeOf(device);
}

/**
 * A removal is left out, because a stalled writer could bring removed data back: the write deadline
 * ends every writer before a removal stops waiting for it.
 */
const stallable = Object.entries(works).filter(([kind]) => kind !== 'remove-device');

describe.each(stallable)('%s', (_kind, prepare) => {
  test('stalled before its commit has the commit refused, and starts over with nothing to do', async () => {
    const expected = await runUninterrupted(prepare);
    const { device, hasStalled } = await overtaken(prepare, isCommit);
    expect(hasStalled).toBe(true);
    const fence = (await userRows(device.deps.store).findById(device.userId))?.fence;
    expect(await outcomeOf(device)).toEqual(expected);
    expect(await pendingCommands(device.table, device.userId)).toEqual([]);
    await runWriter(device.deps, device.userId);
    expect((await userRows(device.deps.store).findById(device.userId))?.fence).toBe(fence);
  });

  test('stalled before any of its writes undoes nothing that others have written since', async () => {
    const expected = await runUninterrupted(prepare);
    for (let at = 1; ; at++) {
      const { device, hasStalled } = await overtaken(prepare, (_writes, count) => count === at);
      if (!hasStalled) return expect(at).toBeGreaterThan(1);
      expect(await outcomeOf(device), `stalled at write ${at}`).toEqual(expected);
      expect(await pendingCommands(device.table, device.userId)).toEqual([]);
    }
  });
});
