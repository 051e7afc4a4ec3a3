import { expect, test } from 'vitest';
import { disconnectDevice } from '../../../../shared/connections/disconnect.ts';
import { deleteUser } from '../../../../shared/erasure/delete-user.ts';
import { eraseUser } from '../../../../shared/erasure/erase-user.ts';
import { decodeCanonicalDay } from '../../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../../shared/measurements/rows/day-rows.ts';
import { userPartition } from '../../../../shared/system/keys.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { findLeftovers } from '../../../harness/erasure/erasure-checks.ts';
import { readEvents } from '../../../harness/outbox.ts';
import { runWriter } from '../../../harness/run-writer.ts';
import { minutes, ouraNight, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';

const nights = ['2026-03-12', '2026-02-20', '2026-01-10', '2025-11-05', '2025-09-20'];
const maxResponses = 200;
/** A window takes seven responses; a step of four reaches every one of them. */
const step = 4;

/**
 * Calls `action` during the n-th response of the provider, after everything before it is
 * processed. Returns false if there are fewer responses.
 */
async function duringResponse(
  world: SyncWorld,
  user: string,
  at: number,
  action: () => Promise<unknown>,
): Promise<boolean> {
  let responseCount = 0;
  world.fakeProvider.beforeReply = async () => {
    responseCount += 1;
    if (responseCount !== at) return;
    await runWriter(world.deps, user);
    await action();
  };
  await world.processQueue();
  world.fakeProvider.beforeReply = async () => {};
  return responseCount >= at;
}

async function connectUser() {
  const world = syncWorld();
  const user = await world.user();
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: nights.map((day) => ouraNight(`n-${day}`, day)) });
  return { world, user, device: await world.connect(user, 'ann') };
}

/** Days may remain without values; everything else of the device must be gone. */
async function readRemaining(world: SyncWorld, user: string) {
  const own = world.table.rows().filter(({ pk }) => pk === userPartition(user));
  const values: string[] = [];
  for await (const { date, packed } of dayRows(world.deps.store).iterateCanonical(user, '2025-01-01', '2026-12-31'))
    for (const metric of decodeCanonicalDay(packed).keys()) values.push(`${date} ${metric}`);
  const rows = own.map(({ sk }) => String(sk)).filter((sk) => /^[BCLRTW]/.test(sk));
  return { nights: await world.nights(user), values, rows };
}

test('a user deleted at any response of a backfill leaves nothing behind, and no event follows the deletion', async () => {
  for (let at = 1; at < maxResponses; at += step) {
    const { world, user, device } = await connectUser();
    const names = [user, device].flatMap((id) => [id, id.slice(4)]);
    const wasReached = await duringResponse(world, user, at, async () => {
      await deleteUser(world.deps, world.caller, user);
      await eraseUser(world.deps, user);
    });
    if (!wasReached) return expect(at).toBeGreaterThan(40);
    for (let i = 0; i < 4; i++) {
      await world.passTime(minutes(1));
      await eraseUser(world.deps, user);
    }
    expect(findLeftovers(world.table.rows(), names), `deleted at answer ${at}`).toEqual([]);
    const published = readEvents(world.table.rows());
    expect(published.at(-1)?.type, `deleted at answer ${at}`).toBe('user.deleted');
  }
  throw new Error('The backfill did not end.');
});

test('a device disconnected at any response of a backfill leaves no data behind and causes one event', async () => {
  for (let at = 1; at < maxResponses; at += step) {
    const { world, user, device } = await connectUser();
    const wasReached = await duringResponse(world, user, at, () =>
      disconnectDevice(world.deps, world.caller, user, device),
    );
    if (!wasReached) return expect(at).toBeGreaterThan(40);
    for (let i = 0; i < 5; i++) await world.passTime(minutes(1));
    const left = await readRemaining(world, user);
    expect(left, `disconnected at answer ${at}`).toEqual({ nights: [], values: [], rows: [] });
    expect(await listDevices(world.deps, world.caller, user)).toEqual([]);
    expect(world.events('device.disconnected')).toHaveLength(1);
  }
  throw new Error('The backfill did not end.');
});
