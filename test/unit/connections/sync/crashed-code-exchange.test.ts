import { expect, test } from 'vitest';
import { connectDevice } from '../../../../shared/connections/connect/begin-connection.ts';
import { completeConnection } from '../../../../shared/connections/connect/complete-connection.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { makeCallback } from '../../../harness/browser.ts';
import { crashingTable, WorkerCrashed } from '../../../harness/crashing-table.ts';
import { minutes, syncWorld } from '../../../harness/sync-world.ts';

const origin = 'https://day.example';

async function consented() {
  const world = syncWorld();
  const user = await world.user();
  const { auth_url } = await connectDevice(world.deps, world.caller, user, { provider: 'oura' }, origin);
  const code = world.fakeProvider.code('oura', 'ann', `${origin}/connect/callback/oura`);
  const shown = async () => (await listDevices(world.deps, world.caller, user))[0];
  return { world, callback: makeCallback(world.deps, auth_url, { code }), shown };
}

test.each([false, true])(
  'a crash during a code exchange (written: %s) leaves no device pending for long',
  async (applied) => {
    for (let at = 1; at < 10; at++) {
      const { world, callback, shown } = await consented();
      const { table, writes } = crashingTable(world.table, { at, applied });
      const died = await completeConnection(world.withTable(table), callback).then(
        () => false,
        (error) => error instanceof WorkerCrashed,
      );
      for (let i = 0; i < 4; i++) await world.passTime(minutes(1));
      const device = await shown();
      if (!died) return expect([at, device?.status]).toEqual([writes() + 1, 'active']);
      // The link was not used, so a second attempt is accepted.
      if (device?.status === 'pending') {
        expect([at, applied]).toEqual([1, false]);
        expect((await completeConnection(world.deps, callback)).problem).toBeUndefined();
      } else if (device?.status === 'failed') expect(device.error).toBe('provider_unavailable');
      else expect(device?.status).toBe('active');
    }
    throw new Error('No exchange finished.');
  },
);

test('a code exchange is not given up while its worker may still be running', async () => {
  const { world, callback, shown } = await consented();
  world.fakeProvider.beforeReply = async ({ path }) => {
    if (path.endsWith('personal_info')) await world.passTime(minutes(1));
  };
  expect((await completeConnection(world.deps, callback)).problem).toBeUndefined();
  expect((await shown())?.status).toBe('active');
});
