// Defines tests in which a sync worker crashes at one of its writes.
import { expect, test } from 'vitest';
import { disconnectDevice } from '../../../../shared/connections/disconnect.ts';
import { revokeConsent } from '../../../../shared/connections/sync/revoke-consent.ts';
import { syncConnection } from '../../../../shared/connections/sync/sync-connection.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { crashingTable, WorkerCrashed } from '../../../harness/crashing-table.ts';
import { isRefreshCall } from '../../../harness/fake-provider.ts';
import { hours, minutes, ouraNight, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';

export const nights = ['2026-03-12', '2026-02-20', '2026-01-10', '2025-11-05', '2025-09-20'];
const maxWrites = 200;

export async function connectWithNights() {
  const world = syncWorld();
  const user = await world.user();
  const sleep = nights.map((day) => ouraNight(`n-${day}`, day));
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep });
  return { world, user, device: await world.connect(user, 'ann') };
}

/** Returns whether the worker finished. */
async function crashAt(
  world: SyncWorld,
  crash: { at: number; applied: boolean },
  run: (deps: SyncWorld['deps']) => Promise<void>,
) {
  const { table } = crashingTable(world.table, crash);
  try {
    await run(world.withTable(table));
    return true;
  } catch (error) {
    if (!(error instanceof WorkerCrashed)) throw error;
    return false;
  }
}

export const listStoredNights = async (world: SyncWorld, user: string) =>
  (await world.nights(user)).map(({ date, id }) => `${date} ${id}`);
export const expectedNights = nights.map((day) => `${day} n-${day}`).sort();

/** Defines tests that crash a worker at every n-th of its writes. */
export function testCrashesAtWrites(step: number): void {
  const which = step === 1 ? 'any write' : `every ${step}th write`;

  test.each([false, true])(
    `a worker that crashes at ${which} of a backfill (applied: %s) loses and duplicates nothing`,
    async (applied) => {
      for (let at = 1; at < maxWrites; at += step) {
        const { world, user, device } = await connectWithNights();
        const hasFinished = await crashAt(world, { at, applied }, (deps) => syncConnection(deps, user, device));
        for (let i = 0; i < 4; i++) await world.passTime(minutes(1));
        expect(await listStoredNights(world, user), `killed at write ${at}`).toEqual(expectedNights);
        const [shown] = await listDevices(world.deps, world.caller, user);
        expect(shown).toMatchObject({ status: 'active', sync: { state: 'current', done: 1 } });
        expect(world.events('device.connected')).toHaveLength(1);
        if (hasFinished) return expect(at).toBeGreaterThan(20);
      }
      throw new Error('The worker never finished.');
    },
  );

  test.each([false, true])(
    `a worker that crashes at ${which} of a refresh (applied: %s) disconnects nobody`,
    async (applied) => {
      for (let at = 1; at < maxWrites; at += step) {
        const { world, user, device } = await connectWithNights();
        await world.processQueue();
        world.clock.advance(hours(30));
        world.fakeProvider.requests.length = 0;
        const hasFinished = await crashAt(world, { at, applied }, (deps) => syncConnection(deps, user, device));
        const wasLost =
          !hasFinished &&
          world.fakeProvider.requests.filter(isRefreshCall).length === 1 &&
          world.fakeProvider.requests.length === 1 &&
          !applied;
        for (let i = 0; i < 4; i++) await world.passTime(minutes(1));
        const [shown] = await listDevices(world.deps, world.caller, user);
        // The lost response held the only copy of the new token, and the old one is spent: only the
        // user can say whether the consent is over.
        expect([shown?.status, shown?.sync?.state], `killed at write ${at}`).toEqual([
          'active',
          wasLost ? 'waiting' : 'current',
        ]);
        expect(world.fakeProvider.requests.filter(isRefreshCall).length).toBeLessThanOrEqual(wasLost ? 2 : 1);
        expect(world.events('device.disconnected')).toEqual([]);
        if (hasFinished) return expect(at).toBeGreaterThan(3);
      }
      throw new Error('The worker never finished.');
    },
  );

  test.each([false, true])(
    `a disconnect whose worker crashes at ${which} (applied: %s) is completed by other workers`,
    async (applied) => {
      for (let at = 1; at < maxWrites; at += step) {
        const { world, user, device } = await connectWithNights();
        await world.processQueue();
        const hasFinished = await crashAt(world, { at, applied }, async (deps) => {
          await disconnectDevice(deps, world.caller, user, device);
          await revokeConsent(deps, user, device);
        });
        // A caller that got no response sends the request again.
        await disconnectDevice(world.deps, world.caller, user, device);
        for (let i = 0; i < 4; i++) await world.passTime(minutes(1));
        expect(await world.readConnection(user, device), `killed at write ${at}`).toBeUndefined();
        expect(await world.pendingRevocation(user, device), `killed at write ${at}`).toBeUndefined();
        expect(await listStoredNights(world, user)).toEqual([]);
        expect(world.events('device.disconnected')).toHaveLength(1);
        const revoked = world.fakeProvider.requests.filter(({ path }) => path.endsWith('/oauth/revoke')).length;
        expect([1, 2]).toContain(revoked);
        if (hasFinished) return expect(at).toBeGreaterThan(2);
      }
      throw new Error('The worker never finished.');
    },
  );
}
