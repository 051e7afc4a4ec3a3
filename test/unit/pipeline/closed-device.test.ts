// The writer reads the user and the devices in one Query, which is not one snapshot: it may return
// a device as the deletion of its user left it, and the user as it was before.
import { expect, test } from 'vitest';
import { replayDevice } from '../../../shared/pipeline/replay-device.ts';
import type { Normalizer } from '../../../shared/providers/kit/normalizer.ts';
import { deviceRows } from '../../../shared/users/device-rows.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import { createProviderDevice, type ProviderDevice } from '../../harness/provider-device.ts';

const date = '2026-03-10';
const weigh = (value: number) => ({ daily: [{ metric: 'weight' as const, date, value }] });
/** Reads every upload as one of 80 kg, so that a replay would change the day. */
const heavy: Normalizer = () => ({
  records: { samples: [], sleep: [], workouts: [], ...weigh(80) },
  rejected: { count: 0, first: [] },
});

async function closeDevice({ deps, userId, device }: ProviderDevice): Promise<void> {
  const row = (await readUserContext(deps, userId))?.devices.find(({ id }) => id === device.id);
  if (!row) throw new Error('The device is missing.');
  await deps.store.commit([deviceRows(deps.store).buildClose(userId, row)]);
}

test.each([
  ['an upload', (device: ProviderDevice) => device.accept(weigh(50))],
  ['a replay', (device: ProviderDevice) => replayDevice(device.deps, device.userId, device.device.id)],
])('%s of a device that accepts no more data is dropped', async (_what, append) => {
  const device = await createProviderDevice();
  await device.ingest(weigh(40));
  await append(device);
  await closeDevice(device);
  await device.events();
  await device.processPending(device.withTable(device.table, heavy));
  expect((await device.read()).days).toEqual({ [date]: { weight: 40 } });
  expect(await device.events()).toEqual([]);
});
