// Owes everything again that a device has brought and that is still kept, so that newer normalizers read it; what they read as before changes nothing.

import { inPieces } from '../platform/in-pieces.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { wake } from '../system/wake.ts';
import { commandRows } from '../users/command-rows.ts';
import { deviceRows } from '../users/device-rows.ts';
import { mustShare } from '../users/sharing.ts';
import { devicesWithData, subjectWithCommands } from '../users/subject.ts';
import { userRows } from '../users/user-rows.ts';
import { batchIdOf } from './accept-records.ts';
import { nextArrivalMs } from './arrivals.ts';
import { rawUploads } from './raw-uploads.ts';

/** What is forgotten before it can be worked in is left out. */
const workedInWithinMs = 3_600_000;
const namesInARow = 5_000;

/**
 * All of it is owed in one transaction, behind whatever the device has brought so far: a replay that was cut short could leave old values
 * standing. An upload that comes between refuses it, and is then replayed too. Returns how many uploads are owed again.
 */
export async function replayDevice(deps: Deps, userId: string, deviceId: string): Promise<number> {
  const { store, clock } = deps;
  const batches = await optimisticRetry({ what: 'a device', retries: 20 }, async () => {
    const { subject, commands } = await subjectWithCommands(deps, userId, 'newest too');
    if (subject) mustShare(subject.user);
    const device = devicesWithData(subject?.devices ?? []).find(({ id }) => id === deviceId);
    if (!device) throw new Failure('not_found', `Device ${deviceId.slice(0, 64)} not found.`);
    const kept = await rawUploads(store).of(userId, deviceId, clock.now() + workedInWithinMs);
    if (kept.length === 0) return 0;
    const firstMs = nextArrivalMs(device, commands, clock.now());
    const rows = inPieces(
      kept.map(({ id }) => id),
      namesInARow,
    ).map((names, at) => {
      const receivedMs = firstMs + at * namesInARow;
      const id = batchIdOf(deviceId, `replay ${receivedMs}`);
      const replay = { kind: 'replay', id, device: deviceId, receivedMs, uploads: names, replayed: 0 } as const;
      return commandRows(store).appending(userId, replay);
    });
    await store.commit([
      // What a phone brings meanwhile sees the replay among the commands, and counts as later.
      device.connection === 'sdk'
        ? userRows(store).stillThere(userId)
        : deviceRows(store).replaying(userId, device, firstMs + kept.length),
      ...rows,
    ]);
    return kept.length;
  });
  if (batches > 0) await wake(deps, 'person', { user_id: userId });
  return batches;
}
